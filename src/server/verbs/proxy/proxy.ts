import { errorMessage } from '../../../env/index.ts';
import { type ClientRequest, type HeaderLines, HttpError, type HttpResponse, sendHttp } from '../../../http/index.ts';
import { type ApiRequest, type ApiResponse, joinHostPort, type RequestHeaders, StatusError } from '../../../meta/index.ts';
import type { Answer, RequestContext } from '../../request-context.ts';
import { uncached } from '../../response/respond.ts';
import { connectionOptions } from '../pods/connection-options.ts';
import { dialProblem } from '../pods/unreachable.ts';
import { forwardedHeaders, responseHeaders } from './headers.ts';
import { type Rewriting, rewriteLinks, rewriteUrl } from './rewrite.ts';
import { type ProxyTarget, targetOf } from './target.ts';

/** Limit of a request body, which is received before it is sent on. */
const maxBodyBytes = 64 << 20;
const namedPorts: ReadonlyMap<string, number> = new Map([
  ['', 0],
  ['http', 80],
  ['https', 443],
]);

/** Proxies a request to a node, a pod or a service. Cf. upstream UpgradeAwareHandler. @throws StatusError */
export async function proxy(context: RequestContext): Promise<Answer> {
  const target = await targetOf(context);
  const { info, request } = context;
  const path = String((connectionOptions(context) as { readonly path?: string }).path ?? '');
  const isUpgrade = /upgrade/i.test(request.headers.get('connection') ?? '');
  if (path === '' && !isUpgrade && (request.method === 'GET' || request.method === 'HEAD')) return redirection(context);
  await request.receiveBody?.(maxBodyBytes);
  if (request.bodyIsTooLarge) throw new StatusError(413, 'RequestEntityTooLarge', `limit is ${maxBodyBytes}`);
  const rewriting: Rewriting = {
    prefix: info.path.endsWith(path) ? info.path.slice(0, info.path.length - path.length) : info.path,
    backend: joinHostPort(target.host, target.port),
    requested: request.headers.get('host') ?? '',
  };
  const [, query = ''] = /^[^?]*(\?.*)?$/s.exec(request.target) ?? [];
  const forwarded: ClientRequest = {
    method: request.method,
    target: `${escapePath(path)}${query}` || '/',
    headers: forwardedHeaders(request, { isUpgrade, uri: `${rewriting.prefix}${escapePath(path)}` }),
    body: request.body,
  };
  const response = await exchange(context, target, forwarded, isUpgrade);
  return { form: 'response', response: await respond(request, response, rewriting) };
}

function redirection({ info }: RequestContext): Answer {
  const query = info.query.toString();
  const location = `${info.path}/${query === '' ? '' : `?${query}`}`;
  return { form: 'response', response: { status: 301, headers: [uncached, ['location', location]], body: undefined } };
}

/** There is no connection; the message is the one of Go's dialer. */
class BackendUnreachable extends Error {
  override readonly name = 'BackendUnreachable';
}

/** @throws StatusError 503, or 500 when the connection was to be switched */
async function exchange(context: RequestContext, target: ProxyTarget, sent: ClientRequest, isUpgrade: boolean): Promise<HttpResponse> {
  try {
    return target.kubelet ? await sendToKubelet(context, target.kubelet, sent) : await sendToNetwork(context, target, sent);
  } catch (error) {
    const problem = errorMessage(error);
    // A cause is logged: that of an unexpected error.
    const cause = error instanceof BackendUnreachable || error instanceof HttpError ? undefined : error;
    if (isUpgrade) throw new StatusError(500, '', `error dialing backend: ${problem}`, undefined, cause);
    throw new StatusError(503, 'ServiceUnavailable', `error trying to reach service: ${problem}`, undefined, cause);
  }
}

async function sendToNetwork({ server, request }: RequestContext, target: ProxyTarget, sent: ClientRequest): Promise<HttpResponse> {
  const { scheme, host, port } = target;
  const number = namedPorts.get(port) ?? Number(port);
  const dialer = server.dialer();
  if (!dialer || !Number.isInteger(number) || number > 65_535) throw new BackendUnreachable(dialProblem(host, port === '' ? scheme : port));
  const isSecure = scheme === 'https';
  const tls = isSecure ? { serverName: host, authorities: undefined } : undefined;
  const stream = await dialer.dial({ host, port: number || (isSecure ? 443 : 80), tls }, request.signal).catch((error: unknown) => {
    throw new BackendUnreachable(errorMessage(error), { cause: error });
  });
  try {
    return await sendHttp(stream, sent);
  } catch (error) {
    stream.abort(new Error('the exchange has failed'));
    throw error;
  }
}

/** The kubelet's HTTP server is a function. */
async function sendToKubelet(
  { request }: RequestContext,
  kubelet: NonNullable<ProxyTarget['kubelet']>,
  { method, target, headers, body }: ClientRequest,
): Promise<HttpResponse> {
  const answered = await kubelet.http({ method, target, headers: toRequestHeaders(headers), body, signal: request.signal });
  return { status: answered.status, headers: answered.headers, body: bytesOf(answered.body) };
}

function toRequestHeaders(lines: HeaderLines): RequestHeaders {
  return new Headers(lines.map(([name, value]) => [name, value] as [string, string]));
}

async function* bytesOf(body: ApiResponse['body']): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  if (body === undefined) return;
  const parts = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  for await (const part of parts) yield typeof part === 'string' ? encoder.encode(part) : part;
}

/** Passes the response of a backend on as it is. @throws StatusError 500 when the client's connection cannot be switched */
export function proxiedResponse(request: ApiRequest, { status, headers, body, upgraded }: HttpResponse): ApiResponse {
  if (upgraded) {
    if (!request.acceptsUpgrade) throw new StatusError(500, '', 'request connection cannot be hijacked');
    const serve = relayTo(upgraded);
    return {
      status,
      headers,
      body: undefined,
      upgrade: { kind: 'bytes', serve, cancel: () => upgraded.abort(new Error('the client has disconnected')) },
    };
  }
  // It may last, and is neither compressed nor limited in time.
  const response = { status, headers: [uncached, ...responseHeaders(headers)], isEventStream: true };
  return request.method === 'HEAD' || status === 204 || status === 304 ? { ...response, body: undefined } : { ...response, body };
}

async function respond(request: ApiRequest, backend: HttpResponse, rewriting: Rewriting): Promise<ApiResponse> {
  const proxied = proxiedResponse(request, backend);
  if (proxied.upgrade) return proxied;
  const location = proxied.headers.find(([name]) => name === 'location')?.[1];
  const headers = proxied.headers.map(([name, value]) => [name, name === 'location' ? rewriteUrl(value, rewriting) : value] as const);
  const response = { ...proxied, headers };
  if (response.body === undefined) return response;
  const isHtml = headers.some(([name, value]) => name === 'content-type' && value.split(';')[0]?.trim() === 'text/html');
  const isEncoded = headers.some(([name]) => name === 'content-encoding');
  if (!isHtml || isEncoded || location !== undefined) return response;
  const text = rewriteLinks(await textOf(backend.body), rewriting);
  return { status: response.status, headers: headers.filter(([name]) => name !== 'content-length'), body: text };
}

/** Copies both directions until one of them ends. */
function relayTo(backend: NonNullable<HttpResponse['upgraded']>): (client: NonNullable<HttpResponse['upgraded']>) => Promise<void> {
  return async (client) => {
    const copy = async (from: typeof client, to: typeof client): Promise<void> => {
      for await (const bytes of from.source) await to.sink.write(bytes);
    };
    // Broken connections end the relay, too.
    await Promise.race([copy(client, backend).catch(() => {}), copy(backend, client).catch(() => {})]);
    await Promise.all([client.sink.close(), backend.sink.close()]);
    backend.abort(new Error('the connection is closed'));
  };
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) text += decoder.decode(bytes, { stream: true });
  return text + decoder.decode();
}

/** Escapes a path as Go's URL.EscapedPath. */
function escapePath(path: string): string {
  return encodeURI(path).replace(/[?#!*'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
