import { createMessagePair, type MessageConnection } from '../../env/index.ts';
import type { ApiResponse, WebSocketMessage } from '../../meta/index.ts';

/** The client's end of a WebSocket whose messages begin with the number of their channel. */
export interface Channels {
  send(channel: number, bytes: Uint8Array): Promise<void>;
  /** Calls the listener with each message, until the server closes the connection. Rejects when it breaks. */
  receive(onMessage: (channel: number, bytes: Uint8Array) => void): Promise<void>;
  close(): Promise<void>;
}

/** Opens the WebSocket of a response; undefined: the response has none. */
export function openChannels({ upgrade }: ApiResponse): Channels | undefined {
  if (upgrade?.kind !== 'websocket') return undefined;
  const [server, client] = createMessagePair<WebSocketMessage>();
  const served = upgrade.serve(server).finally(() => server.close());
  return {
    send: (channel, bytes) => client.send(frameOf(channel, bytes)),
    close: () => client.close(),
    async receive(onMessage) {
      await Promise.all([dispatch(client, onMessage), served]);
    },
  };
}

async function dispatch(
  client: MessageConnection<WebSocketMessage>,
  onMessage: (channel: number, bytes: Uint8Array) => void,
): Promise<void> {
  for await (const message of client.messages) {
    const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : message;
    const [channel] = bytes;
    if (channel !== undefined) onMessage(channel, bytes.subarray(1));
  }
}

function frameOf(channel: number, bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(bytes.length + 1);
  frame[0] = channel;
  frame.set(bytes, 1);
  return frame;
}
