import { expect, test } from 'vitest';
import { type ApiObject, type JsonObject, productByName } from '../../meta/index.ts';
import { createEscalationChecker } from './escalation-checker.ts';
import type { PolicyRule } from './policy.ts';
import { rbacAuthorizer } from './rbac-authorizer.ts';
import { RoleIndex } from './role-index.ts';

const product = productByName('kubernetes');
const group = 'rbac.authorization.k8s.io';
const bob = { username: 'bob', uid: '', groups: ['devs'], extra: {} };
const rule = (verbs: readonly string[], resource: string, more: Partial<PolicyRule> = {}): PolicyRule => ({
  verbs,
  apiGroups: ['x'],
  resources: [resource],
  resourceNames: [],
  nonResourceURLs: [],
  ...more,
});
const roleOf = (rules: readonly PolicyRule[], more: JsonObject = {}): ApiObject =>
  ({ kind: 'Role', apiVersion: `${group}/v1`, metadata: { name: 'new' }, rules, ...more }) as unknown as ApiObject;
const bindingOf = (kind: string, name: string, apiGroup = group): ApiObject =>
  ({
    kind: 'RoleBinding',
    apiVersion: `${group}/v1`,
    metadata: { name: 'new' },
    roleRef: { apiGroup, kind, name },
  }) as unknown as ApiObject;

function guardFor(...held: readonly PolicyRule[]) {
  const index = new RoleIndex();
  index.updateRole('ns', 'held', held);
  index.updateBinding('ns', 'b', {
    namespace: 'ns',
    name: 'b',
    role: { kind: 'Role', name: 'held' },
    subjects: [{ kind: 'User', name: 'bob', namespace: '' }],
  });
  const guard = createEscalationChecker(index, rbacAuthorizer(index, product), product);
  const check = (resource: string, object: ApiObject, old?: ApiObject, user = bob) =>
    guard.confirmNoEscalation({ user, resource: { group, name: resource }, name: '', namespace: 'ns', object, old });
  return { index, guard, check };
}

test('users grant only rights that they hold', async () => {
  const { check } = guardFor(rule(['get', 'list'], 'a'), rule(['*'], 'b'));
  await check('roles', roleOf([rule(['list'], 'a', { resourceNames: ['one'] }), rule(['fly'], 'b')]));
  await expect(check('roles', roleOf([rule(['get', 'watch'], 'a'), rule(['delete'], 'a'), rule(['get'], 'c')]))).rejects.toMatchObject({
    code: 403,
    message:
      'roles.rbac.authorization.k8s.io "new" is forbidden: user "bob" (groups=["devs"]) is attempting to grant RBAC permissions not currently held:\n' +
      '{APIGroups:["x"], Resources:["a"], Verbs:["watch" "delete"]}\n{APIGroups:["x"], Resources:["c"], Verbs:["get"]}',
  });
});

test('system:masters and users with escalate grant any right', async () => {
  const any = roleOf([rule(['*'], '*', { apiGroups: ['*'] })]);
  await guardFor().check('roles', any, undefined, { ...bob, groups: ['system:masters'] });
  await guardFor(rule(['escalate'], 'roles', { apiGroups: [group] })).check('roles', any);
  await expect(guardFor().check('roles', any)).rejects.toMatchObject({ code: 403 });
});

test('changes of owners or finalizers are not checked', async () => {
  const { check } = guardFor();
  const old = roleOf([rule(['get'], 'a')]);
  await check('roles', { ...old, metadata: { ...old.metadata, finalizers: ['x/y'] } }, old);
  await expect(check('roles', { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } }, old)).rejects.toMatchObject({ code: 403 });
});

test('aggregation requires all rights', async () => {
  const aggregate = roleOf([], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } });
  await expect(guardFor(rule(['get'], '*', { apiGroups: ['*'] })).check('clusterroles', aggregate)).rejects.toMatchObject({
    message: expect.stringMatching(/must have cluster-admin privileges to use the aggregationRule$/),
  });
});

test('binding a role requires its rights, or the verb bind', async () => {
  const { index, check } = guardFor(rule(['get'], 'a'), rule(['bind'], 'clusterroles', { apiGroups: [group], resourceNames: ['power'] }));
  index.updateRole('', 'power', [rule(['*'], '*')]);
  index.updateRole('', 'other', [rule(['*'], '*')]);
  await check('rolebindings', bindingOf('Role', 'held'));
  await check('rolebindings', bindingOf('ClusterRole', 'power'));
  await expect(check('rolebindings', bindingOf('ClusterRole', 'other'))).rejects.toMatchObject({ code: 403 });
  await expect(check('rolebindings', bindingOf('Role', 'ghost'))).rejects.toMatchObject({
    code: 404,
    message: 'rolebindings.rbac.authorization.k8s.io "ghost" not found',
  });
});

test('returns the lookup error for an invalid role reference', async () => {
  const { guard, check } = guardFor(rule(['bind'], 'clusterroles', { apiGroups: [group] }));
  const expectRejection = (object: ApiObject) => expect(check('rolebindings', object)).rejects;
  await expectRejection(bindingOf('Bogus', 'x')).toMatchObject({
    code: 500,
    reason: '',
    message: 'unsupported role reference kind: "Bogus"',
  });
  await expectRejection(bindingOf('Role', '')).toMatchObject({ code: 400, message: 'Name parameter required.' });
  await expectRejection(bindingOf('Role', 'a/b')).toMatchObject({
    code: 400,
    message: `Name parameter invalid: "a/b": may not contain '/'`,
  });
  await check('rolebindings', bindingOf('ClusterRole', 'x'));
  await expectRejection(bindingOf('ClusterRole', 'x', 'bogus')).toMatchObject({ code: 404 });
  const inCluster = { user: bob, resource: { group, name: 'clusterrolebindings' }, name: '', namespace: '', old: undefined };
  await expect(guard.confirmNoEscalation({ ...inCluster, object: bindingOf('Role', 'x') })).rejects.toMatchObject({
    message: 'Namespace parameter required.',
  });
});

test('lists bindings to missing roles in the error', async () => {
  const { index, check } = guardFor();
  index.updateBinding('', 'c', {
    namespace: '',
    name: 'c',
    role: { kind: 'ClusterRole', name: 'ghost' },
    subjects: [{ kind: 'Group', name: 'devs', namespace: '' }],
  });
  await expect(check('roles', roleOf([rule(['get'], 'a')]))).rejects.toMatchObject({
    message: expect.stringMatching(/; resolution errors: \[roles.rbac.authorization.k8s.io "ghost" not found\]$/),
  });
});
