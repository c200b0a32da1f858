import type { EventEmitter } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import { constants, createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Clock, Log } from '../../../env/index.ts';
import type { ApiHandler, ApiResponse } from '../../../meta/index.ts';
import { type CertificatesOf, createCertificateReader, noCertificates } from '../auth/client-certificates.ts';
import type { ServerCertificate } from '../certificates/certificate.ts';
import { type TlsSettings, tlsOptions } from '../certificates/tls-options.ts';
import { switchProtocols } from '../upgrade/switch-protocols.ts';
import { listenForUpgrades, responseOf } from '../upgrade/upgrade-listener.ts';
import { type ConnectionLimits, Connections } from './connections.ts';
import { Exchange, type Incoming, type Outgoing, type UpgradableConnection } from './exchange.ts';
import { enableSocketLinger, rejectMalformedRequests, respondBeforeHandler } from './malformed-requests.ts';
import { NodeRequest } from './node-request.ts';
import { TickBatcher } from './tick-batcher.ts';
import { WriteBatcher } from './write-batcher.ts';

export interface HttpServerOptions {
  readonly handle: ApiHandler;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly log: Pick<Log, 'error'>;
  readonly bindAddress: string;
  /** 0: any free port. */
  readonly port: number;
  /** Undefined: plain HTTP. */
  readonly certificate: ServerCertificate | undefined;
  /** CAs of client certificates, in PEM; empty: client certificates are not requested. */
  readonly clientAuthorities: string;
  readonly tls: TlsSettings;
  readonly limits: ConnectionLimits;
  /** `--http2-max-streams-per-connection` */
  readonly maxHttp2Streams: number;
}

export interface RunningServer {
  readonly port: number;
  /** Resolves when the requests in flight are answered, or after `graceMs`; does not wait for watches. */
  drain(graceMs: number): Promise<void>;
  /** Stops listening, ends watches, waits up to `graceMs` for requests in flight, and resolves when all connections are closed. */
  close(graceMs?: number): Promise<void>;
}

/** Serves the API over https with HTTP/2 and HTTP/1.1, or over plain http. */
export async function startHttpServer(options: HttpServerOptions): Promise<RunningServer> {
  const server = options.certificate
    ? createSecureServer({
        ...tlsOptions(options.certificate, options.tls, options.clientAuthorities),
        handshakeTimeout: options.limits.tlsHandshakeMs,
        allowHTTP1: true,
        settings: { maxConcurrentStreams: options.maxHttp2Streams },
      })
    : createServer({ requireHostHeader: false });
  rejectMalformedRequests(server);
  const connections = new Connections(server, options.limits);
  const context: ServerContext = {
    handle: options.handle,
    certificatesOf: options.clientAuthorities === '' ? noCertificates : createCertificateReader(),
    connections,
    limits: options.limits,
    writeBatcher: new WriteBatcher(options.clock),
    tickBatcher: new TickBatcher(),
    isClosing: false,
  };
  const listener = (incoming: Incoming, outgoing: Outgoing): void => {
    handleExchange(context, incoming, outgoing).catch((error: unknown) =>
      options.log.error('answer failed', { target: incoming.url, error }),
    );
  };
  server.on('request', listener);
  listenForUpgrades(server, (upgradable) => {
    const { incoming } = upgradable;
    handleExchange(context, incoming, responseOf(upgradable), upgradable).catch((error: unknown) =>
      options.log.error('answer failed', { target: incoming.url, error }),
    );
  });
  // The 100 Continue is sent when the body is read.
  server.on('checkContinue', listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.bindAddress, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    drain: (graceMs) => connections.drain(graceMs),
    async close(graceMs = options.limits.responseMs) {
      context.isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      connections.stopAccepting();
      await connections.drain(graceMs);
      connections.endAll();
      await closed;
    },
  };
}

interface ServerContext {
  readonly handle: ApiHandler;
  readonly certificatesOf: CertificatesOf;
  readonly connections: Connections;
  readonly limits: ConnectionLimits;
  readonly writeBatcher: WriteBatcher;
  readonly tickBatcher: TickBatcher;
  isClosing: boolean;
}

async function handleExchange(
  context: ServerContext,
  incoming: Incoming,
  outgoing: Outgoing,
  upgradable?: UpgradableConnection,
): Promise<void> {
  const { certificatesOf, connections } = context;
  const before = respondBeforeHandler(incoming);
  if (before) return sendError(before, outgoing);
  const exchange = new Exchange(incoming, outgoing, upgradable);
  connections.add(exchange);
  const connection: EventEmitter = upgradable?.socket ?? outgoing;
  connection.on('close', () => {
    connections.remove(exchange);
    exchange.end('the client has disconnected');
  });
  const request = new NodeRequest(incoming, certificatesOf(incoming), exchange);
  try {
    await respond(context, request, incoming, exchange);
  } catch (error) {
    exchange.abort();
    throw error;
  }
}

async function respond(context: ServerContext, request: NodeRequest, incoming: Incoming, exchange: Exchange): Promise<void> {
  const { handle, connections, tickBatcher } = context;
  const { outgoing } = exchange;
  const response = await handle(request);
  // A single exchange has no others to batch its write with.
  if (connections.exchangeCount > 1) await tickBatcher.endOfTick();
  if (exchange.isEnded) return cancelResponse(response);
  if (response.upgrade && exchange.upgradable) return await switchProtocols(response, response.upgrade, exchange.upgradable, exchange);
  if (request.bodyIsUnread) discardBody(request, incoming);
  const endsConnection = request.endsConnection || context.isClosing;
  await sendResponse(withConnection(response, outgoing, endsConnection), exchange, context);
}

/** Discards the rest of an unread body. */
function discardBody(request: NodeRequest, incoming: Incoming): void {
  if ('stream' in incoming) {
    discardHttp2Body(incoming);
  } else {
    incoming.resume();
    if (request.endsConnection) enableSocketLinger(incoming.socket);
  }
}

/**
 * Closes the stream after the response, as Go does. Node flushes written data before RST_STREAM, but not the empty DATA frame with
 * END_STREAM that follows 'finish', without which clients report a stream error instead of the response. When that frame waits for a
 * slow connection, the body is discarded until the client or the sweep of slow responses ends the stream.
 */
function discardHttp2Body({ stream }: Http2ServerRequest): void {
  stream.once('finish', () =>
    setImmediate(() => {
      if (stream.state.localClose === 1) stream.close(constants.NGHTTP2_NO_ERROR);
      else stream.resume();
    }),
  );
}

/** Adds `connection: close`. HTTP/2 has no such header: the session is closed by GOAWAY instead. */
function withConnection(response: ApiResponse, outgoing: Outgoing, endsConnection: boolean): ApiResponse {
  const hasConnectionHeader = response.headers.some(([name]) => name === 'connection');
  if (outgoing instanceof ServerResponse) {
    // Go sends no keep-alive headers.
    if (outgoing.shouldKeepAlive && outgoing.req.httpVersion === '1.1') outgoing.removeHeader('connection');
    return endsConnection && !hasConnectionHeader ? { ...response, headers: [...response.headers, ['connection', 'close']] } : response;
  }
  if (!hasConnectionHeader) return response;
  const { session } = outgoing.stream;
  outgoing.stream.once('close', () => session?.close());
  return { ...response, headers: response.headers.filter(([name]) => name !== 'connection') };
}

function sendError({ reason, ...response }: NonNullable<ReturnType<typeof respondBeforeHandler>>, outgoing: Outgoing): void {
  // HTTP/2 has no reason phrase.
  if (outgoing instanceof ServerResponse) outgoing.statusMessage = reason;
  writeHead(response, outgoing, Buffer.byteLength(String(response.body)));
  outgoing.end(String(response.body));
}

async function sendResponse(response: ApiResponse, exchange: Exchange, context: ServerContext): Promise<void> {
  const { body } = response;
  const { outgoing } = exchange;
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    writeHead(response, outgoing, body === undefined ? undefined : Buffer.byteLength(body));
    // With a string body Node encodes the headers as UTF-8, too; with a byte body as latin1.
    const inBytes = typeof body === 'string' && response.headers.some(([name, value]) => name === 'warning' && /[\x80-\xff]/.test(value));
    (outgoing as ServerResponse).end(inBytes ? Buffer.from(body) : body);
    return;
  }
  exchange.isEventStream = response.isEventStream ?? false;
  writeHead(response, outgoing, undefined);
  // A watch that starts during shutdown is ended at once.
  if (exchange.isEventStream && context.isClosing) exchange.end('the server is shutting down');
  await sendStream(body, exchange, context);
}

function writeHead({ status, headers }: ApiResponse, outgoing: Outgoing, length: number | undefined): void {
  if (outgoing instanceof ServerResponse) {
    // Node's reason phrases are Go's, except for this one.
    if (status === 413) outgoing.statusMessage = 'Request Entity Too Large';
    // A flat list of names and values is the fastest form for Node.
    const list = headers.flat();
    if (length !== undefined) list.push('content-length', String(length));
    outgoing.writeHead(status, list);
    return;
  }
  outgoing.statusCode = status;
  for (const [name, value] of headers) {
    // The `warning` header may occur several times.
    if (name === 'warning') appendHeader(outgoing, name, value);
    else outgoing.setHeader(name, value);
  }
  if (length !== undefined) outgoing.setHeader('content-length', length);
}

function appendHeader(outgoing: Http2ServerResponse, name: string, value: string): void {
  const before = outgoing.getHeader(name);
  outgoing.setHeader(name, before === undefined ? value : [...(Array.isArray(before) ? before : [String(before)]), value]);
}

async function sendStream(
  body: AsyncIterable<string | Uint8Array>,
  exchange: Exchange,
  { limits: { stalledMs, responseMs }, writeBatcher }: ServerContext,
): Promise<void> {
  const { outgoing, signal, isEventStream } = exchange;
  const iterator = body[Symbol.asyncIterator]();
  const end = (): void => void iterator.return?.();
  signal.addEventListener('abort', end, { once: true });
  const tooSlow = isEventStream ? undefined : setTimeout(() => exchange.abort(), responseMs);
  try {
    if ('flushHeaders' in outgoing) outgoing.flushHeaders();
    for (let next = await iterator.next(); !next.done && !exchange.isEnded; next = await iterator.next()) {
      if (!(outgoing as ServerResponse).write(next.value) && !(await waitForDrain(exchange, stalledMs))) exchange.abort();
      if (isEventStream) await writeBatcher.nextFlush();
    }
  } finally {
    clearTimeout(tooSlow);
    signal.removeEventListener('abort', end);
    await iterator.return?.();
  }
  if (!outgoing.destroyed) outgoing.end();
}

/** Waits until the client has read the buffered data; false after `stalledMs`. */
function waitForDrain({ outgoing, isEnded }: Exchange, stalledMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    if (isEnded) return resolve(true);
    const settle = (isDrained: boolean): void => {
      clearTimeout(timer);
      outgoing.off('drain', drain);
      outgoing.off('close', drain);
      resolve(isDrained);
    };
    const drain = (): void => settle(true);
    const timer = setTimeout(() => settle(false), stalledMs);
    outgoing.once('drain', drain);
    outgoing.once('close', drain);
  });
}

async function cancelResponse({ body, upgrade }: ApiResponse): Promise<void> {
  upgrade?.cancel();
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return;
  await body[Symbol.asyncIterator]().return?.();
}
