import { type FieldError, type JsonObject, type Product, pathSegmentNames } from '../../meta/index.ts';
import type { Resource } from '../resources.ts';
import type { StructSchema } from '../schema.ts';
import { recordAt } from './accessors.ts';
import { validateEmbeddedMetadata } from './definitions/embedded-metadata.ts';
import { createInternalFormatter } from './internal/internal-formatter.ts';
import { type KindValidator, kindTypeOf, type OptionalRules, type ValidationContext } from './kind-validator.ts';
import { kindValidators } from './kind-validators.ts';
import { validateMetadata, validateUpdatedMetadata } from './metadata.ts';
import { customMetadata, metadataRuleOf } from './metadata-rules.ts';

/** The parts of a resource that validation uses. */
export type ValidatedResource = Pick<Resource, 'schema' | 'namespaced' | 'custom'>;

/** Validates built-in objects, with upstream's order and messages. Objects must have been decoded and defaulted. */
export interface Validation {
  /** Validates metadata on create. */
  metadata(resource: ValidatedResource, object: JsonObject): readonly FieldError[];
  /** Validates metadata on update. */
  metadataUpdate(resource: ValidatedResource, next: JsonObject, old: JsonObject): readonly FieldError[];
  /** Validates metadata of an embedded object. */
  readonly embeddedMetadata: (metadata: JsonObject, path: string) => readonly FieldError[];
  /** The rules of a kind, which follow those of its metadata. */
  validatorFor(resource: ValidatedResource): CompleteValidator;
}

/** `typeNamed`: looks up catalog types such as `core/v1.PodSpec`. */
export function createValidation(
  product: Product,
  typeNamed: (name: string) => StructSchema,
  settings: Pick<ValidationContext, 'checkDeviceSelector' | 'gates' | 'allowPrivileged'>,
): Validation {
  const internal = createInternalFormatter(typeNamed);
  const context: ValidationContext = { ...settings, rename: (text) => product.rename(text), names: product.names, internal };
  const { gates } = settings;
  const validators = kindValidators(context);
  return {
    metadata(resource, object) {
      const rule = resource.custom ? customMetadata : metadataRuleOf(kindTypeOf(resource.schema), object, gates);
      return validateMetadata(recordAt(object, 'metadata'), rule, resource.namespaced);
    },
    metadataUpdate(resource, next, old) {
      const [metadata, before] = [recordAt(next, 'metadata'), recordAt(old, 'metadata')];
      return validateUpdatedMetadata(metadata, before, pathSegmentNames, resource.namespaced);
    },
    embeddedMetadata: validateEmbeddedMetadata,
    validatorFor(resource) {
      const validator = resource.custom ? undefined : validators.get(kindTypeOf(resource.schema));
      return { ...noRules, ...validator };
    },
  };
}

const none = (): readonly FieldError[] => [];
type CompleteValidator = Required<Omit<KindValidator, keyof OptionalRules>> & OptionalRules;
const noRules: CompleteValidator = { create: none, update: none, updateStatus: none, subresources: {} };
