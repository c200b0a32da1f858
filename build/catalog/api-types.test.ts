import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createAllServedCatalog, generateApiTypes } from './api-types.ts';
import { readPackageTable } from './read-inputs.ts';

/** Without white space and the separators that a formatter adds or removes with it. */
function compact(text: string): string {
  return text.replace(/[\s|]/g, '').replaceAll(/,(?=[})])/g, '');
}

test.each([...generateApiTypes(createAllServedCatalog(), readPackageTable())])('%s is generated from the catalog', (path, text) => {
  expect(compact(readFileSync(new URL(`../../src/schema/api/${path}`, import.meta.url), 'utf8'))).toBe(compact(text));
});
