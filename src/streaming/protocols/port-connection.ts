import { type ByteStream, errorMessage } from '../../env/index.ts';
import type { PortForwarder } from '../kubelet-api.ts';
import type { PortForward } from '../stream-protocols.ts';

/** Connects the client's stream with a port of the pod, until the pod ends the connection. @throws Error with upstream's text */
export async function forwardPort(
  forwarder: PortForwarder,
  { pod }: PortForward,
  port: number,
  client: Pick<ByteStream, 'source' | 'sink'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const connection = await forwarder.connect(port, signal);
    const stop = (): void => connection.abort(new Error('the client has disconnected'));
    signal.addEventListener('abort', stop, { once: true });
    try {
      // The pod may answer after the client has ended its direction, but not the other way around.
      void copy(client.source, connection.sink).catch(() => {});
      await copy(connection.source, client.sink);
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  } catch (error) {
    const reason = errorMessage(error);
    throw new Error(`error forwarding port ${port} to pod ${pod.name}, uid ${pod.uid}: ${reason}`, { cause: error });
  }
}

async function copy(source: ByteStream['source'], sink: ByteStream['sink']): Promise<void> {
  for await (const bytes of source) await sink.write(bytes);
  await sink.close();
}
