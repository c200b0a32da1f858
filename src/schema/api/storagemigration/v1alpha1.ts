// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** GroupVersionResource identifies a resource. */
export interface GroupVersionResource {
  /** API group of the resource; empty for the core group. */
  readonly group?: string;
  /** Version of the API group. */
  readonly version?: string;
  /** Plural name of the resource. */
  readonly resource?: string;
}

/** MigrationCondition is one aspect of the state of a migration. */
export interface MigrationCondition {
  /** Type of the condition: Running, Succeeded or Failed. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The last time the condition was updated. */
  readonly lastUpdateTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** Rewrites all objects of a resource in the current storage version. */
export interface StorageVersionMigration {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: StorageVersionMigrationSpec;
  readonly status: StorageVersionMigrationStatus;
}

/** Specification of a migration. */
export interface StorageVersionMigrationSpec {
  /** Resource whose objects are written again in the storage version. Immutable. */
  readonly resource: GroupVersionResource;
  /** Token of the list with which the migration continues. Written by the controller. */
  readonly continueToken?: string;
}

/** Observed state of a migration. */
export interface StorageVersionMigrationStatus {
  /** Conditions of the migration: Running, Succeeded or Failed. */
  readonly conditions?: readonly MigrationCondition[];
  /** Resource version of the list when the migration began. Objects that are newer need no rewrite. */
  readonly resourceVersion?: string;
}
