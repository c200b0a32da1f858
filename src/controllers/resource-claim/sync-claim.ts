import { keyOf } from '../../client/index.ts';
import { corev1Pods, type resourcev1, resourcev1ResourceClaims } from '../../schema/api/index.ts';
import type { ClaimEnvironment } from './claim-environment.ts';
import { isPodDone, owningPod } from './pod-claims.ts';

type Claim = resourcev1.ResourceClaim;
type User = resourcev1.ResourceClaimConsumerReference;

/** Removes users that are deleted or finished, and frees or deletes claims without users. Cf. pkg/controller/resourceclaim syncClaim. */
export async function syncClaim(claim: Claim, environment: ClaimEnvironment): Promise<void> {
  const users = claim.status?.reservedFor ?? [];
  const valid: User[] = [];
  for (const user of users) if (await isUsing(claim, user, environment)) valid.push(user);
  if (valid.length < users.length) await release(claim, valid, environment);
  else if (claim.metadata.deletionTimestamp !== undefined && valid.length === 0) await finalize(claim, environment);
  const owner = owningPod(claim);
  const pod = owner && environment.pods.get(`${claim.metadata.namespace}/${owner.name}`);
  // Without the pod in the cache the garbage collector deletes the claim.
  if (valid.length > 0 || !pod || (pod.metadata.uid === owner.uid && !isPodDone(pod))) return;
  await environment.client.resource(resourcev1ResourceClaims).delete(keyOf(claim));
}

async function isUsing({ metadata }: Claim, { apiGroup = '', resource, name, uid }: User, environment: ClaimEnvironment): Promise<boolean> {
  if (apiGroup !== '' || resource !== 'pods')
    throw new Error(`unsupported ReservedFor entry: ${JSON.stringify({ apiGroup, resource, name, uid })}`);
  const { namespace = '' } = metadata;
  const cached = environment.pods.get(`${namespace}/${name}`);
  // The cache may not show a pod that is being scheduled.
  const pod = cached ?? (await environment.client.resource(corev1Pods).getIfExists({ namespace, name }));
  return pod?.metadata.uid === uid && !(cached && isPodDone(cached));
}

/** A claim is deallocated with its last user, so that it can be allocated elsewhere. */
async function release(claim: Claim, valid: readonly User[], environment: ClaimEnvironment): Promise<void> {
  const isProtected = claim.metadata.finalizers?.includes(environment.finalizer) === true;
  const { allocation, reservedFor: _, ...others } = claim.status ?? {};
  const remaining = valid.length > 0 || !isProtected ? allocation : undefined;
  const status = { ...others, ...(remaining ? { allocation: remaining } : {}), ...(valid.length > 0 ? { reservedFor: valid } : {}) };
  const written = await environment.client.resource(resourcev1ResourceClaims).updateStatus({ ...claim, status });
  if (!written.status?.allocation) await removeFinalizer(written, environment);
}

async function finalize(claim: Claim, environment: ClaimEnvironment): Promise<void> {
  if (!claim.metadata.finalizers?.includes(environment.finalizer)) return;
  const { allocation, ...status } = claim.status ?? {};
  const writer = environment.client.resource(resourcev1ResourceClaims);
  await removeFinalizer(allocation ? await writer.updateStatus({ ...claim, status }) : claim, environment);
}

async function removeFinalizer(claim: Claim, { client, finalizer }: ClaimEnvironment): Promise<void> {
  const { finalizers = [] } = claim.metadata;
  if (!finalizers.includes(finalizer)) return;
  const metadata = { ...claim.metadata, finalizers: finalizers.filter((one) => one !== finalizer) };
  await client.resource(resourcev1ResourceClaims).update({ ...claim, metadata });
}
