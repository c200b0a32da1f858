/** Small things that survive a reload: history, files, settings. Values are whatever structured cloning takes. */
export interface Keep {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** All entries whose key starts with `prefix`, in order of key. */
  entries(prefix: string): Promise<readonly (readonly [key: string, value: unknown])[]>;
}

const databaseName = 'tabplane-console';
const storeName = 'kept';

/** In IndexedDB; in memory where the browser refuses it (a sandbox, a foreign frame). */
export async function openKeep(): Promise<Keep> {
  try {
    return databaseKeep(await openDatabase());
  } catch {
    // The console works all the same; what it should keep ends with the page, as its cluster does there.
    return memoryKeep();
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

function databaseKeep(database: IDBDatabase): Keep {
  const store = (mode: IDBTransactionMode): IDBObjectStore => database.transaction(storeName, mode).objectStore(storeName);
  return {
    get: (key) => settled(store('readonly').get(key)),
    set: async (key, value) => void (await settled(store('readwrite').put(value, key))),
    delete: async (key) => void (await settled(store('readwrite').delete(key))),
    async entries(prefix) {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const reading = store('readonly');
      const [keys, values] = await Promise.all([settled(reading.getAllKeys(range)), settled(reading.getAll(range))]);
      return keys.map((key, at) => [String(key), values[at]]);
    },
  };
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export function memoryKeep(): Keep {
  const kept = new Map<string, unknown>();
  return {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
    delete: async (key) => void kept.delete(key),
    entries: async (prefix) => [...kept].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

/** The part of a keep that is below a prefix. */
export function keepBelow(keep: Keep, prefix: string): Keep {
  return {
    get: (key) => keep.get(prefix + key),
    set: (key, value) => keep.set(prefix + key, value),
    delete: (key) => keep.delete(prefix + key),
    entries: async (more) => (await keep.entries(prefix + more)).map(([key, value]) => [key.slice(prefix.length), value]),
  };
}

/** What one cluster's console keeps; the page's own has an empty id. */
export function placeKeep(all: Keep, id: string): Keep {
  return id === '' ? all : keepBelow(all, `place:${id}:`);
}

/** In a place's keep: when it was last looked at. */
export const usedKey = 'usedMs';
