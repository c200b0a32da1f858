import { expect, test } from 'vitest';
import { type AuditedRequest, evaluatePolicyRule } from './policy.ts';
import { AuditPolicyError, readAuditPolicy } from './read-policy.ts';

const request = (more: Partial<AuditedRequest>): AuditedRequest => ({
  user: { username: 'jane', uid: '', groups: ['devs'], extra: {} },
  isResourceRequest: true,
  verb: 'get',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'shop',
  name: 'a',
  path: '/api/v1/namespaces/shop/pods/a',
  ...more,
});
const levelOf = (rule: object, more: Partial<AuditedRequest> = {}): string =>
  evaluatePolicyRule(readAuditPolicy({ rules: [{ level: 'Request', ...rule }] }), request(more)).level;

test('the first matching rule decides, and without one the level is None', () => {
  const policy = readAuditPolicy({
    rules: [
      { level: 'None', users: ['joe'] },
      { level: 'Request', verbs: ['get'], omitStages: ['Panic'], omitManagedFields: false },
      { level: 'RequestResponse' },
    ],
    omitStages: ['RequestReceived'],
    omitManagedFields: true,
  });
  expect(evaluatePolicyRule(policy, request({}))).toEqual({
    level: 'Request',
    omitStages: ['RequestReceived', 'Panic'],
    omitManagedFields: false,
  });
  expect(evaluatePolicyRule(policy, request({ verb: 'list' })).level).toBe('RequestResponse');
  expect(levelOf({ verbs: ['list'] })).toBe('None');
});

test.each<[string, object, Partial<AuditedRequest>, boolean]>([
  ['one group of the user matches', { userGroups: ['ops', 'devs'] }, {}, true],
  ['an unauthenticated request matches no user', { users: ['jane'] }, { user: undefined }, false],
  ['an unauthenticated request matches no group', { userGroups: ['devs'] }, { user: undefined }, false],
  ['a resource does not match its subresources', { resources: [{ resources: ['pods'] }] }, { subresource: 'log' }, false],
  ['a subresource matches by its path', { resources: [{ resources: ['pods/log'] }] }, { subresource: 'log' }, true],
  ['pods/* matches a subresource', { resources: [{ resources: ['pods/*'] }] }, { subresource: 'log' }, true],
  ['*/log matches the subresource of every resource', { resources: [{ resources: ['*/log'] }] }, { subresource: 'log' }, true],
  ['*/log does not match a resource', { resources: [{ resources: ['*/log'] }] }, {}, false],
  ['* matches only its group', { resources: [{ resources: ['*'] }] }, { group: 'apps' }, false],
  [
    'a group without resources matches all its resources',
    { resources: [{ group: 'apps' }] },
    { group: 'apps', resource: 'deployments' },
    true,
  ],
  ['resourceNames must match', { resources: [{ resources: ['pods'], resourceNames: ['b'] }] }, {}, false],
  ['namespaces must match', { namespaces: ['shop'] }, {}, true],
  ['an empty namespace matches cluster-scoped requests', { namespaces: [''] }, { namespace: '' }, true],
  ['nonResourceURLs do not match resource requests', { nonResourceURLs: ['/api*'] }, {}, false],
  ['a trailing star matches a prefix', { nonResourceURLs: ['/healthz*'] }, { isResourceRequest: false, path: '/healthz/ping' }, true],
  ['a URL without a star matches exactly', { nonResourceURLs: ['/healthz'] }, { isResourceRequest: false, path: '/healthz/ping' }, false],
])('%s', (_, rule, more, isAbout) => {
  expect(levelOf(rule, more)).toBe(isAbout ? 'Request' : 'None');
});

test('reports all errors of a policy with upstream messages', () => {
  const rules = [{}, { level: 'Metadata', resources: [{ resourceNames: ['a'] }], nonResourceURLs: ['*'] }];
  expect(() => readAuditPolicy({ rules })).toThrow(
    new AuditPolicyError(
      '[rules[0].level: Required value, rules[1].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource, ' +
        'rules[1].nonResourceURLs: Invalid value: ["*"]: rules cannot apply to both regular resources and non-resource URLs]',
    ),
  );
});

test('rejects a policy without rules', () => {
  expect(() => readAuditPolicy({})).toThrow('loaded illegal policy with 0 rules');
});
