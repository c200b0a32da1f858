import type { Server } from 'node:http';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { Connection, Exchange } from './exchange.ts';

/** Limits of connections. Cf. upstream server/secure_serving.go; Go's server does not limit their number. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  readonly tlsHandshakeMs: number;
  /** Timeout of the request headers. */
  readonly headersMs: number;
  /** Timeout of a request with its body; the server's own timeout (504) is shorter. */
  readonly requestMs: number;
  /** Idle timeout between two requests. */
  readonly idleMs: number;
  /** Timeout for sending a response, once it has started. Watches are not limited. */
  readonly responseMs: number;
  /** Timeout for a client that reads nothing. */
  readonly stalledMs: number;
  /** Interval of the checks for idle connections and slow responses. */
  readonly sweepMs: number;
}

export const connectionLimits: ConnectionLimits = {
  maxConnections: 10_000,
  tlsHandshakeMs: 10_000,
  headersMs: 32_000,
  requestMs: 65_000,
  idleMs: 90_000,
  responseMs: 60_000,
  stalledMs: 30_000,
  sweepMs: 10_000,
};

/** Delay for the last writes of ended streams. */
const lastWritesMs = 100;

interface HttpTimeouts {
  keepAliveTimeout: number;
  maxConnections: number;
  headersTimeout: number;
  requestTimeout: number;
  connectionsCheckingInterval: number;
}

/**
 * Node's HTTP parser reads directly from the TLS connection, in native code. It pauses until the previous response is written, but still
 * receives records that were decrypted already, and rejects them: HPE_PAUSED, a 400 for a valid request. A data listener makes Node read
 * through the stream instead, which buffers them (node:_http_server, generateSocketListenerWrapper). It must be added at the start: Node
 * does not resume reading when it is added to a paused connection.
 */
function readThroughStream(socket: Socket): void {
  socket.on('data', () => {});
}

/** Tracks the connections of a server, enforces their limits, and closes them at shutdown. */
export class Connections {
  readonly #exchanges = new Set<Exchange>();
  readonly #limits: ConnectionLimits;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  /** Idle times of HTTP/2 sessions and HTTP/1.1 sockets, since their last exchange. */
  readonly #idleMs = new Map<Connection, number>();

  constructor(server: Server | Http2SecureServer, limits: ConnectionLimits) {
    this.#limits = limits;
    // Node also reads them for HTTP/1.1 connections to an HTTP/2 server, for which it has no defaults.
    const timeouts: HttpTimeouts = {
      maxConnections: limits.maxConnections,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      // A timer per response is too expensive; the sweep finds idle connections.
      keepAliveTimeout: 0,
      connectionsCheckingInterval: limits.sweepMs,
    };
    Object.assign(server, timeouts);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
      this.#watchIdle(session);
    });
    const isSecure = 'addContext' in server;
    server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket & { readonly alpnProtocol?: string | false | null }) => {
      if (socket.alpnProtocol === 'h2') return;
      this.#watchIdle(socket);
      if (isSecure) readThroughStream(socket);
    });
    const sweeps = setInterval(() => this.#sweep(), limits.sweepMs).unref();
    server.once('close', () => clearInterval(sweeps));
  }

  get exchangeCount(): number {
    return this.#exchanges.size;
  }

  add(exchange: Exchange): void {
    this.#exchanges.add(exchange);
  }

  remove(exchange: Exchange): void {
    this.#exchanges.delete(exchange);
    const { connection } = exchange;
    // Not once it is closed.
    if (connection && this.#idleMs.has(connection)) this.#idleMs.set(connection, 0);
  }

  /** Resolves when the requests in flight are answered, or after `graceMs`. Does not wait for new requests. */
  async drain(graceMs: number): Promise<void> {
    const underWay = [...this.#exchanges].filter(({ isEventStream }) => !isEventStream).map(({ ended }) => ended);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all(underWay), grace]);
    clearTimeout(timer);
  }

  /** Stops new requests on HTTP/2 connections (GOAWAY), and ends watches. */
  stopAccepting(): void {
    for (const session of this.#sessions) session.close();
    for (const exchange of this.#exchanges) if (exchange.isEventStream) exchange.end('the server is shutting down');
  }

  endAll(): void {
    for (const exchange of this.#exchanges) exchange.end('the server is shutting down');
    setTimeout(() => {
      for (const session of this.#sessions) session.destroy();
      for (const socket of this.#sockets) socket.destroy();
    }, lastWritesMs).unref();
  }

  #watchIdle(connection: Connection): void {
    this.#idleMs.set(connection, 0);
    connection.once('close', () => this.#idleMs.delete(connection));
  }

  #sweep(): void {
    const { sweepMs, responseMs, idleMs } = this.#limits;
    const inUse = new Set<unknown>();
    for (const exchange of this.#exchanges) {
      inUse.add(exchange.connection);
      const { outgoing } = exchange;
      if (outgoing.writableEnded && ++exchange.unsentSweeps * sweepMs > responseMs) exchange.abort();
    }
    for (const [connection, before] of this.#idleMs) {
      const now = inUse.has(connection) ? 0 : before + sweepMs;
      this.#idleMs.set(connection, now);
      // Connections with incomplete request headers count as idle, too.
      if (now > idleMs + sweepMs) connection.destroy();
      else if (now > idleMs && 'goaway' in connection) connection.close();
    }
  }
}
