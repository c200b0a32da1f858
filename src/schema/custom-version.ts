import type { JsonObject } from '../meta/index.ts';
import type { StructSchema } from './schema.ts';
import type { SchemaNode } from './structural/schema-node.ts';

/** One version of a custom resource, from its CustomResourceDefinition. */
export interface CustomVersion {
  /** The name of the definition: `widgets.example.com`. */
  readonly definition: string;
  readonly schema: SchemaNode;
  /** Schemas of all versions by name, including versions that are not served. */
  readonly versions: ReadonlyMap<string, SchemaNode>;
  /** The same schemas as structs, for field ownership. */
  readonly structs: ReadonlyMap<string, StructSchema>;
  /** `additionalPrinterColumns`; when absent, only the age is shown. */
  readonly columns: readonly PrinterColumn[] | undefined;
  readonly scale: ScalePaths | undefined;
  /** Path of the replica count by `group/version`; empty for a version without one. */
  readonly replicasPaths: ReadonlyMap<string, readonly string[]>;
  /** Undefined: versions differ in their apiVersion only (`strategy: None`). */
  readonly conversion: WebhookConversion | undefined;
  /** The warning for requests to a deprecated version. */
  readonly deprecation: string | undefined;
}

/** `spec.conversion` with `strategy: Webhook`. */
export interface WebhookConversion {
  readonly clientConfig: JsonObject;
  /** `conversionReviewVersions` */
  readonly reviewVersions: readonly string[];
}

/** Creates a version with a schema only. */
export function createPlainCustomVersion(definition: string, schema: SchemaNode): CustomVersion {
  return {
    definition,
    schema,
    versions: new Map(),
    structs: new Map(),
    columns: undefined,
    scale: undefined,
    conversion: undefined,
    replicasPaths: new Map(),
    deprecation: undefined,
  };
}

/** A printer column, from the definition. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly jsonPath: string;
}

/** Paths of the values in the scale subresource, as names. */
export interface ScalePaths {
  /** As written: `.spec.replicas`. */
  readonly spec: string;
  readonly status: string;
  readonly selector: string | undefined;
}

/** `.spec.replicas` → `['spec', 'replicas']` */
export function parsePathNames(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}
