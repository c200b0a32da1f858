import type { MessageConnection } from '../../env/index.ts';

/** The server's side of a connection that has switched protocols, at the client's end of a port. */
export interface SwitchedPort {
  readonly received: AsyncIterable<unknown>;
  send(message: unknown): void;
  close(): void;
}

/**
 * Passes messages on in both directions, until one side closes the connection. A module of its own: most pages never switch protocols.
 *
 * @typeParam Message what the protocol has; the messages of the server are not checked
 */
export async function relayMessages<Message>(client: MessageConnection<Message>, server: SwitchedPort): Promise<void> {
  const sendAll = async (): Promise<void> => {
    for await (const message of client.messages) server.send(message);
    server.close();
  };
  void sendAll();
  try {
    for await (const message of server.received) await client.send(message as Message);
  } finally {
    await client.close();
  }
}
