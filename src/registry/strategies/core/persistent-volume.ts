import {
  type ApiObject,
  type FeatureGates,
  type Json,
  type JsonObject,
  type Product,
  recordAt,
  sameJson,
  textAt,
} from '../../../meta/index.ts';
import { type KindRow, withMembers, withSpec } from '../kind-row.ts';

export const persistentVolume: KindRow = {
  statusOnCreate: (_, { now }) => ({ phase: 'Pending', lastPhaseTransitionTime: now }),
  updateStatus(next, old, { now }) {
    const [status, before] = [recordAt(next, 'status'), recordAt(old, 'status')];
    const time = status['lastPhaseTransitionTime'] ?? before['lastPhaseTransitionTime'];
    if (textAt(status, 'phase') === textAt(before, 'phase')) {
      return { ...next, status: withMembers(status, { lastPhaseTransitionTime: time }) };
    }
    // A time that the client changed is retained.
    if (!sameJson(time, before['lastPhaseTransitionTime'])) return next;
    return { ...next, status: withMembers(status, { lastPhaseTransitionTime: now }) };
  },
};

export const persistentVolumeClaim: KindRow = {
  // The phase is not stored, but set by default on read.
  isSettled: () => false,
  statusOnCreate: () => ({ phase: 'Pending' }),
  create: (claim, { product, gates }) => withBothSources(withoutUnknownSource(withoutCrossNamespaceSource(claim, gates), product)),
  update(next, old, { product, gates }) {
    const before = recordAt(old, 'spec');
    const near = before['dataSourceRef'] === undefined ? withoutCrossNamespaceSource(next, gates) : next;
    return withBothSources(before['dataSource'] === undefined ? withoutUnknownSource(near, product) : near);
  },
  gatedFields: [{ gate: 'AnyVolumeDataSource', paths: ['spec.dataSourceRef'] }],
};

/** A data source in another namespace has its own feature gate. */
function withoutCrossNamespaceSource(claim: ApiObject, gates: FeatureGates): ApiObject {
  const isCrossNamespace = textAt(recordAt(recordAt(claim, 'spec'), 'dataSourceRef'), 'namespace') !== '';
  return isCrossNamespace && !gates.enabled('CrossNamespaceVolumeDataSource') ? withSpec(claim, { dataSourceRef: undefined }) : claim;
}

/** `dataSource` supports only claims and volume snapshots; other sources are silently dropped. */
function withoutUnknownSource(claim: ApiObject, product: Product): ApiObject {
  const spec = recordAt(claim, 'spec');
  const source = recordAt(spec, 'dataSource');
  if (spec['dataSource'] === undefined || spec['dataSourceRef'] !== undefined) return claim;
  const [group, kind] = [textAt(source, 'apiGroup'), textAt(source, 'kind')];
  const isKnown =
    (kind === 'PersistentVolumeClaim' && group === '') ||
    (kind === 'VolumeSnapshot' && group === product.rename('snapshot.storage.k8s.io'));
  return isKnown ? claim : withSpec(claim, { dataSource: undefined });
}

/** dataSource and dataSourceRef reference the same object; each sets the other. Cf. upstream NormalizeDataSources. */
function withBothSources(claim: ApiObject): ApiObject {
  const spec = recordAt(claim, 'spec');
  const [source, reference] = [spec['dataSource'], spec['dataSourceRef']];
  if (source !== undefined && reference === undefined) return inOrder(claim, { dataSourceRef: source });
  if (source === undefined && reference !== undefined && textAt(reference as JsonObject, 'namespace') === '') {
    return inOrder(claim, { dataSource: reference });
  }
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
  const spec: JsonObject = { ...recordAt(claim, 'spec'), ...changes };
  return withSpec({ ...claim, spec: {} }, Object.fromEntries(specOrder.map((name) => [name, spec[name]])));
}
