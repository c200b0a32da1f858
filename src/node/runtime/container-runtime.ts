import type { ApiClient } from '../../client/index.ts';
import type { ByteStream } from '../../env/index.ts';
import type { ClusterNetwork } from '../../network/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { AttachRequest, ContainerSession, ExecRequest, LogRequest } from '../../streaming/index.ts';

/** Runs containers whose images are emulated as processes; all others follow the image catalog. */
export interface ContainerRuntime {
  /** Whether the programs of an image are emulated, by its repository with the registry's host. */
  hasImage(repository: string): boolean;
  createSandbox(pod: corev1.Pod, host: SandboxHost): PodSandbox;
}

/** What a node provides to the sandbox of a pod. */
export interface SandboxHost {
  /** With the identity of the node. */
  readonly client: ApiClient;
  readonly nodeName: string;
  /** Undefined: pods have no network. */
  readonly network: ClusterNetwork | undefined;
  readonly hostIP: string;
  readonly allocatable: () => Readonly<Record<string, string>>;
  /** The state of a container has changed. */
  readonly wake: () => void;
  /** Ends the pod with reason Evicted. */
  readonly evict: (message: string) => void;
}

/** The volumes and containers of a pod. */
export interface PodSandbox {
  /** As of the runtime. */
  hasImage(repository: string): boolean;
  /**
   * Reads what volumes and environments need, and updates projected volumes. Before every start of a container, and when the pod or an
   * object that it refers to has changed. Returns messages of FailedMount events.
   */
  prepare(pod: corev1.Pod): Promise<readonly string[]>;
  start(container: corev1.Container, options: StartOptions): LiveContainer | StartFailure;
  /** The next container starts in another network, at another address; volumes stay. */
  recreate(): void;
  /** @throws KubeletError */
  logs(request: LogRequest, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** @throws KubeletError */
  exec(request: ExecRequest): ContainerSession;
  /** @throws KubeletError */
  attach(request: AttachRequest): ContainerSession;
  /** Connects to a port at the loopback address of the pod. @throws Error with the runtime's message */
  dial(port: number, signal: AbortSignal): Promise<ByteStream>;
  /** Ends what still runs. */
  dispose(): void;
}

export interface StartOptions {
  readonly id: string;
  readonly repository: string;
  readonly podIP: string;
  readonly restartCount: number;
}

/** Why a container cannot be started. */
export interface StartFailure {
  /** The state that the container waits in; after RunContainerError it has ended. */
  readonly reason: 'CreateContainerConfigError' | 'RunContainerError';
  readonly message: string;
  /** The exit code after RunContainerError. */
  readonly code: number;
}

/** The end of a process; times are absolute. */
export interface LiveExit {
  readonly atMs: number;
  readonly code: number;
  /** `OOMKilled`; default: by the code. */
  readonly reason?: string;
  /** The termination message; empty: none. */
  readonly message: string;
}

/** A container that runs, or has run. */
export interface LiveContainer {
  /** Undefined: it runs. */
  readonly exit: LiveExit | undefined;
  /** The user of its first process. */
  readonly user: corev1.LinuxContainerUser;
  /** Changes the resources. */
  resize(resources: corev1.ResourceRequirements): void;
  /** Sends SIGTERM. */
  terminate(): void;
  /** Sends SIGKILL: the container has ended when this returns. */
  kill(): void;
  probe(probe: corev1.Probe): Promise<ProbeOutcome>;
  /** Runs a hook; resolves with its failure, or undefined. */
  runHook(hook: corev1.LifecycleHandler): Promise<HookFailure | undefined>;
}

export interface ProbeOutcome {
  readonly isSuccess: boolean;
  /** A success that is reported by an event with its output. */
  readonly isWarning?: boolean;
  /** The attempt itself has failed, and does not count. */
  readonly isError?: boolean;
  readonly output: string;
}

export interface HookFailure {
  readonly message: string;
  /** What a command has written. */
  readonly output?: string;
}
