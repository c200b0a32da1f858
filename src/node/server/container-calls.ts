import type { ByteSink } from '../../env/index.ts';
import { type ApiResponse, concatBytes, parseTime, TimeError } from '../../meta/index.ts';
import { type ContainerTarget, type KubeletApi, KubeletError, type LogRequest } from '../../streaming/index.ts';
import { nosniff, plain } from './responses.ts';

/** How the HTTP server of a kubelet reaches the containers of its node. */
export type Containers = Pick<KubeletApi, 'containerLogs' | 'exec' | 'attach' | 'portForward'>;

/** A request about a container: `namespace/pod/container` or `namespace/pod/uid/container`. */
export interface ContainerCall {
  readonly containers: Containers;
  /** The segments of the path below its root. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
}

type LogOptions = Omit<LogRequest, keyof ContainerTarget>;

/** Cf. pkg/kubelet/server getContainerLogs. */
export async function containerLogs(call: ContainerCall): Promise<ApiResponse> {
  const options = readLogOptions(call.query);
  if (options === undefined) return plain(400, '{"message": "Unable to decode query."}');
  if (!isValid(options, call.query)) return plain(422, '{"message": "Invalid request."}');
  const stream = call.query.get('stream') ?? 'All';
  return answer(async () => {
    const { containers, signal } = call;
    // The feature PodLogsQuerySplitStreams is disabled; the pod and the container are looked up before.
    const log = await containers.containerLogs({ ...targetOf(call), ...options }, signal);
    const why = 'Please enable PodLogsQuerySplitStreams feature gate in kubelet';
    if (stream !== 'All') return plain(400, `unable to return the given log stream: ${JSON.stringify(stream)}. ${why}`);
    return { status: 200, headers: [['content-type', 'text/plain; charset=utf-8']], body: log, isEventStream: true };
  });
}

/** Runs a command, and answers with its output. Cf. pkg/kubelet/server getRun. */
export async function runCommand(call: ContainerCall): Promise<ApiResponse> {
  const command = (call.query.get('cmd') ?? '').split(' ');
  return answer(async () => {
    const target = { ...targetOf(call), command, stdin: false, stdout: true, stderr: true, tty: false };
    const session = await call.containers.exec(target);
    const [output, errors]: [Uint8Array[], Uint8Array[]] = [[], []];
    const { exitCode } = await session
      .run({ stdin: undefined, stdout: collect(output), stderr: collect(errors), resize: undefined }, call.signal)
      .catch((error: Error) => {
        throw new KubeletError(500, `rpc error: code = Unknown desc = ${error.message}`);
      });
    if (exitCode !== 0) {
      const reason = new TextDecoder().decode(concatBytes(errors));
      return plain(500, `command '${command.join(' ')}' exited with ${exitCode}: ${reason}`);
    }
    const body = concatBytes([...output, ...errors]);
    return body.length === 0
      ? { status: 200, headers: [], body: undefined }
      : { status: 200, headers: [['content-type', 'application/json']], body };
  });
}

/** A request for exec or attach that does not switch protocols. Cf. getExec, getAttach, remotecommand NewOptions. */
export async function refuseCommand(call: ContainerCall, verb: 'exec' | 'attach'): Promise<ApiResponse> {
  const wants = (name: string): boolean => call.query.get(name) === '1';
  const [tty, stdin, stdout] = [wants('tty'), wants('input'), wants('output')];
  const stderr = wants('error') && !tty;
  if (!stdin && !stdout && !stderr) return plain(400, 'you must specify at least 1 of stdin, stdout, stderr');
  return answer(async () => {
    const target = { ...targetOf(call), stdin, stdout, stderr, tty };
    if (verb === 'attach') await call.containers.attach(target);
    else await call.containers.exec({ ...target, command: call.query.getAll('command') });
    return upgradeRequired();
  });
}

/** Cf. getPortForward. */
export async function refusePortForward(call: ContainerCall): Promise<ApiResponse> {
  const [namespace = '', name = '', uid = ''] = call.segments;
  return answer(async () => {
    await call.containers.portForward({ namespace, name, uid });
    return upgradeRequired();
  });
}

/** Cf. apimachinery proxy UpgradeAwareHandler, and responder of the kubelet's server. */
const upgradeRequired = (): ApiResponse => plain(500, 'Upgrade request required\n', nosniff);

async function answer(serve: () => Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    return await serve();
  } catch (error) {
    if (error instanceof KubeletError) return plain(error.status, error.message);
    throw error;
  }
}

function targetOf({ segments }: ContainerCall): ContainerTarget {
  const [namespace = '', name = ''] = segments;
  return { namespace, name, container: segments.at(-1) ?? '', uid: segments.length > 3 ? (segments[2] ?? '') : '' };
}

/** Undefined: a number or a time cannot be read. `tail` is the old name of `tailLines`. */
function readLogOptions(query: URLSearchParams): LogOptions | undefined {
  const tail = query.get('tail') || undefined;
  const integers = [tail ?? query.get('tailLines'), query.get('sinceSeconds'), query.get('limitBytes')].map((text) =>
    text === null || text === 'all' ? undefined : /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN,
  );
  const [tailLines, sinceSeconds, limitBytes] = integers;
  const sinceTime = readTime(query.get('sinceTime'));
  if ([...integers, sinceTime].some(Number.isNaN)) return undefined;
  const isTrue = (name: string): boolean => query.has(name) && !/^(false|0)$/i.test(query.get(name) ?? '');
  const [follow, previous, timestamps] = [isTrue('follow'), isTrue('previous'), isTrue('timestamps')];
  return { follow, previous, timestamps, sinceSeconds, sinceTime, tailLines, limitBytes, stream: 'All' };
}

function readTime(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  try {
    return parseTime(text);
  } catch (error) {
    if (error instanceof TimeError) return Number.NaN;
    throw error;
  }
}

/** Cf. pkg/apis/core/v1/validation ValidatePodLogOptions. */
function isValid({ tailLines, limitBytes, sinceSeconds, sinceTime }: LogOptions, query: URLSearchParams): boolean {
  const stream = query.get('stream') ?? 'All';
  if (tailLines !== undefined && (tailLines < 0 || stream !== 'All')) return false;
  if (limitBytes !== undefined && limitBytes < 1) return false;
  if (sinceSeconds !== undefined && (sinceSeconds < 1 || sinceTime !== undefined)) return false;
  return ['All', 'Stdout', 'Stderr'].includes(stream);
}

/** Limit of the output of a command, as of containerd for ExecSync; the rest is dropped. */
const maxOutputBytes = 16 * 1024 * 1024;

/** Adds what is written to `chunks`. */
function collect(chunks: Uint8Array[]): ByteSink {
  let free = maxOutputBytes;
  return {
    async write(chunk) {
      if (free > 0) chunks.push(chunk.slice(0, free));
      free -= chunk.length;
    },
    close: async () => undefined,
  };
}
