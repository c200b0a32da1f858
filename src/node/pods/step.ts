import type { corev1 } from '../../schema/api/index.ts';
import type { ImageReference } from '../images/image-reference.ts';
import type { LiveContainer, StartFailure, StartOptions } from '../runtime/container-runtime.ts';
import type { PodEvent } from './pod-event.ts';
import type { ContainerState } from './pod-state.ts';
import type { References } from './references.ts';

/** What a node provides to its pods. */
export interface PodEnvironment extends References {
  readonly hostIP: string;
  /** The handlers of its container runtime beside the default one. */
  readonly runtimeHandlers: readonly string[];
  /** Allocates the address of the pod. */
  allocateAddress(): string;
  /** Releases the address and the network of the pod. */
  recreateSandbox(): void;
  /** A new container ID: 64 hexadecimal digits. */
  newId(): string;
  /** Whether the node has an image, by its full reference. */
  hasImage(full: string): boolean;
  /** Whether a registry has an image. */
  isPullable(reference: ImageReference): boolean;
  addImage(full: string, digest: string, sizeBytes: number): void;
  /** Synchronizes the pod again, soon. */
  wake(): void;
  /** Starts the processes of a container; undefined: its image is not emulated. */
  start(container: corev1.Container, options: StartOptions): LiveContainer | StartFailure | undefined;
}

/** One synchronization of a pod at a time. */
export class Step {
  readonly pod: corev1.Pod;
  readonly nowMs: number;
  readonly env: PodEnvironment;
  readonly events: PodEvent[] = [];
  /** When the next synchronization is needed. */
  wakeMs: number = Number.POSITIVE_INFINITY;

  constructor(pod: corev1.Pod, nowMs: number, env: PodEnvironment) {
    this.pod = pod;
    this.nowMs = nowMs;
    this.env = env;
  }

  /** Needs a synchronization at this time. */
  wakeAt(ms: number): void {
    if (ms > this.nowMs) this.wakeMs = Math.min(this.wakeMs, ms);
  }

  event(type: PodEvent['type'], reason: string, message: string, container?: Pick<ContainerState, 'name' | 'role'>): void {
    this.events.push({ type, reason, message, ...(container ? { fieldPath: fieldPathOf(container) } : {}) });
  }

  /** Cf. pkg/kubelet getPullSecretsForPod. */
  reportPullSecrets(): void {
    const names = this.env.missingPullSecrets.join(', ');
    const message = `Unable to retrieve some image pull secrets (${names}); attempting to pull the image may not succeed.`;
    if (names !== '') this.event('Warning', 'FailedToRetrieveImagePullSecret', message);
  }

  /** `web_default(uid)`. Cf. pkg/kubelet/util/format Pod. */
  get formattedPod(): string {
    const { name = '', namespace = '', uid = '' } = this.pod.metadata;
    return `${name}_${namespace}(${uid})`;
  }
}

function fieldPathOf({ name, role }: Pick<ContainerState, 'name' | 'role'>): string {
  const list = role === 'main' ? 'containers' : role === 'ephemeral' ? 'ephemeralContainers' : 'initContainers';
  return `spec.${list}{${name}}`;
}
