import { age, ageOf, type CellContext, type Column, either, field, joinField, name, sizeOf, text, truncateList, wide } from './column.ts';
import { podSummary, readinessGates } from './pod-cells.ts';
import { conditionOf, entriesAt, isSet, listAt, memberAt, numberAt, textAt, valueAt } from './read.ts';
import { labelsText } from './selector-text.ts';

/** Columns of kinds in the core group, except workloads. */
export const coreColumns: Readonly<Record<string, readonly Column[]>> = {
  ComponentStatus: [
    name,
    text('Status', componentHealth),
    text('Message', (object) => textAt(healthCondition(object), 'message')),
    text('Error', (object) => textAt(healthCondition(object), 'error')),
  ],
  ConfigMap: [name, text('Data', sizeOf('data', 'binaryData')), age],
  Endpoints: [name, text('Endpoints', endpointAddresses), age],
  Event: [
    text('Last Seen', (event, { nowMs }) => eventAges(event, nowMs).last),
    text('Type', field('type')),
    text('Reason', field('reason')),
    text('Object', eventObject),
    wide(text('Subobject', (event) => textAt(event, 'involvedObject.fieldPath'))),
    wide(text('Source', eventSource)),
    text('Message', (event) => textAt(event, 'message').trim()),
    wide(text('First Seen', (event, { nowMs }) => eventAges(event, nowMs).first)),
    wide(text('Count', eventCount)),
    wide(name),
  ],
  Namespace: [name, text('Status', field('status.phase')), age],
  Node: [
    name,
    text('Status', nodeStatus),
    text('Roles', nodeRoles),
    age,
    text('Version', field('status.nodeInfo.kubeletVersion')),
    wide(text('Internal-IP', (node) => nodeAddress(node, 'InternalIP'))),
    wide(text('External-IP', (node) => nodeAddress(node, 'ExternalIP'))),
    wide(text('OS-Image', field('status.nodeInfo.osImage', '<unknown>'))),
    wide(text('Kernel-Version', field('status.nodeInfo.kernelVersion', '<unknown>'))),
    wide(text('Container-Runtime', field('status.nodeInfo.containerRuntimeVersion', '<unknown>'))),
  ],
  PersistentVolume: [
    name,
    text('Capacity', field('spec.capacity.storage', '0')),
    text('Access Modes', (volume) => accessModes(listAt(volume, 'spec.accessModes'))),
    text('Reclaim Policy', field('spec.persistentVolumeReclaimPolicy')),
    text('Status', phaseOrTerminating),
    text('Claim', (volume) => {
      const claim = valueAt(volume, 'spec.claimRef');
      return isSet(claim) ? `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}` : '';
    }),
    text('StorageClass', storageClass),
    text('VolumeAttributesClass', either('spec.volumeAttributesClassName', '<unset>')),
    text('Reason', field('status.reason')),
    age,
    wide(text('VolumeMode', field('spec.volumeMode', '<unset>'))),
  ],
  PersistentVolumeClaim: [
    name,
    text('Status', phaseOrTerminating),
    text('Volume', field('spec.volumeName')),
    text('Capacity', (claim) => (textAt(claim, 'spec.volumeName') === '' ? '' : textAt(claim, 'status.capacity.storage') || '0')),
    text('Access Modes', (claim) => (textAt(claim, 'spec.volumeName') === '' ? '' : accessModes(listAt(claim, 'status.accessModes')))),
    text('StorageClass', storageClass),
    text('VolumeAttributesClass', either('spec.volumeAttributesClassName', '<unset>')),
    age,
    wide(text('VolumeMode', field('spec.volumeMode', '<unset>'))),
  ],
  Pod: [
    name,
    text('Ready', (pod, context) => podSummary(pod, context).ready),
    text('Status', (pod, context) => podSummary(pod, context).status),
    text('Restarts', (pod, context) => podSummary(pod, context).restarts),
    age,
    wide(text('IP', (pod) => textAt(listAt(pod, 'status.podIPs')[0], 'ip') || '<none>')),
    wide(text('Node', field('spec.nodeName', '<none>'))),
    wide(text('Nominated Node', field('status.nominatedNodeName', '<none>'))),
    wide(text('Readiness Gates', readinessGates)),
  ],
  PodTemplate: [
    name,
    text('Containers', joinField('template.spec.containers', 'name')),
    text('Images', joinField('template.spec.containers', 'image')),
    text('Pod Labels', (object) => labelsText(object, 'template.metadata.labels')),
  ],
  ResourceQuota: [
    name,
    text('Request', (quota) => quotaUse(quota, (resource) => !resource.startsWith('limits.'))),
    text('Limit', (quota) => quotaUse(quota, (resource) => resource.startsWith('limits.'))),
    age,
  ],
  Secret: [name, text('Type', field('type')), text('Data', sizeOf('data')), age],
  Service: [
    name,
    text('Type', field('spec.type')),
    text('Cluster-IP', (service) => String(listAt(service, 'spec.clusterIPs')[0] ?? '<none>')),
    text('External-IP', externalAddress),
    text('Port(s)', servicePorts),
    age,
    wide(text('Selector', (service) => labelsText(service, 'spec.selector'))),
  ],
  ServiceAccount: [name, text('Secrets', sizeOf('secrets')), age],
};

function healthCondition(object: unknown): unknown {
  return conditionOf(object, 'Healthy', 'conditions');
}

function componentHealth(object: unknown): string {
  const condition = healthCondition(object);
  if (!isSet(condition)) return 'Unknown';
  return textAt(condition, 'status') === 'True' ? 'Healthy' : 'Unhealthy';
}

/** `10.1.2.3:80,10.1.2.4:80`; addresses alone without ports. */
function endpointAddresses(endpoints: unknown): string {
  const subsets = listAt(endpoints, 'subsets');
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap((subset) => {
    const addresses = listAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
    const ports = listAt(subset, 'ports').map((port) => numberAt(port, 'port'));
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((ip) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)));
  });
  return truncateList(all, 3);
}

function eventObject(event: unknown): string {
  const kind = textAt(event, 'involvedObject.kind').toLowerCase();
  const of = textAt(event, 'involvedObject.name');
  return of === '' ? kind : `${kind}/${of}`;
}

function eventAges(event: unknown, nowMs: number): { readonly first: string; readonly last: string } {
  const first = ageOf(textAt(event, 'firstTimestamp') || textAt(event, 'eventTime'), nowMs);
  if (isSet(valueAt(event, 'series'))) return { first, last: ageOf(textAt(event, 'series.lastObservedTime'), nowMs) };
  const last = textAt(event, 'lastTimestamp');
  return { first, last: last === '' ? first : ageOf(last, nowMs) };
}

function eventSource(event: unknown): string {
  const component = textAt(event, 'source.component') || textAt(event, 'reportingComponent');
  const host = textAt(event, 'source.host') || textAt(event, 'reportingInstance');
  return host === '' ? component : `${component}, ${host}`;
}

function eventCount(event: unknown): number | bigint {
  if (isSet(valueAt(event, 'series'))) return numberAt(event, 'series.count');
  return numberAt(event, 'count') || 1;
}

function nodeStatus(node: unknown): string {
  const ready = conditionOf(node, 'Ready');
  const status = !isSet(ready) ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec.unschedulable') === true ? `${status},SchedulingDisabled` : status;
}

/** Roles are labels: `node-role.kubernetes.io/worker`, or `kubernetes.io/role=worker`. */
function nodeRoles(node: unknown, { product }: CellContext): string {
  const prefix = product.rename('node-role.kubernetes.io/');
  const label = product.rename('kubernetes.io/role');
  const roles = entriesAt(node, 'metadata.labels').flatMap(([key, value]) => {
    if (key.startsWith(prefix)) return key.length > prefix.length ? [key.slice(prefix.length)] : [];
    return key === label && value !== '' ? [String(value)] : [];
  });
  return [...new Set(roles)].sort().join(',') || '<none>';
}

function nodeAddress(node: unknown, type: string): string {
  const address = listAt(node, 'status.addresses').find((each) => textAt(each, 'type') === type);
  return textAt(address, 'address') || '<none>';
}

const accessModeLetters = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

function accessModes(modes: readonly unknown[]): string {
  return accessModeLetters.flatMap(([mode, letters]) => (modes.includes(mode) ? [letters] : [])).join(',');
}

function phaseOrTerminating(object: unknown): string {
  return textAt(object, 'metadata.deletionTimestamp') === '' ? textAt(object, 'status.phase') : 'Terminating';
}

/** The annotation predates the field. */
function storageClass(object: unknown, { product }: CellContext): string {
  const annotation = memberAt(object, 'metadata.annotations', product.rename('volume.beta.kubernetes.io/storage-class'));
  return annotation || textAt(object, 'spec.storageClassName');
}

/** `pods: 2/10, services: 0/5`. */
function quotaUse(quota: unknown, belongs: (resource: string) => boolean): string {
  const used = new Map(entriesAt(quota, 'status.used'));
  return entriesAt(quota, 'status.hard')
    .filter(([resource]) => belongs(resource))
    .map(([resource, hard]) => `${resource}: ${used.get(resource) ?? '0'}/${hard}`)
    .join(', ');
}

function externalAddress(service: unknown): string {
  const external = listAt(service, 'spec.externalIPs').map(String);
  switch (textAt(service, 'spec.type')) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer':
      return [...ingressAddresses(service), ...external].join(',') || '<pending>';
    case 'ExternalName':
      return textAt(service, 'spec.externalName');
    default:
      return '<unknown>';
  }
}

/** Load balancer addresses, unique and sorted. */
export function ingressAddresses(object: unknown): readonly string[] {
  const all = listAt(object, 'status.loadBalancer.ingress').map((at) => textAt(at, 'ip') || textAt(at, 'hostname'));
  return [...new Set(all.filter((address) => address !== ''))].sort();
}

/** `80/TCP,443:30443/TCP`. */
function servicePorts(service: unknown): string {
  const ports = listAt(service, 'spec.ports').map((port) => {
    const node = numberAt(port, 'nodePort');
    return `${numberAt(port, 'port')}${node ? `:${node}` : ''}/${textAt(port, 'protocol')}`;
  });
  return ports.join(',') || '<none>';
}
