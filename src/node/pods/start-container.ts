import type { corev1 } from '../../schema/api/index.ts';
import { isInImageCatalog, recordOf } from '../images/image-record.ts';
import { type ImageReference, imageReferenceError, parseImageReference } from '../images/image-reference.ts';
import { imageDigest, pullError, pullMs } from '../images/pull.ts';
import type { LiveContainer, StartFailure } from '../runtime/container-runtime.ts';
import { backoffEventPeriodMs } from './crash-backoff.ts';
import { formatMs } from './format-ms.ts';
import { type ContainerState, type PodState, processOfContainer } from './pod-state.ts';
import { beginHook } from './post-start.ts';
import { createProbes } from './probe-state.ts';
import { isRestarted } from './restart.ts';
import type { Step } from './step.ts';

/** The start of the sandbox is an event, and causes a second synchronization. Cf. pkg/kubelet/pleg. */
const sandboxEventMs = 1_000;

/** Begins or continues the start of a container: configuration, image, process. */
export function startContainer(container: corev1.Container, state: ContainerState, pod: PodState, step: Step): void {
  if (pod.pull && pod.pull.container !== state.name) return;
  if (!pod.pull && step.nowMs < state.retryMs) {
    step.wakeAt(state.retryMs);
    return;
  }
  // A kubelet generates the status before it synchronizes. Cf. pkg/kubelet SyncPod, ReasonCache.
  if (!pod.pull && state.startError) state.waiting = state.startError;
  const reference = parseImageReference(container.image ?? '');
  if (!reference) {
    refuseName(container, state, step);
    return;
  }
  if (!prepareImage(container, state, pod, reference, step)) return;
  const error = step.env.configErrors.get(container.name);
  if (error === undefined) {
    run(container, state, reference, pod, step);
    beginHook(container, state, pod, step);
  } else fail(state, step, 'CreateContainerConfigError', error, `Error: ${error}`);
}

/** The container stays waiting, and its start is tried again. */
function fail(state: ContainerState, step: Step, reason: string, message: string, event: string): void {
  step.event('Warning', 'Failed', event, state);
  retryAt(step.nowMs + (state.startError ? backoffEventPeriodMs : sandboxEventMs), state, step);
  state.startError = { reason, message };
}

function retryAt(ms: number, state: ContainerState, step: Step): void {
  state.retryMs = ms;
  step.wakeAt(ms);
}

function refuseName({ image = '' }: corev1.Container, state: ContainerState, step: Step): void {
  const message = `Failed to apply default image tag ${JSON.stringify(image)}: couldn't parse image name ${JSON.stringify(image)}: ${imageReferenceError(image)}`;
  step.event('Warning', 'InspectFailed', message, state);
  fail(state, step, 'InvalidImageName', message, 'Error: InvalidImageName');
}

/** Whether the image is on the node. Cf. pkg/kubelet/images EnsureImageExists. */
function prepareImage(container: corev1.Container, state: ContainerState, pod: PodState, reference: ImageReference, step: Step): boolean {
  const { image = '', imagePullPolicy = 'IfNotPresent' } = container;
  if (pod.pull) return finishPull(image, state, pod, reference, step);
  const isPresent = step.env.hasImage(reference.full);
  if (isPresent && imagePullPolicy !== 'Always') {
    step.event('Normal', 'Pulled', `Container image ${JSON.stringify(image)} already present on machine`, state);
    return true;
  }
  if (imagePullPolicy === 'Never') {
    const message = `Container image ${JSON.stringify(image)} is not present with pull policy of Never`;
    step.event('Warning', 'ErrImageNeverPull', message, state);
    fail(state, step, 'ErrImageNeverPull', message, 'Error: ErrImageNeverPull');
    return false;
  }
  if (backsOff(image, state, step)) return false;
  step.reportPullSecrets();
  step.event('Normal', 'Pulling', `Pulling image ${JSON.stringify(image)}`, state);
  const untilMs = step.nowMs + (isPresent ? requestMs : pullMs(recordOf(reference.repository)));
  pod.pull = { container: state.name, startedMs: step.nowMs, untilMs };
  step.wakeAt(untilMs);
  return false;
}

/** A registry confirms that the image is current. */
const requestMs = 300;

/** Whether a failed pull may not be repeated yet. */
function backsOff(image: string, state: ContainerState, step: Step): boolean {
  const failed = state.failedPull;
  if (!failed) return false;
  const dueMs = failed.atMs + state.pulls.delayMs;
  if (step.nowMs >= dueMs) return false;
  const message = `Back-off pulling image ${JSON.stringify(image)}`;
  step.event('Normal', 'BackOff', message, state);
  step.event('Warning', 'Failed', 'Error: ImagePullBackOff', state);
  state.startError = { reason: 'ImagePullBackOff', message: `${message}: ErrImagePull: ${failed.error}` };
  retryAt(Math.min(dueMs, step.nowMs + backoffEventPeriodMs), state, step);
  return true;
}

function finishPull(image: string, state: ContainerState, pod: PodState, reference: ImageReference, step: Step): boolean {
  const { startedMs = 0, untilMs = 0 } = pod.pull ?? {};
  if (step.nowMs < untilMs) {
    step.wakeAt(untilMs);
    return false;
  }
  pod.pull = undefined;
  const error = pullError(reference, !step.env.isPullable(reference));
  if (error !== undefined) {
    step.event('Warning', 'Failed', `Failed to pull image ${JSON.stringify(image)}: ${error}`, state);
    state.pulls.next(step.nowMs, step.nowMs);
    state.failedPull = { atMs: step.nowMs, error };
    fail(state, step, 'ErrImagePull', error, 'Error: ErrImagePull');
    return false;
  }
  const { sizeBytes } = recordOf(reference.repository);
  const bytes = Math.round(sizeBytes);
  step.env.addImage(reference.full, imageDigest(reference), bytes);
  state.failedPull = undefined;
  const took = formatMs(untilMs - startedMs);
  const message = `Successfully pulled image ${JSON.stringify(image)} in ${took} (${took} including waiting). Image size: ${bytes} bytes.`;
  step.event('Normal', 'Pulled', message, state);
  return true;
}

/** Starts the processes of a container whose image is emulated; undefined: it is not. */
export function startProcesses(
  container: corev1.Container,
  { restartCount }: ContainerState,
  id: string,
  { podIP }: PodState,
  { env }: Step,
): LiveContainer | StartFailure | undefined {
  const reference = parseImageReference(container.image ?? '');
  if (!reference) return undefined;
  return env.start(container, { id, repository: `${reference.host}/${reference.repository}`, podIP, restartCount });
}

function run(container: corev1.Container, state: ContainerState, reference: ImageReference, pod: PodState, step: Step): void {
  const { nowMs, env } = step;
  const id = `containerd://${env.newId()}`;
  const live = startProcesses(container, state, id, pod, step);
  if (live && 'reason' in live && live.reason === 'CreateContainerConfigError') {
    fail(state, step, live.reason, live.message, `Error: ${live.message}`);
    return;
  }
  const { host, repository } = reference;
  state.image = reference.full;
  state.imageId = `${host}/${repository}@${imageDigest(reference)}`;
  step.event('Normal', 'Created', `Created container: ${container.name}`, state);
  if (live && 'reason' in live) {
    failStart(container, state, id, live, step);
    return;
  }
  step.event('Normal', 'Started', `Started container ${container.name}`, state);
  if (!live && !isInImageCatalog(repository) && !state.exit)
    step.event('Normal', 'NotEmulated', `Image ${JSON.stringify(container.image)} is not emulated: no output, no files`, state);
  if (state.exit) {
    state.last = state.exit;
    state.exit = undefined;
    state.restartCount++;
  }
  state.waiting = undefined;
  state.startError = undefined;
  state.run = { id, startedMs: nowMs, process: processOfContainer(container), ...(live ? { live } : {}) };
  state.probes = createProbes(container, nowMs);
}

/** The container has ended before its program has run. */
function failStart(
  container: corev1.Container,
  state: ContainerState,
  id: string,
  { code, message, reason }: StartFailure,
  step: Step,
): void {
  step.event('Warning', 'Failed', `Error: ${message}`, state);
  if (state.exit) {
    state.last = state.exit;
    state.restartCount++;
  }
  state.exit = { id, code, reason: 'StartError', startedMs: 0, finishedMs: step.nowMs, message };
  state.waiting = isRestarted(step.pod, container, state) ? { reason, message } : undefined;
}
