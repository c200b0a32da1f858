import { metadataOf } from '../../../kubectl/index.ts';
import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';

/** A resource whose objects belong to an object. */
export interface RelatedQuery {
  /** Below the namespace: `/api/v1/…/pods`. */
  readonly group: string;
  readonly version: 'v1';
  readonly resource: string;
  readonly labelSelector: string;
}

const pods = { group: '', version: 'v1', resource: 'pods' } as const;
/** Kinds with the pods of a selector. */
const podOwners: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'ReplicationController',
  'Service',
]);

/** Whether objects of a kind are pods, or have pods. */
export function hasPods({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
  return (group === '' && kind === 'Pod') || (/^(?:apps|batch)?$/.test(group) && podOwners.has(kind));
}

/** The label selector of the pods of a workload or Service. Undefined for other objects, empty if it has no labels. */
export function podSelectorOf(object: JsonObject): string | undefined {
  const kind = String(object['kind']);
  const selector = recordAt(object, 'spec')['selector'];
  if (!podOwners.has(kind) || !isJsonObject(selector)) return undefined;
  return labelText(kind === 'Service' || kind === 'ReplicationController' ? selector : selector['matchLabels']);
}

/** The lists in which the objects below an object are found: of a workload its pods and replica sets, of a Service its pods and endpoints. */
export function relatedQueries(object: JsonObject, discoveryGroup: string): readonly RelatedQuery[] {
  const { kind } = object;
  const labelSelector = podSelectorOf(object);
  if (!labelSelector) return [];
  if (kind === 'Service') {
    const name = String(metadataOf(object)['name']);
    const slices = { group: discoveryGroup, version: 'v1', resource: 'endpointslices' } as const;
    const serviceLabel = discoveryGroup.endsWith('.k8s.io') ? 'kubernetes.io/service-name' : 'svc/service-name';
    return [
      { ...pods, labelSelector },
      { ...slices, labelSelector: `${serviceLabel}=${name}` },
    ];
  }
  const replicaSets = { group: 'apps', version: 'v1', resource: 'replicasets', labelSelector } as const;
  return kind === 'Deployment' ? [replicaSets, { ...pods, labelSelector }] : [{ ...pods, labelSelector }];
}

function labelText(labels: Json | undefined): string {
  return isJsonObject(labels)
    ? Object.entries(labels)
        .map(([name, value]) => `${name}=${String(value)}`)
        .join(',')
    : '';
}

/** The state of a related object in a few words: `Running`, `2/3`. */
export function stateOf(object: JsonObject): string {
  const status = recordAt(object, 'status');
  if (status['phase'] !== undefined) return String(status['phase']);
  const replicas = recordAt(object, 'spec')['replicas'];
  if (replicas !== undefined) return `${String(status['readyReplicas'] ?? 0)}/${String(replicas)}`;
  return objectsAt(object, 'endpoints')
    .flatMap(({ addresses }) => (Array.isArray(addresses) ? addresses.map(String) : []))
    .join(', ');
}

/** What an object needs to do its work, by type and name: of a pod its node, service account, and volumes. */
export function referencesOf({ kind, spec = {} }: Decoded<corev1.Pod>): readonly (readonly [resource: string, name: string])[] {
  if (kind !== 'Pod') return [];
  const { nodeName, serviceAccountName, volumes = [] } = spec;
  const all: readonly (readonly [string, string | undefined])[] = [
    ['nodes', nodeName],
    ['serviceaccounts', serviceAccountName],
    ...volumes.flatMap(({ configMap, secret, persistentVolumeClaim }) => [
      ['configmaps', configMap?.name] as const,
      ['secrets', secret?.secretName] as const,
      ['persistentvolumeclaims', persistentVolumeClaim?.claimName] as const,
    ]),
  ];
  return all.flatMap(([resource, name]) => (name ? [[resource, name] as const] : []));
}
