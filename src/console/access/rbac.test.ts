import { expect, test } from 'vitest';
import {
  addImplicitGroups,
  allowedNames,
  findGrants,
  isAllowed,
  type Rbac,
  type ResourceAttributes,
  readBinding,
  readRole,
} from './rbac.ts';
import { findSimilarRules, grantCommands } from './similar-rules.ts';

const rule = (verbs: string[], resources: string[], more: object = {}): object => ({ apiGroups: [''], verbs, resources, ...more });
const rbac: Rbac = {
  roles: [
    readRole({
      metadata: { name: 'view' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'to-view': 'yes' } }] },
      rules: [rule(['get', 'list'], ['pods', 'pods/log'])],
    } as never),
    readRole({
      metadata: { name: 'view-pods', labels: { 'to-view': 'yes' } },
      rules: [rule(['get', 'list'], ['pods', 'pods/log'])],
    } as never),
    readRole({ metadata: { name: 'one', namespace: 'shop' }, rules: [rule(['get'], ['secrets'], { resourceNames: ['a'] })] } as never),
    readRole({ metadata: { name: 'scale' }, rules: [{ apiGroups: ['*'], verbs: ['update'], resources: ['*/scale'] }] } as never),
  ],
  bindings: [
    readBinding({
      metadata: { name: 'v', namespace: 'shop' },
      roleRef: { kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'Group', name: 'dev' }],
    } as never),
    readBinding({
      metadata: { name: 'o', namespace: 'shop' },
      roleRef: { kind: 'Role', name: 'one' },
      subjects: [{ kind: 'ServiceAccount', name: 'bot', namespace: 'shop' }],
    } as never),
    readBinding({
      metadata: { name: 's' },
      roleRef: { kind: 'ClusterRole', name: 'scale' },
      subjects: [{ kind: 'User', name: 'jane' }],
    } as never),
  ],
};
const attempt = (verb: string, resource: string, more: Partial<ResourceAttributes> = {}): ResourceAttributes => ({
  verb,
  group: '',
  resource,
  subresource: '',
  namespace: 'shop',
  name: '',
  ...more,
});
const dev = addImplicitGroups({ user: 'x', groups: ['dev'] });
const bot = addImplicitGroups({ user: 'system:serviceaccount:shop:bot', groups: [] });

test('a RoleBinding allows only in its namespace', () => {
  expect(isAllowed(rbac, dev, attempt('list', 'pods'))).toBe(true);
  expect(isAllowed(rbac, dev, attempt('list', 'pods', { namespace: '' }))).toBe(false);
  expect(isAllowed(rbac, dev, attempt('list', 'pods', { namespace: 'other' }))).toBe(false);
});

test('checks subresources separately, and */scale matches the scale of every resource', () => {
  expect(isAllowed(rbac, dev, attempt('get', 'pods', { subresource: 'log' }))).toBe(true);
  expect(isAllowed(rbac, dev, attempt('get', 'pods', { subresource: 'status' }))).toBe(false);
  expect(isAllowed(rbac, { user: 'jane', groups: [] }, attempt('update', 'deployments', { group: 'apps', subresource: 'scale' }))).toBe(
    true,
  );
});

test('a rule of names allows these names only', () => {
  expect(isAllowed(rbac, bot, attempt('get', 'secrets', { name: 'a' }))).toBe(true);
  expect(isAllowed(rbac, bot, attempt('get', 'secrets'))).toBe(false);
  expect(allowedNames(rbac, bot, attempt('get', 'secrets'))).toEqual(['a']);
});

test('a grant has binding, role, rule, and the source of an aggregated rule', () => {
  expect(findGrants(rbac, attempt('get', 'pods'))).toMatchObject([
    { binding: { name: 'v' }, role: { name: 'view' }, at: 1, from: { name: 'view-pods' } },
  ]);
});

test('members of system:masters are allowed everything', () => {
  expect(isAllowed(rbac, { user: 'x', groups: ['system:masters'] }, attempt('anything', 'whatever'))).toBe(true);
});

test('finds similar rules with their missing parts, and the commands that grant access', () => {
  expect(findSimilarRules(rbac, dev, attempt('delete', 'pods'))).toMatchObject([
    { role: 'view', binding: 'RoleBinding shop/v', missing: ['the verb delete'] },
  ]);
  expect(grantCommands(bot, attempt('get', 'pods'))).toBe(
    'kubectl create role get-pods --verb=get --resource=pods -n shop && kubectl create rolebinding get-pods --role=get-pods --serviceaccount=shop:bot -n shop',
  );
});
