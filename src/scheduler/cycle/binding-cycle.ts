import type { EventsRecorder } from '../../client/index.ts';
import type { Clock, Log } from '../../env/index.ts';
import type { SchedulerCache } from '../cache/scheduler-cache.ts';
import { actions } from '../framework/cluster-events.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import type { Framework } from '../framework/framework.ts';
import type { QueuedPod } from '../framework/plugin.ts';
import { podReference } from '../framework/pod-reference.ts';
import { errorStatus, isRejected, type Status, unschedulable } from '../framework/status.ts';
import type { SchedulingQueue } from '../queue/scheduling-queue.ts';
import type { Failures } from './failures.ts';
import type { WaitingPodMap } from './waiting-pods.ts';

export interface BindingOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly waiting: WaitingPodMap;
  readonly failures: Failures;
}

/** A pod with its node, and the plugins of its profile. */
export interface Placement {
  readonly framework: Framework;
  readonly recorder: EventsRecorder;
  readonly state: CycleState;
  readonly node: string;
}

/** Binds pods beside the scheduling of others: Permit, PreBind, Bind and PostBind. Cf. bindingCycle. */
export class BindingCycle {
  readonly #options: BindingOptions;
  readonly #running = new Set<Promise<void>>();

  constructor(options: BindingOptions) {
    this.#options = options;
  }

  /** Number of bindings in progress. */
  get size(): number {
    return this.#running.size;
  }

  /** Resolves when one of the bindings is complete. */
  async oneDone(): Promise<void> {
    await Promise.race(this.#running);
  }

  /** Permit is the last extension point of the scheduling cycle; all others run asynchronously. */
  start(queued: QueuedPod, placement: Placement): void {
    const permission = placement.framework.permit(placement.state, queued.info, placement.node);
    if (permission && permission.status.code !== 'Wait') {
      this.#fail(queued, placement, permission.status);
      return;
    }
    const running = this.#run(queued, placement, permission?.waits).catch((error: unknown) =>
      this.#fail(queued, placement, errorStatus(error)),
    );
    const done = running.then(() => {
      this.#running.delete(done);
    });
    this.#running.add(done);
  }

  async #run(queued: QueuedPod, placement: Placement, waits: ReadonlyMap<string, number> | undefined): Promise<void> {
    const { framework, recorder, state, node } = placement;
    const { info } = queued;
    await this.#options.failures.written(info.uid);
    const refusal =
      (waits && (await this.#wait(info.uid, waits))) ??
      (await framework.preBind(state, info, node)) ??
      (await framework.bind(state, info, node));
    if (this.#options.signal.aborted) return;
    if (refusal) {
      this.#fail(queued, placement, refusal);
      return;
    }
    const note = `Successfully assigned ${info.key} to ${node}`;
    recorder.event({ regarding: podReference(info.pod), type: 'Normal', reason: 'Scheduled', action: 'Binding', note });
    framework.postBind(state, info, node);
  }

  /** Cf. WaitOnPermit. */
  async #wait(uid: string, waits: ReadonlyMap<string, number>): Promise<Status | undefined> {
    const { clock, waiting } = this.#options;
    const [[plugin, timeoutMs] = ['', 0]] = [...waits].sort(([, a], [, b]) => a - b);
    const decided = waiting.wait(uid);
    const cancel = clock.schedule(timeoutMs, () => {
      waiting.reject(uid, plugin, `rejected due to timeout after waiting ${timeoutMs / 1000}s at plugin ${plugin}`);
    });
    const status = await decided;
    cancel();
    return status;
  }

  /** Cf. handleBindingCycleError. */
  #fail(queued: QueuedPod, { framework, recorder, state, node }: Placement, status: Status): void {
    const { cache, queue, failures, log } = this.#options;
    const { info } = queued;
    framework.unreserve(state, info, node);
    cache.forget(info);
    if (isRejected(status) && status.plugin !== undefined) queued.unschedulablePlugins = new Set([status.plugin]);
    else log.warn('binding failed', { pod: info.key, node, error: status.error });
    // The resources of the pod are free again for others.
    queue.moveAll({ resource: 'AssignedPod', action: actions.delete }, info.pod);
    failures.handle(queued, { status: isRejected(status) ? unschedulable(...status.reasons) : status, recorder, nominatedNode: '' });
  }
}
