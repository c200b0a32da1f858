import {
  type ApiObject,
  type AsyncSteps,
  type FieldError,
  getOrAdd,
  type JsonObject,
  type ObjectMeta,
  type Product,
  runSteps,
  StatusError,
  withMetadata,
} from '../meta/index.ts';
import { type ApplyResult, createFieldOwnership, type FieldOwnership, type OwnedKind, OwnershipError } from '../patch/index.ts';
import { type CustomObjectCodec, type Strategy, typeErrors } from '../registry/index.ts';
import {
  type CustomVersion,
  convertUntyped,
  type DecodeOptions,
  type DecodeTyped,
  type DeferFill,
  hasEmptyCollection,
  parseGroupVersion,
  type Resource,
  type StructSchema,
} from '../schema/index.ts';

/**
 * Decodes a parsed body into an object of its kind. Numbers whose spelling differs from their printed form are no integers. With `deferFill`,
 * the object is complete only after the generators passed to it have run.
 */
export type DecodeBody = (value: JsonObject, options?: DecodeBodyOptions) => ApiObject;

export type DecodeBodyOptions = Omit<DecodeOptions, 'retainEmpties'>;

/** Decodes, and fills large maps in steps. @throws DecodeError */
export function decodeInSteps(decode: DecodeBody, value: JsonObject, options: DecodeBodyOptions = {}): Generator<void, ApiObject> {
  return runDeferred((deferFill) => decode(value, { ...options, deferFill }));
}

/** Creates an object, and then runs the deferred generators that complete it. */
function* runDeferred<T>(create: (later: DeferFill) => T): Generator<void, T> {
  const fills: Generator<void, void>[] = [];
  const object = create((fill) => fills.push(fill));
  for (const fill of fills) yield* fill;
  return object;
}

/** The operations of the request pipeline on objects of one resource. */
export interface Kind {
  readonly schema: StructSchema;
  readonly strategy: Strategy;
  /** Typed decoding of a body, as in Go; reports unknown fields. @throws DecodeError */
  decode: DecodeBody;
  /** Decodes the result of server-side apply, whose schema is looser than the type. @throws DecodeError */
  decodeAppliedInSteps(merged: ApiObject): Generator<void, ApiObject>;
  withDefaults(object: ApiObject): ApiObject;
  withDefaultsInSteps(object: ApiObject): Generator<void, ApiObject>;
  validateMetadata(object: ApiObject): readonly FieldError[];
  validateMetadataUpdate(next: ApiObject, old: ApiObject): readonly FieldError[];
  /** Field ownership (part 4.6) for writes to this resource or one of its subresources. */
  ownership(subresource: string): Ownership;
  /** Converts between the storage version and the resource's version; returns the same object when they are equal. */
  fromStorage(object: ApiObject): ApiObject;
  toStorage(object: ApiObject): ApiObject;
  /** The metadata alone, members in declaration order. */
  metadataOf(object: ApiObject): ObjectMeta;
}

/** The field manager of a change, and its time. */
export interface OwnershipClaim {
  readonly manager: string;
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

/** Maintains `metadata.managedFields` through a write. Objects are in the resource's own version. */
export interface Ownership {
  created(object: ApiObject, by: OwnershipClaim): ApiObject;
  updated(current: ApiObject, next: ApiObject, by: OwnershipClaim): ApiObject;
  /** `updated`, or `created` without a current object, in steps that allow yielding in between. */
  updatedInSteps(current: ApiObject | undefined, next: ApiObject, by: OwnershipClaim): AsyncSteps<ApiObject>;
  /**
   * Server-side apply of an intent; the result is still to be decoded and defaulted. @throws StatusError 409 with all conflicts, 400 or 500
   * for an intent that does not match the schema
   */
  applied(current: ApiObject | undefined, intent: JsonObject, by: OwnershipClaim & { readonly force: boolean }): ApiObject;
  /** `applied` in steps that allow yielding in between. */
  appliedInSteps(
    current: ApiObject | undefined,
    intent: JsonObject,
    by: OwnershipClaim & { readonly force: boolean },
  ): AsyncSteps<ApiObject>;
}

/** Dependencies of the kinds, provided by `cluster`. */
export interface KindSource {
  readonly product: Product;
  /** Schema of autoscaling/v1 Scale. */
  readonly scaleSchema: StructSchema;
  readonly strategyOf: (resource: Resource) => Strategy;
  readonly decode: DecodeTyped;
  readonly withDefaults: (schema: StructSchema, object: JsonObject, deferFill?: DeferFill) => JsonObject;
  readonly validateMetadata: (resource: Resource, object: ApiObject) => readonly FieldError[];
  readonly validateMetadataUpdate: (resource: Resource, next: ApiObject, old: ApiObject) => readonly FieldError[];
  /** Schema of the kind in another version; undefined when that version is not served. */
  readonly schemaOf: (groupVersion: string, kind: string) => StructSchema | undefined;
  /** Converts to another version of the same kind. */
  readonly convert: (object: ApiObject, groupVersion: string) => ApiObject;
  /** How objects of a custom resource are decoded and stored. */
  readonly customCodec: (resource: Resource) => CustomObjectCodec;
  /** Converts a custom resource to another of its versions by its webhook. @throws StatusError */
  readonly convertCustom: (object: ApiObject, resource: Resource, apiVersion: string) => Promise<ApiObject>;
}

export interface Kinds {
  of(resource: Resource): Kind;
  operation(groupVersion: string, kind: string, subresource: string): Operation;
  /** Field ownership of Scale objects. */
  readonly scale: Ownership;
}

/** A subresource kind without a resource of its own: Eviction, Binding, TokenRequest. */
export interface Operation {
  readonly schema: StructSchema;
  readonly decode: Kind['decode'];
  withDefaults(object: ApiObject): ApiObject;
  readonly ownership: Ownership;
}

/** Creates the kind of each resource, and each operation, on first use and caches it. */
export function createKinds(source: KindSource): Kinds {
  const known = new WeakMap<Resource, Kind>();
  const operations = new Map<string, Operation>();
  return {
    scale: ownershipOf(
      builtIn({ group: 'autoscaling', version: 'v1', kind: 'Scale', schema: source.scaleSchema }, source),
      'scale',
      [['status']],
      source,
    ),
    operation: (groupVersion, kind, subresource) =>
      getOrAdd(operations, `${groupVersion} ${kind} ${subresource}`, () => operationOf(groupVersion, kind, subresource, source)),
    of: (resource) => getOrAdd(known, resource, () => kindOf(resource, source)),
  };
}

function operationOf(groupVersion: string, kind: string, subresource: string, source: KindSource): Operation {
  const schema = source.schemaOf(groupVersion, kind);
  if (!schema) throw new Error(`the catalog has no ${kind} in ${groupVersion}`);
  return {
    schema,
    decode: (value, options) => withMetadataMember(source.decode(schema, value, options)),
    withDefaults: (object) => source.withDefaults(schema, object) as ApiObject,
    ownership: ownershipOf(builtIn({ ...parseGroupVersion(groupVersion), kind, schema }, source), subresource, [], source),
  };
}

function kindOf(resource: Resource, source: KindSource): Kind {
  return resource.custom ? customKindOf(resource, source.customCodec(resource), source) : builtInKindOf(resource, source);
}

/** Custom resources are structural, not typed. The strategy converts to the storage version. */
function customKindOf(resource: Resource, codec: CustomObjectCodec, source: KindSource): Kind {
  const strategy = source.strategyOf(resource);
  const ownerships = ownershipsOf(resource, strategy, source);
  return {
    schema: resource.schema,
    strategy,
    decode: (value, { onUnknownField = () => undefined } = {}) => codec.decode(value, onUnknownField),
    *decodeAppliedInSteps(merged) {
      const converted = convertUntyped(resource.schema, merged);
      yield;
      return yield* codec.decodeAppliedInSteps(converted);
    },
    withDefaults: (object) => runSteps(codec.withDefaultsInSteps(object)),
    withDefaultsInSteps: (object) => codec.withDefaultsInSteps(object),
    validateMetadata(object) {
      const other = typeErrors(object, resource);
      return other.length > 0 ? other : source.validateMetadata(resource, object);
    },
    validateMetadataUpdate: (next, old) => source.validateMetadataUpdate(resource, next, old),
    fromStorage: (object) => codec.read(object),
    toStorage: (object) => object,
    metadataOf: (object) => codec.metadataOf(object),
    ownership: ownerships,
  };
}

function builtInKindOf(resource: Resource, source: KindSource): Kind {
  const { schema, group, version } = resource;
  const groupVersion = group === '' ? version : `${group}/${version}`;
  const strategy = storedStrategy(resource, groupVersion, source);
  const sameVersion = resource.storageVersion === groupVersion;
  const decode: DecodeBody = (value, options) => withMetadataMember(source.decode(schema, value, { ...options, retainEmpties: 'all' }));
  function* withDefaultsInSteps(object: ApiObject): Generator<void, ApiObject> {
    const defaulted = (yield* runDeferred((later) => source.withDefaults(schema, object, later))) as ApiObject;
    return strategy.normalizeInSteps ? yield* strategy.normalizeInSteps(defaulted) : defaulted;
  }
  return {
    schema,
    strategy,
    decode,
    *decodeAppliedInSteps(merged) {
      const converted = convertUntyped(schema, merged);
      yield;
      return yield* decodeInSteps(decode, converted);
    },
    withDefaults: (object) => runSteps(withDefaultsInSteps(object)),
    withDefaultsInSteps,
    validateMetadata: (object) => source.validateMetadata(resource, object),
    validateMetadataUpdate: (next, old) => source.validateMetadataUpdate(resource, next, old),
    fromStorage: (object) => (sameVersion ? object : source.convert(object, groupVersion)),
    toStorage: (object) => (sameVersion ? object : source.convert(object, resource.storageVersion)),
    metadataOf: ({ metadata }) => withoutAnnotation(metadata, strategy.internalAnnotation),
    ownership: ownershipsOf(resource, strategy, source),
  };
}

function withoutAnnotation(metadata: ObjectMeta, name: string | undefined): ObjectMeta {
  const { annotations, ...others } = metadata;
  if (name === undefined || annotations?.[name] === undefined) return metadata;
  const { [name]: _, ...rest } = annotations;
  return Object.keys(rest).length > 0 ? { ...metadata, annotations: rest } : others;
}

function ownershipsOf(resource: Resource, strategy: Strategy, source: KindSource): Kind['ownership'] {
  const known = new Map<string, Ownership>();
  const owned = resource.custom ? customKind(resource, resource.custom, source) : builtIn(resource, source);
  return (subresource) => {
    let ownership = known.get(subresource);
    if (!ownership) {
      ownership = ownershipOf(owned, subresource, strategy.resetFields(subresource), source);
      known.set(subresource, ownership);
    }
    return ownership;
  };
}

/**
 * Objects are prepared and validated in their storage version. Events of events.k8s.io are stored as core events but validated by rules of
 * their own (upstream ValidateEventCreate).
 */
function storedStrategy(resource: Resource, groupVersion: string, source: KindSource): Strategy {
  const own = source.strategyOf(resource);
  const schema = resource.storageVersion === groupVersion ? undefined : source.schemaOf(resource.storageVersion, resource.kind);
  if (!schema) return own;
  const place = parseGroupVersion(resource.storageVersion);
  const stored = source.strategyOf({ ...resource, ...place, schema });
  if (place.group === resource.group) return stored;
  const shown = (object: ApiObject): ApiObject => source.convert(object, groupVersion);
  return {
    ...stored,
    validate: (object, context) => own.validate(shown(object), context),
    validateUpdate: (next, old, context) => own.validateUpdate(shown(next), shown(old), context),
  };
}

function withMetadataMember(object: JsonObject): ApiObject {
  return (object['metadata'] === undefined ? { ...object, metadata: {} } : object) as ApiObject;
}

type VersionedKind = Pick<Resource, 'group' | 'version' | 'kind' | 'schema'>;
type Owned = VersionedKind & Pick<OwnedKind, 'custom' | 'convert'>;

function builtIn({ group, version, kind, schema }: VersionedKind, source: KindSource): Owned {
  const convert: OwnedKind['convert'] = (object, apiVersion) => {
    const other = source.schemaOf(apiVersion, kind);
    return other && { object: source.convert(object as ApiObject, apiVersion), schema: other };
  };
  return { group, version, kind, schema, custom: false, convert };
}

/** Without a conversion webhook, versions of a custom resource differ in their apiVersion only. A webhook gets each object once. */
function customKind(resource: Resource, { structs, conversion }: CustomVersion, source: KindSource): Owned {
  const { group, version, kind, schema } = resource;
  const known = new WeakMap<JsonObject, Map<string, Promise<JsonObject>>>();
  const callWebhook = (object: JsonObject, apiVersion: string): Promise<JsonObject> => {
    const versions = known.get(object) ?? new Map<string, Promise<JsonObject>>();
    const converted = versions.get(apiVersion) ?? source.convertCustom(object as ApiObject, resource, apiVersion);
    known.set(object, versions.set(apiVersion, converted));
    return converted;
  };
  const convert: OwnedKind['convert'] = (object, apiVersion) => {
    const other = structs.get(parseGroupVersion(apiVersion).version);
    if (!other) throw new Error(`request to convert CR to an invalid group/version: ${apiVersion}`);
    if (!conversion) return { object: { ...object, apiVersion }, schema: other };
    return callWebhook(object, apiVersion).then((converted) => ({ object: converted, schema: other }));
  };
  return { group, version, kind, schema, custom: true, convert };
}

function ownershipOf(owned: Owned, subresource: string, resetFields: readonly (readonly string[])[], source: KindSource): Ownership {
  const { product } = source;
  const fields: FieldOwnership = createFieldOwnership(
    { ...owned, subresource, resetFields },
    { ...product.switches, lastAppliedAnnotation: product.names.lastAppliedAnnotation },
  );
  // Empty lists and maps are owned where they are set, so they are decoded for ownership and dropped from the object.
  const updatedInSteps: Ownership['updatedInSteps'] = function* (current, next, { manager, now }) {
    const isWhole = owned.custom || !hasEmptyCollection(next);
    yield;
    if (isWhole) return (yield* fields.updateInSteps(current, next, { manager, time: now })) as ApiObject;
    const written = source.decode(owned.schema, next, { retainEmpties: 'written' });
    yield;
    const { managedFields } = ((yield* fields.updateInSteps(current, written, { manager, time: now })) as ApiObject).metadata;
    return withMetadata(next, { managedFields });
  };
  const appliedInSteps: Ownership['appliedInSteps'] = function* (current, intent, { manager, now, force }) {
    try {
      return appliedObject(yield* fields.applyInSteps(current, intent, { manager, time: now, force }));
    } catch (error) {
      throw applyFailure(error);
    }
  };
  return {
    created: (object, by) => runSteps(updatedInSteps(undefined, object, by)),
    updated: (current, next, by) => runSteps(updatedInSteps(current, next, by)),
    updatedInSteps,
    applied: (current, intent, by) => runSteps(appliedInSteps(current, intent, by)),
    appliedInSteps,
  };
}

/** @throws StatusError 409 */
function appliedObject(result: ApplyResult): ApiObject {
  if ('object' in result) return result.object as ApiObject;
  const { message, causes } = result.conflict;
  throw new StatusError(409, 'Conflict', message, { causes });
}

function applyFailure(error: unknown): unknown {
  if (!(error instanceof OwnershipError)) return error;
  return error.code === 'bad-request'
    ? new StatusError(400, 'BadRequest', error.message, undefined, error)
    : new StatusError(500, '', error.message, undefined, error);
}
