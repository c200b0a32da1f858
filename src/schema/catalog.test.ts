import { expect, test } from 'vitest';
import { productByName } from '../meta/index.ts';
import { createCatalog } from './index.ts';

test('every served resource has a schema whose fields can be read', () => {
  const catalog = createCatalog(productByName('kubernetes'));
  const resources = catalog.groups.flatMap((group) =>
    group.versions.flatMap((version) => catalog.resourcesOf(group.name ? `${group.name}/${version}` : version)),
  );
  expect(resources.length).toBeGreaterThan(60);
  for (const resource of resources) expect(resource.schema.byName.has('kind')).toBe(true);
});

test('the pod spec has its lists and merge keys', () => {
  const catalog = createCatalog(productByName('kubernetes'));
  const containers = catalog.type('core/v1.PodSpec').byName.get('containers');
  expect(containers?.patchMergeKey).toBe('name');
  expect(containers?.schema).toMatchObject({ form: 'list', topology: 'map', keys: ['name'] });
});

test('the neutral product has different group names and the same types', () => {
  const catalog = createCatalog(productByName('svc'));
  expect(catalog.resource('rbac.authorization.svc/v1', 'roles')?.kind).toBe('Role');
  expect(catalog.resource('rbac.authorization.k8s.io/v1', 'roles')).toBeUndefined();
  expect(catalog.kind('storage.svc/v1', 'StorageClass')?.name).toBe('storage/v1.StorageClass');
});

test('merges packages with types in both files', () => {
  const catalog = createCatalog(productByName('kubernetes'));
  expect(catalog.kind('meta.k8s.io/v1', 'PartialObjectMetadataList')?.typeMeta).toBe(true);
  expect(catalog.kind('meta.k8s.io/v1', 'Status')?.typeMeta).toBe(true);
});
