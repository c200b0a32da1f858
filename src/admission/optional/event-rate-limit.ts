import { type Clock, TokenBucket } from '../../env/index.ts';
import { type ApiObject, aggregateErrors, getOrAdd, LruCache, StatusError } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { isCreateOrUpdate } from '../forbidden-error.ts';

export const eventLimitTypes = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;
export type EventLimitType = (typeof eventLimitTypes)[number];

type EventKey = (request: AdmissionRequest, event: ApiObject) => string;

/** Events with the same key share a rate. */
const eventKeys: Readonly<Record<EventLimitType, EventKey>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.username,
  SourceAndObject: (_, event) => sourceAndObject(event),
};

/** A limit of the events that are written. */
export interface EventLimit {
  readonly type: EventLimitType;
  /** Events a second. */
  readonly qps: number;
  readonly burst: number;
  /** How many keys have a rate of their own. Zero: the default. */
  readonly cacheSize: number;
}

const defaultCacheSize = 4096;

/** Limits the rate of events in the core group; those of events.k8s.io are another kind. Cf. upstream plugin/eventratelimit. */
export function eventRateLimit(limits: readonly EventLimit[], clock: Pick<Clock, 'monotonicMs'>): AdmissionPlugin {
  const enforcers = limits.map((limit) => createEnforcer(limit, clock));
  return {
    name: 'EventRateLimit',
    handles: (write) => isCreateOrUpdate(write) && write.group === '' && write.resource === 'events',
    async validate(request, event) {
      if (request.dryRun) return;
      // An event counts for each limit, also when another one rejects it.
      const exceeded = enforcers.flatMap((accept) => accept(request, event) ?? []);
      if (exceeded.length > 0) throw new StatusError(429, 'TooManyRequests', `Too many requests: ${aggregateErrors(exceeded)}`);
    },
  };
}

/** Counts an event, and returns why it is rejected. */
type Enforcer = (request: AdmissionRequest, event: ApiObject) => string | undefined;

function createEnforcer({ type, qps, burst, cacheSize }: EventLimit, clock: Pick<Clock, 'monotonicMs'>): Enforcer {
  const keyOf = eventKeys[type];
  const buckets = new LruCache<string, TokenBucket>(cacheSize || defaultCacheSize);
  return (request, event) => {
    const key = keyOf(request, event);
    const bucket = getOrAdd(buckets, key, () => new TokenBucket(clock, qps, burst));
    return bucket.tryTake() ? undefined : `limit reached on type ${type} for key ${key}`;
  };
}

function sourceAndObject({ source, involvedObject }: Decoded<corev1.Event>): string {
  const { kind, namespace, name, uid, apiVersion } = involvedObject ?? {};
  return [source?.component, source?.host, kind, namespace, name, uid, apiVersion].join('');
}
