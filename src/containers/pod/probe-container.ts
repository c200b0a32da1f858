import { errorMessage } from '../../env/index.ts';
import type { HttpResponse } from '../../http/index.ts';
import { formatDuration, joinHostPort } from '../../meta/index.ts';
import { NetworkError } from '../../network/index.ts';
import type { ProbeOutcome } from '../../node/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { type Connect, callHttp, responseText } from '../network/http-call.ts';
import type { Listeners } from '../process/listeners.ts';

/** Bytes of the output of a probe. Cf. pkg/probe maxRespBodyLength. */
const maxOutput = 10 * 1024;

export interface ProbeTarget {
  readonly container: corev1.Container;
  readonly podIP: string;
  readonly listeners: Listeners;
  /** Connects from the node. */
  readonly connect: Connect;
  /** Undefined: it takes longer than the timeout. */
  exec(
    command: readonly string[],
    timeoutMs: number,
  ): Promise<{ readonly code: number; readonly startError?: string; readonly output: string } | undefined>;
  /** Resolves with undefined after the timeout. */
  within<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result | undefined>;
}

/** Performs one attempt of a probe. Cf. pkg/kubelet/prober runProbe. */
export async function probeContainer(probe: corev1.Probe, target: ProbeTarget): Promise<ProbeOutcome> {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1_000;
  if (probe.exec) return probeExec(probe.exec.command ?? [], timeoutMs, target);
  if (probe.httpGet) return probeHttp(probe.httpGet, timeoutMs, target);
  if (probe.tcpSocket) return probeTcp(probe.tcpSocket, timeoutMs, target);
  if (probe.grpc) return probeGrpc(probe.grpc, timeoutMs, target);
  return { isSuccess: true, output: '' };
}

async function probeExec(command: readonly string[], timeoutMs: number, target: ProbeTarget): Promise<ProbeOutcome> {
  const result = await target.exec(command, timeoutMs);
  if (result?.startError !== undefined) return { isSuccess: false, isError: true, output: result.startError };
  if (result) return { isSuccess: result.code === 0, output: result.output };
  const what = `${JSON.stringify(command.join(' '))} timed out after ${formatTimeout(timeoutMs)}`;
  return { isSuccess: false, output: `command timed out: ${what}` };
}

const formatTimeout = (ms: number): string => formatDuration(BigInt(ms) * 1_000_000n);

const maxRedirects = 10;

async function probeHttp(
  { path = '/', scheme = 'HTTP', host = '', httpHeaders = [], port }: corev1.HTTPGetAction,
  timeoutMs: number,
  target: ProbeTarget,
): Promise<ProbeOutcome> {
  const name = host || target.podIP;
  const text = `${scheme.toLowerCase()}://${joinHostPort(name, portOf(port, target))}${path.startsWith('/') ? path : `/${path}`}`;
  const failure = (reason: string): ProbeOutcome => ({ isSuccess: false, output: `Get ${JSON.stringify(text)}: ${reason}` });
  if (!URL.canParse(text)) return failure('invalid URL');
  const headers = [
    ['User-Agent', 'kube-probe/1.34'],
    ['Accept', '*/*'],
    ...httpHeaders.map((one) => [one.name, one.value] as const),
  ] as const;
  const deadline = new AbortController();
  let url = new URL(text);
  const request = async (): Promise<ProbeOutcome> => {
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const call = { url, method: 'GET', headers, body: undefined, timeoutMs, authorities: undefined };
      const response = await callHttp(call, url.hostname.replace(/^\[|\]$/g, ''), target.connect, deadline.signal);
      const next = redirectOf(response);
      if (next === undefined) return outcomeOf(response.status, await responseText(response));
      const to = new URL(next, url);
      // Redirects to other hosts are not followed, and are no failure.
      if (to.hostname !== url.hostname) {
        const output = `Probe terminated redirects, Response body: ${(await responseText(response)).slice(0, maxOutput)}`;
        return { isSuccess: true, isWarning: true, output };
      }
      url = to;
    }
    return failure('stopped after 10 redirects');
  };
  try {
    const outcome = await target.within(request(), timeoutMs);
    return outcome ?? failure('context deadline exceeded (Client.Timeout exceeded while awaiting headers)');
  } catch (error) {
    return failure(errorMessage(error));
  } finally {
    deadline.abort(new NetworkError('ETIMEDOUT', 'the probe has ended'));
  }
}

const redirectOf = ({ status, headers }: HttpResponse): string | undefined =>
  [301, 302, 303, 307, 308].includes(status) ? headers.find(([name]) => name === 'location')?.[1] : undefined;

function outcomeOf(status: number, text: string): ProbeOutcome {
  if (status >= 200 && status < 400) return { isSuccess: true, output: text.slice(0, maxOutput) };
  return { isSuccess: false, output: `HTTP probe failed with statuscode: ${status}` };
}

async function probeTcp({ port, host }: corev1.TCPSocketAction, timeoutMs: number, target: ProbeTarget): Promise<ProbeOutcome> {
  const to = { address: host || target.podIP, port: portOf(port, target) };
  const deadline = new AbortController();
  try {
    const stream = await target.within(target.connect(to, { signal: deadline.signal, tls: undefined }), timeoutMs);
    await stream?.sink.close();
    return stream ? { isSuccess: true, output: '' } : { isSuccess: false, output: `dial tcp ${to.address}:${to.port}: i/o timeout` };
  } catch (error) {
    return { isSuccess: false, output: errorMessage(error) };
  } finally {
    deadline.abort(new NetworkError('ETIMEDOUT', 'the probe has ended'));
  }
}

function probeGrpc({ port, service }: corev1.GRPCAction, timeoutMs: number, { listeners, podIP }: ProbeTarget): ProbeOutcome {
  const health = listeners.at(port)?.health;
  if (!health)
    return {
      isSuccess: false,
      output: `timeout: failed to connect service ${JSON.stringify(`${podIP}:${port}`)} within ${formatTimeout(timeoutMs)}: context deadline exceeded`,
    };
  const status = health(service ?? '');
  if (status === 'SERVING') return { isSuccess: true, output: 'service healthy' };
  if (status === 'NOT_FOUND')
    return { isSuccess: false, output: 'error: health rpc probe failed: rpc error: code = NotFound desc = unknown service' };
  return { isSuccess: false, output: `service unhealthy (responded with ${JSON.stringify(status)})` };
}

function portOf(port: number | string, { container: { ports = [] } }: ProbeTarget): number {
  if (typeof port === 'number') return port;
  return ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
}
