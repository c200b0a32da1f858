/** Schemas of all kinds: catalog lookup, decoding, defaulting, structural schemas and validation. */
export { type Catalog, type CatalogOptions, createCatalog, requireResource } from './catalog.ts';
export {
  type CustomVersion,
  createPlainCustomVersion,
  type PrinterColumn,
  parsePathNames,
  type ScalePaths,
  type WebhookConversion,
} from './custom-version.ts';
export { createDefaulter, type Defaulter, type DefaultingContext } from './defaulting/index.ts';
export {
  createDescribeColumn,
  createDescribeType,
  type DescribeColumn,
  type DescribeType,
  type DescriptionData,
  loadDescriptions,
} from './descriptions.ts';
export {
  convertUntyped,
  createMetadataDecoder,
  createTypedDecoder,
  DecodeError,
  type DecodeOptions,
  type DecodeTyped,
  type DeferFill,
  hasEmptyCollection,
  type OnUnknownField,
} from './normalize/index.ts';
export {
  countedNames,
  isDeviceClaim,
  isTerminating,
  matchesQuotaScopes,
  matchesScope,
  type QuotaContext,
  type QuotaResource,
  quotaResourcesOf,
  quotaUsageOf,
  type ScopeRequirement,
  scopeRequirements,
  sumUsage,
  type Usage,
} from './quota/index.ts';
export {
  formatGroupResource,
  formatGroupVersion,
  type Group,
  type GroupVersion,
  parseGroupVersion,
  type Resource,
  type ResourceVerb,
  type Subresource,
} from './resources.ts';
export { type RuntimeConfig, RuntimeConfigError } from './runtime-config.ts';
export {
  type Field,
  type ListSchema,
  type MapSchema,
  type PatchStrategy,
  plainField,
  type ScalarSchema,
  type ScalarType,
  type Schema,
  type StructSchema,
  type UntypedSchema,
} from './schema.ts';
export { readSpecials, type Specials } from './specials.ts';
export {
  applyDefaults,
  applyDefaultsInSteps,
  Correlation,
  type DecodeMetadata,
  decodeEmbeddedMetadata,
  isKnownFormat,
  type MetadataRules,
  type OnPrunedPath,
  pruneForbiddenNulls,
  pruneObject,
  readSchemaNode,
  type SchemaNode,
  toStructSchema,
  validateEmbeddedObjects,
  validateListTypes,
  validateStructural,
  validateValueInSteps,
} from './structural/index.ts';
export { isPodLevelResource, sumPodResources } from './sum-pod-resources.ts';
export { validateSelectorRequirement, validateSelectorValues } from './validation/checks.ts';
export {
  CronError,
  type CronSchedule,
  computePodQosClass,
  createValidation,
  type Decoded,
  deviceId,
  getApprovalState,
  hasInvalidCaBundle,
  isSemanticallyEqual,
  isSystemPriorityClass,
  isTimeZone,
  kindTypeOf,
  maxSelectorExpression,
  memberSchema,
  parseCron,
  readRequestedOrganizations,
  type ValidatedKinds,
  type Validation,
  validateTolerations,
} from './validation/index.ts';
export { validateAnnotations, validateLabels, validateMetadataUpdate } from './validation/metadata.ts';
export { compareVersionPriority } from './version-priority.ts';
