import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, OutboundError, type OutboundRequest } from '../../env/index.ts';
import { productNamed } from '../../meta/index.ts';
import type { AuditEvent } from '../event.ts';
import { batchingSink } from './batching-sink.ts';
import { lineSink } from './line-sink.ts';
import { createAuditRing } from './ring-sink.ts';
import { type AuditSink, allSinks, forgivingSink } from './sink.ts';
import { truncatingSink } from './truncating-sink.ts';
import { webhookSink } from './webhook-sink.ts';

const product = productNamed('kubernetes');
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
    async take(taken) {
      batches.push(taken.map(({ auditId }) => auditId));
      events.push(...taken);
      return isWhole;
    },
    close: async () => {},
  };
}

test('every sink takes everything, and one that loses some says so for all', async () => {
  const [first, second] = [recording(false), recording()];
  expect(await allSinks([first, second]).take([eventNamed('a')])).toBe(false);
  expect([first.batches, second.batches]).toEqual([[['a']], [['a']]]);
  expect(await forgivingSink(first).take([eventNamed('b')])).toBe(true);
});

test('a line that cannot be written is lost, with its id in the log and nothing that was in it', async () => {
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
  expect(await sink.take([eventNamed('a'), eventNamed('b', { requestObject: '{"token":"secret"}' })])).toBe(false);
  expect(lines.map((line) => JSON.parse(line).auditID)).toEqual(['a']);
  expect(log.lines).toMatchObject([{ level: 'error', details: { auditIds: ['b'] } }]);
  expect(JSON.stringify(log.lines)).not.toContain('secret');
});

test('a batch goes when it is full, or when its first event has waited long enough', async () => {
  const clock = createManualClock(0);
  const inner = recording();
  const sink = batchingSink(inner, { bufferSize: 9, maxSize: 2, maxWaitMs: 100, throttle: undefined, clock, log: createMemoryLog() });
  for (const id of ['a', 'b', 'c']) await sink.take([eventNamed(id)]);
  await clock.advance(99);
  expect(inner.batches).toEqual([['a', 'b']]);
  await clock.advance(100);
  expect(inner.batches).toEqual([['a', 'b'], ['c']]);
});

test('what comes while the buffer is full is lost; what waits at the end still goes', async () => {
  const clock = createManualClock(0);
  const log = createMemoryLog();
  const inner = recording();
  const sink = batchingSink(inner, { bufferSize: 2, maxSize: 9, maxWaitMs: 100, throttle: undefined, clock, log });
  expect(await sink.take(['a', 'b', 'c'].map((id) => eventNamed(id)))).toBe(true);
  await sink.close();
  expect(inner.batches).toEqual([['a', 'b']]);
  expect(log.lines).toMatchObject([{ details: { auditIds: ['c'] } }]);
});

test('no more batches go in a second than are allowed', async () => {
  const clock = createManualClock(0);
  const inner = recording();
  const throttle = { perSecond: 2, burst: 1 };
  const sink = batchingSink(inner, { bufferSize: 9, maxSize: 1, maxWaitMs: 0, throttle, clock, log: createMemoryLog() });
  await sink.take(['a', 'b', 'c'].map((id) => eventNamed(id)));
  await clock.advance(0);
  expect(inner.batches).toEqual([['a']]);
  await clock.advance(500);
  expect(inner.batches).toEqual([['a'], ['b']]);
  await clock.advance(500);
  expect(inner.batches).toEqual([['a'], ['b'], ['c']]);
});

test('a large event loses its bodies, a larger one is lost, and a large batch becomes several', async () => {
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
  await sink.take(events);
  expect(inner.batches).toEqual([['large', 'small'], ['small2']]);
  expect(inner.events[0]).toMatchObject({
    requestObject: undefined,
    responseObject: undefined,
    annotations: { 'audit.k8s.io/truncated': 'true' },
  });
  expect(log.lines).toMatchObject([{ details: { auditIds: ['huge'] } }]);
});

test('a webhook is sent events as one list, again when it fails', async () => {
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
  expect(await webhookSink({ outbound, connection, firstPauseMs: 1000, product, env }).take([eventNamed('a')])).toBe(true);
  expect(paused.every((ms) => ms >= 1000 && ms <= 1200)).toBe(true);
  expect(sent.map(({ method, url }) => [method, url])).toEqual(Array(2).fill(['POST', 'https://sink.test/events?timeout=30s']));
  expect(JSON.parse(sent[1]?.body ?? '')).toMatchObject({ kind: 'EventList', items: [{ auditID: 'a' }] });
});

test('a ring keeps the latest events and tells of each', async () => {
  const ring = createAuditRing({ events: 2, bodies: 1000 });
  const told: string[] = [];
  const end = ring.onEvent(({ auditId }) => told.push(auditId));
  for (const id of ['a', 'b', 'c']) await ring.take([eventNamed(id)]);
  end();
  await ring.take([eventNamed('d')]);
  expect(ring.events.map(({ auditId }) => auditId)).toEqual(['c', 'd']);
  expect(told).toEqual(['a', 'b', 'c']);
});

test('a ring lets go of old events when their bodies are too much', async () => {
  const ring = createAuditRing({ events: 10, bodies: 100 });
  const body = 'x'.repeat(30);
  for (const id of ['a', 'b', 'c']) await ring.take([eventNamed(id, { requestObject: body, responseObject: body })]);
  expect(ring.events.map(({ auditId }) => auditId)).toEqual(['c']);
});
