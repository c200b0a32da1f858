import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

/** Bob has no roles; the secret is the target of the attempts. */
let running: TestCluster;
let publicPem = '';
beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  publicPem = await exportSPKI(publicKey);
  running = await startTestCluster({ createSigningKey: async () => (await exportJWK(privateKey)) as JsonWebKey });
  await running.send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' }, stringData: { a: 'hush-hush' } });
});
afterAll(() => running.close());

const asBob = { authorization: 'Bearer bob' };
const secret = '/api/v1/namespaces/default/secrets/s';

async function refused(target: string, headers: Readonly<Record<string, string>>, method = 'GET', body?: object): Promise<number> {
  const answer = await running.send(method, target, body, headers);
  expect(String(answer.body)).not.toContain(btoa('hush-hush'));
  return answer.status;
}

test.each([
  secret,
  `/${secret}`,
  '/api/v1/namespaces/default//secrets/s',
  '/api/v1/namespaces/default/secrets//s',
  '/api/v1/namespaces/default/configmaps/../secrets/s',
  '/api/v1/namespaces/default/configmaps/%2e%2e/secrets/s',
  '/api/v1/namespaces/default/secrets%2fs',
  '/api/v1/namespaces/default%2fsecrets/s',
  '/version/../api/v1/namespaces/default/secrets/s',
  '/healthz/../api/v1/namespaces/default/secrets/s',
  '/apis//api/v1/namespaces/default/secrets/s',
  '/api/v1/watch/namespaces/default/secrets/s',
  '/api/v1/proxy/namespaces/default/secrets/s',
  `${secret}/status`,
  `${secret}?watch=true`,
  '/api/v1/secrets?fieldSelector=metadata.name%3Ds',
  '/API/v1/namespaces/default/secrets/s',
])('serves no secret to unauthenticated users by the path %s', async (target) => {
  expect([400, 403, 404]).toContain(await refused(target, asBob));
});

test('rejects unauthenticated writes of any method, part and form', async () => {
  for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE', 'TRACE', 'get']) {
    expect([400, 403, 404, 405]).toContain(await refused(secret, asBob, method, { metadata: { name: 's' } }));
  }
  expect(await refused('/api/v1/namespaces/default/pods/p/exec?command=x', asBob, 'POST')).toBe(403);
  expect(await refused('/api/v1/namespaces/default/serviceaccounts/default/token', asBob, 'POST', {})).toBe(403);
  expect((await running.send('GET', secret)).status).toBe(200);
});

test.each([
  ['acting as another', { 'impersonate-user': 'admin' }, 403],
  ['acting as a member of the masters', { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' }, 403],
  ['acting as a group alone', { 'impersonate-group': 'system:masters' }, 500],
  ['a proxy’s headers without a proxy', { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }, 403],
  ['a name with a line feed in it', { 'impersonate-user': 'bob%0d%0aimpersonate-group: system:masters' }, 403],
])('%s needs its permission', async (_, headers, status) => {
  expect(await refused(secret, { ...asBob, ...headers }, 'GET')).toBe(status);
});

test('prevents privilege escalation by roles, bindings and aggregated roles', async () => {
  const { send } = running;
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const rules = [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['*'], verbs: ['get', 'list', 'create', 'update', 'patch'] }];
  await send('POST', `${rbac}/clusterroles`, { metadata: { name: 'role-writer' }, rules });
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }];
  const roleRef = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
  await send('POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'bob' }, subjects, roleRef: roleRef('role-writer') });
  const wanted = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
  expect(await refused(`${rbac}/clusterroles`, asBob, 'POST', { metadata: { name: 'more' }, rules: wanted })).toBe(403);
  expect(await refused(`${rbac}/clusterroles`, asBob, 'POST', { metadata: { name: 'more' }, aggregationRule })).toBe(403);
  expect(await refused(`${rbac}/clusterroles/role-writer`, asBob, 'PUT', { metadata: { name: 'role-writer' }, rules: wanted })).toBe(403);
  const binding = { metadata: { name: 'more' }, subjects, roleRef: roleRef('cluster-admin') };
  expect(await refused(`${rbac}/clusterrolebindings`, asBob, 'POST', binding)).toBe(403);
  expect(await refused(secret, asBob)).toBe(403);
});

const claims = { iss: 'https://kubernetes.default.svc.cluster.local', sub: 'system:serviceaccount:default:default', aud: 'api' };
const signedBy = (key: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(key));

test.each<[string, () => string | Promise<string>]>([
  ['unsigned', async () => new UnsecuredJWT(claims).encode()],
  ['signed by nobody known', () => signedBy('k'.repeat(32))],
  ['signed with the public key as if it were a secret', () => signedBy(publicPem)],
  ['broken', () => 'a.b.c'],
  ['of three dots', () => '...'],
  ['very long', () => 'x'.repeat(100_000)],
  ['another word for no token', () => 'undefined'],
  ['the beginning of one that holds', () => 'adm'],
  ['one that holds with more behind', () => 'admin.'],
])('rejects a token that is %s', async (_, make) => {
  const token = await make();
  expect(await refused(secret, { authorization: `Bearer ${token}` })).toBe(401);
});

test('leaks no secret value in traces and logs', async () => {
  const { send, traces, log } = running;
  await send('GET', secret, undefined, { authorization: 'Bearer tell-nobody' });
  await send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'B B' }, stringData: { a: 'tell-nobody' } });
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'tell-nobody' } };
  expect(bodyOf(await send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review))['status']).toMatchObject({ user: {} });
  expect(JSON.stringify([traces, log.lines])).not.toContain('tell-nobody');
  expect(JSON.stringify([traces, log.lines])).not.toContain(btoa('tell-nobody'));
});
