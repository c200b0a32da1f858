import type { ApiClient, EventsRecorder, Indexer } from '../../client/index.ts';
import { hasStatus } from '../../client/index.ts';
import type { Clock, Log } from '../../env/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { QueuedPod } from '../framework/plugin.ts';
import { PodInfo } from '../framework/pod-info.ts';
import { podReference } from '../framework/pod-reference.ts';
import { isRejected, messageOf, type Status } from '../framework/status.ts';
import type { SchedulingQueue } from '../queue/scheduling-queue.ts';
import { truncateMessage } from './fit-error.ts';
import { patchPodStatus } from './pod-status.ts';

export interface FailuresOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly pods: Pick<Indexer<corev1.Pod>, 'get'>;
  readonly queue: SchedulingQueue;
}

export interface Failure {
  readonly status: Status;
  readonly recorder: EventsRecorder;
  /** Empty clears the nomination, undefined leaves it as it is. */
  readonly nominatedNode?: string | undefined;
}

/** Returns pods whose scheduling failed to the queue, and reports the failure. Cf. handleSchedulingFailure. */
export class Failures {
  readonly #options: FailuresOptions;
  /** Status writes in flight, by the UID of the pod. */
  readonly #writes = new Map<string, Promise<void>>();

  constructor(options: FailuresOptions) {
    this.#options = options;
  }

  handle(queued: QueuedPod, { status, recorder, nominatedNode }: Failure): void {
    const { pods, queue, log, signal } = this.#options;
    const { pod } = queued.info;
    const cached = pods.get(queued.info.key);
    const isCurrent = cached !== undefined && cached.metadata.uid === pod.metadata.uid && !cached.spec.nodeName;
    if (isCurrent) {
      if (cached !== pod) queued.info = new PodInfo(cached);
      queue.addUnschedulable(queued);
      queue.nominated.add(queued.info, nominatedNode ?? queue.nominated.nodeOf(queued.info.uid));
    }
    const message = messageOf(status);
    const note = truncateMessage(message);
    recorder.event({ regarding: podReference(pod), type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note });
    const reason = isRejected(status) ? 'Unschedulable' : 'SchedulerError';
    const condition = { type: 'PodScheduled', status: 'False', reason, message };
    const { uid } = queued.info;
    const written = patchPodStatus(this.#options, pod, { condition, nominatedNode })
      .catch((error: unknown) => {
        if (!signal.aborted && !hasStatus(error, 404, 409)) log.warn('status of a pod rejected', { pod: queued.info.key, error });
      })
      .finally(() => {
        if (this.#writes.get(uid) === written) this.#writes.delete(uid);
      });
    this.#writes.set(uid, written);
  }

  /** Resolves when the last failure of a pod is written: a binding must not be overtaken by it. Undefined: there is none in flight. */
  written(uid: string): Promise<void> | undefined {
    return this.#writes.get(uid);
  }
}
