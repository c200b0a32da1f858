/**
 * Structural schemas of CustomResourceDefinitions: their rules, and pruning, defaulting and validation of values (cf.
 * apiextensions-apiserver schema).
 */

export { withDefaults, withDefaultsInSteps, withoutNulls } from './apply-defaults.ts';
export { Correlation } from './correlation.ts';
export { validateDefaults } from './default-rules.ts';
export { type DecodeMetadata, embeddedErrors, type MetadataRules, withTypedMetadata } from './embedded.ts';
export { type ResolvedField, resolveFieldPath } from './field-path.ts';
export { knowsFormat } from './formats.ts';
export { listTypeErrors } from './list-types.ts';
export { pruneObject, type ToldPath } from './prune.ts';
export { readSchemaNode, type SchemaNode } from './schema-node.ts';
export { validateStructural } from './structure.ts';
export { structOf } from './to-struct-schema.ts';
export { validateValue, validateValueInSteps } from './validate-value.ts';
