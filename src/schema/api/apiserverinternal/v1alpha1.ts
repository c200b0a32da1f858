// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

export interface ServerStorageVersion {
  readonly apiServerID?: string;
  readonly encodingVersion?: string;
  readonly decodableVersions?: readonly string[];
  readonly servedVersions?: readonly string[];
}

export interface StorageVersion {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: StorageVersionSpec;
  readonly status: StorageVersionStatus;
}

export interface StorageVersionCondition {
  readonly type: string;
  /** Observed state. Read-only; written by the system. */
  readonly status: string;
  /** The metadata.generation that the status refers to. */
  readonly observedGeneration?: number;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason: string;
  /** Human-readable details. */
  readonly message?: string;
}

export type StorageVersionSpec = Readonly<Record<string, never>>;

export interface StorageVersionStatus {
  readonly storageVersions?: readonly ServerStorageVersion[];
  readonly commonEncodingVersion?: string;
  /** Conditions is the latest observed state, one entry for each type of condition. */
  readonly conditions?: readonly StorageVersionCondition[];
}
