import {
  type Commit,
  createMemoryKeySpace,
  type KeySpace,
  KeySpaceError,
  type RangeQuery,
  type TimedKeySpace,
  type WatchQuery,
  type Write,
} from '../../src/storage/index.ts';
import type { OpenedStore, Store } from './store.ts';
import type { World } from './world.ts';

/** How long a lost leader is missed, and how long anybody waits for a new one. */
const electionMs = 60;
const patienceMs = 40;

/**
 * A model of a store of three members that several servers share: a leader that is lost is followed by another, a call that was on its
 * way then may have been done or not, and while no majority is left nothing is answered in time.
 */
export class StoreOfMembers implements Store {
  readonly #world: World;
  readonly #shared: TimedKeySpace;
  /** No leader before this time. */
  #leaderlessUntil = 0;

  constructor(world: World) {
    this.#world = world;
    this.#shared = createMemoryKeySpace(world.clock);
  }

  async open(isFaulty: boolean): Promise<OpenedStore> {
    const member = isFaulty ? this.#disturbed() : this.#shared;
    // Who closes its own connection does not close the store.
    const space: TimedKeySpace = { ...bound(member), revisionAt: (timeMs) => this.#shared.revisionAt(timeMs), close: async () => {} };
    return { space, killed: new Promise(() => {}), leave: () => {} };
  }

  #disturbed(): KeySpace {
    const shared = this.#shared;
    return {
      revision: () => this.#asked(() => shared.revision()),
      seenRevision: () => shared.seenRevision(),
      compactedRevision: () => this.#asked(() => shared.compactedRevision()),
      get: (key, at) => this.#asked(() => shared.get(key, at)),
      range: (query) => this.#asked(() => shared.range(query)),
      committedBy: (requestId) => this.#asked(() => shared.committedBy(requestId)),
      compact: (revision) => this.#asked(() => shared.compact(revision)),
      commit: (write) => this.#commit(write),
      watch: (query) => this.#watch(query),
      close: async () => {},
    };
  }

  async #asked<Result>(ask: () => Promise<Result>): Promise<Result> {
    await this.#leader();
    return ask();
  }

  async #commit(write: Write): Promise<Commit> {
    await this.#leader();
    const isLost = this.#world.once(40);
    if (isLost) this.#loseLeader();
    // The old leader may have passed it on before it was lost.
    if (isLost && this.#world.once(2)) throw timedOut();
    const commit = await this.#shared.commit(write);
    if (isLost) throw timedOut();
    return commit;
  }

  async #watch(query: WatchQuery): Promise<() => void> {
    await this.#leader();
    return this.#shared.watch(query);
  }

  async #leader(): Promise<void> {
    const { clock, random, once } = this.#world;
    if (once(3)) await clock.sleep(random.integer(10));
    const missingMs = this.#leaderlessUntil - clock.monotonicMs();
    if (missingMs <= 0) return;
    await clock.sleep(Math.min(missingMs, patienceMs));
    if (missingMs > patienceMs) throw timedOut();
  }

  #loseLeader(): void {
    const { clock, random, tell } = this.#world;
    tell('members', 'the leader is lost');
    this.#leaderlessUntil = clock.monotonicMs() + random.integer(electionMs);
  }
}

function timedOut(): KeySpaceError {
  return new KeySpaceError('unavailable', 'the request timed out');
}

/** The methods alone, so that some of them can be replaced. */
function bound(space: KeySpace): KeySpace {
  return {
    revision: () => space.revision(),
    seenRevision: () => space.seenRevision(),
    compactedRevision: () => space.compactedRevision(),
    get: (key, at) => space.get(key, at),
    range: (query: RangeQuery) => space.range(query),
    committedBy: (requestId) => space.committedBy(requestId),
    compact: (revision) => space.compact(revision),
    commit: (write) => space.commit(write),
    watch: (query) => space.watch(query),
    close: () => space.close(),
  };
}
