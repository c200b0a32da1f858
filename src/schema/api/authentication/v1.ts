// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** BoundObjectReference identifies the object to which a token is bound. */
export interface BoundObjectReference {
  /** Kind of the object: Pod, Secret or Node. */
  readonly kind?: string;
  /** Group and version of the object. The only value is v1. */
  readonly apiVersion?: string;
  /** Name of the pod, node or secret to which the token is bound. */
  readonly name?: string;
  /** UID of the object. The token becomes invalid when the object with this UID is deleted. */
  readonly uid?: string;
}

/** Returns the user of the request. Not stored. */
export interface SelfSubjectReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly status: SelfSubjectReviewStatus;
}

/** The user of the request. */
export interface SelfSubjectReviewStatus {
  /** Name, UID, groups and extra attributes of the user who sent the request. */
  readonly userInfo: UserInfo;
}

/** Requests a token of a service account, as the subresource token. Not stored. */
export interface TokenRequest {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: TokenRequestSpec;
  readonly status: TokenRequestStatus;
}

/** Specification of a token. */
export interface TokenRequestSpec {
  /** Audiences of the token. Recipients must refuse tokens of other audiences. Default: the API server. */
  readonly audiences: readonly string[] | null;
  /** Requested lifetime of the token in seconds, at least 600. The server may choose another one. Default: 3600. */
  readonly expirationSeconds: number | null;
  /** Object to which the token is bound: it is valid only as long as the object exists. */
  readonly boundObjectRef: BoundObjectReference | null;
}

/** The issued token. */
export interface TokenRequestStatus {
  /** The signed token, for the header Authorization: Bearer TOKEN. */
  readonly token: string;
  /** Time until which the token is valid. */
  readonly expirationTimestamp: string | null;
}

/** Checks whether a token is valid, and returns its user. Not stored. */
export interface TokenReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: TokenReviewSpec;
  readonly status: TokenReviewStatus;
}

/** Specification of a token review. */
export interface TokenReviewSpec {
  /** The bearer token to verify. It is not stored. */
  readonly token?: string;
  /** Audiences of the recipient. The token must be valid for at least one. Default: the API server. */
  readonly audiences?: readonly string[];
}

/** Result of a token review. */
export interface TokenReviewStatus {
  /** Whether the token is valid. */
  readonly authenticated?: boolean;
  /** User to whom the token belongs. Empty if it is not authenticated. */
  readonly user: UserInfo;
  /** Audiences of the request for which the token is valid. Empty when the authenticator does not know audiences: the token is then valid for the API server. */
  readonly audiences?: readonly string[];
  /** Error of the check, if any. */
  readonly error?: string;
}

/** UserInfo describes a user. */
export interface UserInfo {
  /** Name of the user, unique among the active users. */
  readonly username?: string;
  /** ID of the user that is unique in time: another user of the same name has another one. */
  readonly uid?: string;
  /** Names of the groups of the user, such as system:authenticated. */
  readonly groups?: readonly string[];
  /** Further attributes from the authenticator. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
