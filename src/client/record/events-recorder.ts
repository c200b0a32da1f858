import type { Clock, Log } from '../../env/index.ts';
import { formatMicroTime } from '../../meta/index.ts';
import { type corev1, type eventsv1, eventsv1Events } from '../../schema/api/index.ts';
import { type ApiClient, ApiError, hasStatus, type ResourceClient } from '../api/index.ts';
import { EventNames } from './event-names.ts';

export interface EventsRecorderOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  /** The component that reports: `default-scheduler`. */
  readonly controller: string;
  /** The instance of the component: `default-scheduler-HOST`. */
  readonly instance: string;
  readonly signal: AbortSignal;
}

/** An event of the API group events.k8s.io. */
export interface EventToRecord {
  readonly regarding: corev1.ObjectReference;
  readonly related?: corev1.ObjectReference;
  readonly type: 'Normal' | 'Warning';
  /** Why the action was taken, one word in CamelCase. */
  readonly reason: string;
  /** The action that was taken or failed, one word in CamelCase. */
  readonly action: string;
  readonly note: string;
}

/** Attempts to write an event, and the delay between them, while the server cannot be reached. */
const maxAttempts = 12;
const retryMs = 10_000;
/** A series ends when its event was not seen for this time. */
const finishMs = 6 * 60_000;
/** How often the counts of series are written. */
const refreshMs = 30 * 60_000;

/** An event that is counted; the first repetition starts its series. */
interface Counted {
  event: eventsv1.Event;
  lastMs: number;
  /** The number of occurrences, from the second on. */
  count: number;
}

/**
 * Records events of events.k8s.io, without delaying the caller. Repetitions become a series: the second occurrence is written, further ones
 * every 30 minutes and when the series ends. Cf. client-go tools/events.
 */
export class EventsRecorder {
  readonly #options: EventsRecorderOptions;
  readonly #events: ResourceClient<eventsv1.Event>;
  readonly #counted = new Map<string, Counted>();
  /** Resolves when the events so far are written. */
  #written: Promise<void> = Promise.resolve();
  readonly #names: EventNames;
  #cancelTimer: (() => void) | undefined;
  #refreshedMs = 0;

  constructor(options: EventsRecorderOptions) {
    this.#options = options;
    this.#events = options.client.resource(eventsv1Events);
    this.#names = new EventNames(options.instance);
    this.#refreshedMs = options.clock.monotonicMs();
    options.signal.addEventListener('abort', () => this.#cancelTimer?.(), { once: true });
  }

  event(given: EventToRecord): void {
    const { regarding, related, type, reason, action } = given;
    const key = JSON.stringify([regarding, related, type, reason, action]);
    const nowMs = this.#options.clock.nowMs();
    const known = this.#counted.get(key);
    if (!known) {
      const counted = { event: this.#newEvent(given, nowMs), lastMs: nowMs, count: 1 };
      this.#counted.set(key, counted);
      this.#enqueue(counted);
    } else {
      known.count += 1;
      known.lastMs = nowMs;
      if (known.count === 2) this.#enqueue(known);
    }
    this.#startTimer();
  }

  #newEvent({ regarding, related, type, reason, action, note }: EventToRecord, nowMs: number): eventsv1.Event {
    const { controller, instance } = this.#options;
    return {
      apiVersion: this.#events.apiVersion,
      kind: this.#events.kind,
      metadata: { name: this.#names.next(`${regarding.name}`, nowMs), namespace: regarding.namespace || 'default' },
      eventTime: formatMicroTime(nowMs),
      reportingController: controller,
      reportingInstance: instance,
      action,
      reason,
      regarding,
      ...(related ? { related } : {}),
      note,
      type,
      deprecatedSource: {},
      deprecatedFirstTimestamp: null,
      deprecatedLastTimestamp: null,
    };
  }

  #enqueue(counted: Counted): void {
    const { event, count, lastMs } = counted;
    const series = count > 1 ? { count, lastObservedTime: formatMicroTime(lastMs) } : undefined;
    this.#written = this.#written.then(() => this.#record(event, series));
  }

  async #record(event: eventsv1.Event, series: eventsv1.EventSeries | undefined): Promise<void> {
    const { clock, log, signal } = this.#options;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        await this.#write(event, series);
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError || attempt === maxAttempts) {
          if (!hasStatus(error, 403, 409)) log.warn('event rejected', { reason: event.reason, error });
          return;
        }
        await clock.sleep(retryMs, signal).catch(() => undefined);
      }
    }
  }

  async #write(event: eventsv1.Event, series: eventsv1.EventSeries | undefined): Promise<void> {
    if (!series) {
      await this.#events.create(event);
      return;
    }
    const { name = '', namespace = '' } = event.metadata;
    try {
      await this.#events.patch({ name, namespace }, 'strategic', { series });
    } catch (error) {
      // Events expire after an hour.
      if (!hasStatus(error, 404)) throw error;
      await this.#events.create({ ...event, series });
    }
  }

  /** Runs while events are counted. */
  #startTimer(): void {
    const { clock } = this.#options;
    this.#cancelTimer ??= clock.schedule(finishMs, () => {
      this.#cancelTimer = undefined;
      this.#finishSeries();
      if (clock.monotonicMs() - this.#refreshedMs >= refreshMs) {
        this.#refreshedMs = clock.monotonicMs();
        for (const counted of this.#counted.values()) if (counted.count > 1) this.#enqueue(counted);
      }
      if (this.#counted.size > 0) this.#startTimer();
    });
  }

  #finishSeries(): void {
    const beforeMs = this.#options.clock.nowMs() - finishMs;
    for (const [key, counted] of this.#counted) {
      if (counted.lastMs >= beforeMs) continue;
      this.#counted.delete(key);
      if (counted.count > 1) this.#enqueue(counted);
    }
  }
}
