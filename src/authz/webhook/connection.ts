import { type Outbound, type OutboundAnswer, OutboundError, type OutboundRequest, type OutboundTls } from '../../env/index.ts';
import { formatDuration, isJsonObject, type JsonObject, type Product, stringifyJson, UnreadableDocument } from '../../meta/index.ts';
import { parseTypedObject } from '../typed-object.ts';
import { createReview } from './subject-access-review.ts';

/** Address and credentials of a webhook. */
export interface WebhookConnection {
  readonly url: string;
  /** Headers of every request. */
  readonly headers: OutboundRequest['headers'];
  readonly tls: OutboundTls;
  /** Undefined: no credentials besides the certificate in `tls`. */
  readonly credentials: WebhookCredentials | undefined;
}

/** Credentials that may change between requests. */
export interface WebhookCredentials {
  /** @throws OutboundError without credentials */
  current(): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly identity: OutboundTls['identity'] }>;
  /** Reports that the webhook rejected the current credentials. */
  invalidate(): Promise<void>;
}

export interface ReviewStatus {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string;
}

/** The webhook call failed or its response is invalid; the message is shown in the 500. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** Whether a retry may succeed. */
  readonly isTransient: boolean;

  constructor(message: string, passing: boolean, cause?: unknown) {
    super(message, { cause });
    this.isTransient = passing;
  }
}

export interface PostOptions {
  readonly outbound: Outbound;
  readonly connection: WebhookConnection;
  readonly timeoutMs: number;
}

export interface ReviewOptions extends PostOptions {
  readonly version: 'v1' | 'v1beta1';
  readonly product: Product;
}

/** Sends one SubjectAccessReview, without retries. @throws WebhookError */
export async function postSubjectAccessReview(call: ReviewOptions, reviewSpec: JsonObject): Promise<ReviewStatus> {
  const { version, product } = call;
  return statusOf(await postReview(call, createReview(reviewSpec, version, product)), version, product);
}

/** Posts a review of any kind; the response is an unvalidated JSON object. @throws WebhookError */
export async function postReview(post: PostOptions, review: JsonObject): Promise<JsonObject> {
  const { status, headers, body } = await sendDocument(post, `${stringifyJson(review)}\n`);
  const type = headers['content-type'] ?? 'application/json';
  if (body === '') throw new WebhookError(`0-length response with status code: ${status} and content type: ${type}`, false);
  return parseResponse(() => parseTypedObject(body));
}

/** Posts a JSON document and returns the response body on success. @throws WebhookError */
export async function postDocument(post: PostOptions, document: string): Promise<string> {
  return (await sendDocument(post, document)).body;
}

async function sendDocument({ outbound, connection, timeoutMs }: PostOptions, document: string): Promise<OutboundAnswer> {
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
  // No retry here: the next request gets new credentials.
  if (answer.status === 401) await connection.credentials?.invalidate();
  if (answer.status < 200 || answer.status > 206) throw toWebhookError(answer);
  return answer;
}

/** Adds the timeout as a query parameter, like every client-go client. */
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

function parseResponse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableDocument) throw new WebhookError(error.message, false, error);
    throw error;
  }
}

/** Client-go's messages for responses without a Status (upstream NewGenericServerResponse). */
const statusMessages: Readonly<Record<number, string>> = {
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

function toWebhookError({ status, headers, body }: OutboundAnswer): WebhookError {
  const statusText = statusMessage(body);
  const isText = /^(?:text\/|$)/.test(headers['content-type'] ?? '');
  const shown = isText && body.trim() !== '' ? body.trim() : 'unknown';
  const knownMessage = status === 403 || status === 406 || status === 415 ? shown : statusMessages[status];
  const other =
    status >= 500
      ? `an error on the server (${JSON.stringify(shown)}) has prevented the request from succeeding`
      : `the server responded with the status code ${status} but did not return more information`;
  const isPassing = status === 429 || status === 504 || (status >= 500 && statusMessages[status] === undefined) || 'retry-after' in headers;
  return new WebhookError(statusText ?? knownMessage ?? other, isPassing);
}

/** The message of a Status response. */
function statusMessage(body: string): string | undefined {
  try {
    const { kind, message } = parseTypedObject(body);
    return kind === 'Status' && typeof message === 'string' ? message : undefined;
  } catch (error) {
    if (error instanceof UnreadableDocument) return undefined;
    throw error;
  }
}
