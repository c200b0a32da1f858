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
