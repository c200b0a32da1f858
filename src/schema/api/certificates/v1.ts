// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

export interface CertificateSigningRequest {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: CertificateSigningRequestSpec;
  readonly status: CertificateSigningRequestStatus;
}

export interface CertificateSigningRequestCondition {
  readonly type: string;
  /** Observed state. Read-only; written by the system. */
  readonly status: string;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Human-readable details. */
  readonly message?: string;
  readonly lastUpdateTime: string | null;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
}

export interface CertificateSigningRequestSpec {
  readonly request: string | null;
  readonly signerName: string;
  readonly expirationSeconds?: number;
  readonly usages?: readonly string[];
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface CertificateSigningRequestStatus {
  /** Conditions is the latest observed state, one entry for each type of condition. */
  readonly conditions?: readonly CertificateSigningRequestCondition[];
  readonly certificate?: string;
}
