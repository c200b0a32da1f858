/**
 * A request as plain values. Hosts convert at the edge; the core never sees the platform's `Request`
 * (its body settles on different turns per platform, so the core would order work differently per host).
 */
export interface ApiRequest {
  /** Upper case. */
  readonly method: string;
  /** Path below the base URL and query, as sent: `/api/v1/pods?limit=5`. */
  readonly target: string;
  readonly headers: RequestHeaders;
  /** Undefined when the request had no body, and as long as `receiveBody` was not awaited. */
  readonly body: Uint8Array | undefined;
  /**
   * Of hosts that receive bodies after heads, so that a request can be answered without its body: resolves once `body` is there, or
   * `bodyIsTooLarge`. Called at most once, by the core, after authorization. Rejects with a StatusError when the client goes before.
   */
  receiveBody?(maxBytes: number): Promise<void>;
  /** The body has more bytes than were asked for, and was not taken. */
  readonly bodyIsTooLarge?: boolean;
  /** The host sends bodies piece by piece: large lists may be iterables, whose pieces are made as they are asked for. */
  readonly takesPieces?: boolean;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** What the transport itself knows of the client. */
  readonly peer?: Peer;
  /** Set by a host that recognises repetitions itself; otherwise the attempt is named by `attemptIdHeader`. */
  readonly attempt?: Attempt;
}

/**
 * The header by which Tabplane's own clients name one attempt at a write: a random id, made once, sent with each repetition after a
 * lost connection. Public headers such as `X-Request-Id` have no such meaning: proxies send one id with many calls, and the real
 * server ignores them.
 */
export const attemptIdHeader = 'x-tabplane-attempt-id';

/** One attempt at a write, however often it reaches the server. */
export interface Attempt {
  /** Stored with the commit of the attempt. */
  readonly id: string;
  /** Ids under which this attempt may have been committed already. */
  readonly earlierIds: readonly string[];
}

/** What a request's headers must offer: the platform's Headers do, and hosts may have something lighter. */
export interface RequestHeaders {
  /** Values of one name, joined by commas; null when there is none. Names in any case. */
  get(name: string): string | null;
  /** Values of one name line by line, where the transport still knows them apart. Name in lower case. */
  getAll?(name: string): readonly string[];
  /** Every header, names in lower case. */
  [Symbol.iterator](): IterableIterator<[string, string]>;
}

/** Headers of a request that is made here; names in lower case, the last of one name counts. The platform's Headers are slow to load in Node. */
export function headersOf(pairs: Iterable<readonly [name: string, value: string]>): RequestHeaders {
  const byName = new Map(pairs);
  return { get: (name) => byName.get(name.toLowerCase()) ?? null, [Symbol.iterator]: () => byName[Symbol.iterator]() };
}

export interface Peer {
  /** The client's address, for audit and for SelfSubjectReview's extra. */
  readonly address?: string;
  /** The certificate it has shown that it has the key of, and those it sent along; in DER. */
  readonly certificates?: readonly Uint8Array[];
  /** Whether requests share the connection with others that are under way. */
  readonly isHttp2?: boolean;
}

/** An answer as plain values. */
export interface ApiResponse {
  readonly status: number;
  /** In order, names in lower case; a name may come several times (Warning). */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ResponseBody;
  /** The body is a stream of events: hosts may hold a piece back for some milliseconds, to send it together with the next. */
  readonly isEventStream?: boolean;
}

/** Text is UTF-8 to be; a stream ends when its iterator does, and is told to stop by the iterator's `return`. */
export type ResponseBody = string | Uint8Array | AsyncIterable<string | Uint8Array> | undefined;

/** The whole server as a function. Clients, hosts and tests meet here. */
export type ApiHandler = (request: ApiRequest) => Promise<ApiResponse>;
