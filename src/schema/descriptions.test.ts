import { expect, test } from 'vitest';
import { productByName } from '../meta/index.ts';
import descriptions from './data/descriptions.json';
import { createCatalog, describeType } from './index.ts';

test('every description belongs to an existing type and field', () => {
  const catalog = createCatalog(productByName('kubernetes'));
  for (const [type, fields] of Object.entries(descriptions)) {
    if (type === '*') continue;
    const struct = catalog.type(type);
    for (const field of Object.keys(fields)) expect(field === '' || struct.byName.has(field), `${type}.${field}`).toBe(true);
  }
});

test('describes a field by its type, else by its common meaning', () => {
  expect(describeType('core/v1.Container', 'image')).toBe('The image to run.');
  expect(describeType('core/v1.Pod', 'spec')).toBe('Specification of the desired state.');
  expect(describeType('core/v1.Pod')).toBe('Containers that run together on one node.');
  expect(describeType('core/v1.Pod', 'toString')).toBeUndefined();
  expect(describeType('toString', 'x')).toBeUndefined();
});
