import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { createSecureServer, type Http2SecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Clock } from '../../env/index.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from '../../meta/index.ts';
import { Bursts } from './bursts.ts';
import type { ServerCertificate } from './certificate.ts';
import { type CertificatesOf, createCertificateReader, noCertificates } from './client-certificates.ts';
import { Departure } from './departure.ts';
import { NodeHeaders } from './node-headers.ts';
import { answerBefore, pathOf, refuseLikeGo } from './refusals.ts';
import { Turns } from './turns.ts';

export interface HttpServerOptions {
  readonly handle: ApiHandler;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly bindAddress: string;
  /** 0: any free port. */
  readonly port: number;
  /** Undefined: plain http. */
  readonly certificate: ServerCertificate | undefined;
  /** Whose certificates clients may show, in PEM; empty: they are not asked for any. */
  readonly clientAuthorities: string;
}

export interface RunningServer {
  readonly port: number;
  /** Takes no more connections, ends those that are open, and resolves when all are gone. */
  close(): Promise<void>;
}

/** How long a reader of a stream may take nothing at all before its connection is ended. */
const slowReaderMs = 30_000;

/** One byte more than the API takes: enough to know that a body is too large. */
const maxBodyBytes = 3 * 1024 * 1024 + 1;

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

/** Serves the API over https with HTTP/2 and HTTP/1.1, or over plain http. */
export async function startHttpServer(options: HttpServerOptions): Promise<RunningServer> {
  const open = new Set<Departure>();
  const certificatesOf = options.clientAuthorities === '' ? noCertificates : createCertificateReader();
  const answering = { handle: options.handle, certificatesOf, open, bursts: new Bursts(options.clock), turns: new Turns() };
  const listener = (incoming: Incoming, outgoing: Outgoing): void => {
    answer(answering, incoming, outgoing).catch(() => outgoing.destroy());
  };
  const server = options.certificate
    ? createSecureServer({ ...tlsOptions(options.certificate, options.clientAuthorities), allowHTTP1: true }, listener)
    : createServer({ requireHostHeader: false }, listener);
  refuseLikeGo(server);
  const sessions = trackConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.bindAddress, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const one of open) one.happen('the server is ending');
        sessions.end();
      }),
  };
}

/** Any certificate gets through: whether it holds is for authentication to say, which answers 401. */
function tlsOptions({ certificate, key }: ServerCertificate, clientAuthorities: string): TlsOptions {
  const asking = clientAuthorities === '' ? {} : { requestCert: true, rejectUnauthorized: false, ca: clientAuthorities };
  return { cert: certificate, key, ...asking };
}

interface Ending {
  destroy(): void;
}

/** Watches keep connections open for ever; the end of the server must end them. */
function trackConnections(server: Server | Http2SecureServer): { end(): void } {
  const live = new Set<Ending>();
  const track = (one: Ending & { once(event: 'close', run: () => void): unknown }): void => {
    live.add(one);
    one.once('close', () => live.delete(one));
  };
  server.on('connection', track);
  server.on('session', track);
  return {
    end() {
      // A turn for what was just ended to be written.
      setTimeout(() => {
        for (const one of live) one.destroy();
      }, 100).unref();
    },
  };
}

interface Answering {
  readonly handle: ApiHandler;
  readonly certificatesOf: CertificatesOf;
  readonly open: Set<Departure>;
  readonly bursts: Bursts;
  readonly turns: Turns;
}

async function answer({ handle, certificatesOf, open, bursts, turns }: Answering, incoming: Incoming, outgoing: Outgoing): Promise<void> {
  const before = answerBefore(incoming);
  if (before) return refuse(before, outgoing);
  const departure = new Departure();
  open.add(departure);
  outgoing.on('close', () => {
    open.delete(departure);
    departure.happen('the client has gone');
  });
  const body = hasBody(incoming) ? await readBody(incoming) : undefined;
  if (body === 'aborted') return;
  const response = await handle(new NodeRequest(incoming, certificatesOf(incoming), body, departure));
  // Who is alone on their way has nobody to be written to together with.
  if (open.size > 1) await turns.over();
  if (outgoing.destroyed) return stop(response);
  await send(response, outgoing, { departure, bursts });
}

function refuse({ reason, ...response }: NonNullable<ReturnType<typeof answerBefore>>, outgoing: Outgoing): void {
  // HTTP/2 has no words beside the code.
  if (outgoing instanceof ServerResponse) outgoing.statusMessage = reason;
  writeHead(response, outgoing, Buffer.byteLength(String(response.body)));
  outgoing.end(String(response.body));
}

/** Most requests have none, and need not be waited for. */
function hasBody(incoming: Incoming): boolean {
  if ('stream' in incoming) return !incoming.stream.endAfterHeaders;
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** An upload that breaks off never reaches the server: nothing half-written. */
function readBody(incoming: Incoming): Promise<Uint8Array | undefined | 'aborted'> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    incoming.on('data', (part: Buffer) => {
      size += part.length;
      // What is beyond the limit is read, so that the answer can be sent, but not kept.
      if (size - part.length < maxBodyBytes) parts.push(part);
    });
    incoming.on('end', () => resolve(parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts)));
    incoming.on('aborted', () => resolve('aborted'));
    incoming.on('error', () => resolve('aborted'));
  });
}

/** A request as it came; whoever asks for its signal gets one made. */
class NodeRequest implements ApiRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: NodeHeaders;
  readonly body: Uint8Array | undefined;
  readonly peer: NonNullable<ApiRequest['peer']>;
  readonly #departure: Departure;

  constructor(incoming: Incoming, certificates: readonly Uint8Array[], body: Uint8Array | undefined, departure: Departure) {
    const address = incoming.socket.remoteAddress;
    this.method = incoming.method ?? 'GET';
    this.target = pathOf(incoming.url ?? '/');
    this.headers = new NodeHeaders(incoming.headers, incoming.rawHeaders);
    this.body = body;
    this.peer = address === undefined ? { certificates } : { address, certificates };
    this.#departure = departure;
  }

  get signal(): AbortSignal {
    return this.#departure.signal;
  }
}

interface Sending {
  readonly departure: Departure;
  readonly bursts: Bursts;
}

async function send(response: ApiResponse, outgoing: Outgoing, { departure, bursts }: Sending): Promise<void> {
  const { body } = response;
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    writeHead(response, outgoing, body === undefined ? undefined : Buffer.byteLength(body));
    // Beside a text Node writes headers as UTF-8 too, and beside bytes as the bytes they are.
    const inBytes = typeof body === 'string' && response.headers.some(([name, value]) => name === 'warning' && /[\x80-\xff]/.test(value));
    (outgoing as ServerResponse).end(inBytes ? Buffer.from(body) : body);
    return;
  }
  writeHead(response, outgoing, undefined);
  await sendStream(body, outgoing, { gone: departure.signal, bursts });
}

function writeHead({ status, headers }: ApiResponse, outgoing: Outgoing, length: number | undefined): void {
  if (outgoing instanceof ServerResponse) {
    // One list, names and values in turn, is what Node writes with the least ado.
    const list = headers.flat();
    if (length !== undefined) list.push('content-length', String(length));
    outgoing.writeHead(status, list);
    return;
  }
  outgoing.statusCode = status;
  for (const [name, value] of headers) {
    // A name may come several times.
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
  outgoing: Outgoing,
  { gone, bursts }: { readonly gone: AbortSignal; readonly bursts: Bursts },
): Promise<void> {
  const iterator = body[Symbol.asyncIterator]();
  const end = (): void => void iterator.return?.();
  gone.addEventListener('abort', end, { once: true });
  if ('flushHeaders' in outgoing) outgoing.flushHeaders();
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    if (gone.aborted) break;
    if (!(outgoing as ServerResponse).write(next.value) && !(await drained(outgoing))) outgoing.destroy();
    await bursts.over();
  }
  gone.removeEventListener('abort', end);
  if (!outgoing.destroyed) outgoing.end();
}

/** False when the reader takes nothing for too long, and holds what is waiting for it. */
function drained(outgoing: Outgoing): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isDrained: boolean): void => {
      clearTimeout(timer);
      resolve(isDrained);
    };
    const timer = setTimeout(() => settle(false), slowReaderMs);
    outgoing.once('drain', () => settle(true));
    outgoing.once('close', () => settle(true));
  });
}

async function stop({ body }: ApiResponse): Promise<void> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return;
  await body[Symbol.asyncIterator]().return?.();
}
