import type { Resource } from '../../schema/index.ts';
import type { WriteContext } from '../create.ts';
import { deleteObject } from '../delete.ts';
import { keyPrefix } from '../object-keys.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Strategy } from '../strategy.ts';

/** Deletes every object of a custom resource, bypassing admission; those with finalizers are only marked. @throws StatusError */
export async function removeObjects(store: ObjectStore, resource: Resource, strategy: Strategy, context: WriteContext): Promise<void> {
  const { entries } = await store.keySpace.range({ prefix: keyPrefix(resource) });
  const objects = entries.map((entry) => store.storedObjectOf(entry).object);
  // An object that cannot be decoded cannot be deleted either.
  for (const object of objects) strategy.stored.read(object);
  for (const { metadata } of objects) {
    const { name = '', namespace = '' } = metadata;
    await deleteObject(store, { ref: { resource, namespace, name }, options: {}, strategy, admit: () => Promise.resolve() }, context);
  }
}

export async function countObjects(store: ObjectStore, resource: Resource): Promise<number> {
  return (await store.keySpace.range({ prefix: keyPrefix(resource), limit: 1 })).count;
}
