import type { Env } from '../../env/index.ts';
import { type ApiObject, formatTime, type JsonObject, type ObjectMeta, StatusError, withMetadata } from '../../meta/index.ts';
import type { ObjectRef, ObjectStore } from '../../registry/index.ts';
import { formatGroupVersion } from '../../schema/index.ts';
import type { Kinds } from '../../server/index.ts';

export interface SystemObjectWriterOptions {
  readonly env: Env;
  readonly kinds: Kinds;
  readonly store: ObjectStore;
}

/** An object that the server creates itself. */
export interface SystemObject {
  /** The object to store, without kind and apiVersion. */
  readonly object: JsonObject;
  readonly manager: string;
  /** The status that one of the server's controllers sets, with its field manager. */
  readonly status?: { readonly manager: string; readonly value: JsonObject };
}

/** Creates an object unless it exists. */
export type WriteSystemObject = (ref: ObjectRef, own: SystemObject) => Promise<void>;

/**
 * Writes system objects to the store directly: they are known to be valid, and the start of a new cluster waits for them. Managed fields
 * depend only on the fields of an object, so they are cached by its shape.
 */
export function createSystemObjectWriter({ env, kinds, store }: SystemObjectWriterOptions): WriteSystemObject {
  const now = formatTime(env.clock.nowMs());
  const known = new Map<string, ObjectMeta['managedFields']>();
  const managedFieldsOf = ({ resource }: ObjectRef, object: ApiObject, { manager, status }: SystemObject): ObjectMeta['managedFields'] => {
    const key = [manager, resource.name, shapeOf(object)].join(' ');
    if (!known.has(key)) {
      const kind = kinds.of(resource);
      const { status: _, ...withoutStatus } = object;
      const created = kind.ownership('').created((status ? withoutStatus : object) as ApiObject, { manager, now });
      const { apiVersion, metadata } = object;
      const intent = status && ({ kind: object.kind, apiVersion, metadata: { name: metadata.name }, status: status.value } as ApiObject);
      const owned = intent ? kind.ownership('status').applied(created, intent, { manager: status.manager, now, force: true }) : created;
      known.set(key, owned.metadata.managedFields);
    }
    return known.get(key);
  };
  return async (ref, own) => {
    const { kind } = ref.resource;
    const whole = {
      kind,
      apiVersion: formatGroupVersion(ref.resource),
      ...own.object,
      ...(own.status ? { status: own.status.value } : {}),
    };
    const object = whole as unknown as ApiObject;
    const given = { uid: env.random.uuid(), creationTimestamp: now, managedFields: managedFieldsOf(ref, object, own) };
    try {
      await store.create(ref, withMetadata(object, given), undefined);
    } catch (error) {
      // Another server on the same store may have created it.
      if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error;
    }
  };
}

/** The field names of an object, without values. Lists of these objects are atomic, or have one item of the same shape. */
function shapeOf(object: ApiObject): string {
  const { name: _name, namespace: _namespace, ...metadata } = object.metadata;
  return JSON.stringify({ ...object, metadata }, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 0,
  );
}
