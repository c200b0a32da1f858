// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** A lock with an expiration time, for leader election and for heartbeats of nodes. */
export interface Lease {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: LeaseSpec;
}

/** Specification of a lease. */
export interface LeaseSpec {
  /** Identity of the holder. Empty when nobody holds the lease. */
  readonly holderIdentity?: string;
  /** Seconds after renewTime at which others may take the lease. */
  readonly leaseDurationSeconds?: number;
  /** Time at which the holder acquired the lease. */
  readonly acquireTime?: string;
  /** Time at which the holder last renewed the lease. */
  readonly renewTime?: string;
  /** How often the holder has changed. */
  readonly leaseTransitions?: number;
  /** How the leader is chosen among candidates, such as OldestEmulationVersion. Only for coordinated leader election. */
  readonly strategy?: string;
  /** Candidate to which the holder should hand over the lease. Requires strategy. */
  readonly preferredHolder?: string;
}
