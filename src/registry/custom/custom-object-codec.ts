import {
  type ApiObject,
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
 * How objects of a definition's making are read from requests and from the store. They have no type, so their members come in order of name, all the way
 * down. Cf. upstream apiserver customresource_handler.
 */
export interface CustomObjectCodec {
  /** Without what the schema does not declare; unknown fields are told, unless it is of another kind. @throws DecodeError when metadata is none */
  decode(value: JsonObject, unknown: OnPrunedPath): ApiObject;
  /** What an apply made has the schema's members already; a null that must not stand there is a matter of validation. @throws DecodeError */
  decodeAppliedInSteps(value: JsonObject): Generator<void, ApiObject>;
  withDefaultsInSteps(object: ApiObject): Generator<void, ApiObject>;
  /** A stored object in this version; the same object for one that has been read already. @throws StatusError 500 */
  read(stored: ApiObject): ApiObject;
  /** Typed: in the order of declaration, where the object itself has its members in order of name. */
  metadataOf(object: ApiObject): ObjectMeta;
  /** As it is pruned: in the storage version, without what that one's schema does not declare. */
  write(object: ApiObject): ApiObject;
}

export function createCustomObjectCodec(resource: Resource, custom: CustomVersion, metadata: DecodeMetadata): CustomObjectCodec {
  const { storageVersion } = resource;
  const groupVersion = formatGroupVersion(resource);
  const decodedObjects = new WeakMap<ApiObject, ApiObject>();
  const coerce = (value: JsonObject, node: SchemaNode | undefined, unknown: OnPrunedPath): ApiObject =>
    sortMembers(decodeEmbeddedMetadata(pruneForbiddenNulls(pruneObject(value, node, unknown), node), node, metadata, unknown)) as ApiObject;
  /** Undefined for what is of another kind, which no schema is held against. */
  const nodesOf = ({ kind, apiVersion = '' }: JsonObject): { readonly node: SchemaNode | undefined } | undefined => {
    const { group, version } = parseGroupVersion(apiVersion as string);
    return kind === resource.kind && group === resource.group ? { node: custom.versions.get(version) } : undefined;
  };
  const convert = (object: ApiObject, to: string): ApiObject =>
    coerce({ ...object, apiVersion: to }, custom.versions.get(parseGroupVersion(to).version), ignorePath);
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
      const { group, version } = parseGroupVersion(stored.apiVersion);
      const node = custom.versions.get(version);
      if (!node) throw unreadableVersionError(group, version);
      const pruned = coerce(stored, node, ignorePath);
      const repaired = pruned.metadata.generation ? pruned : withMetadata(pruned, { generation: 1 });
      const full = sortMembers(applyDefaults(repaired, node)) as ApiObject;
      const shown = full.apiVersion === groupVersion ? full : convert(full, groupVersion);
      decodedObjects.set(stored, shown);
      decodedObjects.set(shown, shown);
      return shown;
    },
    metadataOf: (object) => metadata(object.metadata as unknown as Json, ignorePath) as unknown as ObjectMeta,
    write: (object) => (object.apiVersion === storageVersion ? object : convert(object, storageVersion)),
  };
}

const ignorePath: OnPrunedPath = () => undefined;

function unreadableVersionError(group: string, version: string): StatusError {
  return new StatusError(500, '', `request to convert CR from an invalid group/version: ${group}/${version}`);
}
