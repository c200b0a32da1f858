import { expect, test } from 'vitest';
import { createMemoryLog } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import { type AuditRing, type AuditSink, createAuditRing, readAuditPolicyFile } from '../index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

/** A cluster that logs all requests except those of the loopback client. */
async function audited(rules: string, sink?: AuditSink): Promise<TestCluster & { readonly ring: AuditRing }> {
  const product = productByName('kubernetes');
  const ring = createAuditRing({ events: 100, bodies: 1e6 });
  const own = '- {level: None, users: ["system:apiserver"]}';
  const policy = readAuditPolicyFile(`apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n${own}\n${rules}`, product, createMemoryLog());
  return { ...(await startTestCluster({ auditing: { policy, sink: sink ?? ring } })), ring };
}

const configMaps = '/api/v1/namespaces/default/configmaps';

test('logs a write when it is received and when it completes, with both bodies', async () => {
  const { send, ring } = await audited('- {level: RequestResponse, omitManagedFields: true}');
  const { headers } = await send('POST', configMaps, { metadata: { name: 'a' }, data: { k: 'v' } });
  const [received, complete] = ring.events;
  expect(ring.events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseComplete']);
  expect(headers).toContainEqual(['audit-id', complete?.auditId]);
  expect(received?.objectRef?.name).toBe('');
  expect(complete).toMatchObject({ objectRef: { name: 'a' }, responseStatus: { code: 201 }, user: { username: 'admin' } });
  expect(complete?.annotations).toEqual({ 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' });
  expect(complete?.requestObject).toBe('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"v"}}');
  expect(complete?.responseObject).not.toContain('managedFields');
});

test('logs the content of a Secret as data, and only at levels with bodies', async () => {
  const rules = '- {level: Metadata, verbs: [create]}\n- {level: Request, verbs: [update]}';
  const { send, ring } = await audited(rules);
  const secret = { metadata: { name: 's' }, stringData: { a: 'hush' } };
  await send('POST', '/api/v1/namespaces/default/secrets', secret);
  await send('PUT', '/api/v1/namespaces/default/secrets/s', secret);
  const [, created, , updated] = ring.events;
  expect([created?.requestObject, created?.responseObject, updated?.responseObject]).toEqual([undefined, undefined, undefined]);
  expect(updated?.requestObject).toContain(`"data":{"a":"${btoa('hush')}"}`);
});

test('logs an unauthenticated request in one stage, without a user', async () => {
  const { send, ring } = await audited('- {level: Metadata}');
  await send('GET', `${configMaps}/a`, undefined, { authorization: 'Bearer wrong' });
  expect(ring.events).toMatchObject([
    { stage: 'ResponseStarted', user: undefined, responseStatus: { message: 'Unauthorized', code: 401 } },
  ]);
  expect(JSON.stringify(ring.events)).not.toContain('wrong');
});

test('logs a rejection with its message, and the permission for impersonation', async () => {
  const { send, ring } = await audited('- {level: Metadata, omitStages: [RequestReceived]}');
  await send('GET', configMaps, undefined, { authorization: 'Bearer bob' });
  await send('GET', '/version', undefined, { 'impersonate-user': 'jane' });
  const [refused, acting] = ring.events;
  expect(refused?.annotations['authorization.k8s.io/decision']).toBe('forbid');
  expect(refused?.responseStatus).toMatchObject({ reason: 'Forbidden', code: 403 });
  expect(acting).toMatchObject({ user: { username: 'admin' }, impersonatedUser: { username: 'jane', groups: ['system:authenticated'] } });
});

test('logs a watch at its start, and when the client disconnects', async () => {
  const { send, ring } = await audited('- {level: Metadata, omitStages: [RequestReceived]}');
  const { body } = await send('GET', `${configMaps}?watch=1`);
  expect(ring.events.map(({ stage }) => stage)).toEqual(['ResponseStarted']);
  const stream = (body as AsyncIterable<string>)[Symbol.asyncIterator]();
  void stream.next();
  await stream.return?.();
  expect(ring.events.map(({ stage }) => stage)).toEqual(['ResponseStarted', 'ResponseComplete']);
});

test('annotates calls to deprecated APIs', async () => {
  const { send, ring } = await audited('- {level: Metadata, omitStages: [RequestReceived]}');
  await send('GET', '/api/v1/namespaces/default/endpoints');
  expect(ring.events[0]?.annotations['k8s.io/deprecated']).toBe('true');
});

test('rejects a request that cannot be logged in blocking-strict mode', async () => {
  const lost: AuditSink = { processEvents: async () => false, close: async () => {} };
  const { send } = await audited('- {level: Metadata, verbs: [create]}', lost);
  const { status, body } = await send('POST', configMaps, { metadata: { name: 'a' } });
  expect([status, body]).toEqual([500, `Internal Server Error: "${configMaps}": failed to store audit event\n`]);
  expect(bodyOf(await send('GET', `${configMaps}/a`))['reason']).toBe('NotFound');
});
