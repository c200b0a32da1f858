import type { ApiObject, Json, JsonObject } from '../../../meta/index.ts';
import { sameJson } from '../../../meta/index.ts';
import { type KindRow, partOf, textOf, withMembers, withSpec } from '../row.ts';

export const persistentVolume: KindRow = {
  statusOnCreate: (_, { now }) => ({ phase: 'Pending', lastPhaseTransitionTime: now }),
  updateStatus(next, old, { now }) {
    const [status, before] = [partOf(next, 'status'), partOf(old, 'status')];
    if (textOf(status, 'phase') === textOf(before, 'phase')) return next;
    // A time that the client moved itself is its own.
    if (!sameJson(status['lastPhaseTransitionTime'], before['lastPhaseTransitionTime'])) return next;
    return { ...next, status: withMembers(status, { lastPhaseTransitionTime: now }) };
  },
};

export const persistentVolumeClaim: KindRow = {
  statusOnCreate: () => ({ phase: 'Pending' }),
  create: withBothSources,
  update: (next) => withBothSources(next),
};

/** dataSource and dataSourceRef name the same thing; either brings the other. Cf. upstream NormalizeDataSources. */
function withBothSources(claim: ApiObject): ApiObject {
  const spec = partOf(claim, 'spec');
  const [source, reference] = [spec['dataSource'], spec['dataSourceRef']];
  if (source !== undefined && reference === undefined) return inOrder(claim, { dataSourceRef: source });
  if (source === undefined && reference !== undefined && textOf(reference as JsonObject, 'namespace') === '') {
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
  const spec: JsonObject = { ...partOf(claim, 'spec'), ...changes };
  return withSpec({ ...claim, spec: {} }, Object.fromEntries(specOrder.map((name) => [name, spec[name]])));
}
