import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { ageOf, type CellContext, hasTrueCondition } from './column.ts';

type Pod = Decoded<corev1.Pod>;
type ContainerStatus = Decoded<corev1.ContainerStatus>;

/** The values of the columns READY, STATUS and RESTARTS. */
export interface PodSummary {
  readonly ready: string;
  readonly status: string;
  readonly restarts: string;
}

interface Progress {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: Restarts;
}

interface Restarts {
  readonly count: number;
  /** Finish time of the last restarted container; empty without restarts. */
  readonly last: string;
}

const noRestarts: Restarts = { count: 0, last: '' };

/** Starts with the phase, which container states override. Cf. pkg/printers/internalversion printPod. */
export function podSummary(pod: Pod, { nowMs }: CellContext): PodSummary {
  const sidecars = restartableInitContainers(pod);
  const total = (pod.spec?.containers?.length ?? 0) + sidecars.size;
  const initial = initialProgress(pod, sidecars);
  const isInitializing = initial.waiting && !hasTrueCondition(pod.status?.conditions, 'Initialized');
  const { reason, ready, restarts } = isInitializing ? initial : summarizeRunning(pod, initial);
  const ago = restarts.count > 0 && restarts.last !== '' ? ` (${ageOf(restarts.last, nowMs)} ago)` : '';
  return { ready: `${ready}/${total}`, status: deletedReason(pod) ?? reason, restarts: `${restarts.count}${ago}` };
}

/** `1/2`: readiness gates with a true condition, of all gates. */
export function readinessGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  return `${gates.filter(({ conditionType = '' }) => hasTrueCondition(status?.conditions, conditionType)).length}/${gates.length}`;
}

function restartableInitContainers({ spec }: Pod): ReadonlySet<string | undefined> {
  const all = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always');
  return new Set(all?.map(({ name }) => name));
}

function phaseReason({ status }: Pod): string {
  const gated = status?.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated');
  return gated ? 'SchedulingGated' : status?.reason || (status?.phase ?? '');
}

interface InitialProgress extends Progress {
  /** An init container is not finished. */
  readonly waiting: boolean;
  readonly sidecarRestarts: Restarts;
}

function initialProgress({ spec, status: podStatus }: Pod, sidecars: ReadonlySet<string | undefined>): InitialProgress {
  let ready = 0;
  let restarts = noRestarts;
  let sidecarRestarts = noRestarts;
  for (const [at, status] of (podStatus?.initContainerStatuses ?? []).entries()) {
    const sidecar = sidecars.has(status.name);
    restarts = withRestartsOf(restarts, status);
    if (sidecar) sidecarRestarts = withRestartsOf(sidecarRestarts, status);
    const terminated = status.state?.terminated;
    if (terminated && (terminated.exitCode ?? 0) === 0) continue;
    if (sidecar && status.started) {
      if (status.ready) ready++;
      continue;
    }
    const total = spec?.initContainers?.length ?? 0;
    return { waiting: true, reason: `Init:${initReason(status) ?? `${at}/${total}`}`, ready, restarts, sidecarRestarts };
  }
  return { waiting: false, reason: phaseReason({ status: podStatus }), ready, restarts, sidecarRestarts };
}

function initReason({ state }: ContainerStatus): string | undefined {
  if (state?.terminated) return endReason(state.terminated);
  const waiting = state?.waiting?.reason;
  return waiting && waiting !== 'PodInitializing' ? waiting : undefined;
}

/** Why a container terminated: its reason, else its signal, else its exit code. */
function endReason({ reason, signal, exitCode = 0 }: Decoded<corev1.ContainerStateTerminated>): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

/** The first container that is not running determines the reason. */
function summarizeRunning({ status: podStatus }: Pod, initial: InitialProgress): Progress {
  let { reason, ready } = initial;
  let restarts = initial.sidecarRestarts;
  let anyRunning = false;
  for (const status of (podStatus?.containerStatuses ?? []).toReversed()) {
    restarts = withRestartsOf(restarts, status);
    const { waiting, terminated, running } = status.state ?? {};
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated) reason = endReason(terminated);
    else if (status.ready && running) {
      anyRunning = true;
      ready++;
    }
  }
  // One container may have completed while others are running.
  if (reason === 'Completed' && anyRunning) reason = hasTrueCondition(podStatus?.conditions, 'Ready') ? 'Running' : 'NotReady';
  return { reason, ready, restarts };
}

function withRestartsOf({ count, last }: Restarts, { restartCount = 0, lastState }: ContainerStatus): Restarts {
  const ended = lastState?.terminated?.finishedAt ?? '';
  const later = ended !== '' && (last === '' || Date.parse(last) < Date.parse(ended));
  return { count: count + restartCount, last: later ? ended : last };
}

/** The status of a terminating pod. */
function deletedReason({ metadata, status }: Pod): string | undefined {
  if (!metadata?.deletionTimestamp) return undefined;
  if (status?.reason === 'NodeLost') return 'Unknown';
  const phase = status?.phase;
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating';
}
