import { readText } from '../../client/index.ts';
import { objectsAt, recordAt, textAt } from '../../meta/index.ts';
import type { TerminalSession } from '../../shell/index.ts';
import { parseObject, toStatusError } from '../api/client.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { type Channels, openChannels } from './channels.ts';

export interface RemoteCommandRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly subresource: 'exec' | 'attach';
  readonly container: string;
  /** Empty for attach. */
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly tty: boolean;
}

/** The client, the streams and the terminal of a command. */
export type RemoteCommandCall = Pick<Call, 'api' | 'input' | 'out' | 'err' | 'signal'>;

const [stdin, stdout, stderr, errors, resize] = [0, 1, 2, 3, 4];
/** A message of this byte and a channel ends that channel. */
const closeSignal = 255;

/**
 * Runs a command in a container, or attaches to its process, and returns the exit code. Cf. client-go tools/remotecommand.
 *
 * @throws KubectlError, StatusError
 */
export async function runRemoteCommand(call: RemoteCommandCall, request: RemoteCommandRequest): Promise<number> {
  const { namespace, pod, subresource, container, command } = request;
  const client = await call.api();
  const query = {
    container,
    command,
    stdin: request.stdin ? 'true' : undefined,
    stdout: 'true',
    stderr: request.tty ? undefined : 'true',
    tty: request.tty ? 'true' : undefined,
  };
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/${subresource}`;
  const response = await client.send('GET', path, { query, webSocket: 'v5.channel.k8s.io' });
  const channels = openChannels(response);
  if (channels) return connect(call, request, channels);
  const body = await readText(response.body);
  // Without a WebSocket, kubectl falls back to SPDY, whose request is a POST: it needs another permission.
  if (response.status === 403) await client.read('POST', path, { query });
  if (response.status >= 400) throw toStatusError(response.status, body, 'GET');
  // A scripted response.
  call.out(body);
  return 0;
}

async function connect(call: RemoteCommandCall, request: RemoteCommandRequest, channels: Channels): Promise<number> {
  const terminal = request.stdin ? await call.input.terminal?.open(request.tty ? 'raw' : 'lines') : undefined;
  const disconnect = (): void => void channels.close();
  call.signal.addEventListener('abort', disconnect, { once: true });
  let status = '';
  try {
    if (request.stdin) void sendInput(call, channels, terminal);
    if (request.tty && terminal) void sendSizes(channels, terminal);
    await channels.receive((channel, bytes) => {
      if (channel === stdout) call.out(bytes);
      else if (channel === stderr) call.err(bytes);
      else if (channel === errors) {
        status += new TextDecoder().decode(bytes);
        // It is the last message.
        disconnect();
      }
    });
  } finally {
    call.signal.removeEventListener('abort', disconnect);
    terminal?.close();
  }
  return call.signal.aborted ? 130 : exitCode(call, status);
}

async function sendInput({ input }: RemoteCommandCall, channels: Channels, terminal: TerminalSession | undefined): Promise<void> {
  if (terminal) for await (const bytes of terminal.input) await channels.send(stdin, bytes);
  else for (let bytes = await input.read(); bytes; bytes = await input.read()) await channels.send(stdin, bytes);
  await channels.send(closeSignal, Uint8Array.of(stdin));
}

async function sendSizes(channels: Channels, { sizes }: TerminalSession): Promise<void> {
  for await (const { columns, rows } of sizes)
    await channels.send(resize, new TextEncoder().encode(JSON.stringify({ Width: columns, Height: rows })));
}

/** @throws KubectlError */
async function exitCode(call: RemoteCommandCall, text: string): Promise<number> {
  if (text === '') throw new KubectlError('error reading from error stream: EOF');
  const status = await parseObject(text);
  if (status['status'] === 'Success') return 0;
  if (status['reason'] !== 'NonZeroExitCode') throw new KubectlError(textAt(status, 'message'));
  const cause = objectsAt(recordAt(status, 'details'), 'causes').find((one) => one['reason'] === 'ExitCode');
  const code = Number(cause?.['message'] ?? 1);
  call.err(`command terminated with exit code ${code}\n`);
  return code;
}
