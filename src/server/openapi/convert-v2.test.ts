import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { convertV2ToV3 } from './convert-v2.ts';

test('a document of version 2 is converted as kube-aggregator has converted it', () => {
  const { v2, v3 } = JSON.parse(readFileSync(new URL('../../../test/facts/catalog/openapi-converted.json', import.meta.url), 'utf8'));
  expect(convertV2ToV3(v2)).toEqual(v3);
});
