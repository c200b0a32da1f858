/** Schemas of all kinds: catalog lookup, decoding, defaulting, structural schemas and validation. */
export { type Catalog, type CatalogOptions, createCatalog } from './catalog.ts';
export { type CustomVersion, type PrinterColumn, pathNames, plainCustomVersion, type ScalePaths } from './custom-version.ts';
export { createDefaulter, type Defaulter, type DefaultingContext } from './defaulting/index.ts';
export { describe } from './descriptions.ts';
export {
  convertUntyped,
  createTypedDecoder,
  DecodeError,
  type DecodeOptions,
  type DecodeTyped,
  type FillLater,
  holdsEmpty,
  metadataDecoder,
  type NoteUnknownField,
} from './normalize/index.ts';
export {
  type Group,
  type GroupVersion,
  groupVersionOf,
  type Lifecycle,
  parseGroupVersion,
  qualifiedName,
  type Resource,
  type ResourceVerb,
  type Subresource,
} from './resources.ts';
export { type RuntimeConfig, RuntimeConfigError } from './runtime-config.ts';
export {
  type Field,
  type ListSchema,
  type ListTopology,
  type MapSchema,
  type PatchStrategy,
  plainField,
  type ScalarSchema,
  type ScalarType,
  type Schema,
  type StructSchema,
  type Union,
  type UntypedSchema,
} from './schema.ts';
export { readSpecials, type Specials, type SpecialType } from './specials.ts';
export {
  Correlation,
  type DecodeMetadata,
  embeddedErrors,
  knowsFormat,
  listTypeErrors,
  type MetadataRules,
  pruneObject,
  readSchemaNode,
  resolveFieldPath,
  type SchemaNode,
  structOf,
  type ToldPath,
  validateStructural,
  validateValue,
  validateValueInSteps,
  withDefaults,
  withDefaultsInSteps,
  withoutNulls,
  withTypedMetadata,
} from './structural/index.ts';
export {
  approvalOf,
  createValidation,
  isSame,
  isSystemPriorityClass,
  type KindValidator,
  qosClassOf,
  requestedOrganizations,
  typeOf,
  type ValidatedResource,
  type Validation,
} from './validation/index.ts';
export { byPriority } from './version-priority.ts';
