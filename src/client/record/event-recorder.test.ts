import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestCluster, type TestCluster } from '../../cluster/test-cluster.test-support.ts';
import { productByName } from '../../meta/index.ts';
import { type corev1, corev1ConfigMaps, corev1Events } from '../../schema/api/index.ts';
import { ApiClient } from '../api/index.ts';
import { EventRecorder } from './index.ts';

let cluster: TestCluster;
let client: ApiClient;
let recorder: EventRecorder;
let object: corev1.ConfigMap;

beforeEach(async () => {
  cluster = await startTestCluster();
  client = new ApiClient({
    api: cluster.adminApi,
    product: productByName('kubernetes'),
    signal: new AbortController().signal,
  });
  const { clock, log } = cluster;
  recorder = new EventRecorder({ client, clock, log, component: 'test-controller', signal: new AbortController().signal });
  object = await client.resource(corev1ConfigMaps).create({ metadata: { namespace: 'default', name: 'a' } });
});
afterEach(() => cluster.close());

async function eventsNow(): Promise<readonly corev1.Event[]> {
  for (let turn = 0; turn < 40; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    await cluster.clock.advance(1);
  }
  return (await client.resource(corev1Events).list({ namespace: 'default' })).items;
}

test('writes an event about an object', async () => {
  recorder.event(object, 'Normal', 'Scaled', 'scaled up');
  const [event, ...others] = await eventsNow();
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'a', uid: object.metadata.uid, apiVersion: 'v1' },
    reason: 'Scaled',
    message: 'scaled up',
    type: 'Normal',
    count: 1,
    source: { component: 'test-controller' },
    reportingComponent: 'test-controller',
    eventTime: null,
  });
  expect(event?.metadata.name).toMatch(/^a\.[0-9a-f]{16}$/);
  expect(event?.firstTimestamp).toBe(event?.lastTimestamp);
});

test('counts a repeated event, and writes it again when it has expired', async () => {
  recorder.event(object, 'Warning', 'Failed', 'again');
  await cluster.clock.advance(5_000);
  recorder.event(object, 'Warning', 'Failed', 'again');
  recorder.event(object, 'Warning', 'Failed', 'other');
  const [first, second] = await eventsNow();
  expect([first?.count, second?.count]).toEqual([2, 1]);
  expect(Date.parse(first?.lastTimestamp ?? '') - Date.parse(first?.firstTimestamp ?? '')).toBe(5_000);
  await client.resource(corev1Events).delete({ namespace: 'default', name: first?.metadata.name ?? '' });
  recorder.event(object, 'Warning', 'Failed', 'again');
  const renewed = (await eventsNow()).find(({ message }) => message === 'again');
  expect([renewed?.metadata.name, renewed?.count]).toEqual([first?.metadata.name, 3]);
});

test('combines similar events from the tenth distinct message on', async () => {
  for (let index = 1; index <= 12; index++) recorder.event(object, 'Warning', 'Failed', `attempt ${index}`);
  const events = await eventsNow();
  expect(events).toHaveLength(10);
  const combined = events.filter(({ message }) => message?.startsWith('(combined from similar events): '));
  expect(combined.map(({ message, count }) => [message, count])).toEqual([['(combined from similar events): attempt 12', 3]]);
});

test('drops the events of a source about an object after a burst', async () => {
  for (let index = 0; index < 40; index++) recorder.event(object, 'Normal', `Reason${index}`, 'text');
  expect(await eventsNow()).toHaveLength(25);
});

test('goes on after an event that the server rejects', async () => {
  const missing = { ...object, metadata: { ...object.metadata, namespace: 'missing' } };
  recorder.event(missing, 'Normal', 'Lost', 'text');
  recorder.event(object, 'Normal', 'Scaled', 'text');
  expect((await eventsNow()).map(({ reason }) => reason)).toEqual(['Scaled']);
  expect(cluster.log.lines.filter(({ event }) => event === 'event rejected')).toHaveLength(1);
});
