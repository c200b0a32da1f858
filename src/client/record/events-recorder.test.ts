import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestCluster, type TestCluster } from '../../cluster/test-cluster.test-support.ts';
import { productByName } from '../../meta/index.ts';
import { type eventsv1, eventsv1Events } from '../../schema/api/index.ts';
import { ApiClient } from '../api/index.ts';
import { EventsRecorder, type EventToRecord } from './index.ts';

let cluster: TestCluster;
let client: ApiClient;
let recorder: EventsRecorder;
beforeEach(async () => {
  cluster = await startTestCluster();
  const { signal } = new AbortController();
  client = new ApiClient({ api: cluster.adminApi, product: productByName('kubernetes'), signal });
  const { clock, log } = cluster;
  recorder = new EventsRecorder({ client, clock, log, controller: 'test-scheduler', instance: 'test-scheduler-host', signal });
});
afterEach(() => cluster.close());

const event = (note: string, resourceVersion = '1'): EventToRecord => ({
  regarding: { kind: 'Pod', namespace: 'default', name: 'web', uid: 'u', apiVersion: 'v1', resourceVersion },
  type: 'Warning',
  reason: 'FailedScheduling',
  action: 'Scheduling',
  note,
});

async function eventsAfter(ms: number): Promise<readonly eventsv1.Event[]> {
  await cluster.clock.advance(ms);
  for (let turn = 0; turn < 40; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    await cluster.clock.advance(1);
  }
  return (await client.resource(eventsv1Events).list({ namespace: 'default' })).items;
}

test('writes an event', async () => {
  recorder.event(event('no nodes'));
  const [written, ...others] = await eventsAfter(0);
  expect(others).toEqual([]);
  expect(written).toMatchObject({
    reportingController: 'test-scheduler',
    reportingInstance: 'test-scheduler-host',
    action: 'Scheduling',
    reason: 'FailedScheduling',
    note: 'no nodes',
    type: 'Warning',
    regarding: { kind: 'Pod', name: 'web', resourceVersion: '1' },
  });
  expect(written?.eventTime).toMatch(/\.\d{6}Z$/);
  expect(written?.series).toBeUndefined();
});

test('starts a series at the second occurrence, and writes its count at the end', async () => {
  recorder.event(event('first'));
  recorder.event(event('second'));
  recorder.event(event('third'));
  const [started, ...others] = await eventsAfter(0);
  expect(others).toEqual([]);
  expect([started?.note, started?.series?.count]).toEqual(['first', 2]);
  expect((await eventsAfter(13 * 60_000))[0]?.series?.count).toBe(3);
  recorder.event(event('fourth'));
  expect((await eventsAfter(0)).map(({ note }) => note).sort()).toEqual(['first', 'fourth']);
});

test('writes a new event about another version of the object', async () => {
  recorder.event(event('first'));
  recorder.event(event('second', '2'));
  expect((await eventsAfter(0)).map(({ note }) => note).sort()).toEqual(['first', 'second']);
});
