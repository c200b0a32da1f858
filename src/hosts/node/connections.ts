import type { Server } from 'node:http';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { Exchange } from './exchange.ts';

/** What connections may take. Cf. upstream server/secure_serving.go; Go's server has no limit of their number. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  readonly tlsHandshakeMs: number;
  /** For the head of a request. */
  readonly headersMs: number;
  /** For a request with its body; the server itself has given up before (504). */
  readonly requestMs: number;
  /** Between two requests. */
  readonly idleMs: number;
  /** How long an answer may take to be sent, once it begins. Watches may take any time. */
  readonly responseMs: number;
  /** How long a reader may take nothing at all. */
  readonly stalledMs: number;
  /** How often connections are looked at for the two before. */
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

/** Time for what was just ended to be written. */
const lastWritesMs = 100;

interface HttpTimeouts {
  keepAliveTimeout: number;
  maxConnections: number;
  headersTimeout: number;
  requestTimeout: number;
  connectionsCheckingInterval: number;
}

/**
 * Node's parser reads straight from the TLS connection, in native code. While the answer before is not written yet it pauses, but it is
 * still given the records that were decrypted already, and refuses them: HPE_PAUSED, a 400 for a good request. A listener for data makes
 * Node read through the stream instead, which holds them back (node:_http_server, generateSocketListenerWrapper). It has to be there from
 * the beginning: Node does not start to read again when it is added to a paused connection.
 */
function readThroughStream(socket: Socket): void {
  socket.on('data', () => {});
}

/** Keeps the connections of a server within their limits, and ends them with it. */
export class Connections {
  readonly exchanges: Set<Exchange> = new Set();
  readonly #limits: ConnectionLimits;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  /** Sessions of HTTP/2 and sockets of HTTP/1.1, with how long nothing has been asked on them. */
  readonly #idleMs = new Map<ServerHttp2Session | Socket, number>();

  constructor(server: Server | Http2SecureServer, limits: ConnectionLimits) {
    this.#limits = limits;
    // Node reads them from there also for connections of HTTP/1.1 to a server of HTTP/2, for which it has no defaults.
    const timeouts: HttpTimeouts = {
      maxConnections: limits.maxConnections,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      // A timer for each answer costs too much: idle connections are found by the sweep.
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

  /** Resolves when the requests that are under way are answered, or after `graceMs`. New ones are not waited for. */
  async drain(graceMs: number): Promise<void> {
    const underWay = [...this.exchanges].filter(({ isEventStream }) => !isEventStream).map(({ ended }) => ended);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all(underWay), grace]);
    clearTimeout(timer);
  }

  /** No more requests on the connections of HTTP/2 (GOAWAY), and no more events. */
  stopTaking(): void {
    for (const session of this.#sessions) session.close();
    for (const exchange of this.exchanges) if (exchange.isEventStream) exchange.end('the server is shutting down');
  }

  endAll(): void {
    for (const exchange of this.exchanges) exchange.end('the server is shutting down');
    setTimeout(() => {
      for (const session of this.#sessions) session.destroy();
      for (const socket of this.#sockets) socket.destroy();
    }, lastWritesMs).unref();
  }

  #watchIdle(connection: ServerHttp2Session | Socket): void {
    this.#idleMs.set(connection, 0);
    connection.once('close', () => this.#idleMs.delete(connection));
  }

  #sweep(): void {
    const { sweepMs, responseMs, idleMs } = this.#limits;
    const inUse = new Set<unknown>();
    for (const exchange of this.exchanges) {
      inUse.add(exchange.connection);
      const { outgoing } = exchange;
      if (outgoing.writableEnded && ++exchange.timesFoundUnsent * sweepMs > responseMs) exchange.abort();
    }
    for (const [connection, before] of this.#idleMs) {
      const now = inUse.has(connection) ? 0 : before + sweepMs;
      this.#idleMs.set(connection, now);
      // Who has sent half a head, or nothing at all, is no better than idle.
      if (now > idleMs + sweepMs) connection.destroy();
      else if (now > idleMs && 'goaway' in connection) connection.close();
    }
  }
}
