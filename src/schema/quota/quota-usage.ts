import {
  compareQuantities,
  formatQuantity,
  type JsonObject,
  type Product,
  parseQuantity,
  parseTime,
  type Quantity,
  roundQuantityUp,
} from '../../meta/index.ts';
import type { corev1, resourcev1 } from '../api/index.ts';
import type { Decoded } from '../validation/decoded.ts';
import { podUsage } from './pod-usage.ts';
import type { Usage } from './usage.ts';

/** A resource of the API, with the names of Kubernetes. */
export interface QuotaResource {
  readonly group: string;
  readonly resource: string;
}

/** Resources of the core group that quotas also count without `count/`. Cf. pkg/quota/v1/evaluator/core legacyObjectCountAliases. */
const aliases: ReadonlySet<string> = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

export interface QuotaContext {
  readonly product: Product;
  /** Pods that are deleted count until their grace period has expired. */
  readonly nowMs: number;
}

/** What an object counts for in quotas. Cf. the evaluators of pkg/quota/v1/evaluator. */
export function quotaUsageOf(resource: QuotaResource, object: JsonObject, { product, nowMs }: QuotaContext): Usage {
  const counted = { [countName(resource)]: '1' };
  if (isDeviceClaim(resource)) return { ...counted, ...deviceUsage(object, resource.group) };
  if (resource.group !== '') return counted;
  if (resource.resource === 'pods') return isCountedPod(object, nowMs) ? { ...counted, ...podUsage(object) } : counted;
  if (resource.resource === 'services') return { ...counted, ...serviceUsage(object) };
  if (resource.resource === 'persistentvolumeclaims') return { ...counted, ...claimUsage(object, product) };
  return aliases.has(resource.resource) ? { ...counted, [resource.resource]: '1' } : counted;
}

/** The resources of the API whose objects count for a name in a quota. */
export function quotaResourcesOf(name: string): QuotaResource | undefined {
  if (name.startsWith('count/')) {
    const [resource = '', ...group] = name.slice('count/'.length).split('.');
    return { group: group.join('.'), resource };
  }
  if (aliases.has(name)) return { group: '', resource: name };
  if (name.startsWith('services')) return { group: '', resource: 'services' };
  if (name === 'persistentvolumeclaims' || name === 'requests.storage' || name.includes('.storageclass.')) {
    return { group: '', resource: 'persistentvolumeclaims' };
  }
  const [, deviceClass] = name.split('.deviceclass.');
  if (deviceClass?.endsWith('/devices')) return { group: deviceClass.slice(0, -'/devices'.length), resource: 'resourceclaims' };
  return isPodAmount(name) ? { group: '', resource: 'pods' } : undefined;
}

/** The names of a quota's limits for which objects of a resource count. */
export function countedNames(hard: object, { group, resource }: QuotaResource): readonly string[] {
  return Object.keys(hard).filter((name) => {
    const counted = quotaResourcesOf(name);
    return counted?.group === group && counted.resource === resource;
  });
}

/** Whether a pod may still use resources: it is not in a terminal phase, and its grace period has not expired. Cf. QuotaV1Pod. */
function isCountedPod({ metadata = {}, status }: Decoded<corev1.Pod>, nowMs: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  const deletedMs = parseTime(deletionTimestamp) ?? nowMs;
  return nowMs <= deletedMs + deletionGracePeriodSeconds * 1000;
}

function countName({ group, resource }: QuotaResource): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`;
}

function serviceUsage({ spec = {} }: Decoded<corev1.Service>): Usage {
  const { ports = [], type, allocateLoadBalancerNodePorts } = spec;
  const allocated = allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort }) => Boolean(nodePort)) : ports;
  return {
    services: '1',
    'services.loadbalancers': type === 'LoadBalancer' ? '1' : '0',
    'services.nodeports': String(type === 'LoadBalancer' ? allocated.length : type === 'NodePort' ? ports.length : 0),
  };
}

function claimUsage(claim: Decoded<corev1.PersistentVolumeClaim>, product: Product): Usage {
  const storage = storageOf(claim);
  const beta = claim.metadata?.annotations?.[product.rename('volume.beta.kubernetes.io/storage-class')];
  const className = beta ?? claim.spec?.storageClassName ?? '';
  const ofClass = className + product.rename('.storageclass.storage.k8s.io');
  return {
    persistentvolumeclaims: '1',
    ...(className === '' ? {} : { [`${ofClass}/persistentvolumeclaims`]: '1' }),
    ...(storage === '' ? {} : { 'requests.storage': storage }),
    ...(storage === '' || className === '' ? {} : { [`${ofClass}/requests.storage`]: storage }),
  };
}

/** The requested bytes, or those allocated by an expansion that failed; empty: none. Cf. pvcEvaluator.getStorageUsage. */
function storageOf({ spec, status }: Decoded<corev1.PersistentVolumeClaim>): string {
  const requested = spec?.resources?.requests?.['storage'];
  if (requested === undefined) return '';
  const [wanted, allocated] = [roundUp(requested), roundUp(status?.allocatedResources?.['storage'] ?? '0')];
  return formatQuantity(compareQuantities(allocated, wanted) > 0 ? allocated : wanted);
}

function roundUp(amount: string): Quantity {
  return roundQuantityUp(parseQuantity(amount), 0);
}

/** Devices that count for a request of all: the most that can be allocated (AllocationResultsMaxSize). */
const maxDevices = 32;

export function isDeviceClaim({ group, resource }: QuotaResource): boolean {
  return resource === 'resourceclaims' && group.startsWith('resource.');
}

/** The devices of each class; of alternatives the largest number counts. Cf. claimEvaluator.Usage. */
function deviceUsage({ spec }: Decoded<resourcev1.ResourceClaim>, group: string): Usage {
  const devices = new Map<string, number>();
  for (const request of spec?.devices?.requests ?? []) {
    const most = new Map<string, number>();
    // In v1beta1 an exact request has its members in the request itself.
    const exact: DeviceCount = request.exactly ?? (request as DeviceCount);
    for (const one of request.firstAvailable?.length ? request.firstAvailable : [exact]) {
      const name = one.deviceClassName ?? '';
      if (name !== '') most.set(name, Math.max(most.get(name) ?? 0, deviceCount(one)));
    }
    for (const [name, count] of most) devices.set(name, (devices.get(name) ?? 0) + count);
  }
  return Object.fromEntries([...devices].map(([name, count]) => [`${name}.deviceclass.${group}/devices`, String(count)]));
}

type DeviceCount = Pick<Decoded<resourcev1.ExactDeviceRequest>, 'deviceClassName' | 'allocationMode' | 'count'>;

function deviceCount({ allocationMode, count = 0 }: DeviceCount): number {
  if (allocationMode === 'All') return maxDevices;
  return allocationMode === 'ExactCount' ? count : 0;
}

const podAmounts: ReadonlySet<string> = new Set([
  'pods',
  'cpu',
  'memory',
  'ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

function isPodAmount(name: string): boolean {
  return podAmounts.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.');
}
