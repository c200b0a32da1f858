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
  ['a group of the user is enough', { userGroups: ['ops', 'devs'] }, {}, true],
  ['nobody is no user', { users: ['jane'] }, { user: undefined }, false],
  ['nobody is in no group', { userGroups: ['devs'] }, { user: undefined }, false],
  ['a resource is meant without its parts', { resources: [{ resources: ['pods'] }] }, { subresource: 'log' }, false],
  ['a part is meant by its path', { resources: [{ resources: ['pods/log'] }] }, { subresource: 'log' }, true],
  ['all parts and the whole are meant by a star behind', { resources: [{ resources: ['pods/*'] }] }, { subresource: 'log' }, true],
  ['one part of every resource is meant by a star before', { resources: [{ resources: ['*/log'] }] }, { subresource: 'log' }, true],
  ['a star before is no whole', { resources: [{ resources: ['*/log'] }] }, {}, false],
  ['a star alone is everything of its group', { resources: [{ resources: ['*'] }] }, { group: 'apps' }, false],
  ['a group without resources is all of it', { resources: [{ group: 'apps' }] }, { group: 'apps', resource: 'deployments' }, true],
  ['names narrow', { resources: [{ resources: ['pods'], resourceNames: ['b'] }] }, {}, false],
  ['namespaces narrow', { namespaces: ['shop'] }, {}, true],
  ['an empty namespace is what is in none', { namespaces: [''] }, { namespace: '' }, true],
  ['paths are of no resource', { nonResourceURLs: ['/api*'] }, {}, false],
  ['a path ends in a star', { nonResourceURLs: ['/healthz*'] }, { isResourceRequest: false, path: '/healthz/ping' }, true],
  ['a path is exact without', { nonResourceURLs: ['/healthz'] }, { isResourceRequest: false, path: '/healthz/ping' }, false],
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
