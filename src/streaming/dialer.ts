import type { ByteStream } from '../env/index.ts';

/** Connections of the API server into the network of the cluster. */
export interface Dialer {
  /** @throws Error with the message of Go's dialer: `dial tcp 10.244.0.5:80: connect: connection refused` */
  dial(to: DialTarget, signal: AbortSignal): Promise<ByteStream>;
}

export interface DialTarget {
  /** An address. */
  readonly host: string;
  readonly port: number;
  /** Undefined: plain bytes. Without authorities the certificate is not verified. */
  readonly tls: { readonly serverName: string; readonly authorities: string | undefined } | undefined;
}
