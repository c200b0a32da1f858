import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { defaultRoles } from './default-roles.ts';

const recorded = readFileSync(new URL('../../../test/facts/server/rbac-defaults.json', import.meta.url), 'utf8');

test.each(['kubernetes', 'svc'] as const)('creates the default roles and bindings of kube-apiserver, under the names of %s', (names) => {
  const product = productByName(names);
  const expected: Record<string, readonly object[]> = JSON.parse(product.rename(recorded));
  const made = defaultRoles(product);
  for (const [resource, objects] of Object.entries(expected)) {
    expect(made.filter((one) => one.resource === resource).map(({ object }) => object)).toEqual(objects);
  }
  expect(made).toHaveLength(Object.values(expected).flat().length);
});
