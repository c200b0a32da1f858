import type { ByteStream, Clock } from '../../env/index.ts';
import type { ApiResponse, FeatureGates, Product, RequestHeaders } from '../../meta/index.ts';
import type { ContainerSession } from '../kubelet-api.ts';
import type { RemoteCommand } from '../stream-protocols.ts';
import { runSession } from './remote-session.ts';
import { kubeletStatus, type Outcome, statusText } from './session-status.ts';
import type { CreateHeaderCompression } from './spdy/header-compression.ts';
import { headerDictionary } from './spdy/header-dictionary.ts';
import { SpdyConnection, type SpdyStream } from './spdy/spdy-connection.ts';
import { checkSpdy, negotiateSpdyProtocol, switchToSpdy } from './spdy-response.ts';
import { readTerminalSizes } from './terminal-sizes.ts';

interface Version {
  readonly statusOf: (outcome: Outcome, command: RemoteCommand) => Uint8Array;
  readonly hasResize: boolean;
}

const versions: ReadonlyMap<string, Version> = new Map([
  ['v4.channel.k8s.io', { statusOf: kubeletStatus, hasResize: true }],
  ['v3.channel.k8s.io', { statusOf: statusText, hasResize: true }],
  ['v2.channel.k8s.io', { statusOf: statusText, hasResize: false }],
  ['channel.k8s.io', { statusOf: statusText, hasResize: false }],
]);

/** How long the client may take to close the connection after the server. */
const closeMs = 1000;

/** How long the client may take to open all streams. */
const streamCreationMs = 30_000;

export interface SpdyOptions {
  readonly product: Product;
  readonly featureGates: Pick<FeatureGates, 'enabled'>;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly createCompression: CreateHeaderCompression;
}

/** Runs a command over SPDY streams: error, stdin, stdout, stderr and resize. @throws KubeletError */
export async function remoteCommandOverSpdy(headers: RequestHeaders, command: RemoteCommand, options: SpdyOptions): Promise<ApiResponse> {
  const names = new Map([...versions].map(([name, version]) => [options.product.rename(name), version]));
  const session = await command.open(command.streams);
  const protocol = negotiateSpdyProtocol(headers, [...names.keys()]);
  if (typeof protocol !== 'string') return protocol;
  const refusal = checkSpdy(headers);
  const version = names.get(protocol);
  if (refusal || !version) return refusal ?? { status: 403, headers: [], body: undefined };
  return switchToSpdy(protocol, (stream) => serve(stream, version, command, { ...options, session }));
}

async function serve(
  stream: ByteStream,
  version: Version,
  command: RemoteCommand,
  { session, clock, createCompression }: SpdyOptions & { readonly session: ContainerSession },
): Promise<void> {
  const awaited = expectedStreams(version, command);
  const opened = new Map<string, SpdyStream>();
  let complete = (): void => {};
  const allOpened = new Promise<void>((resolve) => {
    complete = resolve;
  });
  const connection = new SpdyConnection(stream, createCompression(headerDictionary()), (one) => {
    const type = one.headers.get('streamtype') ?? '';
    if (awaited.has(type)) opened.set(type, one);
    if (opened.size === awaited.size) complete();
    return true;
  });
  const cancel = clock.schedule(streamCreationMs, () => stream.abort(new Error('timed out waiting for client to create streams')));
  const served = connection.serve();
  // A client that disconnects, or opens too few streams, ends the wait.
  await Promise.race([allOpened, served.catch(() => {})]);
  cancel();
  if (opened.size === awaited.size) await run(session, connection, opened, (outcome) => version.statusOf(outcome, command));
  const stopWaiting = clock.schedule(closeMs, () => stream.abort(new Error('the client does not close the connection')));
  await served;
  stopWaiting();
}

function expectedStreams({ hasResize }: Version, { streams }: RemoteCommand): ReadonlySet<string> {
  const { stdin, stdout, stderr, tty } = streams;
  const wanted = { error: true, stdin, stdout, stderr, resize: tty && hasResize };
  return new Set(Object.entries(wanted).flatMap(([name, isWanted]) => (isWanted ? [name] : [])));
}

function run(
  session: ContainerSession,
  connection: SpdyConnection,
  opened: ReadonlyMap<string, SpdyStream>,
  statusOf: (outcome: Outcome) => Uint8Array,
): Promise<void> {
  const [stdout, stderr, errors, resize] = ['stdout', 'stderr', 'error', 'resize'].map((name) => opened.get(name));
  return runSession(session, {
    signal: connection.signal,
    streams: {
      stdin: opened.get('stdin')?.source,
      stdout: stdout?.sink,
      stderr: stderr?.sink,
      resize: resize && readTerminalSizes(resize.source),
    },
    async writeOutcome(outcome) {
      const status = statusOf(outcome);
      if (connection.signal.aborted) return;
      await Promise.all([stdout?.sink.close(), stderr?.sink.close()]);
      if (status.length > 0) await errors?.sink.write(status);
      await errors?.sink.close();
    },
    close: () => connection.close(),
  });
}
