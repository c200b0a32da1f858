import { type ByteStream, errorMessage, type MessageConnection } from '../../env/index.ts';
import type { WebSocketMessage } from '../../meta/index.ts';
import type { DialTarget, LogRequest, StreamCall } from '../../streaming/index.ts';

/** Path at which the thread of the nodes connects to the API server, which then sends it NodeCalls. Each parameter `node` is a name. */
export const nodesPath = '/~nodes';

/** What the API server requests from the thread of the nodes: the target of a request, as JSON. Failures are statuses with a message. */
export type NodeCall =
  | { readonly kind: 'logs'; readonly node: string; readonly request: LogRequest }
  /** The request has the headers of the client, and switches protocols. */
  | { readonly kind: 'streams'; readonly node: string; readonly call: StreamCall }
  /** A request to the kubelet's own server. */
  | { readonly kind: 'http'; readonly node: string; readonly target: string }
  /** Switches to a WebSocket with the bytes of a connection. */
  | { readonly kind: 'dial'; readonly to: DialTarget };

/** The status of a dial to an address where nothing accepts connections. */
export const notAccepted = 502;

/** Each end of a relayed connection ends its direction by an empty message. */
const endOfDirection = new Uint8Array();

/** A connection of bytes over messages. */
export function byteStreamOver(connection: MessageConnection<WebSocketMessage>): ByteStream {
  let open = 2;
  const endDirection = async (): Promise<void> => {
    if (--open === 0) await connection.close();
  };
  return {
    source: readBytes(connection.messages, endDirection),
    sink: {
      write: (bytes) =>
        connection.signal.aborted
          ? Promise.reject(new Error('broken pipe'))
          : bytes.length === 0
            ? Promise.resolve()
            : connection.send(bytes),
      async close() {
        await connection.send(endOfDirection);
        await endDirection();
      },
    },
    abort: () => void connection.close(),
  };
}

async function* readBytes(messages: AsyncIterable<WebSocketMessage>, onEnd: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for await (const message of messages) {
    if (message.length === 0) break;
    yield typeof message === 'string' ? new TextEncoder().encode(message) : message;
  }
  await onEnd();
}

/** Connects two byte streams, until both directions have ended or one end has failed. */
export async function relayBytes(one: ByteStream, other: ByteStream): Promise<void> {
  const copy = async (from: ByteStream, to: ByteStream): Promise<void> => {
    for await (const bytes of from.source) await to.sink.write(bytes);
    await to.sink.close();
  };
  try {
    await Promise.all([copy(one, other), copy(other, one)]);
  } catch (error) {
    const reason = new Error(errorMessage(error), { cause: error });
    one.abort(reason);
    other.abort(reason);
  }
}
