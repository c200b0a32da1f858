import {
  type ApiObject,
  alreadyExists,
  conflict,
  type GroupResource,
  internalError,
  maxObjectBytes,
  notFound,
  objectTooLarge,
  optimisticLockError,
  StatusError,
} from '../meta/index.ts';
import type { Resource } from '../schema/index.ts';
import { type Commit, type Entry, type KeySpace, KeySpaceError } from '../storage/index.ts';
import { keyPrefix, objectKey } from './object-keys.ts';
import { type StoredObject, StoredObjects, UnversionedObject } from './stored-object.ts';

/** The identity of an object in a request. */
export interface ObjectRef {
  readonly resource: Resource;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
}

export function subjectOf({ group, name }: Resource): GroupResource {
  return { group, name };
}

/** Called after each committed write with the new object and the previous one. Must not throw. */
export type PostCommitHook = (next: ApiObject | undefined, old: ApiObject | undefined) => Promise<void>;

/** Reads and writes single objects. Here errors of the key space become Status errors. */
export class ObjectStore {
  readonly keySpace: KeySpace;
  /** Errors name the keys of corrupt objects (gate AllowUnsafeMalformedObjectDeletion), and lists report all of them. */
  readonly reportsCorruptKeys: boolean;
  readonly #objects: StoredObjects;
  readonly #postCommitHooks = new Map<string, PostCommitHook>();

  constructor(keySpace: KeySpace, { nameCorrupt }: { readonly nameCorrupt: boolean }) {
    this.keySpace = keySpace;
    this.reportsCorruptKeys = nameCorrupt;
    this.#objects = new StoredObjects(nameCorrupt);
  }

  /** The decoded object of an entry, shared by all readers. */
  storedObjectOf(entry: Entry): StoredObject {
    return this.#objects.forEntry(entry);
  }

  async find(ref: ObjectRef, at?: number): Promise<StoredObject | undefined> {
    const entry = await this.keySpace.get(objectKey(ref.resource, ref.namespace, ref.name), at);
    return entry && this.storedObjectOf(entry);
  }

  /** @throws StatusError 404 */
  async get(ref: ObjectRef, at?: number): Promise<StoredObject> {
    const found = await this.find(ref, at);
    if (!found) throw notFound(subjectOf(ref.resource), ref.name);
    return found;
  }

  /** @throws StatusError 409 AlreadyExists; 500 when the object has a resourceVersion or is too large */
  async create(ref: ObjectRef, object: ApiObject, requestId: string | undefined): Promise<StoredObject> {
    const version = object.metadata.resourceVersion ?? '';
    if (/^\d+$/.test(version) && version !== '0')
      throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
    try {
      const stored = await this.#write(ref, 'absent', object, requestId);
      await this.#runPostCommitHook(ref, stored.object, undefined);
      return stored;
    } catch (error) {
      if (!(error instanceof KeySpaceError) || error.code !== 'revision-changed') throw error;
      throw new NameTakenError(ref, object, error.actual && this.storedObjectOf(error.actual));
    }
  }

  /** Returns undefined when the stored object has changed since `current` was read; the caller decides whether to retry. */
  async replace(
    ref: ObjectRef,
    current: StoredObject,
    object: ApiObject,
    requestId: string | undefined,
  ): Promise<StoredObject | undefined> {
    try {
      const stored = await this.#write(ref, current.entry.revision, object, requestId);
      await this.#runPostCommitHook(ref, stored.object, current);
      // The watchers have compared them: cached further, replaced objects would survive minor garbage collections.
      current.evict();
      return stored;
    } catch (error) {
      if (error instanceof KeySpaceError && error.code === 'revision-changed') return undefined;
      throw error;
    }
  }

  /** Returns the commit of the deletion; undefined when the stored object has changed since `current` was read. */
  async remove(ref: ObjectRef, current: StoredObject, requestId: string | undefined): Promise<Commit | undefined> {
    try {
      const key = objectKey(ref.resource, ref.namespace, ref.name);
      const commit = await this.#commit(key, current.entry.revision, undefined, requestId);
      await this.#runPostCommitHook(ref, undefined, current);
      return commit;
    } catch (error) {
      if (error instanceof KeySpaceError && error.code === 'revision-changed') return undefined;
      throw error;
    }
  }

  /** Calls `hook` after each committed write to a resource, before the write returns to its caller. */
  setPostCommitHook(resource: Resource, hook: PostCommitHook): void {
    this.#postCommitHooks.set(keyPrefix(resource), hook);
  }

  /** Decodes the previous object only for a hook: it may be corrupt. */
  async #runPostCommitHook({ resource }: ObjectRef, next: ApiObject | undefined, before: StoredObject | undefined): Promise<void> {
    const hook = this.#postCommitHooks.get(keyPrefix(resource));
    if (hook) await hook(next, before?.object);
  }

  async #write(ref: ObjectRef, expected: 'absent' | number, object: ApiObject, requestId: string | undefined): Promise<StoredObject> {
    const next = new UnversionedObject(object, checkStoredSize, ref.resource.custom ? 'lists in parts' : 'whole lists');
    const { text } = next;
    // A character has at most three bytes in UTF-8: shorter texts cannot exceed the limit.
    if (text.length * 3 > maxObjectBytes && new TextEncoder().encode(text).length > maxObjectBytes) {
      checkStoredSize(Number.POSITIVE_INFINITY);
    }
    const key = objectKey(ref.resource, ref.namespace, ref.name);
    this.#objects.addPendingWrite(key, next);
    try {
      const { entry } = await this.#commit(key, expected, text, requestId);
      if (!entry) throw new Error('a write of a value left no entry');
      return this.#objects.forEntry(entry);
    } finally {
      this.#objects.removePendingWrite(key, next);
    }
  }

  async #commit(key: string, expected: 'absent' | number, value: string | undefined, requestId: string | undefined): Promise<Commit> {
    try {
      return await this.keySpace.commit({ key, expected, value, ...(requestId === undefined ? {} : { requestId }) });
    } catch (error) {
      throw toStatusError(error);
    }
  }
}

/** `length`: in characters, each of at least one byte. @throws StatusError 500 */
function checkStoredSize(length: number): void {
  if (length > maxObjectBytes) throw objectTooLarge();
}

/** Converts storage errors; `revision-changed` and read errors such as `compacted` are left to callers, which know their meaning. */
export function toStatusError(error: unknown): unknown {
  if (!(error instanceof KeySpaceError)) return error;
  if (error.code === 'out-of-space') return new StatusError(500, '', 'etcdserver: mvcc: database space exceeded', undefined, error);
  if (error.code === 'unavailable' || error.code === 'closed')
    return new StatusError(500, '', 'etcdserver: request timed out', undefined, error);
  if (error.code === 'timed-out') return requestTimedOut(error);
  if (error.code === 'encryption-failed') return internalError(error.message, error);
  if (error.code === 'corrupt') return new StatusError(500, 'StoreReadError', error.message, undefined, error);
  return error;
}

/** The error of kube-apiserver when etcd does not respond to a write in time. */
export function requestTimedOut(cause: unknown): StatusError {
  const message = 'Timeout: request did not complete within requested timeout - context deadline exceeded';
  return new StatusError(504, 'Timeout', message, {}, cause);
}

/** The 409 of a write whose base object is stale. */
export function staleWrite(ref: ObjectRef): StatusError {
  return conflict(subjectOf(ref.resource), ref.name, optimisticLockError);
}

/**
 * The 409 of a new object whose name the stored object `by` already has. A `generateName` counts as the origin of the name even beside a given
 * one. Cf. upstream rest.CheckGeneratedNameError.
 */
export class NameTakenError extends StatusError {
  constructor(ref: ObjectRef, { metadata }: ApiObject, by: StoredObject | undefined) {
    const { code, reason, message, details } = alreadyExists(subjectOf(ref.resource), ref.name);
    const isTerminating = by?.object.metadata.deletionTimestamp !== undefined;
    const isGenerated = (metadata.generateName ?? '') !== '';
    const start = isTerminating ? 'object is being deleted: ' : '';
    const end = isGenerated ? ', the server was not able to generate a unique name for the object' : '';
    super(code, reason, start + message + end, isGenerated ? { ...details, retryAfterSeconds: 1 } : details);
  }
}
