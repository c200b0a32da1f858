import { type Outbound, type OutboundAnswer, OutboundError, type OutboundRequest, type OutboundTls } from '../../env/index.ts';
import { formatDuration, isJsonObject, type JsonObject, type Product, stringifyJson } from '../../meta/index.ts';
import { NotAnObject, readTyped } from '../json-type.ts';
import { reviewOf } from './question.ts';

/** Where a webhook is, and how one shows who asks. */
export interface WebhookConnection {
  readonly url: string;
  /** What goes along with every request. */
  readonly headers: OutboundRequest['headers'];
  readonly tls: OutboundTls;
  /** Undefined: one shows nothing beside the certificate in `tls`. */
  readonly credentials: WebhookCredentials | undefined;
}

/** How one shows who asks, where that may change from request to request. */
export interface WebhookCredentials {
  /** @throws OutboundError when there are none */
  current(): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly identity: OutboundTls['identity'] }>;
  /** The webhook does not know the last ones. */
  refused(): Promise<void>;
}

export interface ReviewStatus {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string;
}

/** The webhook has not answered, or nothing that can be understood; the message is what a 500 tells. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** Asking again may help. */
  readonly passing: boolean;

  constructor(message: string, passing: boolean, cause?: unknown) {
    super(message, { cause });
    this.passing = passing;
  }
}

export interface ReviewPost {
  readonly outbound: Outbound;
  readonly connection: WebhookConnection;
  readonly timeoutMs: number;
}

export interface ReviewCall extends ReviewPost {
  readonly version: 'v1' | 'v1beta1';
  readonly product: Product;
}

/** Puts one question once. @throws WebhookError */
export async function askReview(call: ReviewCall, question: JsonObject): Promise<ReviewStatus> {
  const { version, product } = call;
  return statusOf(await postReview(call, reviewOf(question, version, product)), version, product);
}

/** Sends a review of any kind; what comes back is an object, no more is known of it. @throws WebhookError */
export async function postReview(post: ReviewPost, review: JsonObject): Promise<JsonObject> {
  const body = await postDocument(post, `${stringifyJson(review)}\n`);
  return orRefused(() => readTyped(body));
}

/** Sends a JSON text; what comes back is any text, if it was taken. @throws WebhookError */
export async function postDocument({ outbound, connection, timeoutMs }: ReviewPost, document: string): Promise<string> {
  const url = addressOf(connection.url, timeoutMs);
  let answer: OutboundAnswer;
  try {
    const shown = await connection.credentials?.current();
    answer = await outbound.send({
      method: 'POST',
      url,
      headers: { accept: 'application/json, */*', 'content-type': 'application/json', ...connection.headers, ...shown?.headers },
      body: document,
      timeoutMs,
      tls: shown?.identity ? { ...connection.tls, identity: shown.identity } : connection.tls,
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new WebhookError(`Post ${JSON.stringify(url)}: ${error.message}`, error.code === 'reset', error);
  }
  // Not sent again: the next request shows others.
  if (answer.status === 401) await connection.credentials?.refused();
  if (answer.status < 200 || answer.status > 206) throw refusalOf(answer);
  return answer.body;
}

/** The time that is left goes along, as every client of the real server says it. */
function addressOf(url: string, timeoutMs: number): string {
  const address = new URL(url);
  address.searchParams.set('timeout', formatDuration(BigInt(Math.round(timeoutMs * 1e6))));
  return address.href;
}

function statusOf(review: JsonObject, version: string, product: Product): ReviewStatus {
  const group = product.rename('authorization.k8s.io');
  const { apiVersion = '', kind = '', status } = review;
  const expected = `${group}/${version}`;
  if ((apiVersion !== '' && apiVersion !== expected) || (kind !== '' && kind !== 'SubjectAccessReview')) {
    const from = `${String(apiVersion || expected).replace(/^.*\//, '')}.${String(kind || 'SubjectAccessReview')}`;
    throw new WebhookError(`converting (${from}) to (${version}.SubjectAccessReview): unknown conversion`, false);
  }
  const { allowed, denied, reason } = isJsonObject(status) ? status : ({} as JsonObject);
  return { allowed: allowed === true, denied: denied === true, reason: typeof reason === 'string' ? reason : '' };
}

function orRefused<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotAnObject) throw new WebhookError(error.message, false, error);
    throw error;
  }
}

/** What the client of the real server makes of a status without a Status (upstream NewGenericServerResponse). */
const sayings: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

function refusalOf({ status, headers, body }: OutboundAnswer): WebhookError {
  const told = statusMessage(body);
  const shown = body.trim() === '' ? 'unknown' : body.trim();
  const said = status === 403 || status === 406 || status === 415 ? shown : sayings[status];
  const other =
    status >= 500
      ? `an error on the server (${JSON.stringify(shown)}) has prevented the request from succeeding`
      : `the server responded with the status code ${status} but did not return more information`;
  const isPassing = status === 429 || status === 504 || (status >= 500 && sayings[status] === undefined) || 'retry-after' in headers;
  return new WebhookError(told ?? said ?? other, isPassing);
}

/** An answer may be a Status, which says it itself. */
function statusMessage(body: string): string | undefined {
  try {
    const { kind, message } = readTyped(body);
    return kind === 'Status' && typeof message === 'string' ? message : undefined;
  } catch (error) {
    if (error instanceof NotAnObject) return undefined;
    throw error;
  }
}
