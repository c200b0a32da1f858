/**
 * Structural schemas of CustomResourceDefinitions: their rules, and pruning, defaulting and validation of values (cf.
 * apiextensions-apiserver schema).
 */

export { applyDefaults, applyDefaultsInSteps, pruneForbiddenNulls } from './apply-defaults.ts';
export { Correlation } from './correlation.ts';
export { type DecodeMetadata, decodeEmbeddedMetadata, type MetadataRules, validateEmbeddedObjects } from './embedded-objects.ts';
export { isKnownFormat } from './formats.ts';
export { type OnPrunedPath, pruneObject } from './prune.ts';
export { readSchemaNode, type SchemaNode } from './schema-node.ts';
export { toStructSchema } from './to-struct-schema.ts';
export { validateListTypes } from './validate-list-types.ts';
export { validateStructural } from './validate-structural.ts';
export { validateValue, validateValueInSteps } from './validate-value.ts';
