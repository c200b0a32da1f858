import { joinHostPort, ownMember } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import {
  age,
  ageOf,
  type CellContext,
  conditionOf,
  imagesOf,
  type KindColumns,
  name,
  namesOf,
  sizeOf,
  text,
  truncateList,
  wide,
} from './column.ts';
import { podSummary, readinessGates } from './pod-cells.ts';
import { labelsText, sortedEntries } from './selector-text.ts';

type ComponentStatus = Decoded<corev1.ComponentStatus>;

/** Columns of kinds in the core group, except workloads. */
export const coreColumns: KindColumns = {
  ComponentStatus: [
    name,
    text('Status', componentHealth),
    text('Message', (status: ComponentStatus) => healthCondition(status)?.message),
    text('Error', (status: ComponentStatus) => healthCondition(status)?.error),
  ],
  ConfigMap: [name, text('Data', ({ data, binaryData }) => sizeOf(data, binaryData)), age],
  Endpoints: [name, text('Endpoints', endpointAddresses), age],
  Event: [
    text('Last Seen', (event, { nowMs }) => eventAges(event, nowMs).last),
    text('Type', ({ type }) => type),
    text('Reason', ({ reason }) => reason),
    text('Object', eventObject),
    wide(text('Subobject', ({ involvedObject }) => involvedObject?.fieldPath)),
    wide(text('Source', eventSource)),
    text('Message', ({ message }) => message?.trim()),
    wide(text('First Seen', (event, { nowMs }) => eventAges(event, nowMs).first)),
    wide(text('Count', ({ series, count }) => (series ? (series.count ?? 0) : count || 1))),
    wide(name),
  ],
  Namespace: [name, text('Status', ({ status }) => status?.phase), age],
  Node: [
    name,
    text('Status', nodeStatus),
    text('Roles', nodeRoles),
    age,
    text('Version', ({ status }) => status?.nodeInfo?.kubeletVersion),
    wide(text('Internal-IP', (node) => nodeAddress(node, 'InternalIP'))),
    wide(text('External-IP', (node) => nodeAddress(node, 'ExternalIP'))),
    wide(text('OS-Image', ({ status }) => status?.nodeInfo?.osImage || '<unknown>')),
    wide(text('Kernel-Version', ({ status }) => status?.nodeInfo?.kernelVersion || '<unknown>')),
    wide(text('Container-Runtime', ({ status }) => status?.nodeInfo?.containerRuntimeVersion || '<unknown>')),
  ],
  PersistentVolume: [
    name,
    text('Capacity', ({ spec }) => spec?.capacity?.['storage'] || '0'),
    text('Access Modes', ({ spec }) => accessModes(spec?.accessModes)),
    text('Reclaim Policy', ({ spec }) => spec?.persistentVolumeReclaimPolicy),
    text('Status', phaseOrTerminating),
    text('Claim', ({ spec }) => spec?.claimRef && `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`),
    text('StorageClass', storageClass),
    text('VolumeAttributesClass', ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>'),
    text('Reason', ({ status }) => status?.reason),
    age,
    wide(text('VolumeMode', ({ spec }) => spec?.volumeMode || '<unset>')),
  ],
  PersistentVolumeClaim: [
    name,
    text('Status', phaseOrTerminating),
    text('Volume', ({ spec }) => spec?.volumeName),
    text('Capacity', ({ spec, status }) => (spec?.volumeName ? status?.capacity?.['storage'] || '0' : '')),
    text('Access Modes', ({ spec, status }) => (spec?.volumeName ? accessModes(status?.accessModes) : '')),
    text('StorageClass', storageClass),
    text('VolumeAttributesClass', ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>'),
    age,
    wide(text('VolumeMode', ({ spec }) => spec?.volumeMode || '<unset>')),
  ],
  Pod: [
    name,
    text('Ready', (pod, context) => podSummary(pod, context).ready),
    text('Status', (pod, context) => podSummary(pod, context).status),
    text('Restarts', (pod, context) => podSummary(pod, context).restarts),
    age,
    wide(text('IP', ({ status }) => status?.podIPs?.[0]?.ip || '<none>')),
    wide(text('Node', ({ spec }) => spec?.nodeName || '<none>')),
    wide(text('Nominated Node', ({ status }) => status?.nominatedNodeName || '<none>')),
    wide(text('Readiness Gates', readinessGates)),
  ],
  PodTemplate: [
    name,
    text('Containers', ({ template }) => namesOf(template?.spec?.containers)),
    text('Images', ({ template }) => imagesOf(template?.spec?.containers)),
    text('Pod Labels', ({ template }) => labelsText(template?.metadata?.labels)),
  ],
  ResourceQuota: [
    name,
    text('Request', (quota) => quotaUse(quota, (resource) => !resource.startsWith('limits.'))),
    text('Limit', (quota) => quotaUse(quota, (resource) => resource.startsWith('limits.'))),
    age,
  ],
  Secret: [name, text('Type', ({ type }) => type), text('Data', ({ data }) => sizeOf(data)), age],
  Service: [
    name,
    text('Type', ({ spec }) => spec?.type),
    text('Cluster-IP', ({ spec }) => spec?.clusterIPs?.[0] ?? '<none>'),
    text('External-IP', externalAddress),
    text('Port(s)', servicePorts),
    age,
    wide(text('Selector', ({ spec }) => labelsText(spec?.selector))),
  ],
  ServiceAccount: [name, text('Secrets', ({ secrets }) => sizeOf(secrets)), age],
};

function healthCondition({ conditions }: ComponentStatus): Decoded<corev1.ComponentCondition> | undefined {
  return conditionOf(conditions, 'Healthy');
}

function componentHealth(status: ComponentStatus): string {
  const condition = healthCondition(status);
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'Healthy' : 'Unhealthy';
}

/** `10.1.2.3:80,10.1.2.4:80`; addresses alone without ports. */
function endpointAddresses({ subsets = [] }: Decoded<corev1.Endpoints>): string {
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap(({ addresses = [], ports = [] }) => {
    const ips = addresses.map(({ ip = '' }) => ip);
    if (ports.length === 0) return ips;
    return ports.flatMap(({ port = 0 }) => ips.map((ip) => joinHostPort(ip, port)));
  });
  return truncateList(all, 3);
}

function eventObject({ involvedObject }: Decoded<corev1.Event>): string {
  const kind = (involvedObject?.kind ?? '').toLowerCase();
  return involvedObject?.name ? `${kind}/${involvedObject.name}` : kind;
}

function eventAges(event: Decoded<corev1.Event>, nowMs: number): { readonly first: string; readonly last: string } {
  const first = ageOf(event.firstTimestamp || event.eventTime, nowMs);
  if (event.series) return { first, last: ageOf(event.series.lastObservedTime, nowMs) };
  return { first, last: event.lastTimestamp ? ageOf(event.lastTimestamp, nowMs) : first };
}

function eventSource({ source, reportingComponent, reportingInstance }: Decoded<corev1.Event>): string {
  const component = source?.component || (reportingComponent ?? '');
  const host = source?.host || reportingInstance;
  return host ? `${component}, ${host}` : component;
}

function nodeStatus({ spec, status }: Decoded<corev1.Node>): string {
  const ready = conditionOf(status?.conditions, 'Ready');
  const text = !ready ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable ? `${text},SchedulingDisabled` : text;
}

/** Roles are labels: `node-role.kubernetes.io/worker`, or `kubernetes.io/role=worker`. */
function nodeRoles({ metadata }: Decoded<corev1.Node>, { product }: CellContext): string {
  const prefix = product.rename('node-role.kubernetes.io/');
  const label = product.rename('kubernetes.io/role');
  const roles = Object.entries(metadata?.labels ?? {}).map(([key, value = '']) => {
    if (key.startsWith(prefix)) return key.slice(prefix.length);
    return key === label ? value : '';
  });
  return [...new Set(roles.filter((role) => role !== ''))].sort().join() || '<none>';
}

function nodeAddress({ status }: Decoded<corev1.Node>, type: string): string {
  return status?.addresses?.find((each) => each.type === type)?.address || '<none>';
}

const accessModeLetters = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

function accessModes(modes: readonly string[] = []): string {
  return accessModeLetters.flatMap(([mode, letters]) => (modes.includes(mode) ? [letters] : [])).join();
}

type Volume = Decoded<corev1.PersistentVolume> | Decoded<corev1.PersistentVolumeClaim>;

function phaseOrTerminating({ metadata, status }: Volume): string | undefined {
  return metadata?.deletionTimestamp ? 'Terminating' : status?.phase;
}

/** The annotation predates the field. */
function storageClass({ metadata, spec }: Volume, { product }: CellContext): string | undefined {
  return metadata?.annotations?.[product.rename('volume.beta.kubernetes.io/storage-class')] || spec?.storageClassName;
}

/** `pods: 2/10, services: 0/5`. */
function quotaUse({ status }: Decoded<corev1.ResourceQuota>, belongs: (resource: string) => boolean): string {
  return sortedEntries(status?.hard)
    .filter(([resource]) => belongs(resource))
    .map(([resource, hard]) => `${resource}: ${ownMember(status?.used ?? {}, resource) ?? '0'}/${hard}`)
    .join(', ');
}

function externalAddress({ spec, status }: Decoded<corev1.Service>): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join() || '<none>';
    case 'LoadBalancer':
      return [...ingressAddresses(status?.loadBalancer), ...external].join() || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

/** Load balancer addresses, unique and sorted. */
export function ingressAddresses(balancer: Decoded<corev1.LoadBalancerStatus> = {}): readonly string[] {
  const all = (balancer.ingress ?? []).map(({ ip, hostname }) => ip || (hostname ?? ''));
  return [...new Set(all.filter((address) => address !== ''))].sort();
}

/** `80/TCP,443:30443/TCP`. */
function servicePorts({ spec }: Decoded<corev1.Service>): string {
  const ports = (spec?.ports ?? []).map(({ port = 0, nodePort, protocol = '' }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`);
  return ports.join() || '<none>';
}
