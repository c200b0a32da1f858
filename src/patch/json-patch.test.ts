import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../meta/index.ts';
import { applyJsonPatch, decodeJsonPatch } from './json-patch.ts';
import { PatchError } from './patch-error.ts';

interface Row {
  readonly doc: Json;
  readonly patch: Json;
  readonly comment?: string;
  readonly k8sResult?: Json;
  readonly k8sError?: string;
}
const table: { readonly jsonPatch: readonly Row[] } = JSON.parse(readFileSync('test/facts/tables/jsonpatch.json', 'utf8'));

const patched = (doc: Json, patch: Json): Json => applyJsonPatch(doc, decodeJsonPatch(patch));
const refusal = (act: () => unknown): PatchError => {
  try {
    act();
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

test.each(table.jsonPatch.map((row) => [row.comment ?? JSON.stringify(row.patch), row] as const))(
  'answers as the real library: %s',
  (_, row) => {
    const before = structuredClone(row.doc);
    if (row.k8sError === undefined) expect(patched(row.doc, row.patch)).toEqual(row.k8sResult);
    else {
      const { code, message } = refusal(() => patched(row.doc, row.patch));
      if (row.k8sError === 'panic') expect(code).toBe('panic');
      else expect(message).toBe(row.k8sError);
    }
    expect(row.doc).toEqual(before);
  },
);

test('shares unchanged parts with the document', () => {
  const doc = { a: { deep: [1] }, b: { c: 1 } };
  const result = patched(doc, [{ op: 'replace', path: '/b/c', value: 2 }]) as typeof doc;
  expect(result).toEqual({ a: { deep: [1] }, b: { c: 2 } });
  expect(result.a).toBe(doc.a);
});

test('a copy and its source can be changed independently', () => {
  const patch = [
    { op: 'add', path: '/a/x', value: 1 },
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'add', path: '/b/x', value: 2 },
    { op: 'add', path: '/a/y', value: 3 },
  ];
  expect(patched({ a: {} }, patch)).toEqual({ a: { x: 1, y: 3 }, b: { x: 2 } });
});

test('a member named __proto__ is data', () => {
  const result = patched({}, JSON.parse('[{"op":"add","path":"/__proto__","value":{"polluted":1}}]'));
  expect(Object.keys(result as object)).toEqual(['__proto__']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a pointer without a leading slash loses its first segment', () => {
  expect(patched({}, [{ op: 'add', path: 'data/k', value: 'x' }])).toEqual({ k: 'x' });
});

test('throws `panic` where the real library panics', () => {
  const panics = (doc: Json, patch: Json) => expect(refusal(() => patched(doc, patch)).code).toBe('panic');
  panics({ a: [null] }, [{ op: 'test', path: '/a', value: [null] }]);
  panics({ a: null }, [{ op: 'test', path: '/a' }]);
  panics({ a: null }, [{ op: 'test', path: '' }]);
  panics({}, [
    { op: 'add', path: '/a', value: null },
    { op: 'add', path: '/a/b', value: 1 },
  ]);
  expect(
    patched({}, [
      { op: 'add', path: '/a', value: null },
      { op: 'test', path: '/a', value: null },
      { op: 'copy', from: '/a', path: '/b' },
    ]),
  ).toEqual({ a: null, b: null });
});

test('rejects more than 10,000 operations', () => {
  const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a', value: 1 }));
  const error = refusal(() => patched({ a: 1 }, patch));
  expect(error.code).toBe('too-many-operations');
  expect(error.message).toBe('The allowed maximum operations in a JSON patch is 10000, got 10001');
});

test('limits copied bytes to three MiB in total', () => {
  const doc = { a: 'x'.repeat(1024 * 1024) };
  const copies = (count: number) => Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/a', path: `/b${index}` }));
  expect(Object.keys(patched(doc, copies(2)) as object)).toHaveLength(3);
  expect(refusal(() => patched(doc, copies(3))).message).toBe(
    'Unable to complete the copy, the accumulated size increase of copy is 3145734, exceeding the limit 3145728',
  );
});

test('repeatedly copying a document into itself stops at the limit', () => {
  const patch = Array.from({ length: 100 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
  expect(refusal(() => patched({ a: [1, 2, 3] }, patch)).code).toBe('not-applicable');
});

test('reports why a body is not a patch', () => {
  expect(refusal(() => decodeJsonPatch({ op: 'add' })).message).toBe(
    'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
  );
  expect(refusal(() => decodeJsonPatch(['x'])).message).toBe('json: cannot unmarshal string into Go value of type handlers.jsonPatchOp');
  expect(refusal(() => decodeJsonPatch([{ op: 1 }])).message).toBe(
    'json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
  );
  expect(decodeJsonPatch(null)).toEqual([]);
});

test('a failed patch does not modify the document', () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.integer(),
      fc.string(),
      fc.array(tie('value')),
      fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value')),
    ),
  })).value;
  const pointer = fc
    .array(fc.constantFrom('a', 'b', '0', '-', '-1', '__proto__'), { maxLength: 3 })
    .map((parts) => parts.map((part) => `/${part}`).join(''));
  const operation = fc.record({
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
    path: pointer,
    from: pointer,
    value: json,
  });
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b'), json), fc.array(operation, { maxLength: 6 }), (doc, patch) => {
      const before = JSON.stringify(doc);
      try {
        patched(doc as Json, patch as Json);
      } catch (error) {
        expect(error).toBeInstanceOf(PatchError);
      }
      expect(JSON.stringify(doc)).toBe(before);
    }),
  );
});
