import { type JsonObject, parseTime } from '../../meta/index.ts';
import type { corev1 } from '../api/index.ts';
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

/** What an object counts for in quotas. Cf. the evaluators of pkg/quota/v1/evaluator. */
export function quotaUsageOf(resource: QuotaResource, object: JsonObject, nowMs: number): Usage {
  const counted = { [countName(resource)]: '1' };
  if (resource.group !== '') return counted;
  if (resource.resource === 'pods') return isCountedPod(object, nowMs) ? { ...counted, ...podUsage(object) } : counted;
  if (resource.resource === 'services') return { ...counted, ...serviceUsage(object) };
  if (resource.resource === 'persistentvolumeclaims') return { ...counted, ...claimUsage(object) };
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
  return isPodAmount(name) ? { group: '', resource: 'pods' } : undefined;
}

/** Whether a pod may still use resources: it is not in a terminal phase, and its grace period has not expired. Cf. QuotaV1Pod. */
export function isCountedPod({ metadata = {}, status }: Decoded<corev1.Pod>, nowMs: number): boolean {
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

function claimUsage({ spec = {} }: Decoded<corev1.PersistentVolumeClaim>): Usage {
  const storage = spec.resources?.requests?.['storage'] ?? '';
  const className = spec.storageClassName ?? '';
  const ofClass = `${className}.storageclass.storage.k8s.io`;
  return {
    persistentvolumeclaims: '1',
    ...(className === '' ? {} : { [`${ofClass}/persistentvolumeclaims`]: '1' }),
    ...(storage === '' ? {} : { 'requests.storage': storage }),
    ...(storage === '' || className === '' ? {} : { [`${ofClass}/requests.storage`]: storage }),
  };
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
