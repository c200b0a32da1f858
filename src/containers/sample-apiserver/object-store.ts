import { alreadyExists, conflict, type GroupResource, type JsonObject, notFound, optimisticLockError, textAt } from '../../meta/index.ts';

/** An object with the metadata of its creation, without `apiVersion` and `kind`. */
export interface StoredObject extends JsonObject {
  readonly metadata: JsonObject;
}

export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
  /** The object before the change. */
  readonly previous: StoredObject | undefined;
  readonly revision: number;
}

/** A watch from an older revision is answered with 410. */
const maxEvents = 1_000;

const objectKey = (object: StoredObject): string => `${textAt(object.metadata, 'namespace')}/${textAt(object.metadata, 'name')}`;

/** The objects of one resource in memory, with a revision counter as in etcd. */
export class ObjectStore {
  readonly #resource: GroupResource;
  readonly #objects = new Map<string, StoredObject>();
  readonly #events: StoreEvent[] = [];
  readonly #watchers = new Set<(event: StoreEvent) => void>();
  #revision = 1;

  constructor(resource: GroupResource) {
    this.#resource = resource;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Ordered by namespace and name. */
  list(): readonly StoredObject[] {
    return [...this.#objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  /** @throws StatusError 404 */
  get(namespace: string, name: string): StoredObject {
    const found = this.#objects.get(`${namespace}/${name}`);
    if (!found) throw notFound(this.#resource, name);
    return found;
  }

  /** A dry run stores nothing. @throws StatusError 409 */
  create(object: StoredObject, isDryRun: boolean): StoredObject {
    if (this.#objects.has(objectKey(object))) throw alreadyExists(this.#resource, textAt(object.metadata, 'name'));
    return isDryRun ? object : this.#commit('ADDED', object, undefined);
  }

  /** A dry run stores nothing. @throws StatusError 404, 409 when the object has another resourceVersion */
  replace(object: StoredObject, isDryRun: boolean): StoredObject {
    const name = textAt(object.metadata, 'name');
    const previous = this.get(textAt(object.metadata, 'namespace'), name);
    if (object.metadata['resourceVersion'] !== previous.metadata['resourceVersion'])
      throw conflict(this.#resource, name, optimisticLockError);
    return isDryRun ? object : this.#commit('MODIFIED', object, previous);
  }

  remove(object: StoredObject, isDryRun: boolean): void {
    if (!isDryRun) this.#commit('DELETED', object, object);
  }

  /** The events after a revision; undefined: they are no longer known. */
  eventsAfter(revision: number): readonly StoreEvent[] | undefined {
    const [first] = this.#events;
    if (first && revision < first.revision - 1) return undefined;
    return this.#events.filter((event) => event.revision > revision);
  }

  /** The returned function ends the calls. */
  watch(receive: (event: StoreEvent) => void): () => void {
    this.#watchers.add(receive);
    return () => this.#watchers.delete(receive);
  }

  #commit(type: StoreEvent['type'], changed: StoredObject, previous: StoredObject | undefined): StoredObject {
    this.#revision += 1;
    const object = { ...changed, metadata: { ...changed.metadata, resourceVersion: String(this.#revision) } };
    if (type === 'DELETED') this.#objects.delete(objectKey(object));
    else this.#objects.set(objectKey(object), object);
    const event = { type, object, previous, revision: this.#revision };
    this.#events.push(event);
    if (this.#events.length > maxEvents) this.#events.shift();
    for (const receive of this.#watchers) receive(event);
    return object;
  }
}
