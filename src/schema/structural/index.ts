/**
 * Structural schemas of CustomResourceDefinitions: their rules, and pruning, defaulting and validation of values (cf.
 * apiextensions-apiserver schema).
 */

export { withDefaults, withDefaultsInSteps, withoutNulls } from './apply-defaults.ts';
export { Correlation } from './correlation.ts';
export { type DecodeMetadata, embeddedErrors, type MetadataRules, withTypedMetadata } from './embedded-objects.ts';
export { knowsFormat } from './formats.ts';
export { pruneObject, type ToldPath } from './prune.ts';
export { type ResolvedField, resolveFieldPath } from './resolve-field-path.ts';
export { readSchemaNode, type SchemaNode } from './schema-node.ts';
export { structOf } from './to-struct-schema.ts';
export { validateDefaults } from './validate-defaults.ts';
export { listTypeErrors } from './validate-list-types.ts';
export { validateStructural } from './validate-structural.ts';
export { validateValue, validateValueInSteps } from './validate-value.ts';
