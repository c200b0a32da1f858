import { type ApiResponse, isWebSocketRequest, type RequestHeaders, type WebSocketConnection } from '../../meta/index.ts';
import { type ContainerSession, KubeletError, KubeletUnreachable, type SessionStreams } from '../kubelet-api.ts';
import type { RemoteCommand } from '../stream-protocols.ts';
import { ChannelSocket } from './channel-socket.ts';
import { runSession } from './remote-session.ts';
import { switchToWebSocket } from './responses.ts';
import { kubeletStatus, type Outcome, refusedStatus, statusText, translatedStatus } from './session-status.ts';
import type { SpdyOptions } from './spdy-remote-command.ts';
import { readTerminalSizes } from './terminal-sizes.ts';

const [stdin, stdout, stderr, errors, resize] = [0, 1, 2, 3, 4];

/** A subprotocol without the ending `channel.k8s.io`. */
interface Version {
  readonly isBase64: boolean;
  readonly statusOf: (outcome: Outcome, command: RemoteCommand) => Uint8Array;
}

/** The kubelet's subprotocols; version 5 is translated by the API server. */
const versions: ReadonlyMap<string, Version> = new Map([
  ['', { isBase64: false, statusOf: statusText }],
  ['channel.k8s.io', { isBase64: false, statusOf: statusText }],
  ['base64.channel.k8s.io', { isBase64: true, statusOf: statusText }],
  ['v4.channel.k8s.io', { isBase64: false, statusOf: kubeletStatus }],
  ['v4.base64.channel.k8s.io', { isBase64: true, statusOf: kubeletStatus }],
]);
const translated = 'v5.channel.k8s.io';

/** Runs a command over the channels of a WebSocket. Undefined: the request is for no WebSocket. @throws KubeletError */
export async function remoteCommandOverWebSocket(
  headers: RequestHeaders,
  offered: readonly string[],
  command: RemoteCommand,
  { product, featureGates }: Pick<SpdyOptions, 'product' | 'featureGates'>,
): Promise<ApiResponse | undefined> {
  if (!isWebSocketRequest(headers)) return undefined;
  if (featureGates.enabled('TranslateStreamCloseWebsocketRequests') && offered.includes(product.rename(translated)))
    return switchToWebSocket(product.rename(translated), (socket) => serveTranslated(socket, command));
  const names = new Map([...versions.keys()].map((name) => [product.rename(name), name]));
  const protocol = (offered.length === 0 ? [''] : offered).find((one) => names.has(one));
  const version = versions.get(names.get(protocol ?? '-') ?? '-');
  // The handshake of golang.org/x/net/websocket.
  if (protocol === undefined || !version) return { status: 403, headers: [], body: undefined };
  const session = await command.open(command.streams);
  return switchToWebSocket(protocol === '' ? undefined : protocol, (socket) => {
    const channels = new ChannelSocket(socket, { isBase64: version.isBase64, hasCloseSignal: false });
    return serve(channels, command, (streams) => runOver(channels, session, streams, (outcome) => version.statusOf(outcome, command)));
  });
}

/** kube-apiserver accepts the WebSocket first, and reports everything else on the error channel. */
function serveTranslated(socket: WebSocketConnection, command: RemoteCommand): Promise<void> {
  const channels = new ChannelSocket(socket, { isBase64: false, hasCloseSignal: true });
  return serve(channels, command, async (streams) => {
    try {
      const session = await command.open(command.streams);
      await runOver(channels, session, streams, (outcome) => translatedStatus(outcome, command));
    } catch (error) {
      if (!(error instanceof KubeletError || error instanceof KubeletUnreachable)) throw error;
      await channels.writable(errors).write(refusedStatus(error));
      await channels.close();
    }
  });
}

async function serve(channels: ChannelSocket, { streams }: RemoteCommand, run: (streams: SessionStreams) => Promise<void>): Promise<void> {
  const input = streams.stdin ? channels.readable(stdin) : undefined;
  const sizes = channels.readable(resize);
  const received = channels.receive();
  const first = streams.stdout ? stdout : streams.stderr ? stderr : errors;
  // An empty message shows the client that the connection is established.
  await channels.writable(first).write(new Uint8Array());
  await run({
    stdin: input,
    stdout: streams.stdout ? channels.writable(stdout) : undefined,
    stderr: streams.stderr ? channels.writable(stderr) : undefined,
    resize: streams.tty ? readTerminalSizes(sizes) : undefined,
  });
  await received;
}

function runOver(
  channels: ChannelSocket,
  session: ContainerSession,
  streams: SessionStreams,
  statusOf: (outcome: Outcome) => Uint8Array,
): Promise<void> {
  return runSession(session, {
    streams,
    signal: channels.signal,
    async writeOutcome(outcome) {
      const status = statusOf(outcome);
      if (status.length > 0 && !channels.signal.aborted) await channels.writable(errors).write(status);
    },
    close: () => channels.close(),
  });
}
