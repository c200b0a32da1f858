import { type FieldError, type JsonObject, type Product, pathSegmentNames } from '../../meta/index.ts';
import type { Resource } from '../resources.ts';
import type { StructSchema } from '../schema.ts';
import { validateEmbeddedMetadata } from './definitions/embedded-metadata.ts';
import { internalForms } from './internal/internal.ts';
import { type KindValidator, typeOf, type ValidationContext } from './kind-validator.ts';
import { kindValidators } from './kinds.ts';
import { validateCommonMetadata, validateMetadata, validateMetadataUpdate } from './metadata.ts';
import { customMetadata, metadataRuleOf } from './metadata-rules.ts';
import { recordAt } from './reading.ts';

/** What validation needs to know of a resource. */
export type Validated = Pick<Resource, 'schema' | 'namespaced' | 'custom'>;

/** Finds what is wrong with built-in objects; in upstream's order and words. Objects must have been decoded and defaulted. */
export interface Validation {
  /** Of a new object. */
  metadata(resource: Validated, object: JsonObject): readonly FieldError[];
  /** Of a changed object. */
  metadataUpdate(resource: Validated, next: JsonObject, old: JsonObject): readonly FieldError[];
  /** Of an object inside another one. */
  readonly embeddedMetadata: (metadata: JsonObject, path: string) => readonly FieldError[];
  /** A kind's own rules; they come after those of its metadata. */
  validatorFor(resource: Validated): WholeValidator;
}

/** `typeNamed`: the catalog's types, by names like `core/v1.PodSpec`. */
export function createValidation(
  product: Product,
  typeNamed: (name: string) => StructSchema,
  { deviceSelector, gates }: Pick<ValidationContext, 'deviceSelector' | 'gates'>,
): Validation {
  const internal = internalForms(typeNamed);
  const context: ValidationContext = { rename: (text) => product.rename(text), names: product.names, gates, internal, deviceSelector };
  const validators = kindValidators(context);
  return {
    metadata(resource, object) {
      const rule = resource.custom ? customMetadata : metadataRuleOf(typeOf(resource.schema), object, gates);
      return validateMetadata(recordAt(object, 'metadata'), rule, resource.namespaced);
    },
    metadataUpdate(resource, next, old) {
      const [metadata, before] = [recordAt(next, 'metadata'), recordAt(old, 'metadata')];
      return [...validateCommonMetadata(metadata, pathSegmentNames, resource.namespaced), ...validateMetadataUpdate(metadata, before)];
    },
    embeddedMetadata: validateEmbeddedMetadata,
    validatorFor(resource) {
      const validator = resource.custom ? undefined : validators.get(typeOf(resource.schema));
      return { ...nothing, ...validator };
    },
  };
}

const none = (): readonly FieldError[] => [];
type WholeValidator = Required<Omit<KindValidator, Optional>> & Pick<KindValidator, Optional>;
type Optional = 'leavesMetadata' | 'prove';
const nothing: WholeValidator = { create: none, update: none, updateStatus: none, subresources: {} };
