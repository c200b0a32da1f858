import type { corev1 } from '../../schema/api/index.ts';
import {
  type ContainerSession,
  type ContainerTarget,
  type KubeletApi,
  KubeletError,
  type LogRequest,
  type PodTarget,
} from '../../streaming/index.ts';
import { type ContainerState, isRunning, type PodState } from '../pods/pod-state.ts';
import type { PodSandbox } from './container-runtime.ts';

/** What a kubelet knows of a pod. */
export interface KubeletPod {
  readonly pod: corev1.Pod;
  readonly state: PodState;
  /** Undefined: no image of the pod is emulated. */
  readonly sandbox: PodSandbox | undefined;
}

/** Looks a pod of a node up. */
export type FindPod = (target: PodTarget) => KubeletPod | undefined;

/** The API of a simulated kubelet; `http` is its HTTP server. Cf. pkg/kubelet/server getContainerLogs, Kubelet.GetExec and GetAttach. */
export function createKubelet(find: FindPod, http: KubeletApi['http']): KubeletApi {
  const podOf = (target: PodTarget, problem = 'pod does not exist'): KubeletPod => {
    const found = find(target);
    if (!found) throw new KubeletError(404, problem);
    return found;
  };
  const sandboxOf = (target: ContainerTarget, problem: string): PodSandbox => {
    const { state, sandbox } = podOf(target);
    const container = state.containers.find(({ name }) => name === target.container);
    if (!container?.run) throw new KubeletError(500, problem);
    return sandbox && container.run.live ? sandbox : silentSandbox;
  };
  return {
    async containerLogs(request, signal) {
      const pod = JSON.stringify(request.name);
      const { state, sandbox } = podOf(request, `pod ${pod} does not exist`);
      const container = state.containers.find(({ name }) => name === request.container);
      if (!container) throw new KubeletError(404, `container ${JSON.stringify(request.container)} not found in pod ${pod}`);
      checkLogRequest(container, request);
      return sandbox && isEmulated(container) ? sandbox.logs(request, signal) : silent();
    },
    exec: async (request) => sandboxOf(request, `container not found (${JSON.stringify(request.container)})`).exec(request),
    attach: async (request) =>
      sandboxOf(request, `container ${request.container} not found in pod ${request.name}_${request.namespace}`).attach(request),
    async portForward(target) {
      const { sandbox = silentSandbox } = podOf(target);
      return {
        connect: async (port, signal) => {
          try {
            return await sandbox.dial(port, signal);
          } catch (error) {
            const reason = error instanceof Error ? error.message : String(error);
            throw new Error(`failed to connect to localhost:${port} inside namespace ${JSON.stringify(target.uid)}: ${reason}`, {
              cause: error,
            });
          }
        },
      };
    },
    http,
  };
}

/** A container whose image is not emulated writes nothing, and stays emulated after its end. */
const isEmulated = ({ run }: ContainerState): boolean => run === undefined || run.live !== undefined;

async function* silent(): AsyncGenerator<Uint8Array> {}

/** Cf. pkg/kubelet validateContainerLogStatus. */
function checkLogRequest(container: ContainerState, { name, container: containerName, previous }: LogRequest): void {
  const { exit, last, waiting } = container;
  const where = `container ${JSON.stringify(containerName)} in pod ${JSON.stringify(name)}`;
  if (previous) {
    const hasPrevious = last !== undefined || (exit !== undefined && waiting !== undefined);
    if (!hasPrevious) throw new KubeletError(400, `previous terminated ${where} not found`);
    return;
  }
  if (isRunning(container) || exit) return;
  const reason = waiting?.reason ?? 'ContainerCreating';
  throw new KubeletError(400, `${where} is waiting to start: ${pullProblems.get(reason) ?? reason}`);
}

const pullProblems: ReadonlyMap<string, string> = new Map([
  ['ErrImagePull', "image can't be pulled"],
  ['ImagePullBackOff', 'trying and failing to pull image'],
]);

/** Programs that are not emulated cannot be executed, and have no streams. */
const silentSandbox: PodSandbox = {
  hasImage: () => false,
  prepare: () => Promise.resolve([]),
  recreate: () => {},
  start: () => ({ reason: 'RunContainerError', message: 'the image is not emulated', code: 128 }),
  logs: silent,
  exec: ({ command: [program = ''] }): ContainerSession => ({
    run: () =>
      Promise.reject(
        new Error(
          `failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: exec: ${JSON.stringify(program)}: executable file not found in $PATH: unknown`,
        ),
      ),
  }),
  attach: () => ({
    run: (_streams, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ exitCode: 0 }), { once: true });
      }),
  }),
  dial: (port) => Promise.reject(new Error(`dial tcp4 127.0.0.1:${port}: connect: connection refused`)),
  dispose: () => {},
};
