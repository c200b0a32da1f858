import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateFromInputs } from './read-inputs.ts';

const data = (file: string): unknown => JSON.parse(readFileSync(new URL(`../../src/schema/data/${file}`, import.meta.url), 'utf8'));

test('the types of the catalog are those of its Go types', () => {
  const { types, auxiliary } = generateFromInputs();
  expect(types).toEqual(data('types.json'));
  expect(auxiliary).toEqual(data('types-aux.json'));
});
