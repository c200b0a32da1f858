import { type ApiResponse, bytesToBase64, type Product, type WebSocketConnection } from '../../../meta/index.ts';

/** Subprotocols of a byte stream, and whether their messages are base64. Cf. upstream wsstream.NewDefaultReaderProtocols. */
const formats: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['binary.k8s.io', false],
  ['base64.binary.k8s.io', true],
]);

/** Sends a stream as the messages of a WebSocket. */
export function bytesOverWebSocket(offered: readonly string[], bytes: AsyncIterable<Uint8Array>, product: Product): ApiResponse {
  const names = new Map([...formats].map(([name, isBase64]) => [product.rename(name), isBase64]));
  const protocol = (offered.length === 0 ? [''] : offered).find((one) => names.has(one));
  const cancel = (): void => void bytes[Symbol.asyncIterator]().return?.();
  if (protocol === undefined) {
    cancel();
    return { status: 403, headers: [], body: undefined };
  }
  const isBase64 = names.get(protocol) ?? false;
  const serve = (socket: WebSocketConnection): Promise<void> => send(bytes, socket, isBase64);
  return {
    status: 101,
    headers: [],
    body: undefined,
    upgrade: { kind: 'websocket', protocol: protocol === '' ? undefined : protocol, serve, cancel },
  };
}

async function send(bytes: AsyncIterable<Uint8Array>, socket: WebSocketConnection, isBase64: boolean): Promise<void> {
  const iterator = bytes[Symbol.asyncIterator]();
  const encode = (chunk: Uint8Array): string | Uint8Array => (isBase64 ? bytesToBase64(chunk) : chunk);
  const closed = untilClosed(socket).then(() => iterator.return?.());
  // An empty message shows the client that the connection is established.
  await socket.send(encode(new Uint8Array()));
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) await socket.send(encode(next.value));
  await socket.close();
  await closed;
}

async function untilClosed({ messages }: WebSocketConnection): Promise<void> {
  for await (const _ of messages);
}
