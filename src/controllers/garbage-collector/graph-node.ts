import type { metav1 } from '../../schema/api/index.ts';
import { identityKey, isBefore, type ObjectIdentity, ownerIdentity, refersTo } from './object-identity.ts';

/** An object in the graph of owners and dependents. Cf. pkg/controller/garbagecollector node. */
export interface GraphNode {
  readonly identity: ObjectIdentity;
  readonly dependents: Set<GraphNode>;
  owners: readonly metav1.OwnerReference[];
  /** Known only from the references of its dependents, so the object may not exist, or not under this identity. */
  isVirtual: boolean;
  isBeingDeleted: boolean;
  /** Is deleted in the foreground. */
  isDeletingDependents: boolean;
}

/** The dependents without whose deletion an owner is not deleted in the foreground. */
export function blockingDependents({ identity, dependents }: GraphNode): readonly GraphNode[] {
  const blocks = ({ owners }: GraphNode): boolean =>
    owners.some(({ uid, blockOwnerDeletion }) => uid === identity.uid && blockOwnerDeletion === true);
  return [...dependents].filter(blocks);
}

/** Separates dependents by whether they refer to the owner by this identity; one may do both. Cf. upstream partitionDependents. */
export function partitionDependents(
  dependents: Iterable<GraphNode>,
  owner: ObjectIdentity,
): { readonly matching: readonly GraphNode[]; readonly mismatching: readonly GraphNode[] } {
  const matching: GraphNode[] = [];
  const mismatching: GraphNode[] = [];
  for (const dependent of dependents) {
    if (owner.namespace !== '' && owner.namespace !== dependent.identity.namespace) {
      mismatching.push(dependent);
      continue;
    }
    const references = dependent.owners.filter(({ uid }) => uid === owner.uid);
    if (references.some((reference) => refersTo(reference, owner))) matching.push(dependent);
    if (references.some((reference) => !refersTo(reference, owner))) mismatching.push(dependent);
  }
  return { matching, mismatching };
}

/**
 * Another identity by which dependents refer to an owner that does not exist under the absent one: the next in order, else the first.
 * Cf. upstream getAlternateOwnerIdentity.
 */
export function alternateIdentity(dependents: Iterable<GraphNode>, absent: ObjectIdentity): ObjectIdentity | undefined {
  let first: ObjectIdentity | undefined;
  let following: ObjectIdentity | undefined;
  for (const candidate of identitiesInsteadOf(absent, dependents)) {
    if (!first || isBefore(candidate, first)) first = candidate;
    if (isBefore(absent, candidate) && (!following || isBefore(candidate, following))) following = candidate;
  }
  return following ?? first;
}

/** Other identities with the same UID by which dependents refer to their owner. */
function* identitiesInsteadOf(absent: ObjectIdentity, dependents: Iterable<GraphNode>): Generator<ObjectIdentity> {
  for (const { owners, identity } of dependents) {
    for (const reference of owners) {
      if (reference.uid !== absent.uid) continue;
      const candidate = ownerIdentity(reference, identity.namespace);
      const isSame = refersTo(reference, absent) && (absent.namespace === '' || absent.namespace === identity.namespace);
      if (!isSame && identityKey(candidate) !== identityKey(absent)) yield candidate;
    }
  }
}
