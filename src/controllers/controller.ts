import type { Clock, Log } from '../env/index.ts';
import type { ApiHandler, Product } from '../meta/index.ts';

/** The dependencies of controllers. `api` is a client with the identity of the controller manager. */
export interface ControllerContext {
  readonly api: ApiHandler;
  readonly clock: Clock;
  readonly log: Log;
  readonly product: Product;
  /** PEM of the root CA bundle for pods; undefined: none is published. */
  readonly rootAuthority: string | undefined;
  /** Signs a token that is bound to the secret that stores it. */
  readonly signSecretToken: (claims: SecretTokenClaims) => Promise<string>;
}

/** The service account of a token, and the secret that stores it. */
export interface SecretTokenClaims {
  readonly namespace: string;
  readonly secret: string;
  readonly account: { readonly name: string; readonly uid: string };
}

/** Starts a control loop that runs until the signal aborts. */
export type Controller = (parts: ControllerContext, signal: AbortSignal) => void;
