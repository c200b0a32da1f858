import type { ProtocolSwitch } from './protocol-switch.ts';

/**
 * A request as plain values. Hosts convert at the edge; the core never sees the platform's `Request`: its body settles in different
 * microtasks per platform, so the order of work would differ between hosts.
 */
export interface ApiRequest {
  /** Upper case. */
  readonly method: string;
  /** Path below the base URL, with the query, as sent: `/api/v1/pods?limit=5`. */
  readonly target: string;
  readonly headers: RequestHeaders;
  /** Undefined when the request has no body, or `receiveBody` has not resolved yet. */
  readonly body: Uint8Array | undefined;
  /**
   * Implemented by hosts that receive the body after the head, so that a request can be answered without reading its body. Resolves when
   * `body` or `bodyIsTooLarge` is set. The core calls it at most once, after authorization. Rejects with a StatusError when the client
   * disconnects first.
   */
  receiveBody?(maxBytes: number): Promise<void>;
  /** The body exceeds `maxBytes` and was not read. */
  readonly bodyIsTooLarge?: boolean;
  /** The host streams response bodies: large lists may be iterables that produce chunks on demand. */
  readonly acceptsChunks?: boolean;
  /** The host can switch protocols: `upgrade` of a response is used. */
  readonly acceptsUpgrade?: boolean;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Client information from the transport. */
  readonly peer?: Peer;
  /** Set by a host that detects retries itself; otherwise `attemptIdHeader` identifies the attempt. */
  readonly attempt?: Attempt;
}

/**
 * The header in which Tabplane's own clients send the idempotency key of a write: a random id, generated once, sent again with each retry
 * after a lost connection. Public headers such as `X-Request-Id` do not have this meaning: proxies send one id with many requests, and the
 * real server ignores them.
 */
export const attemptIdHeader = 'x-tabplane-attempt-id';

/** One attempt at a write, which may reach the server several times. */
export interface Attempt {
  /** Stored with the commit of this write. */
  readonly id: string;
  /** Ids under which this write may have been committed before. */
  readonly earlierIds: readonly string[];
}

/** Request headers; the platform's `Headers` implements this interface, and hosts may have a lighter implementation. */
export interface RequestHeaders {
  /** The values of one name, joined by commas; null when the name is absent. The name is case-insensitive. */
  get(name: string): string | null;
  /** The header lines of one name, where the transport still has them separately. The name is in lower case. */
  getAll?(name: string): readonly string[];
  /** All headers, names in lower case. */
  [Symbol.iterator](): IterableIterator<[string, string]>;
}

/** Creates request headers. Names are in lower case; the last value of a name wins. The platform's `Headers` is slow to load in Node. */
export function createHeaders(pairs: Iterable<readonly [name: string, value: string]>): RequestHeaders {
  const byName = new Map(pairs);
  return { get: (name) => byName.get(name.toLowerCase()) ?? null, [Symbol.iterator]: () => byName[Symbol.iterator]() };
}

/** Adds headers to each request; they replace those of the same name. */
export function withHeaders(api: ApiHandler, added: readonly (readonly [name: string, value: string])[]): ApiHandler {
  return (request) => api({ ...request, headers: createHeaders([...request.headers, ...added]) });
}

export interface Peer {
  /** The client's address, for audit and for the extra of SelfSubjectReview. */
  readonly address?: string;
  /** The verified client certificate, followed by the rest of the chain that the client sent; in DER. */
  readonly certificates?: readonly Uint8Array[];
  /** Whether requests share the connection with other requests in flight. */
  readonly isHttp2?: boolean;
}

/** A response as plain values. */
export interface ApiResponse {
  readonly status: number;
  /** In order, names in lower case; a name may occur several times (Warning). */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ResponseBody;
  /** The body is an event stream: hosts may delay a chunk for some milliseconds, to send it together with the next. */
  readonly isEventStream?: boolean;
  /** With status 101, to a request that accepts it: how the connection continues. There is no body. */
  readonly upgrade?: ProtocolSwitch;
}

/** Text is sent as UTF-8. A stream ends with its iterator; the iterator's `return` stops it. */
export type ResponseBody = string | Uint8Array | AsyncIterable<string | Uint8Array> | undefined;

export function isStream(body: ResponseBody): body is Extract<ResponseBody, AsyncIterable<unknown>> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

/** The server as a function. Clients, hosts and tests call it. */
export type ApiHandler = (request: ApiRequest) => Promise<ApiResponse>;
