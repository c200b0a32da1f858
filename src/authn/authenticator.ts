import type { RequestHeaders } from '../meta/index.ts';
import type { User } from './user.ts';

/** What a request carries to say who makes it. */
export interface Credentials {
  readonly headers: RequestHeaders;
  /** The client's certificate and those it sent along, in DER, its own first; empty without one. */
  readonly certificates: readonly Uint8Array[];
  readonly path: string;
  /** For whom the credentials have to be meant: at least one of them. */
  readonly audiences: readonly string[];
}

/** Who it is. */
export interface Found {
  readonly user: User;
  /** Those of the audiences asked for that the credentials are meant for; empty where the method knows of none. */
  readonly audiences: readonly string[];
  /** For the client, as Warning headers. */
  readonly warnings?: readonly string[];
  /** For the audit log. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Credentials of this method's kind that do not hold, and why; told to token reviews and to the log, never to the client itself. */
export interface Refused {
  readonly refused: readonly string[];
}

/** Undefined: not mine, ask the next. */
export type Outcome = Found | Refused | undefined;

/** Methods that need not wait answer at once: static tokens are on the way of every request. */
export type MaybePromise<T> = T | Promise<T>;

/** One method of part 5.2 that looks at the request. */
export interface Authenticator {
  /** As traces and metrics call it. */
  readonly name: string;
  authenticate(credentials: Credentials): MaybePromise<Outcome>;
}

/** One method of part 5.2 that looks at a bearer token alone. */
export interface TokenAuthenticator {
  readonly name: string;
  authenticate(token: string, audiences: readonly string[]): MaybePromise<Outcome>;
}

export function isFound(outcome: Outcome): outcome is Found {
  return outcome !== undefined && 'user' in outcome;
}

export function refused(why: string): Refused {
  return { refused: [why] };
}
