import type { MessageConnection } from '../../env/index.ts';
import type { Port } from './port-messages.ts';

/** A port over a connection of messages, which `run` receives until the connection is closed. */
export function createConnectionPort(connection: MessageConnection<unknown>): { readonly port: Port; run(): Promise<void> } {
  const listeners = new Set<(event: { readonly data: unknown }) => void>();
  return {
    port: {
      postMessage: (message) => void connection.send(message),
      addEventListener: (_, listener) => listeners.add(listener),
    },
    async run() {
      for await (const data of connection.messages) for (const listener of listeners) listener({ data });
    },
  };
}
