import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { matchesQuotaScopes } from './quota-scopes.ts';
import { quotaResourcesOf, quotaUsageOf } from './quota-usage.ts';
import { sumUsage } from './usage.ts';

const context = { product: productByName('kubernetes'), nowMs: 0 };
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
  [
    core('persistentvolumeclaims'),
    {
      metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } },
      spec: { storageClassName: 'fast', resources: { requests: { storage: '1500m' } } },
      status: { allocatedResources: { storage: '3' } },
    },
    {
      'count/persistentvolumeclaims': '1',
      persistentvolumeclaims: '1',
      'requests.storage': '3',
      'old.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
      'old.storageclass.storage.k8s.io/requests.storage': '3',
    },
  ],
  [
    { group: 'resource.k8s.io', resource: 'resourceclaims' },
    {
      spec: {
        devices: {
          requests: [
            { exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 } },
            { deviceClassName: 'gpu', allocationMode: 'All' },
            {
              firstAvailable: [
                { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 },
                { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 4 },
                { deviceClassName: 'nic', allocationMode: 'ExactCount', count: 1 },
              ],
            },
          ],
        },
      },
    },
    {
      'count/resourceclaims.resource.k8s.io': '1',
      'gpu.deviceclass.resource.k8s.io/devices': '38',
      'nic.deviceclass.resource.k8s.io/devices': '1',
    },
  ],
])('usage of %j', (resource, object, usage) => {
  expect(quotaUsageOf(resource, object, context)).toEqual(usage);
});

test.each([
  ['count/jobs.batch', { group: 'batch', resource: 'jobs' }],
  ['requests.example.com/gpu', core('pods')],
  ['services.nodeports', core('services')],
  ['fast.storageclass.storage.k8s.io/requests.storage', core('persistentvolumeclaims')],
  ['gpu.deviceclass.resource.k8s.io/devices', { group: 'resource.k8s.io', resource: 'resourceclaims' }],
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

const resized = (reason: string) => ({
  spec: {
    containers: [{ name: 'a', resources: { requests: { cpu: '3' }, limits: { cpu: '3' } } }],
    initContainers: [{ name: 'b', resources: { requests: { cpu: '1' } } }],
  },
  status: {
    conditions: [{ type: 'PodResizePending', reason }],
    containerStatuses: [{ name: 'a', allocatedResources: { cpu: '2' }, resources: { requests: { cpu: '1' }, limits: { cpu: '4' } } }],
    initContainerStatuses: [{ name: 'b', resources: { requests: { cpu: '9' } } }],
  },
});

test.each([
  ['Deferred', { 'requests.cpu': '3', 'limits.cpu': '4' }],
  ['Infeasible', { 'requests.cpu': '2', 'limits.cpu': '4' }],
])('a pod counts for the larger of specified and actual resources while its resize is %s', (reason, usage) => {
  expect(quotaUsageOf(core('pods'), resized(reason), context)).toMatchObject(usage);
});

test.each([
  ['In', ['gold'], [true, true, false]],
  ['NotIn', ['gold'], [false, true, true]],
  ['Exists', [], [true, true, false]],
  ['DoesNotExist', [], [false, false, true]],
])('claims are in the scope of attributes classes: %s %j', (operator, values, expected) => {
  const spec = { scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator, values }] } };
  const claims = [
    { spec: { volumeAttributesClassName: 'gold' } },
    { spec: { volumeAttributesClassName: 'silver' }, status: { modifyVolumeStatus: { targetVolumeAttributesClassName: 'gold' } } },
    {},
  ];
  expect(claims.map((claim) => matchesQuotaScopes(spec, core('persistentvolumeclaims'), claim))).toEqual(expected);
});

test('services are in no scope', () => {
  expect(matchesQuotaScopes({ scopes: ['NotTerminating'] }, core('services'), {})).toBe(false);
});

test('amounts are added in canonical form', () => {
  expect(sumUsage({ cpu: '600m', memory: '0' }, { cpu: '400m', memory: '512Mi' })).toEqual({ cpu: '1', memory: '512Mi' });
});
