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
  /** What is seen. Written by the system. */
  readonly status: string;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
  readonly lastUpdateTime: string | null;
  /** When the condition last changed. */
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
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly CertificateSigningRequestCondition[];
  readonly certificate?: string;
}
