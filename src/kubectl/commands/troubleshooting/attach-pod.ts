import { type JsonObject, StatusError } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { builtInResource } from '../../api/discovery.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError, messageOf } from '../../program/errors.ts';
import { nameOf } from '../../resources/info.ts';
import { waitForCondition } from '../../resources/wait-for-condition.ts';
import { runRemoteCommand } from '../../streams/remote-command.ts';
import { printLog } from './logs.ts';

const pods = builtInResource('v1', 'pods', 'Pod');

export interface AttachOptions {
  readonly container: string;
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly quiet: boolean;
}

/** Attaches to a container that runs. Cf. kubectl attach. @throws KubectlError, StatusError */
export async function attachToContainer(call: Call, pod: JsonObject, { container, stdin, tty, quiet }: AttachOptions): Promise<number> {
  const { name: namespace } = await call.namespace();
  const hasTerminal = containerSpec(pod, container)?.spec.tty === true;
  if (tty && !hasTerminal && !quiet) call.err(`error: Unable to use a TTY - container ${container} did not allocate one\n`);
  const raw = hasTerminal && stdin && call.input.terminal !== undefined;
  if (!quiet)
    call.err(
      "All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.\nIf you don't see a command prompt, try pressing enter.\n",
    );
  const target = { namespace, pod: nameOf(pod), container };
  const code = await runRemoteCommand(call, { ...target, subresource: 'attach', command: [], stdin, tty: raw });
  if (raw && !quiet && code === 0) call.out(reattachMessage(call, pod, container));
  return code;
}

function reattachMessage({ commandPath }: Call, pod: JsonObject, container: string): string {
  if (specOf(pod).restartPolicy !== 'Always') return '';
  const command = `kubectl attach ${nameOf(pod)} -c ${container} -i -t`;
  if (containerSpec(pod, container)?.list === 'ephemeralContainers')
    return `Session ended, the ephemeral container will not be restarted but may be reattached using '${command}' if it is still running\n`;
  return commandPath === '' ? '' : `Session ended, resume using '${command}' command when the pod is running\n`;
}

/** Waits until a container of a new pod runs and attaches to it; prints its log if it has ended. Cf. handleAttachPod. */
export async function attachWhenRunning(call: Call, name: string, options: AttachOptions, timeoutMs: number): Promise<number> {
  const { name: namespace } = await call.namespace();
  const info = { resource: pods, namespace, name, object: undefined, source: undefined };
  const endMs = call.shell.clock.monotonicMs() + timeoutMs;
  const pod = await waitForCondition(call, info, (object) => object === undefined || hasStarted(object, options.container), endMs);
  if (!pod) throw new KubectlError(`pods ${JSON.stringify(name)} not found`);
  const showLog = (): Promise<void> => printLog(call, { namespace, pod: name, container: options.container });
  if (!isRunning(pod, options.container)) {
    await showLog();
    return 0;
  }
  try {
    return await attachToContainer(call, pod, options);
  } catch (error) {
    if (!(error instanceof StatusError || error instanceof KubectlError)) throw error;
    call.err(`warning: couldn't attach to pod/${name}, falling back to streaming logs: ${messageOf(error)}\n`);
    await showLog();
    return 0;
  }
}

type Pod = Decoded<corev1.Pod>;

const specOf = ({ spec }: Pod): Decoded<corev1.PodSpec> => spec ?? {};

/** Ephemeral containers have the same members. */
interface ListedContainer {
  readonly spec: Decoded<corev1.Container>;
  readonly list: string;
}

function containerSpec(pod: Pod, container: string): ListedContainer | undefined {
  for (const list of ['containers', 'initContainers', 'ephemeralContainers'] as const) {
    const spec = specOf(pod)[list]?.find(({ name }) => name === container);
    if (spec) return { spec, list };
  }
  return undefined;
}

function statusOf({ status = {} }: Pod, container: string): Decoded<corev1.ContainerStatus> {
  const { containerStatuses, initContainerStatuses, ephemeralContainerStatuses } = status;
  const all = [containerStatuses, initContainerStatuses, ephemeralContainerStatuses].flatMap((list) => list ?? []);
  return all.find(({ name }) => name === container) ?? {};
}

const isRunning = (pod: Pod, container: string): boolean => statusOf(pod, container).state?.running !== undefined;

/** It runs, or has ended at least once. */
function hasStarted(pod: Pod, container: string): boolean {
  const { state, lastState } = statusOf(pod, container);
  const hasRun = state?.running ?? state?.terminated ?? lastState?.terminated;
  return hasRun !== undefined || /^(Succeeded|Failed)$/.test(pod.status?.phase ?? '');
}
