import { sameJson } from '../../meta/index.ts';
import type { metav1 } from '../../schema/api/index.ts';

/** The differences between the owner references of two states of an object, by the UIDs of the owners. */
export interface OwnerChanges {
  readonly added: readonly metav1.OwnerReference[];
  readonly removed: readonly metav1.OwnerReference[];
  readonly changed: readonly { readonly before: metav1.OwnerReference; readonly after: metav1.OwnerReference }[];
}

/** Cf. upstream referencesDiffs. */
export function compareOwners(before: readonly metav1.OwnerReference[], after: readonly metav1.OwnerReference[]): OwnerChanges {
  const old = new Map(before.map((reference) => [reference.uid, reference]));
  const added: metav1.OwnerReference[] = [];
  const changed: { before: metav1.OwnerReference; after: metav1.OwnerReference }[] = [];
  for (const reference of after) {
    const known = old.get(reference.uid);
    if (!known) added.push(reference);
    else if (!sameJson(known, reference)) changed.push({ before: known, after: reference });
    old.delete(reference.uid);
  }
  return { added, removed: [...old.values()], changed };
}

/** The UIDs of owners that these changes may have unblocked. Cf. upstream addUnblockedOwnersToDeleteQueue. */
export function unblockedOwners({ removed, changed }: OwnerChanges): readonly string[] {
  const unblocking = changed.filter(({ before, after }) => before.blockOwnerDeletion === true && after.blockOwnerDeletion !== true);
  return [...removed.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true), ...unblocking.map(({ before }) => before)].map(
    ({ uid }) => uid,
  );
}
