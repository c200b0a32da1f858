import type { StructSchema } from './schema.ts';
import type { SchemaNode } from './structural/schema-node.ts';

/** One version of a custom resource, as its definition has it. */
export interface CustomVersion {
  /** The definition's name: `widgets.example.com`. */
  readonly definition: string;
  readonly schema: SchemaNode;
  /** Schemas of all versions by name, of those that are not served too. */
  readonly versions: ReadonlyMap<string, SchemaNode>;
  /** The same as what matters for who owns which field. */
  readonly structs: ReadonlyMap<string, StructSchema>;
  /** `additionalPrinterColumns`; absent: only the age is shown. */
  readonly columns: readonly PrinterColumn[] | undefined;
  readonly scale: ScalePaths | undefined;
  /** Where each version has its number of replicas; empty where it has none. By `group/version`. */
  readonly replicasPaths: ReadonlyMap<string, readonly string[]>;
  /** What a request to a deprecated version is told. */
  readonly deprecation: string | undefined;
}

/** A version that has a schema and nothing more. */
export function plainCustomVersion(definition: string, schema: SchemaNode): CustomVersion {
  return {
    definition,
    schema,
    versions: new Map(),
    structs: new Map(),
    columns: undefined,
    scale: undefined,
    replicasPaths: new Map(),
    deprecation: undefined,
  };
}

/** A column of a table, as its definition has it. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly jsonPath: string;
}

/** Where an object has what its scale shows, as names on the way there. */
export interface ScalePaths {
  /** As written: `.spec.replicas`. */
  readonly spec: string;
  readonly status: string;
  readonly selector: string | undefined;
}

/** `.spec.replicas` → `['spec', 'replicas']` */
export function pathNames(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}
