// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** A request for a certificate, which is approved or denied, and then signed. */
export interface CertificateSigningRequest {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: CertificateSigningRequestSpec;
  readonly status: CertificateSigningRequestStatus;
}

/** CertificateSigningRequestCondition is a decision about a certificate request. */
export interface CertificateSigningRequestCondition {
  /** Type of the condition: Approved, Denied or Failed. A request cannot be both approved and denied. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. Approved and Denied must be True. */
  readonly status: string;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
  /** The last time the condition was updated. */
  readonly lastUpdateTime: string | null;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
}

/** Specification of a certificate request. Immutable. */
export interface CertificateSigningRequestSpec {
  /** The PKCS#10 request in PEM, in base64. */
  readonly request: string | null;
  /** Signer that issues the certificate, such as kubernetes.io/kube-apiserver-client. */
  readonly signerName: string;
  /** Requested lifetime of the certificate in seconds, at least 600. The signer may choose another one. */
  readonly expirationSeconds?: number;
  /** Key usages of the certificate, such as digital signature and client auth. */
  readonly usages?: readonly string[];
  /** User that created the request. Set by the server. */
  readonly username?: string;
  /** UID of the user that created the request. Set by the server. */
  readonly uid?: string;
  /** Groups of the user that created the request. Set by the server. */
  readonly groups?: readonly string[];
  /** Extra attributes of the user that created the request. Set by the server. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Observed state of a certificate request. */
export interface CertificateSigningRequestStatus {
  /** Conditions of the request: Approved, Denied or Failed. */
  readonly conditions?: readonly CertificateSigningRequestCondition[];
  /** The certificate chain in PEM, in base64. Set by the signer after approval. Immutable. */
  readonly certificate?: string;
}
