import { isJsonObject, type JsonObject } from '../json/json.ts';

/** Any API object as JSON: type metadata, object metadata (part 2.2) and the rest. */
export interface ApiObject extends JsonObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

/** Object metadata; unset fields are absent. */
export interface ObjectMeta extends JsonObject {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  /** RFC 3339, whole seconds, UTC. */
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly JsonObject[];
}

export interface OwnerReference extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** New values of metadata fields; undefined removes a field. */
export type MetadataChanges = { readonly [member in keyof ObjectMeta]?: ObjectMeta[member] | undefined };

/** Returns a copy with some metadata fields set; undefined removes a field. Fields are ordered as Go writes them. */
export function withMetadata<T extends JsonObject>(object: T, changes: MetadataChanges): T {
  const before = object['metadata'] as Readonly<Record<string, unknown>> | undefined;
  const after = { ...before, ...changes } as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  for (const name of metadataOrder) if (after[name] !== undefined) ordered[name] = after[name];
  for (const name of Object.keys(after)) if (!metadataNames.has(name) && after[name] !== undefined) ordered[name] = after[name];
  return { ...object, metadata: ordered as ObjectMeta };
}

/** Metadata fields in the order of the Go struct, which is the order on the wire. */
export const metadataOrder: readonly string[] = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];
const metadataNames: ReadonlySet<string> = new Set(metadataOrder);

/** Returns the object without `metadata.managedFields`. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata['managedFields'] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
