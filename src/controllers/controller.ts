import type { ApiClient, InformerFactory } from '../client/index.ts';
import type { Clock, Log } from '../env/index.ts';
import type { ApiHandler, Product } from '../meta/index.ts';

/** The dependencies of the controller manager. */
export interface ControllerManagerOptions {
  /** The API with the identity of the controller manager. */
  readonly api: ApiHandler;
  readonly clock: Clock;
  readonly log: Log;
  readonly product: Product;
  /** PEM of the root CA bundle for pods; undefined: none is published. */
  readonly rootAuthority: string | undefined;
  /** Signs a token that is bound to the secret that stores it. */
  readonly signSecretToken: (claims: SecretTokenClaims) => Promise<string>;
}

/** The dependencies of controllers. */
export interface ControllerContext extends Omit<ControllerManagerOptions, 'api'> {
  readonly client: ApiClient;
  /** Informers are shared by all controllers. */
  readonly informers: InformerFactory;
  /** Stops the controllers. */
  readonly signal: AbortSignal;
}

/** The service account of a token, and the secret that stores it. */
export interface SecretTokenClaims {
  readonly namespace: string;
  readonly secret: string;
  readonly account: { readonly name: string; readonly uid: string };
}

/** Starts a control loop that runs until the signal of the context aborts. */
export type Controller = (context: ControllerContext) => void;
