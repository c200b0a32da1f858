import type { corev1 } from '../../schema/api/index.ts';
import { createPodState, type PodState } from './pod-state.ts';
import { podStatus } from './pod-status.ts';
import { type PodEnvironment, Step } from './step.ts';
import { syncPod } from './sync-pod.ts';

export const startMs: number = Date.UTC(2026, 0, 1);

/** A pod that runs in simulated time, without a server. */
export class SimulatedPod {
  pod: corev1.Pod;
  readonly state: PodState;
  /** `1.5 Started c`: seconds since the start, reason and container. */
  readonly events: string[] = [];
  readonly messages: string[] = [];
  mountErrors: readonly string[] = [];
  configErrors: ReadonlyMap<string, string> = new Map();
  missingPullSecrets: readonly string[] = [];
  /** The addresses of its sandboxes. */
  readonly addresses: string[] = ['10.244.0.2', '10.244.0.3'];
  runtimeHandler = '';
  runtimeClassError: string | undefined;
  readonly images: Set<string> = new Set();
  isPullable: PodEnvironment['isPullable'] = () => true;
  #nowMs = startMs;
  #wakeMs = startMs;
  #ids = 0;

  /** Starts the processes of containers; by default, no image is emulated. */
  start: PodEnvironment['start'] = () => undefined;

  constructor(spec: object, metadata: object = {}, status: object = {}) {
    this.pod = {
      metadata: { name: 'web', namespace: 'ns', uid: 'u', generation: 1, ...metadata },
      spec,
      status,
    } as unknown as corev1.Pod;
    this.state = createPodState(this.pod, startMs);
  }

  /** Runs until a time in seconds since the start. */
  runTo(seconds: number): corev1.PodStatus {
    const untilMs = startMs + seconds * 1000;
    while (this.#wakeMs <= untilMs) {
      this.#nowMs = this.#wakeMs;
      this.#sync();
    }
    this.#nowMs = untilMs;
    return this.status;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Synchronizes the pod at this time. */
  wake(): void {
    this.#sync();
  }

  get isIdle(): boolean {
    return !Number.isFinite(this.#wakeMs);
  }

  /** Changes the pod, and lets it react. */
  change(metadata: object, spec: object = {}): void {
    this.pod = { ...this.pod, metadata: { ...this.pod.metadata, ...metadata }, spec: { ...this.pod.spec, ...spec } };
    this.#sync();
  }

  get status(): corev1.PodStatus {
    return podStatus(this.pod, this.state, '172.18.0.2', this.#nowMs);
  }

  /** `c running ready 0`: the state with its reason, readiness and number of restarts. */
  get containers(): readonly string[] {
    const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = this.status;
    return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].map(({ name, state, ready, restartCount }) => {
      const { waiting, terminated } = state;
      const text = waiting ? waiting.reason : terminated ? `${terminated.reason} ${terminated.exitCode}` : 'running';
      return `${name} ${text}${ready ? ' ready' : ''} ${restartCount}`;
    });
  }

  condition(type: string): string {
    const { status = '', reason = '', message = '' } = this.status.conditions?.find((one) => one.type === type) ?? {};
    return [status, reason, message].filter((part) => part !== '').join(' ');
  }

  #sync(): void {
    const env: PodEnvironment = {
      hostIP: '172.18.0.2',
      allocateAddress: () => this.addresses[0] ?? '',
      recreateSandbox: () => this.addresses.shift(),
      newId: () => `id-${++this.#ids}`,
      isPullable: (image) => this.isPullable(image),
      hasImage: (full) => this.images.has(full),
      addImage: (full) => this.images.add(full),
      wake: () => {},
      start: (container, options) => this.start(container, options),
      mountErrors: this.mountErrors,
      configErrors: this.configErrors,
      missingPullSecrets: this.missingPullSecrets,
      runtimeHandler: this.runtimeHandler,
      ...(this.runtimeClassError === undefined ? {} : { runtimeClassError: this.runtimeClassError }),
      runtimeHandlers: ['runc'],
    };
    const step = new Step(this.pod, this.#nowMs, env);
    syncPod(this.state, step);
    this.#wakeMs = step.wakeMs;
    for (const { reason, message, fieldPath = '' } of step.events) {
      const container = fieldPath.split(/[{}]/)[1] ?? '';
      this.events.push(`${(this.#nowMs - startMs) / 1000} ${reason} ${container}`.trim());
      this.messages.push(message);
    }
  }
}
