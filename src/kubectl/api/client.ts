import { readLines, readText } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import {
  type ApiHandler,
  type ApiResponse,
  isJsonObject,
  type JsonObject,
  type ResponseBody,
  StatusError,
  type StatusReason,
} from '../../meta/index.ts';
import { connectionRefused, PlainError, RequestTimeout, UnreachableError } from '../program/errors.ts';

/** One completed request, as reported to the console. */
export interface CompletedRequest {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly ms: number;
}

export interface ClientOptions {
  /** `https://cluster.local:6443/base`, without a trailing slash. */
  readonly server: string;
  /** Undefined when nothing listens at that address. */
  readonly handler: ApiHandler | undefined;
  /** Authorization, Impersonate-… and User-Agent headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly impersonatedGroups: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** `--request-timeout` as typed, sent as a query parameter; undefined for none. */
  readonly timeout: string | undefined;
  /** Called once for each distinct `Warning` header. */
  readonly onWarning: (text: string) => void;
  readonly onRequest: (request: CompletedRequest & { readonly url: string }) => void;
  /** Replaces Kubernetes names in paths and media types by those of the product. */
  readonly rename: (text: string) => string;
}

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly accept?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Switches to a WebSocket with this subprotocol, where the transport can. */
  readonly webSocket?: string;
  /** Sends the path as typed, without renaming. */
  readonly verbatim?: boolean;
  /** The object of the request, for the message of a response that is not a Status. */
  readonly about?: { readonly resource: string; readonly name?: string };
}

/** Sends requests to one server as one user. */
export class ApiClient {
  readonly #options: ClientOptions;
  readonly #reportedWarnings = new Set<string>();

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  get server(): string {
    return this.#options.server;
  }

  /** Returns the response, whatever its status. @throws UnreachableError */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    const { handler, server, clock, signal, onRequest, rename } = this.#options;
    const target =
      (options.verbatim ? path : rename(path)) +
      formatQuery(path, { ...options.query, timeout: this.#options.timeout ?? options.query?.['timeout'] });
    const url = server + target;
    if (!handler) throw connectionRefused(method, url);
    const startedMs = clock.monotonicMs();
    const base = new URL(server).pathname.replace(/\/$/, '');
    const body =
      options.body === undefined || options.body instanceof Uint8Array
        ? options.body
        : new TextEncoder().encode(typeof options.body === 'string' ? options.body : JSON.stringify(options.body));
    const response = await handler({
      method,
      target: base + target,
      headers: this.#headers(options),
      body,
      acceptsUpgrade: options.webSocket !== undefined,
      signal,
    }).catch((error: unknown) => {
      // Checked by name: importing the class would add it to the page's first load, which never throws it.
      if (error instanceof Error && error.name === 'OutboundError') throw new UnreachableError(method, url, error.message);
      if (!(signal.reason instanceof RequestTimeout)) throw error;
      throw new PlainError('Unable to connect to the server: context deadline exceeded (Client.Timeout exceeded while awaiting headers)');
    });
    onRequest({
      method,
      target,
      url,
      status: response.status,
      ms: clock.monotonicMs() - startedMs,
    });
    for (const [name, value] of response.headers) if (name === 'warning') this.#reportWarnings(value);
    return response;
  }

  #headers({ accept = 'application/json', body, contentType = 'application/json', webSocket }: RequestOptions): Headers {
    const headers = new Headers({ ...this.#options.headers, accept: this.#options.rename(accept) });
    for (const group of this.#options.impersonatedGroups) headers.append('impersonate-group', group);
    if (body !== undefined) headers.set('content-type', contentType);
    if (webSocket !== undefined) {
      headers.set('connection', 'Upgrade');
      headers.set('upgrade', 'websocket');
      headers.set('sec-websocket-protocol', this.#options.rename(webSocket));
    }
    return headers;
  }

  #reportWarnings(value: string): void {
    for (const match of value.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)) {
      const text = (match[1] ?? '').replace(/\\(.)/g, '$1');
      if (this.#reportedWarnings.has(text)) continue;
      this.#reportedWarnings.add(text);
      this.#options.onWarning(text);
    }
  }

  /** Returns the body of a successful response, whole or as a stream. @throws StatusError */
  async body(method: string, path: string, options: RequestOptions = {}): Promise<ResponseBody> {
    const { status, body } = await this.send(method, path, options);
    if (status < 200 || status > 206) throw toStatusError(status, await readText(body), method, options.about);
    return body;
  }

  /** Returns the response body as text. @throws StatusError */
  async text(method: string, path: string, options: RequestOptions = {}): Promise<string> {
    return readText(await this.body(method, path, options));
  }

  /** Returns the response body as an object. @throws StatusError */
  async read(method: string, path: string, options: RequestOptions = {}): Promise<JsonObject> {
    return parseObject(await this.text(method, path, options));
  }

  /** Yields the events of a watch until it ends. @throws StatusError when it cannot start, or on an ERROR event */
  async *watch(path: string, options: RequestOptions = {}): AsyncGenerator<{ readonly type: string; readonly object: JsonObject }> {
    const body = await this.body('GET', path, { ...options, query: { ...options.query, watch: 'true' } });
    try {
      for await (const line of readLines(body)) {
        const event = await parseObject(line);
        const object = event['object'];
        if (event['type'] === 'ERROR') throw toStatusError(500, JSON.stringify(object), 'GET', options.about);
        if (isJsonObject(object)) yield { type: String(event['type']), object };
      }
    } catch (error) {
      // A watch ends without an error when its timeout is over.
      if (!(this.#options.signal.reason instanceof RequestTimeout)) throw error;
    }
  }
}

/** Parses integers beyond 2^53 without loss. The exact parser is slow, so it is used only for texts with 16 digits in a row. */
export async function parseObject(text: string): Promise<JsonObject> {
  if (!/\d{16}/.test(text)) return parseStandardObject(text);
  const { parseJson } = await import('./exact-json.ts');
  const { value } = parseJson(text);
  return isJsonObject(value) ? value : {};
}

function parseStandardObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : {};
}

function formatQuery(path: string, query: NonNullable<RequestOptions['query']>): string {
  const pairs = Object.entries(query)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([name, value]) => (value === undefined ? [] : typeof value === 'string' ? [[name, value]] : value.map((one) => [name, one])));
  if (pairs.length === 0) return '';
  return (path.includes('?') ? '&' : '?') + pairs.map(([name = '', value = '']) => `${escapeQuery(name)}=${escapeQuery(value)}`).join('&');
}

/** Encodes like Go's url.QueryEscape. */
function escapeQuery(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** The Status of the response, or a generic one as client-go creates it. */
export function toStatusError(status: number, text: string, method: string, about?: RequestOptions['about']): StatusError {
  try {
    const body = parseStandardObject(text);
    if (body['kind'] === 'Status') {
      const { code, reason, message, details } = body as {
        code?: number;
        reason?: StatusReason;
        message?: string;
        details?: StatusError['details'];
      };
      return new StatusError(code ?? status, reason ?? '', message ?? '', details);
    }
  } catch {
    // Not JSON: plain text of a proxy or server in between.
  }
  return createGenericError(status, text, method, about);
}

/** Cf. apimachinery errors NewGenericServerResponse. */
export function createGenericError(status: number, text: string, method: string, about?: RequestOptions['about']): StatusError {
  const [reason, message] = genericMessages[status] ?? [
    '',
    `the server responded with the status code ${status} but did not return more information`,
  ];
  let fullMessage = message;
  if (status === 403) fullMessage = text.trim() || 'unknown';
  else if (status >= 500 && !genericMessages[status])
    fullMessage = `an error on the server (${JSON.stringify(text.trim() || 'unknown')}) has prevented the request from succeeding`;
  if (about && status !== 401)
    fullMessage += ` (${method.toLowerCase()} ${about.resource}${about.name === undefined ? '' : ` ${about.name}`})`;
  return new StatusError(status, status >= 500 && reason === '' ? 'InternalError' : reason, fullMessage, {});
}

const genericMessages: Readonly<Record<number, readonly [reason: StatusReason, message: string]>> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  403: ['Forbidden', ''],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  406: ['NotAcceptable', 'the server was unable to respond with a content type that the client supports'],
  409: ['Conflict', 'the server reported a conflict'],
  415: ['UnsupportedMediaType', 'the server was unable to respond with a content type that the client supports'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: ['Timeout', 'the server was unable to return a response in the time allotted, but may still be processing the request'],
};
