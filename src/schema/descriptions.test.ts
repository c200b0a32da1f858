import { expect, test } from 'vitest';
import { productNamed } from '../meta/index.ts';
import descriptions from './data/descriptions.json';
import { createCatalog, describe } from './index.ts';

test('every sentence is about a type and a field that there are', () => {
  const catalog = createCatalog(productNamed('kubernetes'));
  for (const [type, fields] of Object.entries(descriptions)) {
    if (type === '*') continue;
    const struct = catalog.type(type);
    for (const field of Object.keys(fields)) expect(field === '' || struct.byName.has(field), `${type}.${field}`).toBe(true);
  }
});

test('a field is told by its type, else by what it means everywhere', () => {
  expect(describe('core/v1.Container', 'image')).toBe('The image to run.');
  expect(describe('core/v1.Pod', 'spec')).toBe('What is wanted.');
  expect(describe('core/v1.Pod')).toBe('Containers that run together on one node.');
  expect(describe('core/v1.Pod', 'toString')).toBeUndefined();
  expect(describe('toString', 'x')).toBeUndefined();
});
