import type { metav1 } from '../../schema/api/index.ts';

/** The finalizer of an object that is deleted in the foreground. */
export const foregroundFinalizer = 'foregroundDeletion';
/** The finalizer of an object whose dependents become orphans. */
export const orphanFinalizer = 'orphan';

type Metadata = Pick<metav1.ObjectMeta, 'deletionTimestamp' | 'finalizers'>;

export function isBeingDeleted({ deletionTimestamp }: Metadata): boolean {
  return deletionTimestamp !== undefined;
}

export function hasFinalizer({ finalizers = [] }: Metadata, finalizer: string): boolean {
  return finalizers.includes(finalizer);
}

/** Whether the deletion of an object waits for a finalizer. */
export function waitsFor(metadata: Metadata, finalizer: string): boolean {
  return isBeingDeleted(metadata) && hasFinalizer(metadata, finalizer);
}

/** Whether the deletion of an object waits for a finalizer and did not do so before. Cf. upstream deletionStartsWithFinalizer. */
export function startsWaitingFor(metadata: Metadata, before: Metadata | undefined, finalizer: string): boolean {
  return waitsFor(metadata, finalizer) && !(before && waitsFor(before, finalizer));
}
