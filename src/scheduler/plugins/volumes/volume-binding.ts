import { AbortGroup } from '../../../client/index.ts';
import { sameJson } from '../../../meta/index.ts';
import type { corev1, storagev1 } from '../../../schema/api/index.ts';
import { actions, anyUpdate, updateHint } from '../../framework/cluster-events.ts';
import { StateKey } from '../../framework/cycle-state.ts';
import type { PluginFactory } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, skip, unresolvable } from '../../framework/status.ts';
import { awaitBinding, reservedVolume, writeVolumes } from '../../volumes/bind-volumes.ts';
import { claimProblem, claimsOf, usesClaim } from '../../volumes/pod-claims.ts';
import { volumeLimit } from '../../volumes/storage-capacity.ts';
import { claimKey, type NodeVolumes, type PodClaims, VolumeBinder } from '../../volumes/volume-binder.ts';

/** VolumeBindingArgs. */
interface Args {
  readonly bindTimeoutSeconds?: number;
}

interface State {
  readonly claims: PodClaims;
  readonly byNode: Map<string, NodeVolumes>;
  /** What was assumed at Reserve. */
  assumed: NodeVolumes | undefined;
}

const volumesOfPod = new StateKey<State>('VolumeBinding', (state) => ({ ...state, byNode: new Map(state.byNode) }));
const immediateRefusal = unresolvable('pod has unbound immediate PersistentVolumeClaims');
const addOrUpdate = actions.add | anyUpdate;

/** Whether a driver of an inline volume of the pod no longer publishes capacities. Cf. isSchedulableAfterCSIDriverChange. */
const endsStorageCapacity = (after: storagev1.CSIDriver, before: storagev1.CSIDriver, { pod }: PodInfo): boolean =>
  before.spec.storageCapacity === true &&
  after.spec.storageCapacity !== true &&
  (pod.spec.volumes ?? []).some(({ csi }) => csi?.driver === after.metadata.name);

/** Finds volumes for claims that are bound when their pod is scheduled. Cf. plugins/volumebinding. */
export const volumeBinding: PluginFactory = (handle, args) => {
  const { bindTimeoutSeconds = 600 } = (args ?? {}) as Args;
  const binder = new VolumeBinder(handle);
  const migratedPlugins = handle.product.rename('storage.alpha.kubernetes.io/migrated-plugins');
  const waiting = new AbortGroup(handle.signal);

  const release = ({ bindings, provisions }: NodeVolumes): void => {
    for (const { volume } of bindings) binder.volumes.restore(volume.metadata.name ?? '');
    for (const claim of provisions) binder.claims.restore(claimKey(claim));
  };

  /** The objects as they are to be written. Cf. AssumePodVolumes. */
  const assume = ({ bindings, provisions }: NodeVolumes, node: string): NodeVolumes => {
    const assumed: NodeVolumes = {
      bindings: bindings.map(({ claim, volume }) => ({ claim, volume: reservedVolume(volume, claim, binder.names.boundByController) })),
      provisions: provisions.map((claim) => withAnnotation(claim, binder.names.selectedNode, node)),
    };
    for (const { volume } of assumed.bindings) binder.volumes.assume(volume.metadata.name ?? '', volume);
    for (const claim of assumed.provisions) binder.claims.assume(claimKey(claim), claim);
    return assumed;
  };

  return {
    name: 'VolumeBinding',
    events: [
      { resource: 'Node', actions: actions.add | actions.updateNodeLabel },
      { resource: 'PersistentVolumeClaim', actions: addOrUpdate, hint: usesClaim },
      { resource: 'PersistentVolume', actions: addOrUpdate },
      {
        resource: 'StorageClass',
        actions: addOrUpdate,
        hint: updateHint<storagev1.StorageClass>((after, before) => !sameJson(after.allowedTopologies, before.allowedTopologies)),
      },
      {
        resource: 'CSINode',
        actions: addOrUpdate,
        hint: updateHint<storagev1.CSINode>(
          ({ metadata: after }, { metadata: before }) => after.annotations?.[migratedPlugins] !== before.annotations?.[migratedPlugins],
        ),
      },
      { resource: 'CSIDriver', actions: anyUpdate, hint: updateHint(endsStorageCapacity) },
      {
        resource: 'CSIStorageCapacity',
        actions: addOrUpdate,
        hint: updateHint<storagev1.CSIStorageCapacity>((after, before) => (volumeLimit(after) ?? -1) > (volumeLimit(before) ?? -1)),
      },
    ],
    preFilter(state, { pod, namespace }) {
      const references = claimsOf(pod);
      if (references.length === 0) return { status: skip };
      for (const reference of references) {
        const problem = claimProblem(pod, reference, binder.claims.get(`${namespace}/${reference.name}`));
        if (problem !== undefined) return { status: unresolvable(problem) };
      }
      const claims = binder.podClaims(pod);
      if (claims.immediate.length > 0) return { status: immediateRefusal };
      state.write(volumesOfPod, { claims, byNode: new Map(), assumed: undefined });
      return undefined;
    },
    filter(state, _pod, node) {
      const data = state.read(volumesOfPod);
      if (!data) return undefined;
      const found = binder.findVolumes(data.claims, node);
      if (!('bindings' in found)) return unresolvable(...found);
      data.byNode.set(node.name, found);
      return undefined;
    },
    reserve(state, _pod, node) {
      const data = state.read(volumesOfPod);
      const found = data?.byNode.get(node);
      if (data && found) data.assumed = assume(found, node);
      return undefined;
    },
    unreserve(state) {
      const { assumed } = state.read(volumesOfPod) ?? {};
      if (assumed) release(assumed);
    },
    async preBind(state, pod, node) {
      const { assumed } = state.read(volumesOfPod) ?? {};
      if (!assumed || assumed.bindings.length + assumed.provisions.length === 0) return undefined;
      const ending = waiting.add();
      try {
        await writeVolumes(handle, assumed);
        await awaitBinding(handle, binder, { pod, volumes: assumed, node, timeoutMs: bindTimeoutSeconds * 1000, signal: ending.signal });
        return undefined;
      } catch (error) {
        return errorStatus(error);
      } finally {
        waiting.remove(ending);
      }
    },
  };
};

function withAnnotation(claim: corev1.PersistentVolumeClaim, name: string, value: string): corev1.PersistentVolumeClaim {
  return { ...claim, metadata: { ...claim.metadata, annotations: { ...claim.metadata.annotations, [name]: value } } };
}
