import { type JsonObject, objectsAt, parseTime, recordAt, textAt } from '../../meta/index.ts';
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
  if (resource.resource === 'pods') return isCountedPod(object, nowMs) ? { ...counted, ...podUsage(recordAt(object, 'spec')) } : counted;
  if (resource.resource === 'services') return { ...counted, ...serviceUsage(recordAt(object, 'spec')) };
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
export function isCountedPod(pod: JsonObject, nowMs: number): boolean {
  const phase = textAt(recordAt(pod, 'status'), 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = recordAt(pod, 'metadata');
  if (typeof deletionTimestamp !== 'string' || typeof deletionGracePeriodSeconds !== 'number') return true;
  const deletedMs = parseTime(deletionTimestamp) ?? nowMs;
  return nowMs <= deletedMs + deletionGracePeriodSeconds * 1000;
}

function countName({ group, resource }: QuotaResource): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`;
}

function serviceUsage(spec: JsonObject): Usage {
  const ports = objectsAt(spec, 'ports');
  const type = textAt(spec, 'type');
  const allocated = spec['allocateLoadBalancerNodePorts'] === false ? ports.filter(({ nodePort }) => Boolean(nodePort)) : ports;
  return {
    services: '1',
    'services.loadbalancers': type === 'LoadBalancer' ? '1' : '0',
    'services.nodeports': String(type === 'LoadBalancer' ? allocated.length : type === 'NodePort' ? ports.length : 0),
  };
}

function claimUsage(claim: JsonObject): Usage {
  const spec = recordAt(claim, 'spec');
  const storage = textAt(recordAt(recordAt(spec, 'resources'), 'requests'), 'storage');
  const className = textAt(spec, 'storageClassName');
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
