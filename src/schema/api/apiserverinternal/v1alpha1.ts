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
  /** What is seen. Written by the system. */
  readonly status: string;
  /** The generation of the object that the status is about. */
  readonly observedGeneration?: number;
  /** When the condition last changed. */
  readonly lastTransitionTime: string | null;
  /** Why, in one word for programs. */
  readonly reason: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
}

export type StorageVersionSpec = Readonly<Record<string, never>>;

export interface StorageVersionStatus {
  readonly storageVersions?: readonly ServerStorageVersion[];
  readonly commonEncodingVersion?: string;
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly StorageVersionCondition[];
}
