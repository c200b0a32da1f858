/** Requests to somebody else: webhooks, issuers of tokens. Hosts give it; the core never fetches by itself. */
export interface Outbound {
  /** Any status is an answer. @throws OutboundError when there is none */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
}

export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  /** A list is sent line by line. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | undefined;
  /** Whoever takes longer has not answered. */
  readonly timeoutMs: number;
  readonly tls: OutboundTls;
}

export interface OutboundTls {
  /** PEM of who may vouch for the other side; undefined: whom the host trusts. */
  readonly authorities: string | undefined;
  /** How one shows who one is, as PEM. */
  readonly identity: { readonly certificate: string; readonly key: string } | undefined;
  /** Under which name the other side is verified; undefined: the URL's. */
  readonly serverName: string | undefined;
  /** Any certificate will do. */
  readonly unverified: boolean;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Nobody answered; the message is the one of Go's client. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: 'reset' | 'timeout' | 'unreachable';

  constructor(code: OutboundError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
