import { ageOf, type CellContext } from './column.ts';
import { hasTrueCondition, isSet, listAt, numberAt, textAt, valueAt } from './read.ts';

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
export function podSummary(pod: unknown, { nowMs }: CellContext): PodSummary {
  const sidecars = restartableInitContainers(pod);
  const total = listAt(pod, 'spec.containers').length + sidecars.size;
  const initial = initialProgress(pod, sidecars);
  const { reason, ready, restarts } = initial.waiting && !hasTrueCondition(pod, 'Initialized') ? initial : summarizeRunning(pod, initial);
  const ago = restarts.count > 0 && restarts.last !== '' ? ` (${ageOf(restarts.last, nowMs)} ago)` : '';
  return { ready: `${ready}/${total}`, status: deletedReason(pod) ?? reason, restarts: `${restarts.count}${ago}` };
}

/** `1/2`: readiness gates with a true condition, of all gates. */
export function readinessGates(pod: unknown): string {
  const gates = listAt(pod, 'spec.readinessGates').map((gate) => textAt(gate, 'conditionType'));
  if (gates.length === 0) return '<none>';
  return `${gates.filter((gate) => hasTrueCondition(pod, gate)).length}/${gates.length}`;
}

function restartableInitContainers(pod: unknown): ReadonlySet<string> {
  const all = listAt(pod, 'spec.initContainers').filter((container) => textAt(container, 'restartPolicy') === 'Always');
  return new Set(all.map((container) => textAt(container, 'name')));
}

function phaseReason(pod: unknown): string {
  const gated = listAt(pod, 'status.conditions').some(
    (condition) => textAt(condition, 'type') === 'PodScheduled' && textAt(condition, 'reason') === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : textAt(pod, 'status.reason') || textAt(pod, 'status.phase');
}

interface InitialProgress extends Progress {
  /** An init container is not finished. */
  readonly waiting: boolean;
  readonly sidecarRestarts: Restarts;
}

function initialProgress(pod: unknown, sidecars: ReadonlySet<string>): InitialProgress {
  let ready = 0;
  let restarts = noRestarts;
  let sidecarRestarts = noRestarts;
  for (const [at, status] of listAt(pod, 'status.initContainerStatuses').entries()) {
    const sidecar = sidecars.has(textAt(status, 'name'));
    restarts = withRestartsOf(restarts, status);
    if (sidecar) sidecarRestarts = withRestartsOf(sidecarRestarts, status);
    const terminated = valueAt(status, 'state.terminated');
    if (isSet(terminated) && numberAt(terminated, 'exitCode') === 0) continue;
    if (sidecar && valueAt(status, 'started') === true) {
      if (valueAt(status, 'ready') === true) ready++;
      continue;
    }
    const total = listAt(pod, 'spec.initContainers').length;
    return { waiting: true, reason: `Init:${initReason(status) ?? `${at}/${total}`}`, ready, restarts, sidecarRestarts };
  }
  return { waiting: false, reason: phaseReason(pod), ready, restarts, sidecarRestarts };
}

function initReason(status: unknown): string | undefined {
  const terminated = valueAt(status, 'state.terminated');
  if (isSet(terminated)) return endReason(terminated);
  const waiting = textAt(status, 'state.waiting.reason');
  return waiting !== '' && waiting !== 'PodInitializing' ? waiting : undefined;
}

/** Why a container terminated: its reason, else its signal, else its exit code. */
function endReason(terminated: unknown): string {
  const signal = numberAt(terminated, 'signal');
  return textAt(terminated, 'reason') || (signal ? `Signal:${signal}` : `ExitCode:${numberAt(terminated, 'exitCode')}`);
}

/** The first container that is not running determines the reason. */
function summarizeRunning(pod: unknown, initial: InitialProgress): Progress {
  let { reason, ready } = initial;
  let restarts = initial.sidecarRestarts;
  let anyRunning = false;
  for (const status of [...listAt(pod, 'status.containerStatuses')].reverse()) {
    restarts = withRestartsOf(restarts, status);
    const waiting = textAt(status, 'state.waiting.reason');
    const terminated = valueAt(status, 'state.terminated');
    if (waiting !== '') reason = waiting;
    else if (isSet(terminated)) reason = endReason(terminated);
    else if (valueAt(status, 'ready') === true && isSet(valueAt(status, 'state.running'))) {
      anyRunning = true;
      ready++;
    }
  }
  // One container may have completed while others are running.
  if (reason === 'Completed' && anyRunning) reason = hasTrueCondition(pod, 'Ready') ? 'Running' : 'NotReady';
  return { reason, ready, restarts };
}

function withRestartsOf({ count, last }: Restarts, status: unknown): Restarts {
  const ended = textAt(status, 'lastState.terminated.finishedAt');
  const later = ended !== '' && (last === '' || Date.parse(last) < Date.parse(ended));
  return { count: count + Number(numberAt(status, 'restartCount')), last: later ? ended : last };
}

/** The status of a terminating pod. */
function deletedReason(pod: unknown): string | undefined {
  if (textAt(pod, 'metadata.deletionTimestamp') === '') return undefined;
  if (textAt(pod, 'status.reason') === 'NodeLost') return 'Unknown';
  const phase = textAt(pod, 'status.phase');
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating';
}
