import { createMessagePair, type MessageConnection, messageSize } from '../../env/index.ts';
import type { ApiResponse, ProtocolSwitch, WebSocketMessage } from '../../meta/index.ts';
import type { ResponseMessage } from './port-messages.ts';
import type { ServedRequest } from './served-request.ts';

/** Serves a connection that has switched protocols, over a port, until it ends. */
export async function switchProtocols(
  { headers }: ApiResponse,
  upgrade: ProtocolSwitch,
  id: number,
  post: (message: ResponseMessage) => void,
  call: ServedRequest,
): Promise<void> {
  if (upgrade.kind === 'bytes') {
    upgrade.cancel();
    throw new Error('a message port cannot switch to a protocol of bytes');
  }
  post({ kind: 'switched', id, headers, to: upgrade.kind, protocol: upgrade.kind === 'websocket' ? upgrade.protocol : undefined });
  if (upgrade.kind === 'port') {
    const [server, client] = createMessagePair<unknown>();
    await Promise.all([upgrade.serve(server).finally(() => server.close()), relay(client, id, post, call)]);
  } else {
    const [server, client] = createMessagePair<WebSocketMessage>();
    await Promise.all([upgrade.serve(server).finally(() => server.close()), relay(client, id, post, call)]);
  }
  post({ kind: 'end', id });
}

/** Connects the client of the port with the server of a switched connection. */
async function relay<Message>(
  connection: MessageConnection<Message>,
  id: number,
  post: (message: ResponseMessage) => void,
  call: ServedRequest,
): Promise<void> {
  // Clients send what the protocol has.
  call.receive = (message) => void connection.send(message as Message);
  call.abort.signal.addEventListener('abort', () => void connection.close(), { once: true });
  for await (const message of connection.messages) {
    post({ kind: 'chunk', id, chunk: message });
    call.countSent(messageSize(message));
    await call.whenRead();
  }
}
