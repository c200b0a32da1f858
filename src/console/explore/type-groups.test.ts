import { expect, test } from 'vitest';
import type { ApiResource } from '../../kubectl/index.ts';
import { productByName } from '../../meta/index.ts';
import { groupTypes } from './type-groups.ts';

const typesNamed = (...names: readonly string[]): ApiResource[] =>
  names.map((text) => {
    const [name = '', group = ''] = text.split('/').reverse();
    return { group, name } as ApiResource;
  });

const grouped = (types: readonly ApiResource[], names: 'svc' | 'kubernetes'): readonly (readonly [string, readonly string[]])[] =>
  groupTypes(types, productByName(names)).map((group) => [group.title, group.types.map(({ name }) => name)]);

test('groups types by purpose, with the usual ones first and custom ones last', () => {
  const types = typesNamed(
    'configmaps',
    'pods',
    'services',
    'example.com/widgets',
    'apps/controllerrevisions',
    'apps/deployments',
    'nodes',
    'bindings',
  );
  expect(grouped(types, 'kubernetes')).toEqual([
    ['Workloads', ['pods', 'deployments', 'controllerrevisions']],
    ['Network', ['services']],
    ['Configuration', ['configmaps']],
    ['Cluster', ['nodes', 'bindings']],
    ['Custom', ['widgets']],
  ]);
});

test('knows the groups by the names of the product', () => {
  const types = typesNamed('networking.svc/ingresses', 'rbac.authorization.svc/roles', 'snapshot.storage.svc/volumesnapshots');
  expect(grouped(types, 'svc')).toEqual([
    ['Network', ['ingresses']],
    ['Access', ['roles']],
    ['Custom', ['volumesnapshots']],
  ]);
});
