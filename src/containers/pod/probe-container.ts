import type { ProbeOutcome } from '../../node/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { HttpAnswer, Listeners } from '../process/listeners.ts';

/** Bytes of the output of a probe. Cf. pkg/probe maxRespBodyLength. */
const maxOutput = 10 * 1024;

export interface ProbeTarget {
  readonly container: corev1.Container;
  readonly podIP: string;
  readonly listeners: Listeners;
  /** Undefined: it takes longer than the timeout. */
  exec(command: readonly string[], timeoutMs: number): Promise<{ readonly code: number; readonly output: string } | undefined>;
  /** Resolves with undefined after the timeout. */
  within<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result | undefined>;
}

/** Performs one attempt of a probe. Cf. pkg/kubelet/prober runProbe. */
export async function probeContainer(probe: corev1.Probe, target: ProbeTarget): Promise<ProbeOutcome> {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1_000;
  if (probe.exec) return probeExec(probe.exec.command ?? [], timeoutMs, target);
  if (probe.httpGet) return probeHttp(probe.httpGet, timeoutMs, target);
  if (probe.tcpSocket) return probeTcp(probe.tcpSocket, target);
  if (probe.grpc) return probeGrpc(probe.grpc, timeoutMs, target);
  return { isSuccess: true, output: '' };
}

async function probeExec(command: readonly string[], timeoutMs: number, target: ProbeTarget): Promise<ProbeOutcome> {
  const result = await target.exec(command, timeoutMs);
  if (result) return { isSuccess: result.code === 0, output: result.output };
  const quoted = command.map((word) => (/[\s"]/.test(word) ? JSON.stringify(word) : word)).join(' ');
  return { isSuccess: false, output: `command timed out: ${JSON.stringify(quoted)} timed out after ${timeoutMs / 1_000}s` };
}

const maxRedirects = 10;

async function probeHttp(
  { path = '/', scheme = 'HTTP', host = '', httpHeaders = [], port }: corev1.HTTPGetAction,
  timeoutMs: number,
  target: ProbeTarget,
): Promise<ProbeOutcome> {
  const address = `${host || target.podIP}:${portOf(port, target)}`;
  const url = `${scheme.toLowerCase()}://${address}${path.startsWith('/') ? path : `/${path}`}`;
  const listener =
    host === '' || host === target.podIP || host === '127.0.0.1' || host === 'localhost'
      ? target.listeners.at(portOf(port, target))
      : undefined;
  const failure = (reason: string): ProbeOutcome => ({ isSuccess: false, output: `Get ${JSON.stringify(url)}: ${reason}` });
  const serve = listener?.http;
  if (!listener) return failure(`dial tcp ${address}: connect: connection refused`);
  if (!serve) return failure('EOF');
  const headers = new Map([
    ['user-agent', 'kube-probe/1.34'],
    ['accept', '*/*'],
    ['host', address],
    ...httpHeaders.map(({ name, value }): [string, string] => [name.toLowerCase(), value]),
  ]);
  let location = path;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const request = { method: 'GET', target: location, headers, body: new Uint8Array(), remote: `${target.podIP}:40000` };
    const answer = await target.within(Promise.resolve(serve(request)), timeoutMs);
    if (!answer) return failure('context deadline exceeded (Client.Timeout exceeded while awaiting headers)');
    const next = redirectOf(answer);
    if (next === undefined) return outcomeOf(answer);
    const to = new URL(next, url);
    // Redirects to other hosts are not followed, and are no failure.
    if (to.hostname !== new URL(url).hostname) return { isSuccess: true, output: 'Probe terminated redirects' };
    location = `${to.pathname}${to.search}`;
  }
  return failure('stopped after 10 redirects');
}

const redirectOf = ({ status, headers = [] }: HttpAnswer): string | undefined =>
  [301, 302, 303, 307, 308].includes(status) ? headers.find(([name]) => name.toLowerCase() === 'location')?.[1] : undefined;

function outcomeOf({ status, body = '' }: HttpAnswer): ProbeOutcome {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body.subarray(0, maxOutput));
  if (status >= 200 && status < 400) return { isSuccess: true, output: text };
  return { isSuccess: false, output: `HTTP probe failed with statuscode: ${status}` };
}

function probeTcp({ port, host }: corev1.TCPSocketAction, target: ProbeTarget): ProbeOutcome {
  const number = portOf(port, target);
  if (target.listeners.at(number)) return { isSuccess: true, output: '' };
  return { isSuccess: false, output: `dial tcp ${host || target.podIP}:${number}: connect: connection refused` };
}

function probeGrpc({ port, service }: corev1.GRPCAction, timeoutMs: number, { listeners, podIP }: ProbeTarget): ProbeOutcome {
  const health = listeners.at(port)?.health;
  const seconds = `${timeoutMs / 1_000}s`;
  if (!health)
    return {
      isSuccess: false,
      output: `timeout: failed to connect service ${JSON.stringify(`${podIP}:${port}`)} within ${seconds}: context deadline exceeded`,
    };
  const status = health(service ?? '');
  if (status === 'SERVING') return { isSuccess: true, output: 'service healthy' };
  if (status === 'NOT_FOUND')
    return { isSuccess: false, output: 'error: health rpc failed: rpc error: code = NotFound desc = unknown service' };
  return { isSuccess: false, output: `service unhealthy (responded with ${JSON.stringify(status)})` };
}

function portOf(port: number | string, { container: { ports = [] } }: ProbeTarget): number {
  if (typeof port === 'number') return port;
  return ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
}
