/** What an earlier instance of the worker left: its id, and the attempts that it answered. */
export interface EarlierInstance {
  readonly instance: string;
  readonly answered: ReadonlySet<string>;
}

/** Where an instance of the worker notes the attempts that it has answered, for the instance after it. */
export interface AnsweredAttempts {
  /** Takes the notes over for `instance`. Undefined when there was none before, or when the browser refuses storage. */
  begin(instance: string): Promise<EarlierInstance | undefined>;
  /**
   * To be called right before the answer is given. It does not wait: what it asks of the browser reaches the browser before the
   * answer does, and is done even if the worker is stopped then. When it cannot be done, the next instance learns nothing of this one.
   */
  note(attemptId: string, nowMs: number): void;
}

const storeName = 'attempts';
/** Ids of attempts have colons. */
const instanceKey = 'instance';
/** After this time an attempt is not taken for a repetition any more (FetchAttempts), and its note is removed. */
const retentionMs = 60_000;

/**
 * In a database of its own, opened by the first write that needs it:
 *
 *     'instance'   → the id of the instance
 *     attempt id   → when it was answered
 */
export function createAnsweredAttempts(indexedDB: IDBFactory, name: string): AnsweredAttempts {
  let database: IDBDatabase | undefined;
  const noted = new Map<string, number>();
  return {
    async begin(instance) {
      try {
        database = await openDatabase(indexedDB, name);
        const { store, done } = writing(database);
        const [earlier, answered] = [store.get(instanceKey), store.getAllKeys()];
        store.clear();
        store.put(instance, instanceKey);
        await done();
        return typeof earlier.result === 'string'
          ? { instance: earlier.result, answered: new Set(answered.result.map(String)) }
          : undefined;
      } catch {
        // Refused, full or damaged: then a repetition is served like any other request.
        database = undefined;
        return undefined;
      }
    },
    note(attemptId, nowMs) {
      if (!database) return;
      const open = database;
      try {
        const { store, done } = writing(open);
        for (const [id, ms] of noted) {
          if (ms >= nowMs - retentionMs) break;
          noted.delete(id);
          store.delete(id);
        }
        noted.set(attemptId, nowMs);
        store.put(nowMs, attemptId);
        done().catch(() => forgetInstance(open));
      } catch {
        // The database was closed to be deleted, and the id of the instance goes with it.
        database = undefined;
      }
    },
  };
}

/** Without its notes, no commit of this instance may be taken for unanswered. */
async function forgetInstance(database: IDBDatabase): Promise<void> {
  try {
    const { store, done } = writing(database);
    store.delete(instanceKey);
    await done();
  } catch {
    // The database is gone, and the id of the instance with it.
  }
}

interface Writing {
  readonly store: IDBObjectStore;
  /** Ends the transaction without waiting for its requests; resolves when it is complete. */
  done(): Promise<void>;
}

function writing(database: IDBDatabase): Writing {
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
      // Must not hold up a page that removes all databases.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
  });
}
