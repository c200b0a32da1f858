import { errorMessage } from '../../env/index.ts';
import type { ApiResponse, Product, WebSocketConnection } from '../../meta/index.ts';
import type { PortForwarder } from '../kubelet-api.ts';
import type { PortForward } from '../stream-protocols.ts';
import { ChannelSocket } from './channel-socket.ts';
import { forwardPort } from './port-connection.ts';
import { plainText, switchToWebSocket } from './responses.ts';

/** The kubelet's subprotocols, and whether their messages are base64. */
const formats: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['v4.channel.k8s.io', false],
  ['v4.base64.channel.k8s.io', true],
]);

/** Forwards the ports of the request over pairs of channels: data, then errors. Both begin with the port. */
export async function forwardPortsOverChannels(offered: readonly string[], forward: PortForward, product: Product): Promise<ApiResponse> {
  const ports = readPorts(forward.ports);
  if (typeof ports === 'string') return plainText(400, ports);
  const forwarder = await forward.open();
  const names = new Map([...formats].map(([name, isBase64]) => [product.rename(name), isBase64]));
  const protocol = (offered.length === 0 ? [''] : offered).find((one) => names.has(one));
  if (protocol === undefined) return { status: 403, headers: [], body: undefined };
  const isBase64 = names.get(protocol) ?? false;
  return switchToWebSocket(protocol === '' ? undefined : protocol, (socket) => serve(socket, isBase64, forward, { forwarder, ports }));
}

/** The ports, or what is wrong with them in the kubelet's words. */
function readPorts(values: readonly string[]): readonly number[] | string {
  if (values.length === 0) return 'query parameter "port" is required';
  const ports: number[] = [];
  for (const port of values.flatMap((value) => value.split(','))) {
    if (Number(port) < 1) return `port ${JSON.stringify(port)} must be > 0`;
    ports.push(Number(port));
  }
  return ports;
}

interface Target {
  readonly forwarder: PortForwarder;
  readonly ports: readonly number[];
}

async function serve(socket: WebSocketConnection, isBase64: boolean, forward: PortForward, { forwarder, ports }: Target): Promise<void> {
  const channels = new ChannelSocket(socket, { isBase64, hasCloseSignal: false });
  const pairs = ports.map((port, at) => ({
    port,
    data: { source: channels.readable(2 * at), sink: channels.writable(2 * at) },
    errors: channels.writable(2 * at + 1),
  }));
  const received = channels.receive();
  for (const { port, data, errors } of pairs) {
    const bytes = Uint8Array.of(port & 0xff, port >> 8);
    await data.sink.write(bytes);
    await errors.write(bytes);
  }
  await Promise.all(
    pairs.map(({ port, data, errors }) =>
      forwardPort(forwarder, forward, port, data, channels.signal).catch(async (error: unknown) => {
        if (!channels.signal.aborted) await errors.write(new TextEncoder().encode(errorMessage(error)));
      }),
    ),
  );
  await channels.close();
  await received;
}
