import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import type { ApiHandler } from '../../meta/index.ts';
import { RequestLog } from './request-log.ts';

const env = { clock: createManualClock(0), random: createSeededRandom(1), log: createMemoryLog() };
const request = (method: string, target: string) => ({
  method,
  target,
  headers: new Headers(),
  body: undefined,
  signal: new AbortController().signal,
});
const answers: ApiHandler = async () => ({
  status: 200,
  headers: [
    ['audit-id', 'a-1'],
    ['server-timing', 'authn;dur=0.1;desc="admin", authz;dur=0.2;desc="RBAC clusterrolebinding \\"x\\", rule 1"'],
  ],
  body: '{"ok":true}',
});

test('records a request with its stages, response and source', async () => {
  const log = new RequestLog(env);
  await log.withRecording(answers, { kind: 'command', id: 7 })(request('GET', '/api'));
  const [record] = log.ofCommand(7);
  expect(record).toMatchObject({
    method: 'GET',
    target: '/api',
    status: 200,
    user: 'admin',
    auditId: 'a-1',
    responseBody: '{"ok":true}',
    state: 'done',
  });
  expect(record?.stages.map(({ stage, detail, ms }) => [stage, detail, ms])).toEqual([
    ['authn', 'admin', 0.1],
    ['authz', 'RBAC clusterrolebinding "x", rule 1', 0.2],
  ]);
});

test('adds traces of the host to sent requests, and shows requests of others', async () => {
  const log = new RequestLog(env);
  await log.withRecording(answers, { kind: 'internal' })(request('GET', '/api'));
  const id = log.records[0]?.id ?? '';
  const trace = { auditId: '', attemptId: id, method: 'GET', target: '/api', status: 200, user: 'admin', startMs: 0, ms: 1 };
  log.addTraces([
    { ...trace, stages: [{ stage: 'store', verdict: 'read', detail: 'rev 5', ms: 1 }] },
    { ...trace, attemptId: 'theirs', target: '/version', stages: [] },
  ]);
  expect(log.records).toHaveLength(2);
  expect(log.find(id)?.stages[0]?.detail).toBe('rev 5');
  expect(log.find('theirs')?.source.kind).toBe('other');
});

test('requests of components have the source cluster', () => {
  const log = new RequestLog(env);
  const trace = {
    attemptId: '',
    method: 'POST',
    target: '/api/v1/namespaces/a/serviceaccounts',
    status: 201,
    startMs: 0,
    ms: 1,
    stages: [],
  };
  log.addTraces([
    { ...trace, auditId: 'a', user: 'system:apiserver' },
    { ...trace, auditId: 'b', user: 'admin' },
    { ...trace, auditId: 'c', user: 'system:kube-scheduler' },
    { ...trace, auditId: 'd', user: 'system:node:node-1' },
    { ...trace, auditId: 'e', user: 'system:serviceaccount:kube-system:namespace-controller' },
    { ...trace, auditId: 'f', user: 'system:serviceaccount:svc-system:namespace-controller' },
    { ...trace, auditId: 'g', user: 'system:serviceaccount:default:default' },
  ]);
  expect(log.records.map(({ source }) => source.kind)).toEqual(['cluster', 'other', 'cluster', 'cluster', 'cluster', 'cluster', 'other']);
});

test('a stream is done when it ends or is aborted', async () => {
  const log = new RequestLog(env);
  const streams: ApiHandler = async () => ({
    status: 200,
    headers: [],
    body: (async function* () {
      yield 'one';
      yield 'two';
    })(),
  });
  const { body } = await log.withRecording(streams, { kind: 'internal' })(request('GET', '/api/v1/pods?watch=1'));
  expect(log.records[0]?.state).toBe('streaming');
  for await (const chunk of body as AsyncIterable<string>) {
    expect(chunk).toBe('one');
    break;
  }
  expect(log.records[0]).toMatchObject({ state: 'done', bytes: 3 });
});

test('retains and finds only the latest ten thousand', async () => {
  const log = new RequestLog(env);
  const trace = { auditId: '', method: 'GET', target: '/', status: 200, user: '', startMs: 0, ms: 0, stages: [] };
  for (let at = 0; at < 12_000; at++) log.addTraces([{ ...trace, attemptId: `r${at}` }]);
  expect(log.records.length).toBeLessThanOrEqual(11_000);
  expect(log.records.length).toBeGreaterThanOrEqual(10_000);
  expect(log.find('r0')).toBeUndefined();
  expect(log.find('r11999')).toBeDefined();
});
