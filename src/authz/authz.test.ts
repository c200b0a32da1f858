import { expect, test } from 'vitest';
import {
  type Attributes,
  type Authorizer,
  alwaysAllowAuthorizer,
  alwaysDenyAuthorizer,
  createForbiddenError,
  privilegedGroupAuthorizer,
  resourceAttributes,
  unionAuthorizer,
} from './index.ts';

const bob = { username: 'bob', uid: '', groups: ['system:authenticated'], extra: {} };
const attributesOf = (changes: Partial<Attributes>): Attributes => ({
  ...resourceAttributes(bob, { verb: 'get', group: '', resource: 'configmaps', namespace: 'ns', name: 'a' }),
  ...changes,
});
const authorizerWith = (reason: string, more: object = {}): Authorizer => ({
  ...alwaysDenyAuthorizer,
  authorize: () => Promise.resolve({ verdict: 'no-opinion', reason, evidence: `evidence ${reason}`, ...more }),
});

test('allows everything to system:masters, and nothing to others', async () => {
  const authz = unionAuthorizer([privilegedGroupAuthorizer]);
  expect((await authz.authorize(attributesOf({ user: { ...bob, groups: ['system:masters'] } }))).verdict).toBe('allow');
  expect((await authz.authorize(attributesOf({}))).verdict).toBe('no-opinion');
});

test('the first opinion decides; without one, returns all reasons and errors', async () => {
  const undecided = unionAuthorizer([
    authorizerWith('one', { error: 'broken' }),
    authorizerWith(''),
    authorizerWith('two', { error: 'broken' }),
  ]);
  expect(await undecided.authorize(attributesOf({}))).toEqual({
    verdict: 'no-opinion',
    reason: 'one\ntwo',
    evidence: 'evidence one; evidence ; evidence two',
    error: 'broken',
  });
  const allowed = unionAuthorizer([authorizerWith('one'), alwaysDenyAuthorizer, alwaysAllowAuthorizer]);
  expect(await allowed.authorize(attributesOf({}))).toMatchObject({ verdict: 'allow', reason: '' });
  expect(allowed.rulesFor(bob, 'ns').resourceRules).toHaveLength(1);
});

test('the 403 has the upstream message', () => {
  expect(createForbiddenError(attributesOf({}), '').message).toBe(
    'configmaps "a" is forbidden: User "bob" cannot get resource "configmaps" in API group "" in the namespace "ns"',
  );
  expect(
    createForbiddenError(
      attributesOf({ group: 'apps', resource: 'deployments', subresource: 'scale', namespace: '', name: '', verb: 'list' }),
      'x',
    ).message,
  ).toBe('deployments.apps is forbidden: User "bob" cannot list resource "deployments/scale" in API group "apps" at the cluster scope: x');
  expect(createForbiddenError(attributesOf({ isResourceRequest: false, path: '/metrics' }), '')).toMatchObject({
    message: 'forbidden: User "bob" cannot get path "/metrics"',
    details: {},
  });
});

test('escapes HTML in the 403', () => {
  const { message } = createForbiddenError(attributesOf({ user: { ...bob, username: '<b>' } }), '<why>');
  expect(message).toContain('User "&lt;b&gt;" cannot');
  expect(message).toMatch(/: <why>$/);
});

test('computes evidence on demand', async () => {
  const read: string[] = [];
  const silent: Authorizer = {
    ...alwaysDenyAuthorizer,
    authorize: () => ({
      verdict: 'no-opinion',
      get reason() {
        read.push('reason');
        return 'why not';
      },
      get evidence() {
        read.push('evidence');
        return 'no rule';
      },
    }),
  };
  const decision = await unionAuthorizer([silent]).authorize(attributesOf({}));
  expect(read).toEqual([]);
  expect([decision.reason, decision.evidence]).toEqual(['why not', 'no rule']);
});
