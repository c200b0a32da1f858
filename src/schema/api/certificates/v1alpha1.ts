// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** A set of trusted certificates, which pods can mount. */
export interface ClusterTrustBundle {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ClusterTrustBundleSpec;
}

/** Specification of a trust bundle. */
export interface ClusterTrustBundleSpec {
  /** Signer whose certificates the bundle holds. The object's name must then begin with it, with ':' for '/'. Empty: not of a signer. Immutable. */
  readonly signerName?: string;
  /** CA certificates in PEM, at most 1 MiB. Order and comments have no meaning. */
  readonly trustBundle: string;
}

/** A request for a certificate of a pod, created by the kubelet of its node. */
export interface PodCertificateRequest {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: PodCertificateRequestSpec;
  readonly status: PodCertificateRequestStatus;
}

/** Specification of a pod's certificate request. Immutable. */
export interface PodCertificateRequestSpec {
  /** Signer that issues the certificate. */
  readonly signerName: string;
  /** Name of the pod that gets the certificate. */
  readonly podName: string;
  /** UID of the pod, so that a pod of the same name that is created later is another one. */
  readonly podUID: string;
  /** Service account of the pod. */
  readonly serviceAccountName: string;
  /** UID of the service account. */
  readonly serviceAccountUID: string;
  /** Name of the node to which the pod is assigned. Only the kubelet of this node may create the request. */
  readonly nodeName: string;
  /** UID of the node, so that a node of the same name that is created later is another one. */
  readonly nodeUID: string;
  /** Maximum lifetime of the certificate in seconds, from 3600 to 7862400. The signer may choose less. Default: 86400. */
  readonly maxExpirationSeconds?: number;
  /** Public key in PKIX DER form, in base64. */
  readonly pkixPublicKey: string | null;
  /** Signature of the pod's UID with the private key, in base64. Proves that the requester has the key. */
  readonly proofOfPossession: string | null;
}

/** Observed state of a pod's certificate request. Immutable once issued, denied or failed. */
export interface PodCertificateRequestStatus {
  /** Conditions of the request: Issued, Denied or Failed. */
  readonly conditions?: readonly metav1.Condition[];
  /** Certificate of the pod and intermediate certificates in PEM, the pod's first. */
  readonly certificateChain?: string;
  /** Time from which the certificate is valid. */
  readonly notBefore?: string;
  /** Time from which the kubelet should request a new certificate. */
  readonly beginRefreshAt?: string;
  /** Time until which the certificate is valid. */
  readonly notAfter?: string;
}
