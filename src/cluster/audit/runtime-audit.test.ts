import { expect, test } from 'vitest';
import { createAuditLog } from '../../client/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { type ApiHandler, type JsonObject, productByName } from '../../meta/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { RuntimeAudit } from '../index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const product = productByName('kubernetes');
const configMaps = '/api/v1/namespaces/default/configmaps';
const everything = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: RequestResponse}]\n';

async function startAudited(storage = createMemoryKeySpace(createManualClock())): Promise<TestCluster & { readonly api: ApiHandler }> {
  const audit = await RuntimeAudit.open({
    storage,
    product,
    env: { clock: createManualClock(), random: createSeededRandom(1), log: createMemoryLog() },
  });
  const running = await startTestCluster({ storage, auditing: audit.auditing });
  return { ...running, api: audit.wrapHandler(running.handle) };
}

const auditIdOf = (headers: Iterable<readonly [string, string]>): string => new Map(headers).get('audit-id') ?? '';
const eventsOf = async (api: ApiHandler): Promise<JsonObject[]> =>
  (await createAuditLog(api).lines()).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as JsonObject]));

test("logs writes with users and without bodies, but not the loopback client's reads", async () => {
  const { api, send } = await startAudited();
  await send('POST', configMaps, { metadata: { name: 'a' }, data: { k: 'hush' } });
  await send('GET', '/version');
  const events = await eventsOf(api);
  expect(events.at(-1)).toMatchObject({
    kind: 'Event',
    level: 'Metadata',
    stage: 'ResponseComplete',
    verb: 'create',
    objectRef: { resource: 'configmaps', name: 'a' },
    annotations: { 'authorization.k8s.io/decision': 'allow' },
  });
  expect(JSON.stringify(events)).not.toContain('hush');
  expect(events.filter(({ verb, user }) => verb === 'list' && (user as JsonObject)['username'] === 'system:apiserver')).toEqual([]);
});

test('applies a new policy from the next request on, and after reopening the cluster', async () => {
  const storage = createMemoryKeySpace(createManualClock());
  const { api, send } = await startAudited(storage);
  const log = createAuditLog(api);
  expect(await log.setPolicy(everything)).toBe(everything);
  await send('POST', configMaps, { metadata: { name: 'a' }, data: { k: 'v' } });
  expect((await eventsOf(api)).at(-1)).toMatchObject({ requestObject: { data: { k: 'v' } } });
  const again = await startAudited(storage);
  expect(await createAuditLog(again.api).policy()).toBe(everything);
  expect(await log.setPolicy(undefined)).toContain('level: Metadata');
});

test('logs nothing without a policy', async () => {
  const { api, send } = await startAudited();
  const log = createAuditLog(api);
  const before = (await eventsOf(api)).length;
  await log.setPolicy('');
  await send('POST', configMaps, { metadata: { name: 'a' } });
  expect([(await eventsOf(api)).length, await log.policy()]).toEqual([before, '']);
});

test('rejects an invalid policy with a message, and retains the previous one', async () => {
  const { api } = await startAudited();
  const log = createAuditLog(api);
  const before = await log.policy();
  const wrong = everything.replace('RequestResponse', 'Everything');
  await expect(log.setPolicy(wrong)).rejects.toThrow('rules[0].level: Unsupported value: "Everything"');
  expect(await log.policy()).toBe(before);
  const put = {
    method: 'PUT',
    target: '/~audit/policy',
    headers: new Headers(),
    body: new Uint8Array(100_000),
    signal: new AbortController().signal,
  };
  expect((await api(put)).status).toBe(413);
  expect((await api({ ...put, method: 'PATCH' })).status).toBe(405);
});

test('opens a cluster with an invalid policy from a copy', async () => {
  const storage = createMemoryKeySpace(createManualClock());
  await storage.commit({ key: '/tabplane/audit-policy', expected: 'absent', value: 'kind: Policy' });
  const { api, send } = await startAudited(storage);
  expect((await send('GET', configMaps)).status).toBe(200);
  expect(await createAuditLog(api).policy()).toBe('');
});

test('streams past and new events of one request only', async () => {
  const { api, send, close } = await startAudited();
  const { headers } = await send('POST', configMaps, { metadata: { name: 'a' } });
  const events: JsonObject[] = [];
  const following = createAuditLog(api).watch(auditIdOf(headers), (event) => events.push(event), new AbortController().signal);
  await send('POST', configMaps, { metadata: { name: 'b' } });
  await send('GET', configMaps, undefined, { 'audit-id': auditIdOf(headers) });
  await close();
  await following;
  expect(events.map(({ verb }) => verb)).toEqual(['create', 'list']);
});

test('passes other requests to the API', async () => {
  const { api } = await startAudited();
  const request = {
    method: 'GET',
    target: '/~auditors',
    headers: new Headers({ authorization: 'Bearer admin' }),
    body: undefined,
    signal: new AbortController().signal,
  };
  expect((await api(request)).status).toBe(404);
  expect(bodyOf(await api({ ...request, target: '/api/v1' }))).toMatchObject({ kind: 'APIResourceList' });
});
