import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import type { ApiObject } from '../../meta/index.ts';
import type { AdmissionRequest } from '../admission.ts';
import { requestFor } from '../request.test-support.ts';
import { type EventLimit, eventRateLimit } from './event-rate-limit.ts';

const event = (pod: string): ApiObject => ({
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name: 'e' },
  source: { component: 'kubelet', host: 'h' },
  involvedObject: { kind: 'Pod', namespace: 'ns', name: pod, uid: 'u', apiVersion: 'v1' },
});

/** Writes events with these limits. The result is the message of the rejection. */
function createWriter(limits: readonly EventLimit[]) {
  const clock = createManualClock(0);
  const plugin = eventRateLimit(limits, clock);
  const write = async (request: Partial<AdmissionRequest> = {}, pod = 'p'): Promise<string> => {
    try {
      await plugin.validate?.(requestFor({ resource: 'events', ...request }), event(pod), undefined);
      return 'written';
    } catch (error) {
      expect(error).toMatchObject({ code: 429, reason: 'TooManyRequests' });
      return (error as Error).message;
    }
  };
  return { clock, plugin, write };
}

const limit = (type: EventLimit['type'], more: Partial<EventLimit> = {}): EventLimit => ({ type, qps: 2, burst: 1, cacheSize: 0, ...more });

test('a burst of events is written, then the rate of the limit', async () => {
  const { clock, write } = createWriter([limit('Server', { burst: 2 })]);
  const rejected = 'Too many requests: limit reached on type Server for key ';
  expect([await write(), await write(), await write()]).toEqual(['written', 'written', rejected]);
  await clock.advance(499);
  expect(await write()).toBe(rejected);
  await clock.advance(1);
  expect([await write(), await write()]).toEqual(['written', rejected]);
  await clock.advance(60_000);
  expect([await write(), await write(), await write()]).toEqual(['written', 'written', rejected]);
});

test('events are counted by namespace, user, and source and object', async () => {
  const { write } = createWriter([limit('Namespace'), limit('User', { burst: 2 }), limit('SourceAndObject', { burst: 3 })]);
  expect(await write()).toBe('written');
  expect(await write()).toBe('Too many requests: limit reached on type Namespace for key ns');
  expect(await write({ namespace: 'other' })).toBe('Too many requests: limit reached on type User for key a');
  expect(await write({ namespace: 'third' }, 'q')).toBe('Too many requests: limit reached on type User for key a');
  const user = { username: 'b', uid: '', groups: [], extra: {} };
  expect(await write({ user })).toBe(
    'Too many requests: [limit reached on type Namespace for key ns, limit reached on type SourceAndObject for key kubelethPodnspuv1]',
  );
});

test('the key that was not used for the longest time is dropped from a full cache', async () => {
  const { write } = createWriter([limit('Namespace', { cacheSize: 2 })]);
  const namespaces = ['a', 'b', 'a', 'c', 'a', 'b'];
  const outcomes: string[] = [];
  for (const namespace of namespaces) outcomes.push(await write({ namespace }));
  const ofA = 'Too many requests: limit reached on type Namespace for key a';
  expect(outcomes).toEqual(['written', 'written', ofA, 'written', ofA, 'written']);
});

test('dry runs do not count, and events of events.k8s.io are not limited', async () => {
  const { plugin, write } = createWriter([limit('Server')]);
  expect([await write({ dryRun: true }), await write({ dryRun: true }), await write()]).toEqual(['written', 'written', 'written']);
  const events = { resource: 'events', subresource: '' };
  expect(plugin.handles({ ...events, operation: 'UPDATE', group: '' })).toBe(true);
  expect(plugin.handles({ ...events, operation: 'CREATE', group: 'events.k8s.io' })).toBe(false);
  expect(plugin.handles({ ...events, operation: 'DELETE', group: '' })).toBe(false);
});
