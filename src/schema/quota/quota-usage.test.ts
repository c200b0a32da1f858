import { expect, test } from 'vitest';
import { matchesQuotaScopes } from './quota-scopes.ts';
import { quotaResourcesOf, quotaUsageOf } from './quota-usage.ts';
import { sumUsage } from './usage.ts';

const core = (resource: string) => ({ group: '', resource });
const container = { resources: { requests: { cpu: '600m', 'example.com/gpu': '2' }, limits: { cpu: '1', 'example.com/gpu': '2' } } };
const pod = { metadata: {}, spec: { containers: [container] }, status: { phase: 'Running' } };

test.each([
  [{ group: 'apps', resource: 'deployments' }, {}, { 'count/deployments.apps': '1' }],
  [core('configmaps'), {}, { 'count/configmaps': '1', configmaps: '1' }],
  [
    core('services'),
    { spec: { type: 'NodePort', ports: [{}, {}] } },
    { 'count/services': '1', services: '1', 'services.loadbalancers': '0', 'services.nodeports': '2' },
  ],
  [
    core('persistentvolumeclaims'),
    { spec: { storageClassName: 'fast', resources: { requests: { storage: '1Gi' } } } },
    {
      'count/persistentvolumeclaims': '1',
      persistentvolumeclaims: '1',
      'requests.storage': '1Gi',
      'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
      'fast.storageclass.storage.k8s.io/requests.storage': '1Gi',
    },
  ],
  [
    core('pods'),
    pod,
    { 'count/pods': '1', pods: '1', cpu: '600m', 'requests.cpu': '600m', 'limits.cpu': '1', 'requests.example.com/gpu': '2' },
  ],
  [core('pods'), { ...pod, status: { phase: 'Succeeded' } }, { 'count/pods': '1' }],
])('usage of %j', (resource, object, usage) => {
  expect(quotaUsageOf(resource, object, 0)).toEqual(usage);
});

test.each([
  ['count/jobs.batch', { group: 'batch', resource: 'jobs' }],
  ['requests.example.com/gpu', core('pods')],
  ['services.nodeports', core('services')],
  ['fast.storageclass.storage.k8s.io/requests.storage', core('persistentvolumeclaims')],
])('%s counts %j', (name, resource) => {
  expect(quotaResourcesOf(name)).toEqual(resource);
});

test.each([
  [{}, true],
  [{ scopes: ['NotBestEffort', 'NotTerminating'] }, true],
  [{ scopes: ['BestEffort'] }, false],
  [{ scopes: ['PriorityClass'] }, false],
  [{ scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['high'] }] } }, true],
])('a pod matches the scopes of %j: %j', (spec, expected) => {
  expect(matchesQuotaScopes(spec, core('pods'), pod)).toBe(expected);
});

test('only pods are in scopes', () => {
  expect(matchesQuotaScopes({ scopes: ['NotTerminating'] }, core('services'), {})).toBe(false);
});

test('amounts are added in canonical form', () => {
  expect(sumUsage({ cpu: '600m', memory: '0' }, { cpu: '400m', memory: '512Mi' })).toEqual({ cpu: '1', memory: '512Mi' });
});
