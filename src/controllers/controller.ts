import type { Clock, Log } from '../env/index.ts';
import type { ApiHandler, Product } from '../meta/index.ts';

/** What controllers work with: they are clients like others, under a name of their own. */
export interface ControllerParts {
  readonly api: ApiHandler;
  readonly clock: Clock;
  readonly log: Log;
  readonly product: Product;
  /** PEM of whom pods may trust the server by; undefined: nobody vouches for it. */
  readonly rootAuthority: string | undefined;
  /** Signs a token that lives as long as the secret that it is kept in. */
  readonly signSecretToken: (claims: SecretTokenClaims) => Promise<string>;
}

/** Whose token it is, and where it is kept. */
export interface SecretTokenClaims {
  readonly namespace: string;
  readonly secret: string;
  readonly account: { readonly name: string; readonly uid: string };
}

/** Keeps something true until the signal aborts. */
export type Controller = (parts: ControllerParts, signal: AbortSignal) => void;
