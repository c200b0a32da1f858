import {
  type ApiObject,
  attachedValues,
  type Json,
  type JsonObject,
  type ObjectMeta,
  StatusError,
  sortMembers,
  sortMembersInSteps,
  withMetadata,
} from '../../meta/index.ts';
import {
  applyDefaults,
  applyDefaultsInSteps,
  type CustomVersion,
  type DecodeMetadata,
  decodeEmbeddedMetadata,
  formatGroupVersion,
  type OnPrunedPath,
  parseGroupVersion,
  pruneForbiddenNulls,
  pruneObject,
  type Resource,
  type SchemaNode,
} from '../../schema/index.ts';

/**
 * Decodes and encodes custom objects. They have no Go type, so members are sorted by name at every level. Cf. upstream
 * apiextensions-apiserver customresource_handler.
 */
export interface CustomObjectCodec {
  /** Prunes undeclared fields and reports them to `unknown`, unless the object is of another kind. @throws DecodeError for invalid metadata */
  decode(value: JsonObject, unknown: OnPrunedPath): ApiObject;
  /** For the result of an apply, which is pruned already; validation reports forbidden nulls. @throws DecodeError */
  decodeAppliedInSteps(value: JsonObject): Generator<void, ApiObject>;
  withDefaultsInSteps(object: ApiObject): Generator<void, ApiObject>;
  /**
   * Converts a stored object to this version; returns the same result for the same object. Where a webhook converts, the key space has done
   * so already (see `ConvertingKeySpace`). @throws StatusError 500
   */
  read(stored: ApiObject): ApiObject;
  /** A stored object in the version in which it is stored: pruned and defaulted. @throws StatusError 500 */
  readStored(stored: ApiObject): ApiObject;
  /** The object with another apiVersion, without fields that the schema of that version does not declare. */
  prunedFor(object: JsonObject, apiVersion: string): ApiObject;
  /** The metadata with members in the order of declaration; in the object itself they are sorted by name. */
  metadataOf(object: ApiObject): ObjectMeta;
  /** Converts to the storage version, without fields that its schema does not declare. A webhook converts later, in the key space. */
  write(object: ApiObject): ApiObject;
}

export function createCustomObjectCodec(resource: Resource, custom: CustomVersion, metadata: DecodeMetadata): CustomObjectCodec {
  const { storageVersion } = resource;
  const groupVersion = formatGroupVersion(resource);
  const decodedObjects = attachedValues<ApiObject, ApiObject>();
  const coerce = (value: JsonObject, node: SchemaNode | undefined, unknown: OnPrunedPath): ApiObject =>
    sortMembers(decodeEmbeddedMetadata(pruneForbiddenNulls(pruneObject(value, node, unknown), node), node, metadata, unknown)) as ApiObject;
  /** Returns undefined for an object of another kind, to which no schema applies. */
  const nodesOf = ({ kind, apiVersion = '' }: JsonObject): { readonly node: SchemaNode | undefined } | undefined => {
    const { group, version } = parseGroupVersion(apiVersion as string);
    return kind === resource.kind && group === resource.group ? { node: custom.versions.get(version) } : undefined;
  };
  const prunedFor = (object: JsonObject, to: string): ApiObject =>
    coerce({ ...object, apiVersion: to }, custom.versions.get(parseGroupVersion(to).version), ignorePath);
  const readStored = (stored: ApiObject): ApiObject => {
    const { group, version } = parseGroupVersion(stored.apiVersion);
    const node = custom.versions.get(version);
    if (!node) throw unreadableVersionError(group, version);
    const pruned = coerce(stored, node, ignorePath);
    const repaired = pruned.metadata.generation ? pruned : withMetadata(pruned, { generation: 1 });
    return sortMembers(applyDefaults(repaired, node)) as ApiObject;
  };
  const withDecodedMetadata = (value: JsonObject, own: Json | undefined, unknown: OnPrunedPath): JsonObject => {
    const known = own === undefined ? {} : { metadata: metadata(own, (path) => unknown(`metadata.${path}`)) };
    return { metadata: {}, ...value, ...known };
  };
  return {
    decode(value, unknown) {
      const object = withDecodedMetadata(value, sortMembers(value['metadata']) as Json | undefined, unknown);
      const own = nodesOf(value);
      return own ? coerce(object, own.node, unknown) : (sortMembers(object) as ApiObject);
    },
    *decodeAppliedInSteps(value) {
      const own = (yield* sortMembersInSteps(value['metadata'])) as Json | undefined;
      yield;
      return (yield* sortMembersInSteps(withDecodedMetadata(value, own, ignorePath))) as ApiObject;
    },
    *withDefaultsInSteps(object) {
      const defaulted = yield* applyDefaultsInSteps(object, nodesOf(object)?.node);
      return (yield* sortMembersInSteps(defaulted)) as ApiObject;
    },
    read(stored) {
      const known = decodedObjects.get(stored);
      if (known) return known;
      const full = custom.conversion ? (sortMembers(stored) as ApiObject) : readStored(stored);
      const shown = custom.conversion || full.apiVersion === groupVersion ? full : prunedFor(full, groupVersion);
      decodedObjects.set(stored, shown);
      decodedObjects.set(shown, shown);
      return shown;
    },
    readStored,
    prunedFor,
    metadataOf: (object) => metadata(object.metadata as unknown as Json, ignorePath) as unknown as ObjectMeta,
    write: (object) => (custom.conversion || object.apiVersion === storageVersion ? object : prunedFor(object, storageVersion)),
  };
}

const ignorePath: OnPrunedPath = () => undefined;

function unreadableVersionError(group: string, version: string): StatusError {
  return new StatusError(500, '', `request to convert CR from an invalid group/version: ${group}/${version}`);
}
