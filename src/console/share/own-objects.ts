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

/** What makes itself again, or cannot be applied elsewhere. */
const transientKinds: ReadonlySet<string> = new Set([
  'Event',
  'Lease',
  'Endpoints',
  'EndpointSlice',
  'IPAddress',
  'TokenReview',
  'ControllerRevision',
]);
/** Others need these to be there. */
const firstKinds = ['Namespace', 'CustomResourceDefinition', 'PriorityClass', 'StorageClass', 'ServiceAccount', 'Secret', 'ConfigMap'];

/** The objects that somebody made: what a new cluster does not have of itself. In an order in which they can be applied. */
export function userObjects(copy: ClusterCopy, fresh: ClusterCopy): readonly JsonObject[] {
  const freshKeys = new Set(fresh.entries.map(({ key }) => key));
  const objects = copy.entries
    .filter(({ key }) => key.startsWith('/registry/') && !freshKeys.has(key))
    .map(({ value }): unknown => JSON.parse(value));
  const applicable = objects.filter(isJsonObject).filter(({ kind }) => !transientKinds.has(String(kind)));
  return applicable
    .map(toManifest)
    .filter((manifest) => !isDefaultServiceAccount(manifest))
    .sort((a, b) => rank(a) - rank(b));
}

/** The account that a controller gives each namespace, when nobody has changed it. */
function isDefaultServiceAccount({ kind, metadata, ...rest }: JsonObject): boolean {
  const { name, namespace: _namespace, ...fields } = isJsonObject(metadata) ? metadata : {};
  return kind === 'ServiceAccount' && name === 'default' && Object.keys(fields).length === 0 && Object.keys(rest).length === 1;
}

function rank({ kind }: JsonObject): number {
  const at = firstKinds.indexOf(String(kind));
  return at < 0 ? firstKinds.length : at;
}

/** Whether the objects are about something secret. */
export function isSecret({ kind }: JsonObject): boolean {
  return kind === 'Secret';
}

const serverFields = ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'generation', 'selfLink', 'deletionTimestamp'];

/** An object as one would apply it: without what the server says of it. */
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

/** Addresses that the server gave out would be taken elsewhere. `None` was asked for. */
function omitAddresses(rest: Omit<JsonObject, 'status'>): JsonObject {
  const { spec } = rest as JsonObject;
  if (!isJsonObject(spec) || spec['clusterIP'] === 'None') return rest as JsonObject;
  const { clusterIP: _one, clusterIPs: _all, ...others } = spec;
  return { ...(rest as JsonObject), spec: others };
}
