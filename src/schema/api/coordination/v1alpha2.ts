// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** A candidate for the holder of a lease, for coordinated leader election. */
export interface LeaseCandidate {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: LeaseCandidateSpec;
}

/** Specification of a candidate. */
export interface LeaseCandidateSpec {
  /** Name of the lease, in the same namespace. Immutable. */
  readonly leaseName: string;
  /** Time at which the coordinator last requested a renewal. The candidate answers by updating renewTime. */
  readonly pingTime?: string;
  /** Time at which the candidate last renewed this object. Candidates that are too old are deleted. */
  readonly renewTime?: string;
  /** Version of the candidate's program, such as 1.34.0. */
  readonly binaryVersion: string;
  /** Version as which the candidate behaves. At most binaryVersion. Required for strategy OldestEmulationVersion. */
  readonly emulationVersion?: string;
  /** How the leader should be chosen. The candidates' most frequent choice with the highest priority applies. */
  readonly strategy?: string;
}
