import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../meta/index.ts';
import { applyMergePatch, createMergePatch, createThreeWayMergePatch } from './merge-patch.ts';

const table: { readonly mergePatch: readonly { readonly doc: JsonObject; readonly patch: JsonObject; readonly k8sResult: JsonObject }[] } =
  JSON.parse(readFileSync('test/facts/tables/jsonpatch.json', 'utf8'));

test.each(table.mergePatch.map((row) => [JSON.stringify(row.patch), row] as const))('answers as the real library: %s', (_, row) => {
  const before = structuredClone(row.doc);
  expect(applyMergePatch(row.doc, row.patch)).toEqual(row.k8sResult);
  expect(row.doc).toEqual(before);
});

test('rejects a null patch', () => {
  expect(() => applyMergePatch({}, null)).toThrow('Invalid JSON Patch');
});

test('shares parts that are not in the patch', () => {
  const doc = { unchanged: { a: 1 }, changed: { b: 1 } };
  expect(applyMergePatch(doc, { changed: { b: 2 } })['unchanged']).toBe(doc.unchanged);
});

test('a member named __proto__ is data', () => {
  const result = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":1}}'));
  expect(Object.keys(result)).toEqual(['__proto__']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.string(),
    fc.array(fc.integer()),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any')),
  ),
})).any;
const document = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), value) as fc.Arbitrary<JsonObject>;

test('a created patch transforms one document into the other', () => {
  fc.assert(
    fc.property(document, document, (original, modified) => {
      expect(applyMergePatch(original, createMergePatch(original, modified))).toEqual(modified);
    }),
  );
});

test('a three-way patch changes and removes members, except those never applied', () => {
  const original = { data: { a: '1', removed: 'x' } };
  const modified = { data: { a: '2' } };
  const current = { data: { a: '1', removed: 'x', others: 'y' }, status: { ready: true } };
  const patch = createThreeWayMergePatch(original, modified, current);
  expect(patch).toEqual({ data: { a: '2', removed: null } });
  expect(applyMergePatch(current, patch)).toEqual({ data: { a: '2', others: 'y' }, status: { ready: true } });
});

test('a new empty map is in the patch, an emptied one is not', () => {
  expect(createThreeWayMergePatch({}, { a: {} }, {})).toEqual({ a: {} });
  expect(createThreeWayMergePatch({ a: { x: 1 } }, { a: { x: 1 } }, { a: { x: 1, y: 2 } })).toEqual({});
});
