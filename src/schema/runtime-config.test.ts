import { expect, test } from 'vitest';
import { createFeatureGates, productByName } from '../meta/index.ts';
import { createCatalog } from './catalog.ts';

const catalogWith = (setting: string, gates = '') =>
  createCatalog(productByName('kubernetes'), {
    runtimeConfig: new Map(setting.split(',').map((pair) => pair.split('=', 2) as [string, string])),
    featureGates: createFeatureGates(gates),
  });
const versionsOf = (setting: string, group: string, gates = ''): readonly string[] | undefined =>
  catalogWith(setting, gates).groups.find(({ name }) => name === group)?.versions;

test('disables a version, and its group with the last one', () => {
  expect(versionsOf('batch/v1=false', 'batch')).toBeUndefined();
  expect(versionsOf('autoscaling/v2=false', 'autoscaling')).toEqual(['v1']);
});

test('a version setting overrides a stage, and a resource setting overrides both', () => {
  expect(versionsOf('api/beta=true,api/alpha=true', 'coordination.k8s.io')).toEqual(['v1', 'v1beta1', 'v1alpha2']);
  expect(versionsOf('api/beta=true,networking.k8s.io/v1beta1=false', 'networking.k8s.io')).toEqual(['v1']);
  const some = catalogWith('apps/v1=false,apps/v1/deployments=true,batch/v1/jobs=false');
  expect(some.resourcesOf('apps/v1').map(({ name }) => name)).toEqual(['deployments']);
  expect(some.resourcesOf('batch/v1').map(({ name }) => name)).toEqual(['cronjobs']);
});

test('gated resources also require their feature gate', () => {
  expect(versionsOf('certificates.k8s.io/v1beta1', 'certificates.k8s.io')).toEqual(['v1']);
  expect(versionsOf('certificates.k8s.io/v1beta1', 'certificates.k8s.io', 'ClusterTrustBundle=true')).toEqual(['v1', 'v1beta1']);
});

test('old names of the core group select all of it', () => {
  expect(versionsOf('v1=false', '')).toBeUndefined();
  expect(versionsOf('api/v1/pods=false', '')).toBeUndefined();
  expect(versionsOf('api/legacy=false', '')).toEqual(['v1']);
});

test('accepts removed versions', () => {
  expect(versionsOf('apps/v1beta1=true', 'apps')).toEqual(['v1']);
});

test.each([
  ['batch/v9=true', 'group version batch/v9 that has not been registered'],
  ['batch/v1=maybe', 'invalid value of batch/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax'],
  ['api/all=maybe', 'invalid value api/all=maybe'],
  ['api/all=false', 'invalid key with only api/all=false'],
  ['api/some=true,nope/v1=true', 'unknown api groups api,nope'],
  ['v2=false', 'runtime-config invalid key v2'],
  [
    'apps/v1/Deployments=false',
    'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"',
  ],
])('rejects %s', (setting, message) => {
  expect(() => catalogWith(setting)).toThrow(message);
});
