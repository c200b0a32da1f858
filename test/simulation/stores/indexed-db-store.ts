import { createMemoryLog } from '../../../src/env/index.ts';
import { openIdbLogStore, openLogKeySpace, type TimedKeySpace } from '../../../src/storage/index.ts';
import type { Environment } from '../environment.ts';
import type { CommitHistory } from '../model/commit-history.ts';
import type { Process } from '../server-process.ts';
import { smallTail } from './file-store.ts';
import { IndexedDbModel, installIndexedDbClasses, ModelKeyRange } from './indexed-db-model.ts';
import { LockModel } from './lock-model.ts';
import { observeEarlyCompactions } from './observe-early-compactions.ts';
import { observeCompactions, type Store } from './store.ts';

/** The log of src/storage/log-idb in workers of a browser, each of which takes over the database from its predecessor. */
export class IndexedDbStore implements Store {
  readonly servers = 1;
  readonly #environment: Environment;
  readonly #history: CommitHistory;
  readonly #database: IndexedDbModel;
  readonly #locks: LockModel;

  constructor(environment: Environment, history: CommitHistory) {
    installIndexedDbClasses();
    this.#environment = environment;
    this.#history = history;
    this.#database = new IndexedDbModel(environment);
    this.#locks = new LockModel(environment);
  }

  async open(process: Process): Promise<TimedKeySpace> {
    const { coverage, record } = this.#environment;
    const database = await openIdbLogStore({
      platform: {
        indexedDB: this.#database.factory(process),
        IDBKeyRange: ModelKeyRange as unknown as typeof IDBKeyRange,
        navigator: { locks: this.#locks.manager(process) },
      },
      name: 'log',
      durability: 'strict',
      // Its data may be stale: its worker ends.
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
