import type { Labels } from '../../../meta/index.ts';
import { corev1PersistentVolumeClaims, corev1PersistentVolumes, type storagev1 } from '../../../schema/api/index.ts';
import { actions, anyUpdate, updateHint } from '../../framework/cluster-events.ts';
import { StateKey } from '../../framework/cycle-state.ts';
import type { PluginFactory } from '../../framework/plugin.ts';
import { skip, unresolvable } from '../../framework/status.ts';
import { claimsOf, usesClaim } from '../../volumes/pod-claims.ts';

const refusal = unresolvable('node(s) had no available volume zone');

/** A topology label of a volume: the values that nodes may have. */
interface Topology {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

const topologies = new StateKey<readonly Topology[]>('VolumeZone');

/** The separator of several zones of a volume. */
const separator = '__';

/** Refuses nodes outside the zones of the pod's volumes. Cf. plugins/volumezone. */
export const volumeZone: PluginFactory = ({ store, product }) => {
  const claims = store(corev1PersistentVolumeClaims);
  const volumes = store(corev1PersistentVolumes);
  /** The current name of each label, also for its old name. */
  const labels = new Map(
    ['zone', 'region'].flatMap((name) => {
      const current = product.rename(`topology.kubernetes.io/${name}`);
      return [[current, current] as const, [product.rename(`failure-domain.beta.kubernetes.io/${name}`), current] as const];
    }),
  );
  const hasTopology = (node: Labels): boolean => [...labels.keys()].some((key) => node[key] !== undefined);
  return {
    name: 'VolumeZone',
    events: [
      {
        resource: 'StorageClass',
        actions: actions.add,
        hint: (_, __, added) => (added as storagev1.StorageClass | undefined)?.volumeBindingMode === 'WaitForFirstConsumer',
      },
      { resource: 'Node', actions: actions.add | actions.updateNodeLabel },
      { resource: 'PersistentVolumeClaim', actions: actions.add | anyUpdate, hint: usesClaim },
      {
        resource: 'PersistentVolume',
        actions: actions.add | anyUpdate,
        hint: updateHint((after, before) =>
          [...labels.keys()].some((key) => after.metadata.labels?.[key] !== before.metadata.labels?.[key]),
        ),
      },
    ],
    preFilter(state, { pod, namespace }) {
      const found = claimsOf(pod).flatMap(({ name }): readonly Topology[] => {
        const volume = volumes.get(claims.get(`${namespace}/${name}`)?.spec.volumeName ?? '');
        return Object.entries(volume?.metadata.labels ?? {})
          .filter(([key]) => labels.has(key))
          .map(([key, value]) => ({ key, values: new Set(value.split(separator)) }));
      });
      if (found.length === 0) return { status: skip };
      state.write(topologies, found);
      return undefined;
    },
    filter(state, _pod, { labels: node }) {
      if (!hasTopology(node)) return undefined;
      for (const { key, values } of state.read(topologies) ?? []) {
        const value = node[key] ?? node[labels.get(key) ?? ''];
        if (value === undefined || !values.has(value)) return refusal;
      }
      return undefined;
    },
  };
};
