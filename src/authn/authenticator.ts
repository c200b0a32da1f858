import type { RequestHeaders } from '../meta/index.ts';
import type { User } from './user.ts';

/** The credentials of a request. */
export interface Credentials {
  readonly headers: RequestHeaders;
  /** The client's certificate chain in DER, leaf first; empty without one. */
  readonly certificates: readonly Uint8Array[];
  readonly path: string;
  /** Acceptable audiences; the credentials must be valid for at least one. */
  readonly audiences: readonly string[];
}

/** The authenticated user. Cf. upstream authenticator.Response. */
export interface AuthenticationResponse {
  readonly user: User;
  /** The requested audiences for which the credentials are valid; empty when the method has no audiences. */
  readonly audiences: readonly string[];
  /** For Warning headers. */
  readonly warnings?: readonly string[];
  /** For the audit event. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Invalid credentials of this method's kind. The reasons go to token reviews and the log, never to the client. */
export interface AuthenticationFailure {
  readonly refused: readonly string[];
}

/** Undefined: no credentials for this method, the next one is tried. */
export type AuthenticationResult = AuthenticationResponse | AuthenticationFailure | undefined;

/** Synchronous where possible: every request passes the static tokens. */
export type MaybePromise<T> = T | Promise<T>;

/** One request authentication method of part 5.2. */
export interface Authenticator {
  /** Name in traces and metrics. */
  readonly name: string;
  authenticate(credentials: Credentials): MaybePromise<AuthenticationResult>;
}

/** One bearer token authentication method of part 5.2. */
export interface TokenAuthenticator {
  readonly name: string;
  authenticate(token: string, audiences: readonly string[]): MaybePromise<AuthenticationResult>;
}

export function isAuthenticated(outcome: AuthenticationResult): outcome is AuthenticationResponse {
  return outcome !== undefined && 'user' in outcome;
}

export function authenticationFailure(why: string): AuthenticationFailure {
  return { refused: [why] };
}
