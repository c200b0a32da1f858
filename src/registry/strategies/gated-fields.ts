import { type ApiObject, type FeatureGates, getOrAdd, isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';

/** Fields of a feature gate. While it is disabled they are silently dropped, unless the stored object has one. */
export interface GatedFields {
  readonly gate: string;
  /** Names joined by dots; `*` stands for each item of a list or map, and a name with `?` is also dropped when it becomes empty. */
  readonly paths: readonly string[];
  /** Fields whose presence in a stored object also shows use of the feature; they are not dropped. */
  readonly usedBy?: readonly string[];
}

const containers = ['initContainers.*', 'containers.*', 'ephemeralContainers.*'];
const ofContainers = (path: string): readonly string[] => containers.map((container) => `${container}.${path}`);

/** Fields of a pod's spec. Cf. upstream api/pod dropDisabledFields; features with special rules are in core/disabled-fields.ts. */
export const gatedPodFields: readonly GatedFields[] = [
  { gate: 'HostnameOverride', paths: ['hostnameOverride'] },
  { gate: 'EnvFiles', paths: ofContainers('env.*.valueFrom.fileKeyRef') },
  { gate: 'ContainerStopSignals', paths: ofContainers('lifecycle?.stopSignal') },
  { gate: 'ClusterTrustBundleProjection', paths: ['volumes.*.projected.sources.*.clusterTrustBundle'] },
  { gate: 'PodCertificateRequest', paths: ['volumes.*.projected.sources.*.podCertificate'] },
];

/** Fields of a pod's status. Cf. upstream dropDisabledPodStatusFields. */
export const gatedPodStatusFields: readonly GatedFields[] = [
  {
    gate: 'ResourceHealthStatus',
    paths: ['initContainer', 'container', 'ephemeralContainer'].map((kind) => `status.${kind}Statuses.*.allocatedResourcesStatus`),
  },
  { gate: 'DRAExtendedResource', paths: ['status.extendedResourceClaimStatus'] },
];

/** Fields of a ResourceClaim's spec, at `spec` or, in a template, deeper. Upstream intends to drop `distinctAttribute` too, but does not. */
const gatedClaimSpec = (spec: string): readonly GatedFields[] => {
  const requests = `${spec}.devices.requests.*`;
  return [
    { gate: 'DRAPrioritizedList', paths: [`${requests}.firstAvailable`] },
    { gate: 'DRAAdminAccess', paths: [`${requests}.exactly.adminAccess`] },
    {
      gate: 'DRAConsumableCapacity',
      paths: [`${requests}.exactly.capacity`, `${requests}.firstAvailable.*.capacity`],
      usedBy: [`${spec}.devices.constraints.*.distinctAttribute`],
    },
  ];
};

export const gatedTemplateFields: readonly GatedFields[] = gatedClaimSpec('spec.spec');

const results = 'status.allocation.devices.results.*';

export const gatedClaimFields: readonly GatedFields[] = [
  ...gatedClaimSpec('spec'),
  { gate: 'DRAResourceClaimDeviceStatus', paths: ['status.devices'] },
  {
    gate: 'DRADeviceBindingConditions',
    paths: ['status.allocation.allocationTimestamp', `${results}.bindingConditions`, `${results}.bindingFailureConditions`],
  },
  { gate: 'DRAConsumableCapacity', paths: [`${results}.shareID`, `${results}.consumedCapacity`, 'status.devices.*.shareID'] },
];

const device = 'spec.devices.*';
const partitions = ['consumesCounters', 'nodeName', 'nodeSelector', 'allNodes'];
const bindings = ['bindingConditions', 'bindingFailureConditions', 'bindsToNode'];

export const gatedSliceFields: readonly GatedFields[] = [
  { gate: 'DRADeviceTaints', paths: [`${device}.taints`] },
  {
    gate: 'DRAPartitionableDevices',
    paths: ['spec.sharedCounters', 'spec.perDeviceNodeSelection', ...partitions.map((field) => `${device}.${field}`)],
  },
  { gate: 'DRADeviceBindingConditions', paths: bindings.map((field) => `${device}.${field}`) },
  { gate: 'DRAConsumableCapacity', paths: [`${device}.allowMultipleAllocations`, `${device}.capacity.*.requestPolicy`] },
];

export function withoutGatedFields<T extends JsonObject | ApiObject>(
  object: T,
  old: JsonObject | undefined,
  rows: readonly GatedFields[],
  gates: FeatureGates,
): T {
  let next: JsonObject = object;
  for (const { gate, paths, usedBy = [] } of rows) {
    if (gates.enabled(gate)) continue;
    const present = paths.map(splitPath).filter((steps) => hasPath(next, steps));
    if (present.length === 0 || [...paths, ...usedBy].some((path) => hasPath(old, splitPath(path)))) continue;
    for (const steps of present) next = withoutPath(next, steps) as JsonObject;
  }
  return next as T;
}

const splitPaths = new Map<string, readonly string[]>();

function splitPath(path: string): readonly string[] {
  return getOrAdd(splitPaths, path, () => path.split('.'));
}

/** Whether a value has the path of the steps from index `at` on. */
function hasPath(value: Json | undefined, steps: readonly string[], at = 0): boolean {
  const step = steps[at];
  if (step === undefined) return value !== undefined;
  if (step === '*') return itemsOf(value).some((item) => hasPath(item, steps, at + 1));
  return isJsonObject(value) && hasPath(value[nameOf(step)], steps, at + 1);
}

/** Returns the value itself when there is nothing to drop. */
function withoutPath(value: Json, steps: readonly string[], at = 0): Json {
  const step = steps[at] ?? '';
  if (step === '*') {
    if (!hasPath(value, steps, at)) return value;
    if (Array.isArray(value)) return value.map((item: Json) => withoutPath(item, steps, at + 1));
    return Object.fromEntries(Object.entries(value as JsonObject).map(([key, item]) => [key, withoutPath(item ?? null, steps, at + 1)]));
  }
  const name = nameOf(step);
  if (!isJsonObject(value) || value[name] === undefined) return value;
  const { [name]: inner, ...others } = value;
  if (at === steps.length - 1) return others;
  const left = withoutPath(inner ?? null, steps, at + 1);
  if (left === inner) return value;
  return step.endsWith('?') && isJsonObject(left) && Object.keys(left).length === 0 ? others : { ...value, [name]: left };
}

function itemsOf(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value).map((item) => item ?? null) : [];
}

function nameOf(step: string): string {
  return step.endsWith('?') ? step.slice(0, -1) : step;
}
