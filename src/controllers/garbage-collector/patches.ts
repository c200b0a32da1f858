import type { metav1 } from '../../schema/api/index.ts';

/** A strategic merge patch that removes the references to these owners. */
export function removeOwnersPatch(uid: string, ownerUids: readonly string[]): object {
  return { metadata: { uid, ownerReferences: ownerUids.map((owner) => ({ $patch: 'delete', uid: owner })) } };
}

/** The same as a merge patch of the current object, for custom resources. */
export function removeOwnersMergePatch({ resourceVersion, ownerReferences = [] }: metav1.ObjectMeta, ownerUids: readonly string[]): object {
  const left = ownerReferences.filter(({ uid }) => !ownerUids.includes(uid));
  return { metadata: { resourceVersion, ownerReferences: left.length === 0 ? null : left } };
}

/** A strategic merge patch that makes all references of an object non-blocking, to resolve a circle of owners. */
export function unblockOwnersPatch(uid: string, owners: readonly metav1.OwnerReference[]): object {
  const blocking = owners.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true);
  return { metadata: { uid, ownerReferences: blocking.map((reference) => ({ ...reference, blockOwnerDeletion: false })) } };
}

/** The same as a merge patch of the current object, for custom resources. */
export function unblockOwnersMergePatch({ resourceVersion, ownerReferences = [] }: metav1.ObjectMeta): object {
  return {
    metadata: { resourceVersion, ownerReferences: ownerReferences.map((reference) => ({ ...reference, blockOwnerDeletion: false })) },
  };
}

/** A merge patch that removes a finalizer from the current object. */
export function removeFinalizerPatch({ resourceVersion, finalizers = [] }: metav1.ObjectMeta, finalizer: string): object {
  return { metadata: { resourceVersion, finalizers: finalizers.filter((one) => one !== finalizer) } };
}
