import type { ApiClient, ClientRate, InformerSource } from '../client/index.ts';
import type { Clock, Log } from '../env/index.ts';
import type { ApiHandler, Product } from '../meta/index.ts';
import type { ClusterCidr } from './node-ipam/cidr-set.ts';
import type { ControllerHealth } from './start/controller-health.ts';

/** The dependencies of the controller manager. */
export interface ControllerManagerOptions {
  /** The API with the identity of the controller manager. */
  readonly api: ApiHandler;
  /** The API with the identity of a service account of the system namespace. Absent: controllers share the identity above. */
  readonly accountApi?: (account: string) => ApiHandler;
  readonly clock: Clock;
  readonly log: Log;
  readonly product: Product;
  /** Limit of the requests of each controller. Default: that of `startSelectedControllers`. */
  readonly clientRate?: Partial<ClientRate> | undefined;
  /** The addresses of pods. Default: 10.244.0.0/16, of which a node gets 256. */
  readonly clusterCidrs?: readonly ClusterCidr[] | undefined;
  /** PEM of the root CA bundle for pods; undefined: none is published. */
  readonly rootAuthority: string | undefined;
  /** Signs certificate requests; undefined: they are neither approved nor signed. */
  readonly certificateAuthority?: CertificateAuthority | undefined;
  /** Signs a token that is bound to the secret that stores it. */
  readonly signSecretToken: (claims: SecretTokenClaims) => Promise<string>;
  /** The failing controllers. Absent: they are only logged. */
  readonly health?: ControllerHealth;
}

/** A CA that signs certificates for requests. */
export interface CertificateAuthority {
  /** Rejects for a malformed request. */
  readRequest(pem: string): Promise<CertificateRequest>;
  /** Returns the certificate in PEM. */
  sign(order: CertificateOrder): Promise<string>;
}

/** The subject and the alternative names of a certificate signing request. */
export interface CertificateRequest {
  readonly organizations: readonly string[];
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

/** What a certificate is signed for. */
export interface CertificateOrder {
  /** The request, in PEM. */
  readonly request: string;
  /** Usages of the API: `client auth`. */
  readonly usages: readonly string[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** The dependencies of controllers. */
export interface ControllerContext extends Omit<ControllerManagerOptions, 'api' | 'accountApi' | 'clientRate' | 'health'> {
  readonly client: ApiClient;
  /** Informers are shared by all controllers. */
  readonly informers: InformerSource;
  /** Stops the controller. */
  readonly signal: AbortSignal;
  /** Records the result of an item of the controller's queue, for the health check. */
  readonly onResult: (item: string, error?: unknown) => void;
}

/** The service account of a token, and the secret that stores it. */
export interface SecretTokenClaims {
  readonly namespace: string;
  readonly secret: string;
  readonly account: { readonly name: string; readonly uid: string };
}

/** Starts a control loop that runs until the signal of the context aborts. */
export type Controller = (context: ControllerContext) => void;
