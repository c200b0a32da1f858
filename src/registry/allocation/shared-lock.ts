import type { Env } from '../../env/index.ts';
import { type KeySpace, KeySpaceError } from '../../storage/index.ts';

/** Prefix of short-lived keys; a store with leases expires those that are left behind. */
export const lockPrefix = '/tabplane/locks/';

/** Minimum delay before another attempt to acquire a lock; up to the same time is added at random. */
const retryMs = 20;

/**
 * A lock shared by all servers on one store: its holder has observed all writes of the previous holders. The lock of a crashed server
 * expires with its lease in the store.
 */
export class SharedLock {
  readonly #keySpace: KeySpace;
  readonly #key: string;
  readonly #env: Env;
  /** Settles when this process neither holds the lock nor waits for it. */
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(keySpace: KeySpace, name: string, env: Env) {
    this.#keySpace = keySpace;
    this.#key = `${lockPrefix}${name}`;
    this.#env = env;
  }

  /** Waits for the lock; the returned function releases it. @throws KeySpaceError */
  async acquire(): Promise<() => Promise<void>> {
    let resolveTurn = (): void => {};
    const before = this.#lastTurn;
    this.#lastTurn = new Promise((resolve) => {
      resolveTurn = resolve;
    });
    await before;
    try {
      const revision = await this.#write();
      return () => this.#remove(revision).finally(resolveTurn);
    } catch (error) {
      resolveTurn();
      throw error;
    }
  }

  async #write(): Promise<number> {
    const { random, clock } = this.#env;
    for (;;) {
      try {
        return (await this.#keySpace.commit({ key: this.#key, expected: 'absent', value: random.uuid() })).revision;
      } catch (error) {
        if (!(error instanceof KeySpaceError) || error.code !== 'revision-changed') throw error;
      }
      await clock.sleep(retryMs + random.integer(retryMs));
    }
  }

  async #remove(revision: number): Promise<void> {
    try {
      await this.#keySpace.commit({ key: this.#key, expected: revision, value: undefined });
    } catch (error) {
      // The lock expired, or the store is unavailable: in both cases its lease ends it.
      this.#env.log.warn('a lock could not be given back', { key: this.#key, error });
    }
  }
}
