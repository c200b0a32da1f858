import type { metav1 } from '../../schema/api/index.ts';
import { foregroundFinalizer, hasFinalizer, orphanFinalizer, waitsFor } from './finalizers.ts';
import type { GarbageClient } from './garbage-client.ts';
import { blockingDependents, type GraphNode } from './graph-node.ts';
import type { IdentityCache } from './identity-cache.ts';
import { type ObjectIdentity, ownerIdentity } from './object-identity.ts';
import { removeOwnersMergePatch, removeOwnersPatch, unblockOwnersMergePatch, unblockOwnersPatch } from './patches.ts';

export interface Deletions {
  readonly client: GarbageClient;
  readonly absentOwners: IdentityCache;
  /** Decides about another node later. */
  readonly enqueue: (node: GraphNode) => void;
}

/** `absent`: the object of the node does not exist. */
export type AttemptResult = 'done' | 'absent';

/** Deletes the object of a node when it has no owner, or removes its references to absent ones. Cf. upstream attemptToDeleteItem. */
export async function attemptToDelete(node: GraphNode, { client, absentOwners, enqueue }: Deletions): Promise<AttemptResult> {
  if (node.isBeingDeleted && !node.isDeletingDependents) return 'done';
  const { identity } = node;
  const latest = await client.get(identity);
  if (latest?.uid !== identity.uid) return 'absent';
  if (node.isDeletingDependents) {
    await processDeletingDependents(node, client, enqueue);
    return 'done';
  }
  const { ownerReferences: references = [] } = latest;
  if (references.length === 0) return 'done';
  const classified = await classifyReferences(references, identity, { client, absentOwners });
  if (classified) await deleteOrRelease(node, latest, classified, client);
  return 'done';
}

/** The owners of an object by their state. */
interface ClassifiedReferences {
  readonly solid: readonly metav1.OwnerReference[];
  readonly dangling: readonly metav1.OwnerReference[];
  /** Owners that are deleted in the foreground. */
  readonly waiting: readonly metav1.OwnerReference[];
}

async function deleteOrRelease(
  node: GraphNode,
  latest: metav1.ObjectMeta,
  { solid, dangling, waiting }: ClassifiedReferences,
  client: GarbageClient,
): Promise<void> {
  const { identity } = node;
  if (solid.length > 0) {
    // Also without the waiting owners, which could never be deleted otherwise.
    const uids = [...dangling, ...waiting].map(({ uid }) => uid);
    if (uids.length === 0) return;
    return client.patch(identity, removeOwnersPatch(identity.uid, uids), (metadata) => removeOwnersMergePatch(metadata, uids));
  }
  if (waiting.length > 0 && node.dependents.size > 0) {
    // A dependent that is itself deleted in the foreground may be an owner of this object: nothing would ever be deleted in such a circle.
    const mayBeCircle = [...node.dependents].some(({ isDeletingDependents }) => isDeletingDependents);
    if (mayBeCircle) await client.patch(identity, unblockOwnersPatch(identity.uid, node.owners), unblockOwnersMergePatch);
    return client.delete(identity, latest, 'Foreground');
  }
  return client.delete(identity, latest, policyOf(latest));
}

function policyOf(metadata: metav1.ObjectMeta): string {
  if (hasFinalizer(metadata, orphanFinalizer)) return 'Orphan';
  return hasFinalizer(metadata, foregroundFinalizer) ? 'Foreground' : 'Background';
}

/** Undefined for a cluster-scoped object with a namespaced owner, which cannot be looked up: the object is retained. */
async function classifyReferences(
  references: readonly metav1.OwnerReference[],
  dependent: ObjectIdentity,
  lookup: Pick<Deletions, 'client' | 'absentOwners'>,
): Promise<ClassifiedReferences | undefined> {
  const solid: metav1.OwnerReference[] = [];
  const dangling: metav1.OwnerReference[] = [];
  const waiting: metav1.OwnerReference[] = [];
  for (const reference of references) {
    const owner = await findOwner(reference, dependent, lookup);
    if (owner === 'invalid') return undefined;
    if (owner === 'absent') dangling.push(reference);
    else if (waitsFor(owner, foregroundFinalizer)) waiting.push(reference);
    else solid.push(reference);
  }
  return { solid, dangling, waiting };
}

/** Cf. upstream isDangling. */
async function findOwner(
  reference: metav1.OwnerReference,
  { namespace }: ObjectIdentity,
  { client, absentOwners }: Pick<Deletions, 'client' | 'absentOwners'>,
): Promise<metav1.ObjectMeta | 'absent' | 'invalid'> {
  if (absentOwners.has(ownerIdentity(reference, '')) || absentOwners.has(ownerIdentity(reference, namespace))) return 'absent';
  const isNamespaced = client.isNamespaced(reference);
  if (isNamespaced && namespace === '') return 'invalid';
  const identity = ownerIdentity(reference, isNamespaced ? namespace : '');
  const owner = await client.get(identity);
  if (owner?.uid === reference.uid) return owner;
  absentOwners.add(identity);
  return 'absent';
}

async function processDeletingDependents(node: GraphNode, client: GarbageClient, enqueue: (node: GraphNode) => void): Promise<void> {
  const blocking = blockingDependents(node);
  if (blocking.length === 0) return client.removeFinalizer(node.identity, foregroundFinalizer);
  for (const dependent of blocking) if (!dependent.isDeletingDependents) enqueue(dependent);
}
