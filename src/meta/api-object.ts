import { isJsonObject, type JsonObject } from './json.ts';

/** Any object of the API as JSON: type information, metadata (part 2.2) and the rest. */
export interface ApiObject extends JsonObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

/** Metadata of an object; what is unset is absent. */
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

/** New values of metadata members; undefined takes one away. */
export type MetadataChanges = { readonly [member in keyof ObjectMeta]?: ObjectMeta[member] | undefined };

/** A copy with some metadata set; members given as undefined are left out. The order of members stays as Go writes it. */
export function withMetadata<T extends JsonObject>(object: T, changes: MetadataChanges): T {
  const before = object['metadata'] as Readonly<Record<string, unknown>> | undefined;
  const after = { ...before, ...changes } as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  for (const name of metadataOrder) if (after[name] !== undefined) ordered[name] = after[name];
  for (const name of Object.keys(after)) if (!metadataNames.has(name) && after[name] !== undefined) ordered[name] = after[name];
  return { ...object, metadata: ordered as ObjectMeta };
}

/** Members of metadata in the order of declaration, which is the order on the wire. */
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

/** The object without what it says of who owns which of its fields. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata['managedFields'] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
