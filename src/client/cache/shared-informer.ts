import type { JsonObject } from '../../meta/index.ts';
import type { KubeObject } from '../api/index.ts';
import { Indexer } from './indexer.ts';
import { type ListAndWatchOptions, listAndWatch, type WatchEvent } from './list-and-watch.ts';

/** Receives the changes of a cache, after the cache has them. */
export interface EventHandler<T> {
  onAdd?(object: T): void;
  onUpdate?(object: T, old: T): void;
  /** `object` is the last known state. */
  onDelete?(object: T): void;
}

/** The key of an object in a cache: `namespace/name`, or `name` for cluster-scoped objects. */
export function cacheKeyOf({ metadata: { namespace, name = '' } }: Pick<KubeObject, 'metadata'>): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** The parts of a key in a cache. */
export function splitCacheKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: slash < 0 ? '' : key.slice(0, slash), name: key.slice(slash + 1) };
}

/** A cache of a collection, whose changes are delivered to handlers. Cf. client-go tools/cache SharedIndexInformer. */
export interface SharedInformer<T extends KubeObject> {
  readonly store: Indexer<T>;
  /** Resolves when the initial list is in the cache. */
  readonly synced: Promise<void>;
  /** Whether the initial list is in the cache. */
  readonly hasSynced: boolean;
  /** A handler that is added late first receives the objects of the cache as added. The returned function removes it. */
  addHandler(handler: EventHandler<T>): () => void;
}

/** Caches a collection by list and watch. */
export class ListWatchInformer<T extends KubeObject> implements SharedInformer<T> {
  readonly store: Indexer<T> = new Indexer();
  readonly synced: Promise<void>;
  #handlers: readonly EventHandler<T>[] = [];
  #hasSynced = false;
  #resolveSynced: () => void = () => {};

  /** Starts at once and runs until the signal aborts. `type` is that of the objects: the items of a list are without it. */
  constructor(options: ListAndWatchOptions, type: Pick<KubeObject, 'kind' | 'apiVersion'>, signal: AbortSignal) {
    this.synced = new Promise((resolve) => {
      this.#resolveSynced = resolve;
    });
    const handlers = {
      onListed: (items: readonly JsonObject[]) => this.#replace(items.map((item) => ({ ...type, ...item }) as unknown as T)),
      onEvent: (event: WatchEvent) => this.#apply(event.type, event.object as unknown as T),
    };
    void listAndWatch(options, handlers, signal);
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  addHandler(handler: EventHandler<T>): () => void {
    this.#handlers = [...this.#handlers, handler];
    for (const object of this.store.list()) handler.onAdd?.(object);
    return () => {
      this.#handlers = this.#handlers.filter((one) => one !== handler);
    };
  }

  /** Delivers the differences between the cache and a new list. */
  #replace(objects: readonly T[]): void {
    const listed = new Set(objects.map(cacheKeyOf));
    const missing = [...this.store.keys()].filter((key) => !listed.has(key));
    for (const key of missing) this.#delete(key);
    this.#hasSynced = true;
    for (const object of objects) this.#set(object);
    this.#resolveSynced();
  }

  #apply(type: WatchEvent['type'], object: T): void {
    if (type === 'DELETED') {
      // The event has the final state of the object.
      this.store.set(cacheKeyOf(object), object);
      this.#delete(cacheKeyOf(object));
    } else this.#set(object);
  }

  #set(object: T): void {
    const old = this.store.set(cacheKeyOf(object), object);
    if (old && old.metadata.uid !== object.metadata.uid) for (const handler of this.#handlers) handler.onDelete?.(old);
    const isUpdate = old !== undefined && old.metadata.uid === object.metadata.uid;
    if (isUpdate && old.metadata.resourceVersion === object.metadata.resourceVersion) return;
    for (const handler of this.#handlers) {
      if (isUpdate) handler.onUpdate?.(object, old);
      else handler.onAdd?.(object);
    }
  }

  #delete(key: string): void {
    const object = this.store.delete(key);
    if (object) for (const handler of this.#handlers) handler.onDelete?.(object);
  }
}
