// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

export interface BoundObjectReference {
  /** Kind is the type of the object. */
  readonly kind?: string;
  /** APIVersion defines the group and version in which the object is written. */
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

export interface SelfSubjectReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly status: SelfSubjectReviewStatus;
}

export interface SelfSubjectReviewStatus {
  readonly userInfo: UserInfo;
}

export interface TokenRequest {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: TokenRequestSpec;
  readonly status: TokenRequestStatus;
}

export interface TokenRequestSpec {
  readonly audiences: readonly string[] | null;
  readonly expirationSeconds: number | null;
  readonly boundObjectRef: BoundObjectReference | null;
}

export interface TokenRequestStatus {
  readonly token: string;
  readonly expirationTimestamp: string | null;
}

export interface TokenReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: TokenReviewSpec;
  readonly status: TokenReviewStatus;
}

export interface TokenReviewSpec {
  readonly token?: string;
  readonly audiences?: readonly string[];
}

export interface TokenReviewStatus {
  readonly authenticated?: boolean;
  readonly user: UserInfo;
  readonly audiences?: readonly string[];
  readonly error?: string;
}

export interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
