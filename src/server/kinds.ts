import {
  type ApiObject,
  type FieldError,
  finish,
  type JsonObject,
  type NumberLiterals,
  type ObjectMeta,
  type Product,
  StatusError,
  withMetadata,
} from '../meta/index.ts';
import { type ApplyResult, createFieldOwnership, type FieldOwnership, OwnershipError } from '../patch/index.ts';
import { type CustomForm, type Strategy, typeErrors } from '../registry/index.ts';
import {
  type CustomVersion,
  convertUntyped,
  type DecodeOptions,
  type DecodeTyped,
  type FillLater,
  holdsEmpty,
  type NoteUnknownField,
  parseGroupVersion,
  type Resource,
  type StructSchema,
} from '../schema/index.ts';

/** A body's value into an object of its kind. Numbers that were spelled in another way than they print are no integers. */
/** With `later` the object is complete only when the steps that it is given are finished. */
export type DecodeBody = (value: JsonObject, unknownField?: NoteUnknownField, literals?: NumberLiterals, later?: FillLater) => ApiObject;

/** All that the way of a request needs to know of one resource's objects. */
export interface Kind {
  readonly schema: StructSchema;
  readonly strategy: Strategy;
  /** What Go's typed decoding makes of a body; unknown fields are told. @throws DecodeError */
  decode: DecodeBody;
  /** What server-side apply made, whose schema is looser than the type. @throws DecodeError */
  decodeAppliedInSteps(merged: ApiObject): Generator<void, ApiObject>;
  withDefaults(object: ApiObject): ApiObject;
  withDefaultsInSteps(object: ApiObject): Generator<void, ApiObject>;
  validateMetadata(object: ApiObject): readonly FieldError[];
  validateMetadataUpdate(next: ApiObject, old: ApiObject): readonly FieldError[];
  /** Who owns which fields (part 4.6), for writes to this resource or one of its subresources. */
  ownership(subresource: string): Ownership;
  /** From the version of the store to the resource's own, and back; the same object where they are one. */
  fromStorage(object: ApiObject): ApiObject;
  toStorage(object: ApiObject): ApiObject;
  /** The object's metadata as they stand alone, members in the order of their declaration. */
  metadataOf(object: ApiObject): ObjectMeta;
}

/** Who changes an object, and when. */
export interface OwnershipClaim {
  readonly manager: string;
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

/** Keeps `metadata.managedFields` true through a write. Objects are in the resource's own version. */
export interface Ownership {
  created(object: ApiObject, by: OwnershipClaim): ApiObject;
  updated(current: ApiObject, next: ApiObject, by: OwnershipClaim): ApiObject;
  /** `updated`, or `created` without a current object, in steps between which others can have their turns. */
  updatedInSteps(current: ApiObject | undefined, next: ApiObject, by: OwnershipClaim): Generator<void, ApiObject>;
  /**
   * Server-side apply of an intent; the result is still to be decoded and defaulted.
   * @throws StatusError 409 with every conflict, 400 or 500 for an intent that fits no schema
   */
  applied(current: ApiObject | undefined, intent: JsonObject, by: OwnershipClaim & { readonly force: boolean }): ApiObject;
  /** The same in steps, between which others can have their turns. */
  appliedInSteps(
    current: ApiObject | undefined,
    intent: JsonObject,
    by: OwnershipClaim & { readonly force: boolean },
  ): Generator<void, ApiObject>;
}

/** What is special to kinds, handed in by `cluster`. */
export interface KindSource {
  readonly product: Product;
  /** The shape of autoscaling/v1 Scale. */
  readonly scaleSchema: StructSchema;
  readonly strategyOf: (resource: Resource) => Strategy;
  readonly decode: DecodeTyped;
  readonly withDefaults: (schema: StructSchema, object: JsonObject) => JsonObject;
  readonly validateMetadata: (resource: Resource, object: ApiObject) => readonly FieldError[];
  readonly validateMetadataUpdate: (resource: Resource, next: ApiObject, old: ApiObject) => readonly FieldError[];
  /** The shape of the kind in another version; undefined when it is not served. */
  readonly schemaOf: (groupVersion: string, kind: string) => StructSchema | undefined;
  /** To a version of the same kind. */
  readonly convert: (object: ApiObject, groupVersion: string) => ApiObject;
  /** How objects of a custom resource are read and kept. */
  readonly customForm: (resource: Resource) => CustomForm;
}

export interface Kinds {
  of(resource: Resource): Kind;
  operation(groupVersion: string, kind: string, subresource: string): Operation;
  /** Who owns what of a Scale; its object has its own rules for that. */
  readonly scale: Ownership;
}

/** What is written below an object and is no resource of its own: an Eviction, a Binding, a TokenRequest. */
export interface Operation {
  readonly schema: StructSchema;
  readonly decode: Kind['decode'];
  withDefaults(object: ApiObject): ApiObject;
  readonly ownership: Ownership;
}

/** Kinds are put together when first asked for, once a resource. */
export function createKinds(source: KindSource): Kinds {
  const known = new WeakMap<Resource, Kind>();
  return {
    scale: ownershipOf(
      { group: 'autoscaling', version: 'v1', kind: 'Scale', schema: source.scaleSchema, custom: undefined },
      'scale',
      [['status']],
      source,
    ),
    operation(groupVersion, kind, subresource) {
      const schema = source.schemaOf(groupVersion, kind);
      if (!schema) throw new Error(`the catalog has no ${kind} in ${groupVersion}`);
      return {
        schema,
        decode: (value, unknownField, literals) => withMetadataMember(source.decode(schema, value, decodeOptions(unknownField, literals))),
        withDefaults: (object) => source.withDefaults(schema, object) as ApiObject,
        ownership: ownershipOf({ ...parseGroupVersion(groupVersion), kind, schema, custom: undefined }, subresource, [], source),
      };
    },
    of(resource) {
      let kind = known.get(resource);
      if (!kind) {
        kind = kindOf(resource, source);
        known.set(resource, kind);
      }
      return kind;
    },
  };
}

function kindOf(resource: Resource, source: KindSource): Kind {
  return resource.custom ? customKindOf(resource, source.customForm(resource), source) : builtInKindOf(resource, source);
}

/** Objects of a custom resource are what they are, within their schema; the store's form is the strategy's matter. */
function customKindOf(resource: Resource, form: CustomForm, source: KindSource): Kind {
  const strategy = source.strategyOf(resource);
  const ownerships = ownershipsOf(resource, strategy, source);
  return {
    schema: resource.schema,
    strategy,
    decode: (value, unknownField) => form.decode(value, unknownField ?? (() => undefined)),
    *decodeAppliedInSteps(merged) {
      const converted = convertUntyped(resource.schema, merged);
      yield;
      return yield* form.decodeAppliedInSteps(converted);
    },
    withDefaults: (object) => finish(form.withDefaultsInSteps(object)),
    withDefaultsInSteps: (object) => form.withDefaultsInSteps(object),
    validateMetadata(object) {
      const other = typeErrors(object, resource);
      return other.length > 0 ? other : source.validateMetadata(resource, object);
    },
    validateMetadataUpdate: (next, old) => source.validateMetadataUpdate(resource, next, old),
    fromStorage: (object) => form.read(object),
    toStorage: (object) => object,
    metadataOf: (object) => form.metadataOf(object),
    ownership: ownerships,
  };
}

function builtInKindOf(resource: Resource, source: KindSource): Kind {
  const { schema, group, version } = resource;
  const groupVersion = group === '' ? version : `${group}/${version}`;
  const strategy = storedStrategy(resource, groupVersion, source);
  const sameVersion = resource.storageVersion === groupVersion;
  const decode: DecodeBody = (value, unknownField, literals, later) =>
    withMetadataMember(source.decode(schema, value, { empty: 'all', ...decodeOptions(unknownField, literals, later) }));
  const withDefaults = (object: ApiObject): ApiObject => {
    const defaulted = source.withDefaults(schema, object) as ApiObject;
    return strategy.normalize?.(defaulted) ?? defaulted;
  };
  return {
    schema,
    strategy,
    decode,
    *decodeAppliedInSteps(merged) {
      const converted = convertUntyped(schema, merged);
      yield;
      return decode(converted);
    },
    withDefaults,
    // biome-ignore lint/correctness/useYield: defaults of built-in kinds take no time worth a step
    *withDefaultsInSteps(object) {
      return withDefaults(object);
    },
    validateMetadata: (object) => source.validateMetadata(resource, object),
    validateMetadataUpdate: (next, old) => source.validateMetadataUpdate(resource, next, old),
    fromStorage: (object) => (sameVersion ? object : source.convert(object, groupVersion)),
    toStorage: (object) => (sameVersion ? object : source.convert(object, resource.storageVersion)),
    metadataOf: ({ metadata }) => metadata,
    ownership: ownershipsOf(resource, strategy, source),
  };
}

function ownershipsOf(resource: Resource, strategy: Strategy, source: KindSource): Kind['ownership'] {
  const known = new Map<string, Ownership>();
  return (subresource) => {
    let ownership = known.get(subresource);
    if (!ownership) {
      ownership = ownershipOf(resource, subresource, strategy.resetFields(subresource), source);
      known.set(subresource, ownership);
    }
    return ownership;
  };
}

/**
 * Objects are prepared and validated in the version in which they are stored. Events of the new group are core's, but held to rules
 * of their own (upstream ValidateEventCreate).
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

/** Only what is there. */
export function decodeOptions(
  unknownField: DecodeOptions['unknownField'],
  literals: NumberLiterals | undefined,
  later?: FillLater,
): DecodeOptions {
  return { ...(unknownField ? { unknownField } : {}), ...(literals ? { literals } : {}), ...(later ? { later } : {}) };
}

function withMetadataMember(object: JsonObject): ApiObject {
  return (object['metadata'] === undefined ? { ...object, metadata: {} } : object) as ApiObject;
}

/** Versions of a custom resource differ in their name alone. @throws Error for one that its definition does not have */
function inVersion(
  object: JsonObject,
  apiVersion: string,
  { structs }: CustomVersion,
): { readonly object: JsonObject; readonly schema: StructSchema } {
  const schema = structs.get(parseGroupVersion(apiVersion).version);
  if (!schema) throw new Error(`request to convert CR to an invalid group/version: ${apiVersion}`);
  return { object: { ...object, apiVersion }, schema };
}

type Owned = Pick<Resource, 'group' | 'version' | 'kind' | 'schema' | 'custom'>;

function ownershipOf(resource: Owned, subresource: string, resetFields: readonly (readonly string[])[], source: KindSource): Ownership {
  const { product } = source;
  const fields: FieldOwnership = createFieldOwnership(
    {
      group: resource.group,
      version: resource.version,
      kind: resource.kind,
      schema: resource.schema,
      custom: resource.custom !== undefined,
      subresource,
      resetFields,
      convert: (object, apiVersion) => {
        if (resource.custom) return inVersion(object, apiVersion, resource.custom);
        const schema = source.schemaOf(apiVersion, resource.kind);
        return schema && { object: source.convert(object as ApiObject, apiVersion), schema };
      },
    },
    { ...product.switches, lastAppliedAnnotation: product.names.lastAppliedAnnotation },
  );
  // Empty lists and maps are owned where they are written, and stay for the rules that follow.
  const updatedInSteps: Ownership['updatedInSteps'] = function* (current, next, { manager, now }) {
    const isWhole = resource.custom !== undefined || !holdsEmpty(next);
    yield;
    if (isWhole) return (yield* fields.updateInSteps(current, next, { manager, time: now })) as ApiObject;
    const written = source.decode(resource.schema, next, { empty: 'written' });
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
    created: (object, by) => finish(updatedInSteps(undefined, object, by)),
    updated: (current, next, by) => finish(updatedInSteps(current, next, by)),
    updatedInSteps,
    applied: (current, intent, by) => finish(appliedInSteps(current, intent, by)),
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
