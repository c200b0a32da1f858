import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, OutboundError, type OutboundRequest } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import type { AuditEvent } from '../event.ts';
import { batchingSink } from './batching-sink.ts';
import { lineSink } from './line-sink.ts';
import { createAuditRing } from './ring-sink.ts';
import { type AuditSink, ignoreErrorsSink, unionSink } from './sink.ts';
import { truncatingSink } from './truncating-sink.ts';
import { webhookSink } from './webhook-sink.ts';

const product = productByName('kubernetes');
const eventNamed = (auditId: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  level: 'RequestResponse',
  auditId,
  stage: 'ResponseComplete',
  requestUri: '/',
  verb: 'get',
  user: undefined,
  impersonatedUser: undefined,
  sourceIps: [],
  userAgent: '',
  objectRef: undefined,
  responseStatus: { code: 200 },
  requestObject: undefined,
  responseObject: undefined,
  receivedMs: 0,
  stageMs: 0,
  annotations: {},
  ...more,
});

function recording(isWhole = true): AuditSink & { readonly batches: (readonly string[])[]; readonly events: AuditEvent[] } {
  const batches: (readonly string[])[] = [];
  const events: AuditEvent[] = [];
  return {
    batches,
    events,
    async processEvents(taken) {
      batches.push(taken.map(({ auditId }) => auditId));
      events.push(...taken);
      return isWhole;
    },
    close: async () => {},
  };
}

test('sends events to every sink, and reports a loss of any', async () => {
  const [first, second] = [recording(false), recording()];
  expect(await unionSink([first, second]).processEvents([eventNamed('a')])).toBe(false);
  expect([first.batches, second.batches]).toEqual([[['a']], [['a']]]);
  expect(await ignoreErrorsSink(first).processEvents([eventNamed('b')])).toBe(true);
});

test('logs only the ID of an event that cannot be written', async () => {
  const log = createMemoryLog();
  const lines: string[] = [];
  const writer = {
    write(line: string): void {
      if (line.includes('"b"')) throw new Error('the disk is full');
      lines.push(line);
    },
    close: async () => {},
  };
  const sink = lineSink({ writer, format: 'json', product, log });
  expect(await sink.processEvents([eventNamed('a'), eventNamed('b', { requestObject: '{"token":"secret"}' })])).toBe(false);
  expect(lines.map((line) => JSON.parse(line).auditID)).toEqual(['a']);
  expect(log.lines).toMatchObject([{ level: 'error', details: { auditIds: ['b'] } }]);
  expect(JSON.stringify(log.lines)).not.toContain('secret');
});

test('sends a batch when it is full or its first event has waited long enough', async () => {
  const clock = createManualClock(0);
  const inner = recording();
  const sink = batchingSink(inner, { bufferSize: 9, maxSize: 2, maxWaitMs: 100, throttle: undefined, clock, log: createMemoryLog() });
  for (const id of ['a', 'b', 'c']) await sink.processEvents([eventNamed(id)]);
  await clock.advance(99);
  expect(inner.batches).toEqual([['a', 'b']]);
  await clock.advance(100);
  expect(inner.batches).toEqual([['a', 'b'], ['c']]);
});

test('drops events while the buffer is full, and flushes the rest on close', async () => {
  const clock = createManualClock(0);
  const log = createMemoryLog();
  const inner = recording();
  const sink = batchingSink(inner, { bufferSize: 2, maxSize: 9, maxWaitMs: 100, throttle: undefined, clock, log });
  expect(await sink.processEvents(['a', 'b', 'c'].map((id) => eventNamed(id)))).toBe(true);
  await sink.close();
  expect(inner.batches).toEqual([['a', 'b']]);
  expect(log.lines).toMatchObject([{ details: { auditIds: ['c'] } }]);
});

test('throttles batches', async () => {
  const clock = createManualClock(0);
  const inner = recording();
  const throttle = { perSecond: 2, burst: 1 };
  const sink = batchingSink(inner, { bufferSize: 9, maxSize: 1, maxWaitMs: 0, throttle, clock, log: createMemoryLog() });
  await sink.processEvents(['a', 'b', 'c'].map((id) => eventNamed(id)));
  await clock.advance(0);
  expect(inner.batches).toEqual([['a']]);
  await clock.advance(500);
  expect(inner.batches).toEqual([['a'], ['b']]);
  await clock.advance(500);
  expect(inner.batches).toEqual([['a'], ['b'], ['c']]);
});

test('truncates a large event, drops a larger one, and splits a large batch', async () => {
  const log = createMemoryLog();
  const inner = recording();
  const sink = truncatingSink(inner, { maxEventSize: 500, maxBatchSize: 800, product, log });
  const body = JSON.stringify('x'.repeat(600));
  const events = [
    eventNamed('large', { requestObject: body, responseObject: body }),
    eventNamed('small'),
    eventNamed('small2'),
    eventNamed('huge', { userAgent: 'x'.repeat(600) }),
  ];
  await sink.processEvents(events);
  expect(inner.batches).toEqual([['large', 'small'], ['small2']]);
  expect(inner.events[0]).toMatchObject({
    requestObject: undefined,
    responseObject: undefined,
    annotations: { 'audit.k8s.io/truncated': 'true' },
  });
  expect(log.lines).toMatchObject([{ details: { auditIds: ['huge'] } }]);
});

test('posts events as one list, with retries', async () => {
  const paused: number[] = [];
  const clock = { ...createManualClock(0), sleep: async (ms: number) => void paused.push(ms) };
  const sent: OutboundRequest[] = [];
  const outbound = {
    async send(request: OutboundRequest) {
      sent.push(request);
      if (sent.length === 1) throw new OutboundError('unreachable', 'connection refused');
      return { status: 200, headers: {}, body: 'anything' };
    },
  };
  const tls = { authorities: undefined, identity: undefined, serverName: undefined, unverified: false };
  const connection = { url: 'https://sink.test/events', headers: {}, tls, credentials: undefined };
  const env = { clock, random: createSeededRandom(1), log: createMemoryLog() };
  expect(await webhookSink({ outbound, connection, initialBackoffMs: 1000, product, env }).processEvents([eventNamed('a')])).toBe(true);
  expect(paused.every((ms) => ms >= 1000 && ms <= 1200)).toBe(true);
  expect(sent.map(({ method, url }) => [method, url])).toEqual(Array(2).fill(['POST', 'https://sink.test/events?timeout=30s']));
  expect(JSON.parse(sent[1]?.body ?? '')).toMatchObject({ kind: 'EventList', items: [{ auditID: 'a' }] });
});

test('a ring retains the latest events and notifies of each', async () => {
  const ring = createAuditRing({ events: 2, bodies: 1000 });
  const received: string[] = [];
  const end = ring.onEvent(({ auditId }) => received.push(auditId));
  for (const id of ['a', 'b', 'c']) await ring.processEvents([eventNamed(id)]);
  end();
  await ring.processEvents([eventNamed('d')]);
  expect(ring.events.map(({ auditId }) => auditId)).toEqual(['c', 'd']);
  expect(received).toEqual(['a', 'b', 'c']);
});

test('a ring drops old events when their bodies exceed the limit', async () => {
  const ring = createAuditRing({ events: 10, bodies: 100 });
  const body = 'x'.repeat(30);
  for (const id of ['a', 'b', 'c']) await ring.processEvents([eventNamed(id, { requestObject: body, responseObject: body })]);
  expect(ring.events.map(({ auditId }) => auditId)).toEqual(['c']);
});
