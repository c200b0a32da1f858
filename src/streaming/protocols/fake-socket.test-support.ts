import type { ApiResponse, WebSocketConnection, WebSocketMessage } from '../../meta/index.ts';

/** The client's end of a WebSocket in memory. */
export interface FakeClient {
  readonly received: WebSocketMessage[];
  send(message: WebSocketMessage): void;
  disconnect(): void;
  /** Resolves when the server has finished. */
  readonly served: Promise<void>;
}

/** Opens the WebSocket of a response. */
export function openFakeSocket({ upgrade }: ApiResponse): FakeClient {
  if (upgrade?.kind !== 'websocket') throw new Error('the response switches to no WebSocket');
  const received: WebSocketMessage[] = [];
  const sent: WebSocketMessage[] = [];
  let isClosed = false;
  let wake = (): void => {};
  const disconnection = new AbortController();
  const socket: WebSocketConnection = {
    signal: disconnection.signal,
    messages: (async function* () {
      for (;;) {
        const message = sent.shift();
        if (message !== undefined) yield message;
        else if (isClosed) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    })(),
    async send(message) {
      received.push(message);
    },
    async close() {
      isClosed = true;
      wake();
    },
  };
  return {
    received,
    send(message) {
      sent.push(message);
      wake();
    },
    disconnect() {
      disconnection.abort(new Error('the client has disconnected'));
      isClosed = true;
      wake();
    },
    served: upgrade.serve(socket),
  };
}

/** A binary message of a channel. */
export function onChannel(channel: number, text: string): Uint8Array {
  return Uint8Array.of(channel, ...new TextEncoder().encode(text));
}

/** Messages as texts after their channel: `1:output`. */
export function channelTexts(messages: readonly WebSocketMessage[]): string[] {
  return messages.map((message) =>
    typeof message === 'string' ? message : `${message[0]}:${new TextDecoder().decode(message.subarray(1))}`,
  );
}
