import type { ApiObject, FeatureGates, Json, JsonObject, Product } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { type KindRow, withMembers, withSpec } from '../kind-row.ts';

export const persistentVolume: KindRow = {
  statusOnCreate: (_, { now }) => ({ phase: 'Pending', lastPhaseTransitionTime: now }),
  updateStatus(next, old, { now }) {
    const { status = {} }: Decoded<corev1.PersistentVolume> = next;
    const { status: before = {} }: Decoded<corev1.PersistentVolume> = old;
    const time = status.lastPhaseTransitionTime ?? before.lastPhaseTransitionTime;
    if ((status.phase ?? '') === (before.phase ?? '')) {
      return { ...next, status: withMembers(status, { lastPhaseTransitionTime: time }) };
    }
    // A time that the client changed is retained.
    if (time !== before.lastPhaseTransitionTime) return next;
    return { ...next, status: withMembers(status, { lastPhaseTransitionTime: now }) };
  },
};

export const persistentVolumeClaim: KindRow = {
  // The phase is not stored, but set by default on read.
  isSettled: () => false,
  statusOnCreate: () => ({ phase: 'Pending' }),
  create: (claim, { product, gates }) => withBothSources(withoutUnknownSource(withoutCrossNamespaceSource(claim, gates), product)),
  update(next, old, { product, gates }) {
    const before = specOf(old);
    const near = before.dataSourceRef === undefined ? withoutCrossNamespaceSource(next, gates) : next;
    return withBothSources(before.dataSource === undefined ? withoutUnknownSource(near, product) : near);
  },
  gatedFields: [{ gate: 'AnyVolumeDataSource', paths: ['spec.dataSourceRef'] }],
};

function specOf({ spec = {} }: Decoded<corev1.PersistentVolumeClaim>): Decoded<corev1.PersistentVolumeClaimSpec> {
  return spec;
}

/** A data source in another namespace has its own feature gate. */
function withoutCrossNamespaceSource(claim: ApiObject, gates: FeatureGates): ApiObject {
  return specOf(claim).dataSourceRef?.namespace && !gates.enabled('CrossNamespaceVolumeDataSource')
    ? withSpec(claim, { dataSourceRef: undefined })
    : claim;
}

/** `dataSource` supports only claims and volume snapshots; other sources are silently dropped. */
function withoutUnknownSource(claim: ApiObject, product: Product): ApiObject {
  const { dataSource, dataSourceRef } = specOf(claim);
  if (!dataSource || dataSourceRef) return claim;
  const { apiGroup, kind } = dataSource;
  const isKnown =
    (kind === 'PersistentVolumeClaim' && !apiGroup) ||
    (kind === 'VolumeSnapshot' && apiGroup === product.rename('snapshot.storage.k8s.io'));
  return isKnown ? claim : withSpec(claim, { dataSource: undefined });
}

/** dataSource and dataSourceRef reference the same object; each sets the other. Cf. upstream NormalizeDataSources. */
function withBothSources(claim: ApiObject): ApiObject {
  const { dataSource, dataSourceRef } = specOf(claim);
  if (dataSource && !dataSourceRef) return inOrder(claim, { dataSourceRef: dataSource });
  if (!dataSource && dataSourceRef && !dataSourceRef.namespace) return inOrder(claim, { dataSource: dataSourceRef });
  return claim;
}

const specOrder = [
  'accessModes',
  'selector',
  'resources',
  'volumeName',
  'storageClassName',
  'volumeMode',
  'dataSource',
  'dataSourceRef',
  'volumeAttributesClassName',
];

function inOrder(claim: ApiObject, changes: Readonly<Record<string, Json>>): ApiObject {
  const spec: JsonObject = { ...specOf(claim), ...changes };
  return withSpec({ ...claim, spec: {} }, Object.fromEntries(specOrder.map((name) => [name, spec[name]])));
}
