import { type ApiObject, sameJson, withMetadata } from '../meta/index.ts';
import type { WriteContext } from './create.ts';
import { type DeleteInput, type DeleteResult, deleteObject, propagationFinalizers } from './delete.ts';
import type { ObjectStore } from './object-store.ts';
import { checkPreconditions } from './preconditions.ts';

/**
 * The first deletion only marks a namespace as terminating: the namespace controller deletes its content. The namespace is removed
 * when it has no finalizers left and is deleted or finalized again. Cf. upstream registry/core/namespace REST.Delete.
 */
export async function deleteNamespace(store: ObjectStore, input: DeleteInput, context: WriteContext): Promise<DeleteResult> {
  for (;;) {
    const current = await store.get(input.ref);
    const { object } = current;
    checkPreconditions(input.ref, input.options.preconditions ?? {}, object);
    if (object.metadata.deletionTimestamp !== undefined) {
      if (countSpecFinalizers(object) > 0) return { removed: false, answer: object };
      // Returns the deleted object, although the API reference documents a Status.
      const strategy = { ...input.strategy, deleteReturnsObject: true };
      return deleteObject(store, { ...input, strategy, options: { ...input.options, preconditions: {} } }, context);
    }
    await input.admit(object);
    const marked = markTerminating(object, input, context);
    if (context.dryRun || sameJson(marked, object)) return { removed: false, answer: marked };
    const stored = await store.replace(input.ref, current, marked, context.requestId);
    if (stored) return { removed: false, answer: stored.object };
  }
}

function markTerminating(object: ApiObject, { options, strategy }: DeleteInput, { now }: WriteContext): ApiObject {
  // Here upstream treats `orphanDependents: false` as foreground deletion.
  const { orphanDependents, ...others } = options;
  const effectiveOptions = orphanDependents === false ? { ...others, propagationPolicy: 'Foreground' } : options;
  const finalizers = propagationFinalizers(object, effectiveOptions, strategy) ?? object.metadata.finalizers ?? [];
  const marked = withMetadata(object, { deletionTimestamp: now, finalizers: finalizers.length > 0 ? finalizers : undefined });
  return { ...marked, status: { ...(object['status'] as object), phase: 'Terminating' } } as ApiObject;
}

function countSpecFinalizers(object: ApiObject): number {
  return (object['spec'] as { readonly finalizers?: readonly string[] } | undefined)?.finalizers?.length ?? 0;
}
