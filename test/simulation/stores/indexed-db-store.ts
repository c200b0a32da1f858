import { createMemoryLog } from '../../../src/env/index.ts';
import { openIdbLogStore, openLogKeySpace, type TimedKeySpace } from '../../../src/storage/index.ts';
import type { CommitHistory } from '../model/commit-history.ts';
import type { Process } from '../server-process.ts';
import type { World } from '../world.ts';
import { smallTail } from './file-store.ts';
import { IndexedDbModel, installIndexedDbClasses, ModelKeyRange } from './indexed-db-model.ts';
import { LockModel } from './lock-model.ts';
import { observeEarlyCompactions } from './observe-early-compactions.ts';
import { observeCompactions, type Store } from './store.ts';

/** The log of src/storage/log-idb in workers of a browser, each of which takes the database from the one before it. */
export class IndexedDbStore implements Store {
  readonly servers = 1;
  readonly #world: World;
  readonly #history: CommitHistory;
  readonly #database: IndexedDbModel;
  readonly #locks: LockModel;

  constructor(world: World, history: CommitHistory) {
    installIndexedDbClasses();
    this.#world = world;
    this.#history = history;
    this.#database = new IndexedDbModel(world);
    this.#locks = new LockModel(world);
  }

  async open(process: Process): Promise<TimedKeySpace> {
    const { coverage, record } = this.#world;
    const database = await openIdbLogStore({
      platform: {
        indexedDB: this.#database.factory(process),
        IDBKeyRange: ModelKeyRange as unknown as typeof IDBKeyRange,
        navigator: { locks: this.#locks.manager(process) },
      },
      name: 'log',
      durability: 'strict',
      // What it has read may be of the past: its worker ends.
      onTakenOver: () => {
        if (process.isDead) return;
        record('indexeddb', 'a worker is taken over');
        coverage.count('indexeddb: workers taken over');
        process.kill();
      },
    });
    const { clock } = process;
    const store = observeEarlyCompactions(database, this.#history);
    const space = await openLogKeySpace({ store, clock, log: createMemoryLog(), onDamage: 'refuse', tailLimit: smallTail });
    await this.#history.follow(space, process);
    return observeCompactions(space, this.#history);
  }
}
