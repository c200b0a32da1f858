import { type ApiClient, EventsRecorder, type InformerFactory } from '../client/index.ts';
import type { Clock, Log, Random } from '../env/index.ts';
import type { Labels, Product } from '../meta/index.ts';
import { type corev1, corev1Namespaces, corev1Pods } from '../schema/api/index.ts';
import { SchedulerCache } from './cache/scheduler-cache.ts';
import { BindingCycle } from './cycle/binding-cycle.ts';
import { Failures } from './cycle/failures.ts';
import { type Found, NodeFinder } from './cycle/find-node.ts';
import { WaitingPodMap } from './cycle/waiting-pods.ts';
import type { DeviceSelectorCompiler } from './devices/allocator.ts';
import { type Explanations, refusalsOf, scoresOf } from './explanations.ts';
import { CycleState } from './framework/cycle-state.ts';
import type { Framework } from './framework/framework.ts';
import type { Handle, PostFilterResult, QueuedPod } from './framework/plugin.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { podReference } from './framework/pod-reference.ts';
import { errorStatus, messageOf, type Status, unresolvable, unschedulable } from './framework/status.ts';
import { defaultSchedulerName, type SchedulerConfiguration, type SchedulerProfile } from './profiles/configuration.ts';
import { createFramework } from './profiles/create-framework.ts';
import type { BackoffLimits } from './queue/backoff.ts';
import { type QueueProfile, SchedulingQueue } from './queue/scheduling-queue.ts';
import { watchCluster } from './watch-cluster.ts';

export interface SchedulerParts {
  readonly client: ApiClient;
  readonly informers: InformerFactory;
  readonly clock: Clock;
  readonly log: Log;
  readonly product: Product;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly host: string;
  readonly configuration: SchedulerConfiguration;
  readonly explanations: Explanations;
  readonly loadDeviceSelectors: () => Promise<DeviceSelectorCompiler>;
  readonly deviceTaints: boolean;
}

interface Profile {
  readonly framework: Framework;
  readonly recorder: EventsRecorder;
  readonly queue: QueueProfile;
}

/** Longest time, and largest number of pods, before other work gets a turn; and bindings that run at the same time. */
const turnMs = 20;
const podsPerTurn = 100;
const maxBindings = 200;

/** Schedules one pod after another, and binds them concurrently. Cf. pkg/scheduler Scheduler. */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #cache: SchedulerCache;
  readonly #queue: SchedulingQueue;
  readonly #waiting = new WaitingPodMap();
  readonly #profiles: ReadonlyMap<string, Profile>;
  readonly #finder: NodeFinder;
  readonly #bindings: BindingCycle;
  readonly #failures: Failures;
  /** Resolve when the caches of the plugins are complete. */
  readonly #synced: Promise<void>[] = [];
  #wake: () => void = () => {};

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    const { clock, signal, informers } = parts;
    this.#cache = new SchedulerCache(parts.product);
    this.#queue = new SchedulingQueue({
      clock,
      signal,
      profileOf: ({ pod }) => this.#profileOf(pod)?.queue,
      backoff: backoffOf(parts.configuration),
      onReady: () => this.#wake(),
    });
    this.#finder = new NodeFinder(this.#cache, parts.random);
    const pods = informers.informer(corev1Pods, { fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed' });
    this.#profiles = new Map((parts.configuration.profiles ?? [{}]).map((profile) => this.#createProfile(profile, pods.store)));
    this.#failures = new Failures({ ...parts, pods: pods.store, queue: this.#queue });
    this.#bindings = new BindingCycle({
      ...parts,
      cache: this.#cache,
      queue: this.#queue,
      waiting: this.#waiting,
      failures: this.#failures,
    });
    const synced = watchCluster({
      informers,
      pods,
      cache: this.#cache,
      queue: this.#queue,
      waiting: this.#waiting,
      isResponsible: (pod) => this.#profileOf(pod) !== undefined,
      resources: new Set(
        [...this.#profiles.values()].flatMap(({ queue }) => queue.events.map(({ registration }) => registration.resource)),
      ),
    });
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    void Promise.all([synced, ...this.#synced]).then(() => this.#run());
  }

  async #run(): Promise<void> {
    const { clock, signal, log } = this.#parts;
    let turnStartMs = clock.monotonicMs();
    for (let count = 1; !signal.aborted; count++) {
      const queued = this.#queue.pop();
      if (!queued) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      try {
        this.#schedule(queued);
      } catch (error) {
        log.error('scheduling failed', { pod: queued.info.key, error });
        this.#fail(queued, errorStatus(error));
      }
      if (count % podsPerTurn === 0 || clock.monotonicMs() - turnStartMs > turnMs) {
        await clock.nextTurn();
        turnStartMs = clock.monotonicMs();
      }
      if (this.#bindings.size >= maxBindings) await this.#bindings.oneDone();
    }
  }

  /** Cf. ScheduleOne. */
  #schedule(queued: QueuedPod): void {
    const { info } = queued;
    const profile = this.#profileOf(info.pod);
    if (!profile || this.#cache.isAssumed(info)) return;
    if (info.pod.metadata.deletionTimestamp !== undefined) {
      const note = `skip schedule deleting pod: ${info.key}`;
      profile.recorder.event({
        regarding: podReference(info.pod),
        type: 'Warning',
        reason: 'FailedScheduling',
        action: 'Scheduling',
        note,
      });
      return;
    }
    const state = new CycleState();
    const found = this.#finder.find(profile.framework, state, info);
    if (found.kind === 'node') this.#place(queued, { profile, state, found });
    else this.#refuse(queued, { profile, state, found });
  }

  #place(
    queued: QueuedPod,
    { profile, state, found }: { profile: Profile; state: CycleState; found: Extract<Found, { kind: 'node' }> },
  ): void {
    const { info } = queued;
    const node = found.node.name;
    this.#explain(queued, found, { node, message: '' });
    this.#cache.assume(info, node);
    this.#queue.nominated.remove(info);
    const refusal = profile.framework.reserve(state, info, node);
    if (refusal) {
      profile.framework.unreserve(state, info, node);
      this.#cache.forget(info);
      this.#failures.handle(queued, { status: refusal, recorder: profile.recorder });
      return;
    }
    this.#bindings.start(queued, { state, node, ...profile });
  }

  /** Tries preemption when no node fits. Cf. schedulingCycle. */
  #refuse(
    queued: QueuedPod,
    { profile, state, found }: { profile: Profile; state: CycleState; found: Exclude<Found, { kind: 'node' }> },
  ): void {
    const { framework, recorder } = profile;
    if (found.kind === 'noNodes') {
      const status = unresolvable('no nodes available to schedule pods');
      this.#explain(queued, found, { message: messageOf(status) });
      this.#failures.handle(queued, { status, recorder, nominatedNode: '' });
    } else if (found.kind === 'error') {
      this.#explain(queued, found, { message: messageOf(found.status) });
      this.#failures.handle(queued, { status: found.status, recorder, nominatedNode: '' });
    } else {
      const { diagnosis } = found;
      const result: PostFilterResult = framework.hasPostFilter
        ? framework.postFilter(state, queued.info, diagnosis)
        : { nominatedNode: '' };
      const { nominatedNode } = result;
      diagnosis.postFilterMessage = result.status ? messageOf(result.status) : '';
      queued.unschedulablePlugins = diagnosis.unschedulablePlugins;
      queued.pendingPlugins = diagnosis.pendingPlugins;
      const message = diagnosis.message(this.#cache.list().length);
      this.#explain(queued, found, { nominatedNode, message });
      this.#failures.handle(queued, { status: unschedulable(message), recorder, nominatedNode });
    }
  }

  #fail(queued: QueuedPod, status: Status): void {
    const profile = this.#profileOf(queued.info.pod);
    this.#cache.forget(queued.info);
    if (profile) this.#failures.handle(queued, { status, recorder: profile.recorder });
  }

  #explain(
    { info, attempts }: QueuedPod,
    found: Found,
    { node, nominatedNode, message }: { node?: string | undefined; nominatedNode?: string | undefined; message: string },
  ): void {
    const timeMs = this.#parts.clock.nowMs();
    this.#parts.explanations.set(info.key, () => ({
      pod: info.key,
      uid: info.uid,
      timeMs,
      attempt: attempts,
      node,
      nominatedNode: nominatedNode || undefined,
      message,
      refusals: 'diagnosis' in found ? refusalsOf(found.diagnosis.entries()) : [],
      scores: 'scores' in found && found.scores ? scoresOf(found.scores) : [],
    }));
  }

  #profileOf({ spec }: corev1.Pod): Profile | undefined {
    return this.#profiles.get(spec.schedulerName ?? '');
  }

  #createProfile(profile: SchedulerProfile, pods: Handle['pods']): readonly [string, Profile] {
    const { client, clock, log, host, signal, informers, product, random, configuration, deviceTaints } = this.#parts;
    const controller = profile.schedulerName ?? defaultSchedulerName;
    const recorder = new EventsRecorder({ client, clock, log, controller, instance: `${controller}-${host}`, signal });
    const namespaces = informers.informer(corev1Namespaces).store;
    const framework = createFramework(
      configuration,
      profile,
      (of): Handle => ({
        client,
        store: (resource) => {
          const informer = informers.informer(resource);
          this.#synced.push(informer.synced);
          return informer.store;
        },
        clock,
        log,
        random,
        product,
        signal,
        snapshot: this.#cache,
        nominator: this.#queue.nominated,
        waiting: this.#waiting,
        recorder,
        namespaceLabels: (namespace): Labels => namespaces.get(namespace)?.metadata.labels ?? {},
        activate: (pod: PodInfo) => this.#queue.activate(pod),
        simulation: of,
        pods,
        deviceTaints,
        loadDeviceSelectors: () => this.#parts.loadDeviceSelectors(),
      }),
    );
    const events = framework.profile.plugins.flatMap(({ name, events = [] }) =>
      events.map((registration) => ({ plugin: name, registration })),
    );
    const queue: QueueProfile = {
      less: (a, b) => framework.less(a, b),
      preEnqueue: (pod) => framework.preEnqueue(pod),
      events,
    };
    return [controller, { framework, recorder, queue }];
  }
}

function backoffOf({ podInitialBackoffSeconds = 1, podMaxBackoffSeconds = 10 }: SchedulerConfiguration): BackoffLimits {
  return { initialMs: podInitialBackoffSeconds * 1000, maxMs: podMaxBackoffSeconds * 1000 };
}
