import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { type Attributes, resourceAttributes } from '../attributes.ts';
import type { Decision } from '../authorizer.ts';
import type { PolicyRule, RoleSubject } from './policy.ts';
import { rbacAuthorizer } from './rbac-authorizer.ts';
import { RoleIndex } from './role-index.ts';

const rule = (changes: Partial<PolicyRule>): PolicyRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['pods'],
  resourceNames: [],
  nonResourceURLs: [],
  ...changes,
});
const user = (username: string, ...groups: string[]) => ({ username, uid: '', groups, extra: {} });
const subject = (kind: string, name: string, namespace = ''): RoleSubject => ({ kind, name, namespace });

function cluster() {
  const index = new RoleIndex();
  const authorizer = rbacAuthorizer(index, productByName('kubernetes'));
  return {
    index,
    authorizer,
    bind(namespace: string, kind: string, role: string, ...subjects: RoleSubject[]) {
      index.updateBinding(namespace, 'b', { namespace, name: 'b', role: { kind, name: role }, subjects });
    },
    decide: (subject: ReturnType<typeof user>, changes: Partial<Attributes>): Decision =>
      authorizer.authorize({
        ...resourceAttributes(subject, { verb: 'get', group: '', resource: 'pods', namespace: 'ns', name: 'p' }),
        ...changes,
      }) as Decision,
  };
}

test('a Role grants its rights in its namespace alone, and the reason names it', () => {
  const { index, bind, decide } = cluster();
  index.updateRole('ns', 'r', [rule({})]);
  bind('ns', 'Role', 'r', subject('User', 'bob'));
  const decision = decide(user('bob'), {});
  expect(decision.verdict).toBe('allow');
  expect(decision.reason).toBe('RBAC: allowed by RoleBinding "b/ns" of Role "r" to User "bob"');
  expect(decision.evidence).toBe('RBAC: RoleBinding "b/ns" of Role "r" to User "bob", rule 1: get core/pods');
  expect(decide(user('bob'), { namespace: 'other' }).verdict).toBe('no-opinion');
  expect(decide(user('bob'), { namespace: '' }).verdict).toBe('no-opinion');
  expect(decide(user('eve'), {}).verdict).toBe('no-opinion');
});

test('changes of roles and bindings apply immediately', () => {
  const { index, bind, decide } = cluster();
  bind('ns', 'Role', 'r', subject('User', 'bob'));
  expect(decide(user('bob'), {}).reason).toBe('RBAC: role.rbac.authorization.k8s.io "r" not found');
  index.updateRole('ns', 'r', [rule({})]);
  expect(decide(user('bob'), {}).verdict).toBe('allow');
  bind('ns', 'Role', 'r', subject('User', 'eve'));
  expect(decide(user('bob'), {}).verdict).toBe('no-opinion');
  expect(decide(user('eve'), {}).verdict).toBe('allow');
  index.updateBinding('ns', 'b', undefined);
  expect(decide(user('eve'), {}).verdict).toBe('no-opinion');
});

test('a service account without a namespace takes that of the binding, and matches none in a ClusterRoleBinding', () => {
  const { index, bind, decide } = cluster();
  index.updateRole('', 'c', [rule({})]);
  bind('ns', 'ClusterRole', 'c', subject('ServiceAccount', 'robot'));
  expect(decide(user('system:serviceaccount:ns:robot'), {}).reason).toContain('to ServiceAccount "robot/ns"');
  index.updateBinding('ns', 'b', undefined);
  bind('', 'ClusterRole', 'c', subject('ServiceAccount', 'robot'));
  expect(decide(user('system:serviceaccount::robot'), {}).verdict).toBe('no-opinion');
});

test.each<[string, Partial<PolicyRule>, Partial<Attributes>, boolean]>([
  ['a resource does not include its subresources', {}, { subresource: 'log' }, false],
  ['*/log matches the subresource of every resource', { resources: ['*/log'] }, { subresource: 'log' }, true],
  ['*/log does not match a resource', { resources: ['*/log'] }, {}, false],
  ['stars', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, { verb: 'fly', group: 'x', subresource: 'y' }, true],
  ['* in the core group does not match other groups', { resources: ['*'] }, { group: 'apps' }, false],
  ['names', { resourceNames: ['p'] }, {}, true],
  ['resourceNames must match', { resourceNames: ['q'] }, {}, false],
  ['resourceNames do not match a list', { verbs: ['list'], resourceNames: ['p'] }, { verb: 'list', name: '' }, false],
])('%s', (_, changes, requested, allowed) => {
  const { index, bind, decide } = cluster();
  index.updateRole('', 'c', [rule(changes)]);
  bind('', 'ClusterRole', 'c', subject('Group', 'devs'));
  expect(decide(user('bob', 'devs'), requested).verdict === 'allow').toBe(allowed);
});

test.each([
  ['/metrics', '/metrics', true],
  ['/metrics', '/metrics/slis', false],
  ['/x/*', '/x/a/b', true],
  ['/x/*', '/x', false],
  ['*', '/any', true],
])('the URL %s and the path %s', (url, path, allowed) => {
  const { index, bind, decide } = cluster();
  index.updateRole('', 'c', [rule({ apiGroups: [], resources: [], nonResourceURLs: [url] })]);
  bind('', 'ClusterRole', 'c', subject('User', 'bob'));
  expect(decide(user('bob'), { isResourceRequest: false, path, namespace: '' }).verdict === 'allow').toBe(allowed);
});

test('the evidence of a denial names the nearest rule and its missing parts', () => {
  const { index, bind, decide } = cluster();
  index.updateRole('ns', 'r', [rule({ resources: ['secrets'] }), rule({ verbs: ['get', 'list'] })]);
  bind('ns', 'Role', 'r', subject('User', 'bob'));
  expect(decide(user('bob'), { verb: 'delete' }).evidence).toBe(
    'RBAC: nearest is RoleBinding "b/ns" of Role "r" to User "bob": get,list core/pods, not delete',
  );
  expect(decide(user('bob'), { resource: 'nodes' }).evidence).toBe('RBAC: no rule');
});

test('the evidence of a denial names the roles that would allow it, the smallest first', () => {
  const { index, decide } = cluster();
  const [few, more] = [[rule({ verbs: ['delete'] })], [rule({}), rule({ verbs: ['*'] })]];
  index.updateRole('', 'admin', more);
  index.updateRole('', 'cleaner', few);
  index.updateRole('', 'reader', [rule({})]);
  index.updateRole('elsewhere', 'cleaner', few);
  expect(decide(user('bob'), { verb: 'delete' }).evidence).toBe('RBAC: no rule; ClusterRole "cleaner", ClusterRole "admin" would allow it');
});

test('lists rules, and errors that make the list incomplete', () => {
  const { index, authorizer, bind } = cluster();
  index.updateRole('', 'c', [rule({}), rule({ apiGroups: [], resources: [], nonResourceURLs: ['/x'] })]);
  bind('', 'ClusterRole', 'c', subject('User', 'bob'));
  index.updateBinding('ns', 'd', {
    namespace: 'ns',
    name: 'd',
    role: { kind: 'ClusterRole', name: 'ghost' },
    subjects: [subject('User', 'bob')],
  });
  const { resourceRules, nonResourceRules, incomplete, error } = authorizer.rulesFor(user('bob'), 'ns');
  expect([resourceRules.length, nonResourceRules.length, incomplete]).toEqual([1, 1, false]);
  expect(error).toBe('clusterrole.rbac.authorization.k8s.io "ghost" not found');
});
