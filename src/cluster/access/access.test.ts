import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { createMemoryKeySpace, type TimedKeySpace } from '../../storage/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

interface SendOptions {
  readonly as?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const clock = createManualClock();

async function running(storage: TimedKeySpace = createMemoryKeySpace(clock)) {
  const cluster = await startTestCluster({ storage });
  const send = async (method: string, target: string, { as = 'admin', body, headers = {} }: SendOptions = {}) => {
    const answer = await cluster.send(method, target, body, { authorization: `Bearer ${as}`, ...headers });
    return { status: answer.status, text: String(answer.body ?? ''), body: bodyOf(answer) as JsonObject };
  };
  return { send, traces: cluster.traces };
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const maps = '/api/v1/namespaces/default/configmaps';

async function allowing(verbs: readonly string[], resourceNames: readonly string[] = []) {
  const { send, traces } = await running();
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs, resourceNames }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }];
  await send('POST', `${rbac}/namespaces/default/roles`, { body: { metadata: { name: 'r' }, rules } });
  await send('POST', `${rbac}/namespaces/default/rolebindings`, { body: { metadata: { name: 'b' }, roleRef, subjects } });
  return { send, traces };
}

test('grants a permission with the next request after its binding is created, and revokes it after its deletion', async () => {
  const { send } = await allowing(['list']);
  expect((await send('GET', maps, { as: 'bob' })).status).toBe(200);
  await send('DELETE', `${rbac}/namespaces/default/rolebindings/b`);
  expect((await send('GET', maps, { as: 'bob' })).status).toBe(403);
});

test('requires the create permission for an apply that creates its object', async () => {
  const apply = (name: string): [string, string, SendOptions] => [
    'PATCH',
    `${maps}/${name}?fieldManager=m`,
    {
      as: 'bob',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
      headers: { 'content-type': 'application/apply-patch+yaml' },
    },
  ];
  const patching = await allowing(['patch']);
  expect(await patching.send(...apply('a'))).toMatchObject({
    status: 403,
    body: { message: expect.stringMatching(/^configmaps "a" is forbidden: User "bob" cannot create resource/) },
  });
  const creating = await allowing(['patch', 'create'], ['a']);
  expect((await creating.send(...apply('a'))).status).toBe(201);
  expect((await creating.send(...apply('b'))).status).toBe(403);
});

test('traces the rule and binding that allowed a request, and the nearest ones', async () => {
  const { send, traces } = await allowing(['list']);
  const authz = () => traces.at(-1)?.stages.find(({ stage }) => stage === 'authz')?.detail;
  await send('GET', maps, { as: 'bob' });
  expect(authz()).toBe('RBAC: RoleBinding "b/default" of Role "r" to User "bob", rule 1: list core/configmaps');
  await send('DELETE', `${maps}/x`, { as: 'bob' });
  expect(authz()).toContain('nearest is RoleBinding "b/default" of Role "r" to User "bob": list core/configmaps, not delete');
});

test('reconciles the default roles and bindings at the start, unless autoupdate is false', async () => {
  const storage = createMemoryKeySpace(clock);
  const { send } = await running(storage);
  const role = `${rbac}/clusterroles/system:basic-user`;
  const binding = `${rbac}/clusterrolebindings/system:discovery`;
  const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
  const before = (await send('GET', role)).body;
  const extra = { apiGroups: ['x'], resources: ['y'], verbs: ['get'] };
  await send('PATCH', role, { ...merge, body: { rules: [extra], metadata: { labels: { mine: 'yes' } } } });
  await send('PATCH', binding, {
    ...merge,
    body: { subjects: null, metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } } },
  });
  await send('DELETE', `${rbac}/clusterrolebindings/system:basic-user`);
  const other = {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    metadata: { name: 'system:basic-user' },
  };
  await send('POST', `${rbac}/clusterrolebindings`, { body: other });

  const again = await running(storage);
  const after = (await again.send('GET', role)).body;
  expect(after['metadata']).toMatchObject({ labels: { mine: 'yes', 'kubernetes.io/bootstrapping': 'rbac-defaults' } });
  const rules = after['rules'] as readonly object[];
  expect(rules[0]).toEqual(extra);
  expect(rules).toHaveLength(1 + 3);
  expect((await again.send('GET', binding)).body).not.toHaveProperty('subjects');
  const recreated = (await again.send('GET', `${rbac}/clusterrolebindings/system:basic-user`)).body;
  expect(recreated['roleRef']).toMatchObject({ name: 'system:basic-user' });
  expect(before['rules']).toHaveLength(2);

  const third = await running(storage);
  expect((await third.send('GET', role)).body).toEqual(after);
});

test('uses the impersonated user for the rest of the request', async () => {
  const { send, traces } = await running();
  const as = { headers: { 'impersonate-user': 'eve', 'impersonate-group': 'devs', 'impersonate-extra-a%2fb': 'c' } };
  const review = await send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { ...as, body: {} });
  expect(review.body['status']).toEqual({
    userInfo: { username: 'eve', groups: ['devs', 'system:authenticated'], extra: { 'a/b': ['c'] } },
  });
  expect(traces.at(-1)?.user).toBe('eve');
  expect((await send('GET', maps, as)).status).toBe(403);
  expect(await send('GET', maps, { headers: { 'impersonate-group': '<devs>' } })).toMatchObject({
    status: 500,
    text: `Internal Server Error: "${maps}": requested [{Group  &lt;devs&gt;    }] without impersonating a user\n`,
  });
});

test('reports invalid selectors of an access review', async () => {
  const { send } = await running();
  const review = async (resourceAttributes: object) =>
    (await send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { body: { spec: { resourceAttributes } } })).body;
  const status = { allowed: true, evaluationError: 'spec.resourceAttributes.labelSelector ignored due to parse error' };
  expect((await review({ labelSelector: { rawSelector: 'a b' } }))['status']).toEqual(status);
  expect((await review({ fieldSelector: {} }))['message']).toContain(
    'spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required',
  );
});

test('traces the changes of admission and the results of reviews, but not in responses', async () => {
  const { send, traces } = await allowing(['list']);
  const detail = (name: string) => traces.at(-1)?.stages.find(({ stage }) => stage === name)?.detail;
  const account = { metadata: { name: 'default' } };
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', { body: account });
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const made = await send('POST', '/api/v1/namespaces/default/pods', { body: { metadata: { name: 'p' }, spec } });
  expect(made.status).toBe(201);
  expect(traces.at(-1)?.stages.map(({ stage }) => stage)).toEqual([
    'authn',
    'authz',
    'route',
    'decode',
    'mutate',
    'validate',
    'admit',
    'create',
    'encode',
  ]);
  expect(detail('mutate')).toContain('ServiceAccount changed spec.');

  const question = { spec: { resourceAttributes: { verb: 'list', resource: 'configmaps', namespace: 'default' } } };
  const review = await send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { as: 'bob', body: question });
  expect(detail('create')).toContain('allow: RBAC: RoleBinding "b/default"');
  expect(review.body['status']).toEqual({ allowed: true, reason: expect.not.stringContaining('rule 1') });
  const refused = await send('DELETE', `${maps}/x`, { as: 'bob' });
  expect(refused.text).not.toMatch(/nearest|would allow/);
});
