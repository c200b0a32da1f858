import { listAndWatch } from '../../src/client/index.ts';
import type { ApiHandler, JsonObject } from '../../src/meta/index.ts';
import { verifyStore, verifyWrites } from './invariants.ts';
import { Ledger, nameOf } from './ledger.ts';
import { createNetwork } from './network.ts';
import { Readings } from './readings.ts';
import { ServerProcess } from './server-process.ts';
import type { OpenedStore, Store } from './store.ts';
import { StoreOfFiles } from './store-of-files.ts';
import { StoreOfMembers } from './store-of-members.ts';
import { selections, Watcher } from './watcher.ts';
import { createWorld, require, type World } from './world.ts';
import { Writer } from './writer.ts';

export interface RunOptions {
  readonly seed: number;
  /** How many operations clients begin, all together. */
  readonly operations: number;
  /** What keeps the data; by the seed when absent. */
  readonly createStore?: (world: World) => Store;
  /** Between the clients and the network: tests of the simulation itself put their faults here. */
  readonly disturb?: (api: ApiHandler) => ApiHandler;
}

/** What a run did, for its reader to judge whether it was worth anything. */
export interface RunResult {
  readonly script: readonly string[];
  readonly writes: number;
  readonly reads: number;
  readonly lives: number;
  readonly failure: Error | undefined;
}

/** After this much time without faults everybody must have been answered, and told of everything. */
const patienceMs = 30_000;

/** Runs clients, servers and a store from one seed, with faults at every step, and checks every rule afterwards. */
export async function run(options: RunOptions): Promise<RunResult> {
  const world = createWorld(options.seed);
  const cluster = new SimulatedCluster(world, options);
  let failure: Error | undefined;
  try {
    await cluster.live();
    await cluster.settle();
    await cluster.verify();
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  return { script: world.script, writes: cluster.ledger.attempts.length, reads: cluster.readings.count, lives: cluster.lives, failure };
}

interface Life {
  readonly opened: OpenedStore;
  readonly server: ServerProcess;
}

class SimulatedCluster {
  readonly ledger = new Ledger();
  readonly readings = new Readings();
  lives = 0;
  readonly #world: World;
  readonly #options: RunOptions;
  readonly #store: Store;
  readonly #slots: (Life | undefined)[];
  readonly #writers: readonly Writer[];
  readonly #watchers: readonly Watcher[];
  readonly #view = new Map<string, string>();
  readonly #ending = new AbortController();
  #faulty = true;
  #begun = 0;
  #working = 0;
  #broken: unknown;

  constructor(world: World, options: RunOptions) {
    this.#world = world;
    this.#options = options;
    const shared = options.seed % 4 === 3;
    this.#store = options.createStore?.(world) ?? (shared ? new StoreOfMembers(world) : new StoreOfFiles(world));
    this.#slots = this.#store instanceof StoreOfMembers ? [undefined, undefined] : [undefined];
    const network = createNetwork({ world, reach: () => this.#reach(), isFaulty: () => this.#faulty });
    const api = options.disturb?.(network) ?? network;
    const { ledger, readings } = this;
    this.#writers = [0, 1, 2].map((index) => new Writer({ name: `writer${index}`, world, api, ledger, readings }));
    this.#watchers = selections.map((selection, index) => new Watcher({ name: `watcher${index}`, world, api, selection }));
    this.#follow(api);
  }

  /** Until all operations are done; servers die and come back meanwhile. */
  async live(): Promise<void> {
    const { clock, random, once } = this.#world;
    for (const writer of this.#writers) this.#keep(this.#work(writer));
    for (const watcher of this.#watchers) this.#keep(watcher.run());
    while (this.#working > 0) {
      await this.#startMissing();
      await clock.advance(1 + random.integer(30));
      this.#refuseBroken();
      if (once(40)) await this.#killOne();
      require(clock.monotonicMs() < 600_000, 'every request is answered or broken off', () => `${this.#working} clients still wait`);
    }
  }

  /** Without faults, until every watcher knows of every change. */
  async settle(): Promise<void> {
    const { clock, tell } = this.#world;
    tell('world', 'no more faults');
    this.#faulty = false;
    for (const index of this.#slots.keys()) this.#leave(index);
    await this.#startMissing();
    const until = clock.monotonicMs() + patienceMs;
    while (!this.#isSettled()) {
      require(clock.monotonicMs() < until, 'watch reliable and resumable', () => `not all was told: ${this.#missing()}`);
      await clock.advance(200);
      this.#refuseBroken();
    }
    for (const watcher of this.#watchers) watcher.end();
    this.#ending.abort();
  }

  async verify(): Promise<void> {
    for (const index of this.#slots.keys()) this.#leave(index);
    const { space } = await this.#store.open(false);
    verifyWrites(this.ledger);
    await verifyStore(this.ledger, space);
    this.readings.verify(this.ledger);
    const compacted = await space.compactedRevision();
    for (const watcher of this.#watchers) watcher.verify(this.ledger, compacted);
  }

  async #work(writer: Writer): Promise<void> {
    this.#working++;
    while (this.#begun < this.#options.operations) {
      this.#begun++;
      await this.#world.clock.sleep(this.#world.random.integer(25));
      await writer.act();
    }
    this.#working--;
  }

  /** The client that everybody uses, whose view must be the state in the end. */
  #follow(api: ApiHandler): void {
    const nameIn = ({ metadata }: JsonObject): string => (metadata as { readonly name: string }).name;
    const versionIn = ({ metadata }: JsonObject): string => (metadata as { readonly resourceVersion: string }).resourceVersion;
    const sink = {
      listed: (items: readonly JsonObject[]) => {
        this.#view.clear();
        for (const item of items) this.#view.set(nameIn(item), versionIn(item));
      },
      changed: ({ type, object }: { readonly type: string; readonly object: JsonObject }) => {
        if (type === 'DELETED') this.#view.delete(nameIn(object));
        else this.#view.set(nameIn(object), versionIn(object));
      },
    };
    const path = '/api/v1/namespaces/default/configmaps';
    this.#keep(listAndWatch({ api, clock: this.#world.clock, path, pageSize: 2 }, sink, this.#ending.signal));
  }

  #keep(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#broken ??= error;
    });
  }

  #refuseBroken(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  #reach(): ServerProcess | undefined {
    const living = this.#slots.filter((life) => life !== undefined);
    return living[this.#world.random.integer(Math.max(1, living.length))]?.server;
  }

  async #startMissing(): Promise<void> {
    for (const index of this.#slots.keys()) {
      if (this.#slots[index]) continue;
      const starting = this.#start(index);
      let settled = false;
      const settle = (): void => {
        settled = true;
      };
      // What it fails with is thrown where it is awaited.
      starting.then(settle, settle);
      while (!settled) await this.#world.clock.advance(5);
      this.#slots[index] = await starting;
    }
  }

  /** Undefined when a fault was faster. */
  async #start(index: number): Promise<Life | undefined> {
    const { tell } = this.#world;
    this.lives++;
    let opened: OpenedStore | undefined;
    try {
      opened = await this.#store.open(this.#faulty);
      await this.ledger.follow(opened.space);
      const dying = opened.killed.then((): never => {
        throw new Error('killed');
      });
      const server = await Promise.race([ServerProcess.start(this.#world, opened.space, opened.killed), dying]);
      const life = { opened, server };
      void server.gone.then(() => {
        if (this.#slots[index] === life) this.#leave(index);
      });
      tell(`server${index}`, `serves, at revision ${await opened.space.revision()}`);
      return life;
    } catch (error) {
      opened?.leave();
      const isCorrupt = error instanceof Error && 'code' in error && error.code === 'corrupt';
      require(this.#faulty && !isCorrupt, 'a store that was left opens again', () => String(error));
      tell(`server${index}`, `does not start: ${error instanceof Error ? error.message : error}`);
      return undefined;
    }
  }

  /** At any of the turns that the next moments take. */
  async #killOne(): Promise<void> {
    const { random, tell } = this.#world;
    const index = random.integer(this.#slots.length);
    for (let turn = random.integer(200); turn > 0; turn--) await Promise.resolve();
    tell(`server${index}`, 'is killed');
    this.#leave(index);
  }

  #leave(index: number): void {
    const life = this.#slots[index];
    this.#slots[index] = undefined;
    life?.server.kill();
    life?.opened.leave();
  }

  #isSettled(): boolean {
    const last = this.ledger.changes().at(-1)?.revision ?? 0;
    // A selection may have nothing to tell of the last changes; its bookmarks come once a minute.
    return (this.#watchers[0]?.reached ?? 0) >= last && this.#missing() === '';
  }

  /** What the informed client does not know yet. */
  #missing(): string {
    const state = [...this.ledger.stateAt(this.ledger.revision).values()];
    const expected = state.map((change) => `${nameOf(change)}@${change.revision}`).sort();
    const actual = [...this.#view].map(([name, version]) => `${name}@${version}`).sort();
    return expected.join() === actual.join() ? '' : `${actual.join()} instead of ${expected.join()}`;
  }
}
