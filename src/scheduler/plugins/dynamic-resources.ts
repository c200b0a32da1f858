import { hasStatus } from '../../client/index.ts';
import { matchesNodeTerms, parseNodeSelector } from '../../component-helpers/index.ts';
import { type corev1, type resourcev1, resourcev1DeviceClasses, resourcev1ResourceClaims } from '../../schema/api/index.ts';
import { actions, anyUpdate } from '../framework/cluster-events.ts';
import { StateKey } from '../framework/cycle-state.ts';
import type { PluginFactory, PreFilterResult } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { errorStatus, type Status, skip, unresolvable, unschedulable } from '../framework/status.ts';

/** The claims of a pod in a cycle. */
interface State {
  readonly claims: readonly resourcev1.ResourceClaim[];
  /** Claims that make a node unusable. */
  readonly unavailable: Set<resourcev1.ResourceClaim>;
}

const claimsOfPod = new StateKey<State>('DynamicResources');

type ClaimLookup = (key: string) => resourcev1.ResourceClaim | undefined;

/** The name of the claim of a pod; undefined: it is not created yet. Cf. dynamic-resource-allocation/resourceclaim Name. */
function claimName(
  { status }: corev1.Pod,
  { name, resourceClaimName, resourceClaimTemplateName }: corev1.PodResourceClaim,
): string | undefined {
  if (resourceClaimName !== undefined || resourceClaimTemplateName === undefined) return resourceClaimName;
  return status.resourceClaimStatuses?.find((one) => one.name === name)?.resourceClaimName;
}

/** The claims of a pod, or the reason why one cannot be used. */
function readClaims({ pod, namespace, uid }: PodInfo, lookup: ClaimLookup): readonly resourcev1.ResourceClaim[] | string {
  const claims: resourcev1.ResourceClaim[] = [];
  for (const entry of pod.spec.resourceClaims ?? []) {
    const name = claimName(pod, entry);
    if (name === undefined) {
      // A status without a claim: none is needed.
      if (pod.status.resourceClaimStatuses?.some((one) => one.name === entry.name)) continue;
      return `pod "${namespace}/${pod.metadata.name}": ResourceClaim not created yet`;
    }
    const claim = lookup(`${namespace}/${name}`);
    if (!claim) return `resourceclaim.resource.k8s.io "${name}" not found`;
    if (claim.metadata.deletionTimestamp !== undefined) return `resourceclaim "${name}" is being deleted`;
    const owner = claim.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (entry.resourceClaimTemplateName !== undefined && owner?.uid !== uid) {
      return `ResourceClaim ${namespace}/${name} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`;
    }
    claims.push(claim);
  }
  return claims;
}

const isReservedFor = ({ status }: resourcev1.ResourceClaim, uid: string): boolean =>
  (status.reservedFor ?? []).some((consumer) => consumer.uid === uid);

/** Upstream ResourceClaimReservedForMaxSize. */
const maxConsumers = 256;

/**
 * Holds pods back whose resource claims do not exist, and places pods with allocated claims where these are available. Devices are not
 * allocated here: pods with unallocated claims are refused. Cf. plugins/dynamicresources.
 */
export const dynamicResources: PluginFactory = (handle) => {
  const claims = handle.store(resourcev1ResourceClaims);
  const classes = handle.store(resourcev1DeviceClasses);
  const lookup: ClaimLookup = (key) => claims.get(key);

  const refusalOf = (claim: resourcev1.ResourceClaim, uid: string): Status | undefined => {
    const { allocation, reservedFor = [] } = claim.status;
    if (allocation) {
      return reservedFor.length >= maxConsumers && !isReservedFor(claim, uid) ? unresolvable('resourceclaim in use') : undefined;
    }
    for (const { name, exactly } of claim.spec.devices.requests ?? []) {
      if (exactly && !classes.has(exactly.deviceClassName)) {
        return unresolvable(`request ${name}: device class ${exactly.deviceClassName} does not exist`);
      }
    }
    return undefined;
  };

  return {
    name: 'DynamicResources',
    events: [
      { resource: 'Node', actions: actions.add | actions.updateNodeLabel | actions.updateNodeTaint },
      { resource: 'UnscheduledPod', actions: actions.updatePodGeneratedResourceClaim },
      { resource: 'ResourceClaim', actions: actions.add | anyUpdate, hint: (pod, _, claim) => isClaimOf(pod, claim?.metadata.name) },
      { resource: 'AssignedPod', actions: actions.delete },
      { resource: 'DeviceClass', actions: actions.add | anyUpdate },
      { resource: 'ResourceSlice', actions: actions.add | anyUpdate },
    ],
    preEnqueue(pod) {
      const found = readClaims(pod, lookup);
      return typeof found === 'string' ? unresolvable(found) : undefined;
    },
    preFilter(state, pod) {
      const found = readClaims(pod, lookup);
      const refuse = (status: Status): PreFilterResult => {
        // Upstream has not read the claims into its state yet.
        state.write(claimsOfPod, { claims: [], unavailable: new Set<resourcev1.ResourceClaim>() });
        return { status };
      };
      if (typeof found === 'string') return refuse(unresolvable(found));
      if (found.length === 0) return refuse(skip);
      for (const claim of found) {
        const status = refusalOf(claim, pod.uid);
        if (status) return refuse(status);
      }
      state.write(claimsOfPod, { claims: found, unavailable: new Set<resourcev1.ResourceClaim>() });
      return undefined;
    },
    filter(state, _pod, node) {
      const data = state.read(claimsOfPod);
      for (const claim of data?.claims ?? []) {
        const { allocation } = claim.status;
        if (!allocation) return unresolvable('cannot allocate all claims');
        if (!allocation.nodeSelector || matchesNodeTerms(parseNodeSelector(allocation.nodeSelector), node)) continue;
        data?.unavailable.add(claim);
        return unresolvable('resourceclaim not available on the node');
      }
      return undefined;
    },
    /** Deallocates a claim that no pod uses, so that it may be allocated for another node. */
    postFilter(state, pod) {
      const data = state.read(claimsOfPod);
      // Upstream reports the missing state when an earlier plugin refused the pod in PreFilter.
      if (!data) return { status: errorStatus(new Error('not found')) };
      if (data.claims.length === 0) return { status: unschedulable('no new claims to deallocate') };
      for (const claim of data.unavailable) {
        const { reservedFor = [], allocation: _allocation, ...status } = claim.status;
        if (reservedFor.some(({ uid }) => uid !== pod.uid)) continue;
        handle.client
          .resource(resourcev1ResourceClaims)
          .updateStatus({ ...claim, status })
          .catch((error: unknown) => handle.log.warn('deallocation failed', { claim: claim.metadata.name, error }));
        return { status: unschedulable('deallocation of ResourceClaim completed') };
      }
      return { status: unschedulable('still not schedulable') };
    },
    /** Reserves the claims for the pod. */
    async preBind(state, { pod, uid }) {
      for (const { metadata } of state.read(claimsOfPod)?.claims ?? []) {
        const { name = '', namespace = '' } = metadata;
        try {
          const claim = await handle.client.resource(resourcev1ResourceClaims).get({ name, namespace });
          if (isReservedFor(claim, uid)) continue;
          const consumer = { resource: 'pods', name: pod.metadata.name ?? '', uid };
          const reservedFor = [...(claim.status.reservedFor ?? []), consumer];
          await handle.client.resource(resourcev1ResourceClaims).updateStatus({ ...claim, status: { ...claim.status, reservedFor } });
        } catch (error) {
          return hasStatus(error, 404) ? unresolvable(error.message) : errorStatus(error);
        }
      }
      return undefined;
    },
  };
};

function isClaimOf({ pod }: PodInfo, name: string | undefined): boolean {
  return (pod.spec.resourceClaims ?? []).some((entry) => claimName(pod, entry) === name);
}
