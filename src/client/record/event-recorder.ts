import type { Clock, Log } from '../../env/index.ts';
import { formatTime } from '../../meta/index.ts';
import { type corev1, corev1Events } from '../../schema/api/index.ts';
import { type ApiClient, ApiError, hasStatus, type KubeObject, type ResourceClient } from '../api/index.ts';
import { type CorrelatedEvent, EventCorrelator } from './event-correlator.ts';
import { EventNames } from './event-names.ts';

export interface EventRecorderOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  /** The component that reports: `deployment-controller`. */
  readonly component: string;
  /** The node of the component. */
  readonly host?: string;
  readonly signal: AbortSignal;
}

/** Attempts to write an event, and the delay between them, while the server cannot be reached. */
const maxAttempts = 12;
const retryMs = 10_000;

/** Records events about objects, in the order of the calls and without delaying the caller. Cf. client-go tools/record EventRecorder. */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #events: ResourceClient<corev1.Event>;
  readonly #correlator: EventCorrelator;
  /** Resolves when the events so far are written. */
  #written: Promise<void> = Promise.resolve();
  readonly #names: EventNames;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#events = options.client.resource(corev1Events);
    this.#correlator = new EventCorrelator(options.clock);
    this.#names = new EventNames(`${options.component} ${options.host ?? ''}`);
  }

  /** `reason` is one word in CamelCase; `fieldPath` names a part of the object: `spec.containers{web}`. */
  event(object: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string, fieldPath?: string): void {
    this.#enqueue(this.#newEvent(object, type, reason, message, fieldPath));
  }

  /** An event with annotations. Cf. client-go tools/record AnnotatedEventf. */
  annotatedEvent(
    object: KubeObject,
    annotations: Readonly<Record<string, string>>,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void {
    const event = this.#newEvent(object, type, reason, message);
    this.#enqueue({ ...event, metadata: { ...event.metadata, annotations } });
  }

  #enqueue(event: corev1.Event): void {
    this.#written = this.#written.then(() => this.#record(event));
  }

  #newEvent({ apiVersion, kind, metadata }: KubeObject, type: string, reason: string, message: string, fieldPath?: string): corev1.Event {
    const { component, host } = this.#options;
    const { name = '', namespace, uid, resourceVersion } = metadata;
    const nowMs = this.#options.clock.nowMs();
    const now = formatTime(nowMs);
    return {
      apiVersion: this.#events.apiVersion,
      kind: 'Event',
      metadata: { name: this.#names.next(name, nowMs), namespace: namespace ?? 'default' },
      involvedObject: {
        kind,
        ...(namespace === undefined ? {} : { namespace }),
        name,
        ...(uid === undefined ? {} : { uid }),
        apiVersion,
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
        ...(fieldPath === undefined ? {} : { fieldPath }),
      },
      reason,
      message,
      source: { component, ...(host === undefined ? {} : { host }) },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      eventTime: null,
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
  }

  async #record(event: corev1.Event): Promise<void> {
    const correlated = this.#correlator.correlate(event);
    const { clock, log, signal } = this.#options;
    for (let attempt = 1; correlated && !signal.aborted; attempt++) {
      try {
        this.#correlator.update(correlated.key, await this.#write(correlated));
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError || attempt === maxAttempts) {
          if (!isExpected(error)) log.warn('event rejected', { reason: event.reason, error });
          return;
        }
        await clock.sleep(retryMs, signal).catch(() => undefined);
      }
    }
  }

  async #write({ event, isRepeated }: CorrelatedEvent): Promise<corev1.Event> {
    if (!isRepeated) return this.#events.create(event);
    const { name = '', namespace = '' } = event.metadata;
    const { count, lastTimestamp, message } = event;
    try {
      return await this.#events.patch({ name, namespace }, 'strategic', { count, lastTimestamp, message });
    } catch (error) {
      // Events expire after an hour.
      if (hasStatus(error, 404)) return this.#events.create(event);
      throw error;
    }
  }
}

/** The event exists, or its namespace is being deleted. */
function isExpected(error: unknown): boolean {
  return hasStatus(error, 409) || (hasStatus(error, 403) && /being terminated/.test(error.message));
}
