import { isJsonObject, type JsonObject } from '../../meta/index.ts';

/** An entry of a cluster's copy (client/cluster-path.ts). */
export interface CopiedEntry {
  readonly key: string;
  readonly value: string;
  readonly createRevision: number;
  readonly revision: number;
}

export interface ClusterCopy {
  readonly revision: number;
  readonly entries: readonly CopiedEntry[];
}

export function parseCopy(text: string): ClusterCopy {
  return JSON.parse(text) as ClusterCopy;
}

/** Kinds that controllers recreate, or that cannot be applied to another cluster. */
const transientKinds: ReadonlySet<string> = new Set([
  'Event',
  'Lease',
  'Endpoints',
  'EndpointSlice',
  'IPAddress',
  'TokenReview',
  'ControllerRevision',
]);
/** Other objects depend on these. */
const firstKinds = ['Namespace', 'CustomResourceDefinition', 'PriorityClass', 'StorageClass', 'ServiceAccount', 'Secret', 'ConfigMap'];

/** The objects that a new cluster does not have, in an order in which they can be applied. */
export function userObjects(copy: ClusterCopy, fresh: ClusterCopy): readonly JsonObject[] {
  const freshKeys = new Set(fresh.entries.map(({ key }) => key));
  const objects = copy.entries
    .filter(({ key }) => key.startsWith('/registry/') && !freshKeys.has(key))
    .map(({ value }): unknown => JSON.parse(value));
  const applicable = objects.filter(isJsonObject).filter(({ kind }) => !transientKinds.has(String(kind)));
  return applicable
    .map(toManifest)
    .filter((manifest) => !isDefaultServiceAccount(manifest) && !isManagedApiService(manifest) && !isPublishedAuthority(manifest))
    .sort((a, b) => rank(a) - rank(b));
}

/** Whether this is the unchanged default service account, which a controller creates. */
function isDefaultServiceAccount({ kind, metadata, ...rest }: JsonObject): boolean {
  const { name, namespace: _namespace, ...fields } = isJsonObject(metadata) ? metadata : {};
  return kind === 'ServiceAccount' && name === 'default' && Object.keys(fields).length === 0 && Object.keys(rest).length === 1;
}

/** Names of the ConfigMaps with the CA of the cluster. */
const authorities: ReadonlySet<string> = new Set(['kube-root-ca.crt', 'extension-apiserver-authentication']);

/** Whether this has the CA of the cluster, which each cluster publishes itself. */
function isPublishedAuthority({ kind, metadata }: JsonObject): boolean {
  return kind === 'ConfigMap' && isJsonObject(metadata) && authorities.has(String(metadata['name']));
}

/** Whether the API server manages this registration of a custom group. The prefix of the label depends on the API group names. */
function isManagedApiService({ kind, metadata }: JsonObject): boolean {
  const labels = isJsonObject(metadata) ? metadata['labels'] : undefined;
  return kind === 'APIService' && isJsonObject(labels) && Object.keys(labels).some((name) => name.endsWith('/automanaged'));
}

function rank({ kind }: JsonObject): number {
  const at = firstKinds.indexOf(String(kind));
  return at < 0 ? firstKinds.length : at;
}

/** Whether the object has confidential data. */
export function isSecret({ kind }: JsonObject): boolean {
  return kind === 'Secret';
}

const serverFields = ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'generation', 'selfLink', 'deletionTimestamp'];

/** The manifest of an object, without the fields that the server sets. */
export function toManifest(object: JsonObject): JsonObject {
  const { status: _status, apiVersion, kind, metadata, ...rest } = object;
  const fields = Object.entries(isJsonObject(metadata) ? metadata : {}).filter(([name]) => !serverFields.includes(name));
  const annotations = fields.find(([name]) => name === 'annotations')?.[1];
  const plain = Object.entries(isJsonObject(annotations) ? annotations : {}).filter(
    ([name]) => !name.endsWith('/last-applied-configuration'),
  );
  const others = fields.filter(([name]) => name !== 'annotations');
  return {
    apiVersion: apiVersion ?? 'v1',
    kind: kind ?? '',
    metadata: { ...Object.fromEntries(others), ...(plain.length > 0 ? { annotations: Object.fromEntries(plain) } : {}) },
    ...(kind === 'Service' ? omitAddresses(rest) : rest),
  };
}

/** Omits allocated addresses, which may be in use in another cluster. `None` is part of the manifest. */
function omitAddresses(rest: Omit<JsonObject, 'status'>): JsonObject {
  const { spec } = rest as JsonObject;
  if (!isJsonObject(spec) || spec['clusterIP'] === 'None') return rest as JsonObject;
  const { clusterIP: _one, clusterIPs: _all, ...others } = spec;
  return { ...(rest as JsonObject), spec: others };
}
