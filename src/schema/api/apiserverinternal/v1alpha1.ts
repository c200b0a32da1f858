// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** ServerStorageVersion holds the versions of one API server. */
export interface ServerStorageVersion {
  /** ID of the API server, the name of its lease. */
  readonly apiServerID?: string;
  /** Version in which the API server stores the resource, such as apps/v1. */
  readonly encodingVersion?: string;
  /** Versions that the API server can read. They include encodingVersion. */
  readonly decodableVersions?: readonly string[];
  /** Versions that the API server serves. They are among decodableVersions. */
  readonly servedVersions?: readonly string[];
}

/** The versions in which the API servers of a cluster store a resource. Its name is GROUP.RESOURCE. */
export interface StorageVersion {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: StorageVersionSpec;
  readonly status: StorageVersionStatus;
}

/** StorageVersionCondition is one aspect of the state of a storage version. */
export interface StorageVersionCondition {
  /** Type of the condition, such as AllEncodingVersionsEqual. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The metadata.generation of the object that was current when this was written. A lower value than metadata.generation means that the latest change has not been processed yet. */
  readonly observedGeneration?: number;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

export type StorageVersionSpec = Readonly<Record<string, never>>;

/** Versions of the API servers. */
export interface StorageVersionStatus {
  /** Versions of each API server. */
  readonly storageVersions?: readonly ServerStorageVersion[];
  /** Version in which all API servers store the resource. Not set when they differ. */
  readonly commonEncodingVersion?: string;
  /** Conditions of the storage version, such as AllEncodingVersionsEqual. */
  readonly conditions?: readonly StorageVersionCondition[];
}
