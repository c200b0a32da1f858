import { expect, test } from 'vitest';
import { type Attributes, forbiddenBy, publicPathAuthorizer, superuserAuthorizer, unionAuthorizer } from './index.ts';

const ask = (changes: Partial<Attributes>): Attributes => ({
  user: { username: 'bob', groups: ['system:authenticated'] },
  isResourceRequest: true,
  verb: 'get',
  group: '',
  resource: 'configmaps',
  subresource: '',
  namespace: 'ns',
  name: 'a',
  path: '',
  ...changes,
});
const authz = unionAuthorizer([superuserAuthorizer, publicPathAuthorizer]);

test('system:masters may do all, others nothing', async () => {
  expect((await authz.authorize(ask({ user: { username: 'admin', groups: ['system:masters'] } }))).verdict).toBe('allow');
  expect((await authz.authorize(ask({}))).verdict).toBe('no-opinion');
});

test('health is open to everybody, discovery to whoever is authenticated', async () => {
  const anonymous = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
  const path = (target: string, user?: typeof anonymous): Attributes =>
    ask({ isResourceRequest: false, path: target, ...(user ? { user } : {}) });
  expect((await authz.authorize(path('/livez', anonymous))).verdict).toBe('allow');
  expect((await authz.authorize(path('/apis/apps', anonymous))).verdict).toBe('no-opinion');
  expect((await authz.authorize(path('/apis/apps'))).verdict).toBe('allow');
  expect((await authz.authorize(path('/metrics'))).verdict).toBe('no-opinion');
});

test('a refusal reads as the real one', () => {
  expect(forbiddenBy(ask({}), '').message).toBe(
    'configmaps "a" is forbidden: User "bob" cannot get resource "configmaps" in API group "" in the namespace "ns"',
  );
  expect(
    forbiddenBy(ask({ group: 'apps', resource: 'deployments', subresource: 'scale', namespace: '', name: '', verb: 'list' }), 'x').message,
  ).toBe('deployments.apps is forbidden: User "bob" cannot list resource "deployments/scale" in API group "apps" at the cluster scope: x');
  expect(forbiddenBy(ask({ isResourceRequest: false, path: '/metrics' }), '')).toMatchObject({
    message: 'forbidden: User "bob" cannot get path "/metrics"',
    details: {},
  });
});
