import { hasStatus } from '../../client/index.ts';
import { matchesNodeTerms, parseNodeSelector } from '../../component-helpers/index.ts';
import { type resourcev1, resourcev1DeviceClasses, resourcev1ResourceClaims, resourcev1ResourceSlices } from '../../schema/api/index.ts';
import type { Allocator } from '../devices/allocator.ts';
import { bindClaim } from '../devices/bind-claim.ts';
import { ClaimAllocations } from '../devices/claim-allocations.ts';
import { classRequestsOf } from '../devices/device-requests.ts';
import { type ClaimLookup, claimName, readClaims } from '../devices/pod-resource-claims.ts';
import { actions, anyUpdate } from '../framework/cluster-events.ts';
import { StateKey } from '../framework/cycle-state.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PluginFactory, PreFilterResult } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { errorStatus, type Status, skip, unresolvable, unschedulable } from '../framework/status.ts';

/** The claims of a pod in a cycle. */
interface State {
  readonly claims: resourcev1.ResourceClaim[];
  /** Claims that make a node unusable. */
  readonly unavailable: Set<resourcev1.ResourceClaim>;
  /** Undefined: all claims are allocated. */
  readonly allocator: Allocator | undefined;
  readonly toAllocate: readonly resourcev1.ResourceClaim[];
  /** By node. */
  readonly allocations: Map<string, readonly resourcev1.AllocationResult[]>;
  /** What Reserve chose, by the UID of the claim. */
  readonly reserved: Map<string, resourcev1.AllocationResult>;
}

const stateOfPod = new StateKey<State>('DynamicResources');

const isReservedFor = ({ status }: resourcev1.ResourceClaim, uid: string): boolean =>
  (status.reservedFor ?? []).some((consumer) => consumer.uid === uid);

/** Upstream ResourceClaimReservedForMaxSize. */
const maxConsumers = 256;

/**
 * Holds pods back whose resource claims do not exist, places pods where their claims are allocated or can be, and writes the allocation.
 * Cf. plugins/dynamicresources.
 */
export const dynamicResources: PluginFactory = (handle) => {
  const claims = handle.store(resourcev1ResourceClaims);
  const classes = handle.store(resourcev1DeviceClasses);
  const slices = handle.store(resourcev1ResourceSlices);
  const allocations = new ClaimAllocations(claims);
  const lookup: ClaimLookup = (key) => allocations.get(key);
  let createAllocator: ((toAllocate: readonly resourcev1.ResourceClaim[]) => Allocator) | undefined;
  let loading: Promise<void> | undefined;

  /** Loads the allocator with the expression language, which few clusters need. */
  const loadAllocator = async (): Promise<void> => {
    const parts = Promise.all([import('../devices/allocator.ts'), handle.loadDeviceSelectors()]);
    const [{ Allocator }, compile] = await handle.clock.hostWork(parts);
    createAllocator = (toAllocate) => {
      const allocated = allocations.allocatedDevices();
      const { deviceTaints } = handle;
      return new Allocator({ slices: slices.list(), allocated, classOf: (name) => classes.get(name), compile, deviceTaints }, toAllocate);
    };
  };

  /** Schedules the pod when the allocator is loaded. */
  const load = (pod: PodInfo): void => {
    loading ??= loadAllocator();
    loading
      .then(() => handle.activate(pod))
      .catch((error: unknown) => {
        loading = undefined;
        handle.log.warn('the allocator of devices is not available', { pod: pod.key, error });
        handle.clock.schedule(retryMs, () => handle.activate(pod));
      });
  };

  const refusalOf = (claim: resourcev1.ResourceClaim, uid: string): Status | undefined => {
    const { allocation, reservedFor = [] } = claim.status;
    if (allocation) {
      return reservedFor.length >= maxConsumers && !isReservedFor(claim, uid) ? unresolvable('resourceclaim in use') : undefined;
    }
    const { namespace, name, uid: claimUid = '' } = claim.metadata;
    if (allocations.isPending(claimUid)) {
      return unresolvable(`resource claim ${namespace}/${name} is in the process of being allocated`);
    }
    return classRefusalOf(claim);
  };

  const classRefusalOf = ({ spec }: resourcev1.ResourceClaim): Status | undefined => {
    for (const { name, className } of (spec.devices.requests ?? []).flatMap(classRequestsOf)) {
      if (className === '') return errorStatus(new Error(`request ${name}: unsupported request type`));
      if (!classes.has(className)) return unresolvable(`request ${name}: device class ${className} does not exist`);
    }
    return undefined;
  };

  const createState = (found: readonly resourcev1.ResourceClaim[]): State => {
    const toAllocate = found.filter(({ status }) => !status.allocation);
    const allocator = toAllocate.length === 0 ? undefined : createAllocator?.(toAllocate);
    return { claims: [...found], unavailable: new Set(), allocator, toAllocate, allocations: new Map(), reserved: new Map() };
  };

  return {
    name: 'DynamicResources',
    events: [
      { resource: 'Node', actions: actions.add | actions.updateNodeLabel | actions.updateNodeTaint },
      { resource: 'UnscheduledPod', actions: actions.updatePodGeneratedResourceClaim },
      {
        resource: 'ResourceClaim',
        actions: actions.add | anyUpdate,
        hint: (pod, _, claim) => mayHelp(pod, claim as resourcev1.ResourceClaim | undefined),
      },
      { resource: 'AssignedPod', actions: actions.delete },
      { resource: 'DeviceClass', actions: actions.add | anyUpdate },
      { resource: 'ResourceSlice', actions: actions.add | anyUpdate },
    ],
    preEnqueue(pod) {
      const found = readClaims(pod, lookup);
      if (typeof found === 'string') return unresolvable(found);
      if (createAllocator || found.every(({ status }) => status.allocation)) return undefined;
      load(pod);
      return unresolvable('waiting for the allocator of devices');
    },
    preFilter(state, pod) {
      const found = readClaims(pod, lookup);
      const refuse = (status: Status): PreFilterResult => {
        // Upstream has not read the claims into its state yet.
        state.write(stateOfPod, createState([]));
        return { status };
      };
      if (typeof found === 'string') return refuse(unresolvable(found));
      if (found.length === 0) return refuse(skip);
      for (const claim of found) {
        const status = refusalOf(claim, pod.uid);
        if (status) return refuse(status);
      }
      state.write(stateOfPod, createState(found));
      return undefined;
    },
    filter(state, _pod, node) {
      const data = state.read(stateOfPod);
      if (!data) return undefined;
      let isAvailable = true;
      for (const claim of data.claims) {
        const selector = claim.status.allocation?.nodeSelector;
        if (!selector || matchesNodeTerms(parseNodeSelector(selector), node)) continue;
        data.unavailable.add(claim);
        isAvailable = false;
      }
      if (data.toAllocate.length > 0) {
        const found = allocate(data.allocator, node);
        if ('code' in found) return found;
        if (isAvailable) data.allocations.set(node.name, found);
      }
      return isAvailable ? undefined : unresolvable('resourceclaim not available on the node');
    },
    /** Deallocates a claim that no pod uses, so that it may be allocated for another node. */
    postFilter(state, pod) {
      const data = state.read(stateOfPod);
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
    /** Assumes the allocations, so that other pods do not get the devices. */
    reserve(state, _pod, node) {
      const data = state.read(stateOfPod);
      if (!data || data.toAllocate.length === 0) return undefined;
      const found = data.allocations.get(node);
      if (!found) return errorStatus(new Error('claim allocation not found for node'));
      for (const [index, claim] of data.toAllocate.entries()) {
        const allocation = found[index];
        if (!allocation) continue;
        data.reserved.set(claim.metadata.uid ?? '', allocation);
        allocations.setPending(keyOf(claim), { ...claim, status: { ...claim.status, allocation } });
      }
      return undefined;
    },
    /** Releases the claims. An allocation that is written stays. */
    unreserve(state, { uid }) {
      for (const claim of state.read(stateOfPod)?.claims ?? []) {
        const { uid: claimUid = '', name = '', namespace = '' } = claim.metadata;
        allocations.delete(claimUid);
        if (!claim.status.allocation || !isReservedFor(claim, uid)) continue;
        const patch = { metadata: { uid: claimUid }, status: { reservedFor: [{ $patch: 'delete', uid }] } };
        handle.client
          .resource(resourcev1ResourceClaims)
          .patch({ name, namespace }, 'strategic', patch, { subresource: 'status' })
          .catch((error: unknown) => handle.log.warn('release of a claim failed', { claim: name, error }));
      }
    },
    /** Writes the allocations, and reserves the claims for the pod. */
    async preBind(state, { pod, uid }) {
      const data = state.read(stateOfPod);
      for (const [index, claim] of (data?.claims ?? []).entries()) {
        if (!data || isReservedFor(claim, uid)) continue;
        const allocation = data.reserved.get(claim.metadata.uid ?? '');
        try {
          const bound = await bindClaim(handle, { claim, allocation, pod });
          data.claims[index] = bound;
          allocations.setWritten(keyOf(bound), bound);
        } catch (error) {
          return hasStatus(error, 404) ? unresolvable(error.message) : errorStatus(error);
        }
      }
      return undefined;
    },
  };
};

const retryMs = 1_000;

const keyOf = ({ metadata: { namespace, name } }: resourcev1.ResourceClaim): string => `${namespace}/${name}`;

function allocate(allocator: Allocator | undefined, node: NodeInfo): readonly resourcev1.AllocationResult[] | Status {
  try {
    const found = allocator?.allocate(node);
    if (found === 'timedOut') return unresolvable('timed out trying to allocate devices');
    return found ?? unresolvable('cannot allocate all claims');
  } catch (error) {
    return errorStatus(error);
  }
}

/** A claim of the pod may have changed, or one that was deallocated. Cf. isSchedulableAfterClaimChange. */
function mayHelp({ pod }: PodInfo, claim: resourcev1.ResourceClaim | undefined): boolean {
  if (claim !== undefined && !claim.status.allocation) return (pod.spec.resourceClaims ?? []).length > 0;
  return (pod.spec.resourceClaims ?? []).some((entry) => claimName(pod, entry) === claim?.metadata.name);
}
