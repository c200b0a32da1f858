/** HTTP client for requests to other servers: webhooks and token issuers. Hosts implement it; the core never calls `fetch`. */
export interface Outbound {
  /** Resolves for every HTTP status. @throws OutboundError when there is no response */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
}

export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  /** A list is sent as several header lines. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | undefined;
  /** The request fails with `timeout` after this time. */
  readonly timeoutMs: number;
  readonly tls: OutboundTls;
}

export interface OutboundTls {
  /** CA certificates that may sign the server's certificate, as PEM; undefined: the host's trust store. */
  readonly authorities: string | undefined;
  /** The client certificate and its key, as PEM. */
  readonly identity: { readonly certificate: string; readonly key: string } | undefined;
  /** Server name to verify the certificate against; undefined: the URL's host. */
  readonly serverName: string | undefined;
  /** Skips certificate verification. */
  readonly unverified: boolean;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** There was no response; the message is the one of Go's HTTP client. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: 'reset' | 'timeout' | 'unreachable';

  constructor(code: OutboundError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
