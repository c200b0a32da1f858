import { type Clock, TokenBucket } from '../../env/index.ts';
import { formatTime, getOrAdd, LruCache } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** An event that is to be written. */
export interface CorrelatedEvent {
  readonly event: corev1.Event;
  /** Identifies the occurrences that are counted in one event. */
  readonly key: string;
  /** Whether an event with this key was written before: its count is patched. */
  readonly isRepeated: boolean;
}

/** The event that counts the occurrences of a key. */
interface Observation {
  readonly name: string;
  readonly count: number;
  readonly firstTimestamp: string | null;
}

/** The distinct messages of similar events. */
interface Aggregate {
  readonly messages: Set<string>;
  lastMs: number;
}

const maxCacheEntries = 4_096;
/** Number of distinct messages from which similar events are combined, within the interval. */
const maxSimilarEvents = 10;
const aggregateIntervalMs = 600_000;
/** Events of one source about one object: a burst, then one in five minutes. */
const spamBurst = 25;
const spamPerSecond = 1 / 300;

/** Counts repeated events, combines similar ones and drops floods. Cf. client-go tools/record EventCorrelator. */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #aggregates = new LruCache<string, Aggregate>(maxCacheEntries);
  readonly #observations = new LruCache<string, Observation>(maxCacheEntries);
  readonly #spamLimits = new LruCache<string, TokenBucket>(maxCacheEntries);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined when there are too many events of the source about the object. */
  correlate(given: corev1.Event): CorrelatedEvent | undefined {
    const { event, key } = this.#aggregate(given);
    const observed = this.#observations.get(key);
    const counted: corev1.Event = observed
      ? {
          ...event,
          metadata: { ...event.metadata, name: observed.name },
          firstTimestamp: observed.firstTimestamp,
          count: observed.count + 1,
        }
      : event;
    this.update(key, counted);
    return this.#isSpam(counted) ? undefined : { event: counted, key, isRepeated: observed !== undefined };
  }

  /** Records the stored state of an event. */
  update(key: string, { metadata, count = 1, firstTimestamp }: corev1.Event): void {
    this.#observations.set(key, { name: metadata.name ?? '', count, firstTimestamp });
  }

  /** From ten distinct messages on, similar events are combined into one. */
  #aggregate(event: corev1.Event): { readonly event: corev1.Event; readonly key: string } {
    const nowMs = this.#clock.nowMs();
    const similar = keyOf([...sourceAndObject(event), event.type, event.reason, event.reportingComponent, event.reportingInstance]);
    const known = this.#aggregates.get(similar);
    const aggregate = known && nowMs - known.lastMs <= aggregateIntervalMs ? known : { messages: new Set<string>(), lastMs: nowMs };
    aggregate.messages.add(event.message ?? '');
    aggregate.lastMs = nowMs;
    this.#aggregates.set(similar, aggregate);
    if (aggregate.messages.size < maxSimilarEvents) {
      const { fieldPath } = event.involvedObject;
      return { event, key: keyOf([...sourceAndObject(event), fieldPath, event.type, event.reason, event.message]) };
    }
    const [oldest = ''] = aggregate.messages;
    aggregate.messages.delete(oldest);
    const now = formatTime(nowMs);
    const combined = { ...event, message: `(combined from similar events): ${event.message}`, firstTimestamp: now, lastTimestamp: now };
    return { event: combined, key: similar };
  }

  #isSpam(event: corev1.Event): boolean {
    const key = keyOf(sourceAndObject(event));
    return !getOrAdd(this.#spamLimits, key, () => new TokenBucket(this.#clock, spamPerSecond, spamBurst)).tryTake();
  }
}

function sourceAndObject({ source, involvedObject }: corev1.Event): readonly (string | undefined)[] {
  const { kind, namespace, name, uid, apiVersion } = involvedObject;
  return [source.component, source.host, kind, namespace, name, uid, apiVersion];
}

function keyOf(parts: readonly (string | undefined)[]): string {
  return JSON.stringify(parts);
}
