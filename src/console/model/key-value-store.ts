/** A persistent key-value store for history, files and settings. Values must be structured-cloneable. */
export interface KeyValueStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** All entries whose key starts with `prefix`, in order of key. */
  entries(prefix: string): Promise<readonly (readonly [key: string, value: unknown])[]>;
}

const databaseName = 'tabplane-console';
const storeName = 'kept';

/** Opens the store in IndexedDB, or in memory where IndexedDB is blocked (a sandbox, a cross-origin frame). */
export async function openStore(): Promise<KeyValueStore> {
  try {
    return createDatabaseStore(await openDatabase());
  } catch {
    // Values are then lost with the page, as the cluster is.
    return createMemoryStore();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('blocked by another version'));
  });
}

function createDatabaseStore(database: IDBDatabase): KeyValueStore {
  const store = (mode: IDBTransactionMode): IDBObjectStore => database.transaction(storeName, mode).objectStore(storeName);
  return {
    get: (key) => awaitRequest(store('readonly').get(key)),
    set: async (key, value) => void (await awaitRequest(store('readwrite').put(value, key))),
    delete: async (key) => void (await awaitRequest(store('readwrite').delete(key))),
    async entries(prefix) {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const reading = store('readonly');
      const [keys, values] = await Promise.all([awaitRequest(reading.getAllKeys(range)), awaitRequest(reading.getAll(range))]);
      return keys.map((key, at) => [String(key), values[at]]);
    },
  };
}

function awaitRequest<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export function createMemoryStore(): KeyValueStore {
  const values = new Map<string, unknown>();
  return {
    get: async (key) => values.get(key),
    set: async (key, value) => void values.set(key, value),
    delete: async (key) => void values.delete(key),
    entries: async (prefix) => [...values].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

/** A view of a store below a key prefix. */
function prefixedStore(store: KeyValueStore, prefix: string): KeyValueStore {
  return {
    get: (key) => store.get(prefix + key),
    set: (key, value) => store.set(prefix + key, value),
    delete: (key) => store.delete(prefix + key),
    entries: async (more) => (await store.entries(prefix + more)).map(([key, value]) => [key.slice(prefix.length), value]),
  };
}

/** The store of one workspace. The default cluster has an empty id and no prefix. */
export function workspaceStore(all: KeyValueStore, id: string): KeyValueStore {
  return id === '' ? all : prefixedStore(all, `place:${id}:`);
}

/** Key of a workspace's time of last use, in ms. */
export const lastUsedKey = 'usedMs';
