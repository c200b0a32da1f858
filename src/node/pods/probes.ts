import type { corev1 } from '../../schema/api/index.ts';
import type { Process } from '../process/process.ts';
import { execStatus } from '../process/script.ts';
import type { LiveContainer, ProbeOutcome } from '../runtime/container-runtime.ts';
import { type ContainerState, isRunning, type Run } from './pod-state.ts';
import type { ProbeKind, ProbeState } from './probe-state.ts';
import type { Step } from './step.ts';

const titles: Readonly<Record<ProbeKind, string>> = { startup: 'Startup', readiness: 'Readiness', liveness: 'Liveness' };

/** Runs the probes that are due; returns the probe because of which the container must be restarted. Cf. pkg/kubelet/prober worker doProbe. */
export function runProbes(
  container: corev1.Container,
  state: ContainerState,
  podIP: string,
  isStopping: boolean,
  step: Step,
): ProbeState | undefined {
  const { run } = state;
  // Readiness is probed until the processes of a stopping pod have ended.
  if (!run || run.isStarting || (run.killed && !(run.live && isStopping))) return undefined;
  for (const probe of state.probes) {
    if (isWaiting(probe, state, isStopping)) continue;
    const error = portError(probe.probe, container);
    if (error !== undefined) attemptUnknown(probe, error, state, step);
    else if (run.live) attemptLive(probe, run.live, state, step);
    else while (probe.nextMs <= step.nowMs && !isFailed(probe)) attempt(probe, container, run, podIP, state, step);
    if (isFailed(probe)) return probe;
    step.wakeAt(probe.nextMs);
  }
  return undefined;
}

const isFailed = ({ kind, result }: ProbeState): boolean => result === false && kind !== 'readiness';

/** Whether the container has passed its startup probe. */
export const isStarted = (state: ContainerState): boolean =>
  isRunning(state) && state.probes.every(({ kind, result }) => kind !== 'startup' || result === true);

/** Whether the container runs, has started and passes its readiness probe. */
export const isContainerReady = (state: ContainerState): boolean =>
  isStarted(state) && state.probes.every(({ kind, result }) => kind !== 'readiness' || result === true);

function isWaiting({ kind, result }: ProbeState, state: ContainerState, isStopping: boolean): boolean {
  if (kind === 'startup') return result === true || isStopping;
  return !isStarted(state) || (kind === 'liveness' && isStopping);
}

function attempt(probe: ProbeState, container: corev1.Container, run: Run, podIP: string, state: ContainerState, step: Step): void {
  const elapsedMs = probe.nextMs - run.startedMs;
  const failure = probeFailure(probe.probe, container, run.process, podIP, elapsedMs);
  record(probe, failure, state, step);
  const isFinal = failure === undefined && probe.result === true && isStable(run.process, elapsedMs);
  // After a long pause, attempts of the past are not repeated.
  probe.nextMs = isFinal ? Number.POSITIVE_INFINITY : Math.max(probe.nextMs + periodMs(probe), step.nowMs + 1);
}

/** Counts the outcome of an attempt; `failure` is its output, undefined: it has succeeded. */
function record(probe: ProbeState, failure: string | undefined, state: ContainerState, step: Step): void {
  const isSuccess = failure === undefined;
  const { failureThreshold = 3, successThreshold = 1 } = probe.probe;
  if (!isSuccess) step.event('Warning', 'Unhealthy', `${titles[probe.kind]} probe failed: ${failure}`, state);
  const count = probe.streak.isSuccess === isSuccess ? probe.streak.count + 1 : 1;
  probe.streak = { isSuccess, count };
  if (count >= (isSuccess ? successThreshold : failureThreshold)) probe.result = isSuccess;
}

const periodMs = ({ probe: { periodSeconds = 10 } }: ProbeState): number => periodSeconds * 1000;

/** The attempt does not count. Cf. pkg/kubelet/prober probe. */
function reportError({ kind }: ProbeState, error: string, state: ContainerState, step: Step): void {
  step.event('Warning', 'Unhealthy', `${titles[kind]} probe errored and resulted in unknown state: ${error}`, state);
}

function attemptUnknown(probe: ProbeState, error: string, state: ContainerState, step: Step): void {
  if (probe.nextMs > step.nowMs) return;
  reportError(probe, error, state, step);
  probe.nextMs = step.nowMs + periodMs(probe);
}

/** Why the port of a probe is unknown. Cf. pkg/probe ResolveContainerPort. */
function portError({ httpGet, tcpSocket }: corev1.Probe, container: corev1.Container): string | undefined {
  const port = (httpGet ?? tcpSocket)?.port ?? 0;
  return Number.isNaN(portOf(port, container)) ? `strconv.Atoi: parsing ${JSON.stringify(port)}: invalid syntax` : undefined;
}

/** Takes the outcome of the last attempt, and begins the next one when it is due. */
function attemptLive(probe: ProbeState, live: LiveContainer, state: ContainerState, step: Step): void {
  const { outcome } = probe;
  probe.outcome = undefined;
  if (outcome?.isWarning) step.event('Warning', 'ProbeWarning', `${titles[probe.kind]} probe warning: ${outcome.output}`, state);
  if (outcome?.isError) reportError(probe, outcome.output, state, step);
  else if (outcome) record(probe, outcome.isSuccess ? undefined : outcome.output, state, step);
  if (probe.isPending || probe.nextMs > step.nowMs) return;
  probe.isPending = true;
  probe.nextMs = step.nowMs + periodMs(probe);
  const finish = (result: ProbeOutcome): void => {
    probe.isPending = false;
    probe.outcome = result;
    step.env.wake();
  };
  void live.probe(probe.probe).then(finish, (error: unknown) => finish({ isSuccess: false, output: String(error) }));
}

/** Whether the outcome of probes cannot change any more, so that the node may be idle. */
function isStable({ files, failing }: Process, elapsedMs: number): boolean {
  const isChanging = (ms: number): boolean => Number.isFinite(ms) && ms > elapsedMs;
  return failing === undefined && !files.some(({ fromMs, untilMs }) => isChanging(fromMs) || isChanging(untilMs));
}

/** The output of a failed probe; undefined: it succeeds. */
function probeFailure(
  { exec, httpGet, tcpSocket }: corev1.Probe,
  container: corev1.Container,
  process: Process,
  podIP: string,
  ms: number,
): string | undefined {
  if (exec) return execFailure(exec.command ?? [], process, ms);
  if (httpGet) {
    const { path = '/', scheme = 'HTTP', host = '' } = httpGet;
    const port = portOf(httpGet.port, container);
    const address = `${host === '' ? podIP : host}:${port}`;
    if (!listens(process, port))
      return `Get "${scheme.toLowerCase()}://${address}${path}": dial tcp ${address}: connect: connection refused`;
    if (process.failing && ms >= process.failing.fromMs) return 'HTTP probe failed with statuscode: 500';
    const isServed = process.paths === undefined || process.paths.includes(path.split('?')[0] ?? '');
    return isServed ? undefined : 'HTTP probe failed with statuscode: 404';
  }
  if (tcpSocket) {
    const port = portOf(tcpSocket.port, container);
    return listens(process, port) ? undefined : `dial tcp ${tcpSocket.host || podIP}:${port}: connect: connection refused`;
  }
  return undefined;
}

function execFailure(command: readonly string[], { files }: Process, ms: number): string | undefined {
  if (execStatus(command, files, ms) === 0) return undefined;
  const path = command.at(-1) ?? '';
  return command[0]?.endsWith('cat') ? `cat: can't open '${path}': No such file or directory\n` : '';
}

const listens = ({ ports }: Process, port: number): boolean => ports === undefined || ports.includes(port);

function portOf(port: number | string, { ports = [] }: corev1.Container): number {
  if (typeof port === 'number') return port;
  return ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
}
