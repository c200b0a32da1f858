import { readText } from '../../client/index.ts';
import { ByteQueue, type ByteStream } from '../../env/index.ts';
import { sendHttp } from '../../http/index.ts';
import type { ApiHandler } from '../../meta/index.ts';
import { type ApiClient, toStatusError } from '../api/client.ts';
import { openChannels } from './channels.ts';

export interface ForwardedPort {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly pod: string;
  /** Port of the pod. */
  readonly port: number;
  /** Called with each error of the pod's side. */
  readonly onError: (message: string) => void;
}

/** Sends requests to a port of a pod, each over a connection of its own. */
export function createForwardedPort(forwarded: ForwardedPort): ApiHandler {
  return async ({ method, target, headers, body }) => {
    const stream = await connect(forwarded);
    const lines = [...headers].filter(([name]) => name !== 'connection').map(([name, value]) => [name, value] as const);
    const response = await sendHttp(stream, { method, target, headers: [...lines, ['connection', 'close']], body });
    return { status: response.status, headers: response.headers, body: response.body };
  };
}

const [data, errors] = [0, 1];

/** Cf. kubelet portforward websocket.go: each channel begins with the port. @throws StatusError */
async function connect({ client, namespace, pod, port, onError }: ForwardedPort): Promise<ByteStream> {
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/portforward`;
  const response = await client.send('GET', path, { query: { ports: String(port) }, webSocket: 'v4.channel.k8s.io' });
  const channels = openChannels(response);
  if (!channels) throw toStatusError(response.status, await readText(response.body), 'GET');
  const source = new ByteQueue();
  const begun = new Set<number>();
  const receive = async (): Promise<void> => {
    await channels.receive((channel, bytes) => {
      // The first message is the port.
      if (!begun.has(channel)) begun.add(channel);
      else if (channel === data) void source.push(bytes);
      else if (channel === errors) onError(new TextDecoder().decode(bytes));
    });
    source.end();
  };
  void receive().catch((error: unknown) => source.fail(error instanceof Error ? error : new Error(String(error))));
  return {
    source,
    // The protocol cannot end a single direction.
    sink: { write: (bytes) => channels.send(data, bytes), close: async () => {} },
    abort: (reason) => {
      source.fail(reason);
      void channels.close();
    },
  };
}
