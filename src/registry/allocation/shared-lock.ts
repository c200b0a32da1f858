import type { Env } from '../../env/index.ts';
import { type KeySpace, KeySpaceError } from '../../storage/index.ts';

/** Keys under this one are for a moment; a store with times to live may take back what is left behind. */
export const lockPrefix = '/tabplane/locks/';

/** Whoever finds the lock taken asks again after this, more or less. */
const retryMs = 20;

/**
 * A lock that all servers on one store share: who holds it has seen everything that those before it wrote. Servers that die with it
 * leave it to the store's own times to live.
 */
export class SharedLock {
  readonly #keySpace: KeySpace;
  readonly #key: string;
  readonly #env: Env;
  /** Settles when nobody in this process holds the lock or waits for it. */
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(keySpace: KeySpace, name: string, env: Env) {
    this.#keySpace = keySpace;
    this.#key = `${lockPrefix}${name}`;
    this.#env = env;
  }

  /** Waits for the lock; the returned function gives it back. @throws KeySpaceError */
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
      // It was held for too long, or the store is away: either way its time to live ends it.
      this.#env.log.warn('a lock could not be given back', { key: this.#key, error });
    }
  }
}
