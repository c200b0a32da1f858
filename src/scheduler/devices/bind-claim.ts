import { type ApiClient, hasStatus } from '../../client/index.ts';
import type { Product } from '../../meta/index.ts';
import { type corev1, type resourcev1, resourcev1ResourceClaims } from '../../schema/api/index.ts';

interface Binding {
  readonly claim: resourcev1.ResourceClaim;
  /** Undefined: the claim is allocated already. */
  readonly allocation: resourcev1.AllocationResult | undefined;
  readonly pod: corev1.Pod;
}

/** Attempts with the newest version of the claim. Cf. retry.DefaultRetry. */
const maxAttempts = 5;

/** Writes the allocation of a claim and reserves it for a pod. Cf. bindClaim. */
export async function bindClaim(
  { client, product }: { readonly client: ApiClient; readonly product: Product },
  { claim, ...binding }: Binding,
): Promise<resourcev1.ResourceClaim> {
  const { namespace = '', name = '' } = claim.metadata;
  const claims = client.resource(resourcev1ResourceClaims);
  for (let [current, attempt] = [claim, 1]; ; attempt++) {
    try {
      return await write({ client, finalizer: product.rename('resource.kubernetes.io/delete-protection') }, current, binding);
    } catch (error) {
      if (!hasStatus(error, 409) || attempt >= maxAttempts) throw error;
      current = await claims.get({ namespace, name });
    }
  }
}

async function write(
  { client, finalizer }: { readonly client: ApiClient; readonly finalizer: string },
  claim: resourcev1.ResourceClaim,
  { allocation, pod }: Omit<Binding, 'claim'>,
): Promise<resourcev1.ResourceClaim> {
  const { namespace, name, deletionTimestamp, finalizers = [] } = claim.metadata;
  const claims = client.resource(resourcev1ResourceClaims);
  if (deletionTimestamp !== undefined) throw new Error(`claim ${namespace}/${name} got deleted in the meantime`);
  let current = claim;
  if (allocation) {
    if (claim.status.allocation) throw new Error(`claim ${namespace}/${name} got allocated elsewhere in the meantime`);
    if (!finalizers.includes(finalizer)) {
      current = await claims.update({ ...claim, metadata: { ...claim.metadata, finalizers: [...finalizers, finalizer] } });
    }
  }
  const consumer = { resource: 'pods', name: pod.metadata.name ?? '', uid: pod.metadata.uid ?? '' };
  const reservedFor = [...(current.status.reservedFor ?? []), consumer];
  return claims.updateStatus({ ...current, status: { ...current.status, ...(allocation ? { allocation } : {}), reservedFor } });
}
