/** The previous instance of the worker: its id, and the attempts that it answered. */
export interface EarlierInstance {
  readonly instance: string;
  readonly answered: ReadonlySet<string>;
}

/** Durable record of the attempts that an instance of the worker has answered, for the next instance. */
export interface AnsweredAttempts {
  /** Reads and clears the record of the previous instance. Undefined without one, or when the browser refuses storage. */
  begin(instance: string): Promise<EarlierInstance | undefined>;
  /**
   * Must be called right before the response is sent. It does not wait: the write reaches the browser process before the response does,
   * and completes even if the worker is stopped then. If the write fails, the record of this instance is deleted.
   */
  record(attemptId: string, nowMs: number): void;
}

const storeName = 'attempts';
/** Differs from attempt ids, which have colons. */
const instanceKey = 'instance';
/** Longer than the time in which an attempt counts as a repetition (FetchAttempts); older notes are removed. */
const retentionMs = 60_000;

/**
 * In a separate database, opened on the first write:
 *
 *     'instance'   → the id of the instance
 *     attempt id   → the time of its response
 */
export function createAnsweredAttempts(indexedDB: IDBFactory, name: string): AnsweredAttempts {
  let database: IDBDatabase | undefined;
  const recorded = new Map<string, number>();
  return {
    async begin(instance) {
      try {
        database = await openDatabase(indexedDB, name);
        const { store, done } = beginWrite(database);
        const [earlier, answered] = [store.get(instanceKey), store.getAllKeys()];
        store.clear();
        store.put(instance, instanceKey);
        await done();
        return typeof earlier.result === 'string'
          ? { instance: earlier.result, answered: new Set(answered.result.map(String)) }
          : undefined;
      } catch {
        // Refused, full or damaged: repetitions are served like other requests.
        database = undefined;
        return undefined;
      }
    },
    record(attemptId, nowMs) {
      if (!database) return;
      const open = database;
      try {
        const { store, done } = beginWrite(open);
        for (const [id, ms] of recorded) {
          if (ms >= nowMs - retentionMs) break;
          recorded.delete(id);
          store.delete(id);
        }
        recorded.set(attemptId, nowMs);
        store.put(nowMs, attemptId);
        done().catch(() => deleteInstance(open));
      } catch {
        // The database was closed to be deleted, with the id of the instance.
        database = undefined;
      }
    },
  };
}

/** Without complete notes, no commit of this instance may count as unanswered. */
async function deleteInstance(database: IDBDatabase): Promise<void> {
  try {
    const { store, done } = beginWrite(database);
    store.delete(instanceKey);
    await done();
  } catch {
    // The database was deleted, with the id of the instance.
  }
}

interface WriteTransaction {
  readonly store: IDBObjectStore;
  /** Ends the transaction without waiting for its requests; resolves when it is complete. */
  done(): Promise<void>;
}

function beginWrite(database: IDBDatabase): WriteTransaction {
  const transaction = database.transaction(storeName, 'readwrite');
  return {
    store: transaction.objectStore(storeName),
    done: () =>
      new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
        transaction.commit();
      }),
  };
}

function openDatabase(indexedDB: IDBFactory, name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      // Must not block a page that deletes all databases.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
  });
}
