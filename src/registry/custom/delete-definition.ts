import { type ApiObject, withMetadata } from '../../meta/index.ts';
import type { WriteContext } from '../create.ts';
import { type DeleteInput, type DeleteResult, deleteObject } from '../delete.ts';
import type { ObjectStore } from '../object-store.ts';
import { checkPreconditions } from '../preconditions.ts';
import { cleanupFinalizer } from './definition.ts';
import { withCondition } from './definition-status.ts';

/**
 * The first deletion only marks a definition as terminating: it is removed after the last of its objects. Cf. upstream
 * registry/customresourcedefinition REST.Delete.
 */
export async function deleteDefinition(store: ObjectStore, input: DeleteInput, context: WriteContext): Promise<DeleteResult> {
  for (;;) {
    const current = await store.get(input.ref);
    const { object } = current;
    checkPreconditions(input.ref, input.options.preconditions ?? {}, object);
    if (object.metadata.deletionTimestamp !== undefined) return deleteObject(store, input, context);
    await input.admit(object);
    const marked = markTerminating(object, context);
    if (context.dryRun) return { removed: false, answer: marked };
    const stored = await store.replace(input.ref, current, marked, context.requestId);
    if (stored) return { removed: false, answer: stored.object };
  }
}

function markTerminating(object: ApiObject, { now, product }: WriteContext): ApiObject {
  const finalizer = product.rename(cleanupFinalizer);
  const held = object.metadata.finalizers ?? [];
  const marked = withMetadata(object, {
    deletionTimestamp: now,
    finalizers: held.includes(finalizer) ? held : [...held, finalizer],
  });
  const condition = {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  return withCondition(marked, condition, now);
}
