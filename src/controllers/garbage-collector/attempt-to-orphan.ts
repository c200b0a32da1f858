import { ignoreNotFound } from '../ignore-not-found.ts';
import { orphanFinalizer } from './finalizers.ts';
import type { GarbageClient } from './garbage-client.ts';
import type { GraphNode } from './graph-node.ts';
import { removeOwnersMergePatch, removeOwnersPatch } from './patches.ts';

/** Removes the references of all dependents to an owner, then its finalizer. Cf. upstream processAttemptToOrphanWorker. */
export async function attemptToOrphan({ identity, dependents }: GraphNode, client: GarbageClient): Promise<void> {
  await Promise.all([...dependents].map((dependent) => orphan(dependent, identity.uid, client)));
  await client.removeFinalizer(identity, orphanFinalizer);
}

async function orphan({ identity }: GraphNode, ownerUid: string, client: GarbageClient): Promise<void> {
  const patch = removeOwnersPatch(identity.uid, [ownerUid]);
  await ignoreNotFound(client.patch(identity, patch, (metadata) => removeOwnersMergePatch(metadata, [ownerUid])));
}
