import { type ByteStream, errorMessage } from '../../env/index.ts';
import type { ApiResponse, Product, RequestHeaders, WebSocketConnection } from '../../meta/index.ts';
import type { PortForwarder } from '../kubelet-api.ts';
import type { PortForward } from '../stream-protocols.ts';
import { forwardPort } from './port-connection.ts';
import { plainText, switchToWebSocket } from './responses.ts';
import { headerDictionary } from './spdy/header-dictionary.ts';
import { SpdyConnection, type SpdyStream } from './spdy/spdy-connection.ts';
import type { SpdyOptions } from './spdy-remote-command.ts';
import { checkSpdy, negotiateSpdyProtocol, switchToSpdy } from './spdy-response.ts';

const protocolName = 'portforward.k8s.io';
const tunnelPrefix = 'SPDY/3.1+';

/** Forwards ports over SPDY: for each connection the client opens a data stream and an error stream. */
export async function forwardPortsOverSpdy(headers: RequestHeaders, forward: PortForward, options: SpdyOptions): Promise<ApiResponse> {
  const forwarder = await forward.open();
  const protocol = negotiateSpdyProtocol(headers, [options.product.rename(protocolName)]);
  if (typeof protocol !== 'string') return protocol;
  return checkSpdy(headers) ?? switchToSpdy(protocol, (stream) => serve(stream, forwarder, forward, options));
}

/** Whether a client offers SPDY within the messages of a WebSocket. */
export function offersTunnel(offered: readonly string[], product: Product): boolean {
  const suffix = product.rename('.k8s.io');
  return offered.some((one) => one.startsWith(tunnelPrefix) && one.endsWith(suffix));
}

/** The same within the binary messages of a WebSocket. */
export async function forwardPortsOverTunnel(offered: readonly string[], forward: PortForward, options: SpdyOptions): Promise<ApiResponse> {
  const forwarder = await forward.open();
  const supported = `${tunnelPrefix}${options.product.rename(protocolName)}`;
  if (!offered.includes(supported)) {
    const names = offered.filter((one) => one.startsWith(tunnelPrefix)).map((one) => one.slice(tunnelPrefix.length));
    const accepted = options.product.rename(protocolName);
    return plainText(
      403,
      `unable to upgrade: unable to negotiate protocol: client supports [${names.join(' ')}], server accepts [${accepted}]\n`,
    );
  }
  return switchToWebSocket(supported, (socket) => serve(streamOf(socket), forwarder, forward, options));
}

function streamOf(socket: WebSocketConnection): ByteStream {
  return {
    source: bytesOf(socket),
    sink: { write: (bytes) => socket.send(bytes), close: () => socket.close() },
    abort: () => void socket.close(),
  };
}

async function* bytesOf({ messages }: WebSocketConnection): AsyncGenerator<Uint8Array> {
  for await (const message of messages) if (typeof message !== 'string' && message.length > 0) yield message;
}

async function serve(
  stream: ByteStream,
  forwarder: PortForwarder,
  forward: PortForward,
  { createCompression }: SpdyOptions,
): Promise<void> {
  const pairs = new StreamPairs();
  const connection: SpdyConnection = new SpdyConnection(stream, createCompression(headerDictionary()), (one) => {
    const port = portOf(one);
    if (port === undefined) return false;
    const pair = pairs.add(one);
    if (pair) void connect(pair, port);
    return true;
  });
  const connect = async ({ data, error }: Pair, port: number): Promise<void> => {
    try {
      await forwardPort(forwarder, forward, port, data, connection.signal);
      await Promise.all([data.sink.close(), error.sink.close()]);
    } catch (reason) {
      if (connection.signal.aborted) return;
      await error.sink.write(new TextEncoder().encode(errorMessage(reason)));
      await error.sink.close();
      await Promise.all([data.reset(), error.reset()]);
    }
  };
  await connection.serve();
}

/** The port of a valid stream. Cf. upstream httpStreamReceived. */
function portOf({ headers }: SpdyStream): number | undefined {
  const port = headers.get('port') ?? '';
  const type = headers.get('streamtype') ?? '';
  const isValid = /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536 && (type === 'data' || type === 'error');
  return isValid ? Number(port) : undefined;
}

interface Pair {
  readonly data: SpdyStream;
  readonly error: SpdyStream;
}

/** Pairs the two streams of a connection by their request id. */
class StreamPairs {
  readonly #waiting = new Map<string, SpdyStream>();

  /** The pair, if this stream completes it. */
  add(stream: SpdyStream): Pair | undefined {
    const isData = stream.headers.get('streamtype') === 'data';
    // Old clients send no request id, but open the error stream just before the data stream.
    const id = stream.headers.get('requestid') ?? String(isData ? stream.id - 2 : stream.id);
    const other = this.#waiting.get(id);
    if (!other) {
      this.#waiting.set(id, stream);
      return undefined;
    }
    this.#waiting.delete(id);
    return isData ? { data: stream, error: other } : { data: other, error: stream };
  }
}
