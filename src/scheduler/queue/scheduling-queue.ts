import type { KubeObject } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import { type ClusterEvent, type EventRegistration, matchesEvent } from '../framework/cluster-events.ts';
import type { QueuedPod } from '../framework/plugin.ts';
import type { PodIdentity, PodInfo } from '../framework/pod-info.ts';
import type { Status } from '../framework/status.ts';
import { type BackoffLimits, backoffMs, defaultBackoff, newQueuedPod } from './backoff.ts';
import { Heap } from './heap.ts';
import { NominatedPods } from './nominated-pods.ts';
import { podChanges } from './pod-changes.ts';
import { type RejectedPods, UnschedulablePods } from './unschedulable-pods.ts';

/** What the queue uses of the profile of a pod. */
export interface QueueProfile {
  less(a: QueuedPod, b: QueuedPod): boolean;
  preEnqueue(pod: PodInfo): Status | undefined;
  /** The changes after which rejected pods are queued again, by plugin. */
  readonly events: readonly { readonly plugin: string; readonly registration: EventRegistration }[];
}

export interface QueueOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Undefined: the pod belongs to another scheduler. */
  readonly profileOf: (pod: PodInfo) => QueueProfile | undefined;
  /** Default: that of kube-scheduler. */
  readonly backoff?: BackoffLimits;
  /** Called when `pop` may return a pod. */
  readonly onReady: () => void;
}

type QueueingStrategy = 'skip' | 'afterBackoff' | 'immediately';

/** Longest time in the unschedulable pods, and how often that is checked. */
const maxUnschedulableMs = 5 * 60_000;
const checkMs = 30_000;

/**
 * Pods to schedule: active ones, those in backoff and unschedulable ones. An unschedulable pod is queued again after an event that may make
 * it schedulable, as the hints of the plugins that rejected it decide. When no pod is active, one in backoff is taken early (SchedulerPopFromBackoffQ), except
 * after errors. Cf. pkg/scheduler/backend/queue PriorityQueue.
 */
export class SchedulingQueue {
  readonly nominated: NominatedPods = new NominatedPods();
  readonly #options: QueueOptions;
  readonly #active: Heap<QueuedPod>;
  readonly #backoff: Heap<QueuedPod>;
  readonly #errorBackoff: Heap<QueuedPod>;
  readonly #unschedulable = new UnschedulablePods();
  #sequence = 0;
  #cancelErrorTimer: (() => void) | undefined;
  #cancelLeftoverTimer: (() => void) | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
    const less = (a: QueuedPod, b: QueuedPod): boolean => options.profileOf(a.info)?.less(a, b) ?? a.sequence < b.sequence;
    const byBackoff = (a: QueuedPod, b: QueuedPod): boolean => {
      const [first, second] = [this.#backoffWindow(a), this.#backoffWindow(b)];
      return first === second ? less(a, b) : first < second;
    };
    const keyOf = ({ info }: QueuedPod): string => info.key;
    this.#active = new Heap(keyOf, less);
    this.#backoff = new Heap(keyOf, byBackoff);
    this.#errorBackoff = new Heap(keyOf, byBackoff);
    options.signal.addEventListener('abort', () => {
      this.#cancelErrorTimer?.();
      this.#cancelLeftoverTimer?.();
    });
  }

  /** The next pod to schedule; undefined: none is ready. */
  pop(): QueuedPod | undefined {
    this.#flushBackoff();
    const pod = this.#active.pop() ?? this.#backoff.pop();
    if (!pod) return undefined;
    pod.attempts += 1;
    pod.unschedulablePlugins = noPlugins;
    pod.pendingPlugins = noPlugins;
    return pod;
  }

  /** A new pod. */
  add(info: PodInfo): void {
    this.nominated.add(info);
    this.#activate(newQueuedPod(info, this.#options.clock.monotonicMs(), this.#sequence++));
  }

  update(old: PodInfo, info: PodInfo): void {
    this.nominated.update(old, info);
    const heap = this.#heapOf(info.key);
    const queued = heap?.get(info.key);
    if (heap && queued) {
      queued.info = info;
      heap.set(queued);
      return;
    }
    const rejected = this.#unschedulable.get(info.key);
    if (!rejected) {
      this.#activate(newQueuedPod(info, this.#options.clock.monotonicMs(), this.#sequence++));
      return;
    }
    rejected.info = info;
    for (const event of podChanges(info.pod, old.pod, 'UnscheduledPod')) {
      this.#requeue(rejected, this.#strategyFor(rejected, event, old.pod, info.pod));
      if (!this.#unschedulable.get(info.key)) return;
    }
  }

  delete(info: PodIdentity): void {
    this.nominated.remove(info);
    this.#active.delete(info.key);
    this.#backoff.delete(info.key);
    this.#errorBackoff.delete(info.key);
    this.#unschedulable.delete(info.key);
  }

  has(key: string): boolean {
    return this.#unschedulable.get(key) !== undefined || this.#heapOf(key) !== undefined;
  }

  /** Returns a pod whose scheduling failed. Cf. AddUnschedulableIfNotPresent. */
  addUnschedulable(queued: QueuedPod): void {
    if (this.has(queued.info.key)) return;
    queued.timestampMs = this.#options.clock.monotonicMs();
    queued.sequence = this.#sequence++;
    const isError = queued.unschedulablePlugins.size === 0 && queued.pendingPlugins.size === 0;
    if (isError) queued.errorCount += 1;
    else {
      queued.unschedulableCount += 1;
      queued.errorCount = 0;
    }
    this.#requeue(queued, isError ? 'afterBackoff' : 'skip');
  }

  /** Moves the pods that a change may make schedulable. `isCandidate` restricts them. Cf. MoveAllToActiveOrBackoffQueue. */
  moveAll(event: ClusterEvent, old?: KubeObject, current?: KubeObject, isCandidate: (pod: PodInfo) => boolean = () => true): void {
    for (const group of this.#unschedulable.groups()) {
      if (!this.#isEventOfInterest(group, event)) continue;
      for (const queued of [...group.pods.values()]) {
        if (isCandidate(queued.info)) this.#requeue(queued, this.#strategyFor(queued, event, old, current));
      }
    }
  }

  /** Whether any plugin that rejected the pods is registered for the event. */
  #isEventOfInterest({ plugins, pods }: RejectedPods, event: ClusterEvent): boolean {
    if (plugins.size === 0) return true;
    const [first] = pods.values();
    const events = (first && this.#options.profileOf(first.info)?.events) ?? [];
    return events.some(({ plugin, registration }) => plugins.has(plugin) && matchesEvent(registration, event));
  }

  /** Moves one pod to the active ones. Cf. Activate. */
  activate({ key }: PodInfo): void {
    const queued = this.#unschedulable.get(key) ?? this.#backoff.delete(key) ?? this.#errorBackoff.delete(key);
    if (queued) this.#activate(queued);
  }

  #heapOf(key: string): Heap<QueuedPod> | undefined {
    return [this.#active, this.#backoff, this.#errorBackoff].find((heap) => heap.get(key) !== undefined);
  }

  /** Whether a change may make a pod schedulable, and when it is queued again. Cf. isPodWorthRequeuing. */
  #strategyFor(queued: QueuedPod, event: ClusterEvent, old: KubeObject | undefined, current: KubeObject | undefined): QueueingStrategy {
    const { info, unschedulablePlugins: rejecting, pendingPlugins: pending } = queued;
    if (rejecting.size + pending.size === 0) return 'afterBackoff';
    let strategy: QueueingStrategy = 'skip';
    for (const { plugin, registration } of this.#options.profileOf(info)?.events ?? []) {
      const isPending = pending.has(plugin);
      if (!isPending && (strategy !== 'skip' || !rejecting.has(plugin))) continue;
      if (!matchesEvent(registration, event)) continue;
      if (registration.hint && !registration.hint(info, old, current)) continue;
      if (isPending) return 'immediately';
      strategy = 'afterBackoff';
    }
    return strategy;
  }

  /** Cf. requeuePodWithQueueingStrategy. */
  #requeue(queued: QueuedPod, strategy: QueueingStrategy): void {
    if (strategy === 'skip') {
      this.#unschedulable.set(queued);
      this.#startLeftoverTimer();
      return;
    }
    const isError = queued.errorCount > 0;
    const isBackingOff = this.#backoffEndMs(queued) > this.#options.clock.monotonicMs();
    if (strategy === 'immediately' || !isBackingOff) this.#activate(queued);
    else if (this.#passesPreEnqueue(queued)) {
      this.#unschedulable.delete(queued.info.key);
      (isError ? this.#errorBackoff : this.#backoff).set(queued);
      if (isError) this.#startErrorTimer();
      else this.#options.onReady();
    }
  }

  #activate(queued: QueuedPod): void {
    if (!this.#passesPreEnqueue(queued)) return;
    this.#unschedulable.delete(queued.info.key);
    this.#active.set(queued);
    this.#options.onReady();
  }

  /** A gated pod stays among the unschedulable ones. */
  #passesPreEnqueue(queued: QueuedPod): boolean {
    const status = this.#options.profileOf(queued.info)?.preEnqueue(queued.info);
    if (!status) return true;
    queued.unschedulablePlugins = new Set([...queued.unschedulablePlugins, status.plugin ?? '']);
    this.#unschedulable.set(queued);
    return false;
  }

  #backoffEndMs(queued: QueuedPod): number {
    return queued.timestampMs + backoffMs(queued, this.#options.backoff ?? defaultBackoff);
  }

  /** Backoffs that end in the same second are equal, so that the priority decides. */
  #backoffWindow(queued: QueuedPod): number {
    return Math.floor(this.#backoffEndMs(queued) / 1000);
  }

  /** Moves the pods whose backoff is over to the active ones. */
  #flushBackoff(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const heap of [this.#backoff, this.#errorBackoff]) {
      for (let next = heap.peek(); next && this.#backoffEndMs(next) <= nowMs; next = heap.peek()) {
        heap.pop();
        this.#active.set(next);
      }
    }
  }

  #startErrorTimer(): void {
    this.#cancelErrorTimer?.();
    this.#cancelErrorTimer = undefined;
    const next = this.#errorBackoff.peek();
    if (!next) return;
    const delayMs = Math.max(0, this.#backoffEndMs(next) - this.#options.clock.monotonicMs());
    this.#cancelErrorTimer = this.#options.clock.schedule(delayMs, () => {
      this.#flushBackoff();
      this.#startErrorTimer();
      this.#options.onReady();
    });
  }

  /** Cf. flushUnschedulablePodsLeftover. */
  #startLeftoverTimer(): void {
    this.#cancelLeftoverTimer ??= this.#options.clock.schedule(checkMs, () => {
      this.#cancelLeftoverTimer = undefined;
      const nowMs = this.#options.clock.monotonicMs();
      for (const queued of this.#unschedulable.list()) {
        if (nowMs - queued.timestampMs > maxUnschedulableMs) this.#requeue(queued, 'afterBackoff');
      }
      if (this.#unschedulable.size > 0) this.#startLeftoverTimer();
    });
  }
}

const noPlugins: ReadonlySet<string> = new Set();
