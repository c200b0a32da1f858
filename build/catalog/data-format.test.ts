import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatData } from './data-format.ts';

const folder = new URL('../../src/schema/data/', import.meta.url);

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));

test.each(files)('%s is formatted by npm run generate:catalog', (name) => {
  const text = readFileSync(new URL(name, folder), 'utf8');
  expect(text === `${formatData(JSON.parse(text))}\n`).toBe(true);
});

test('breaks only what does not fit into a line', () => {
  const long = 'x'.repeat(139);
  expect(formatData({ a: [1, 2], b: { c: long, d: {} } })).toBe(`{\n "a":[1,2],\n "b":{\n  "c":"${long}",\n  "d":{}\n }\n}`);
  expect(formatData([long])).toBe(`[\n "${long}"\n]`);
  expect(formatData(long)).toBe(`"${long}"`);
});
