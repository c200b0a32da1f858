import fc from 'fast-check';
import { applyPatch, type Operation } from 'fast-json-patch';
import { expect, test } from 'vitest';
import type { Json } from '../meta/index.ts';
import { applyJsonPatch, decodeJsonPatch } from './json-patch.ts';

/** Few names, so that operations meet. */
const names = fc.constantFrom('a', 'a', 'a', 'b', '0', '', 'a/b~');
const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(1, 'x', true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const objects = fc.dictionary(names, values, { maxKeys: 4, noNullPrototype: true });
const pointers = fc
  .array(fc.oneof({ weight: 4, arbitrary: names }, { weight: 1, arbitrary: fc.constant('-') }), { minLength: 1, maxLength: 2 })
  .map((segments) => segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));
const operations = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointers, value: values }),
  fc.record({ op: fc.constant('remove'), path: pointers }),
  fc.record({ op: fc.constantFrom('move', 'copy'), from: pointers, path: pointers }),
) as fc.Arbitrary<Operation>;

/** The value, or undefined for a patch that cannot be applied. */
function patchedValue(patched: () => unknown): { readonly value: unknown } | undefined {
  try {
    return { value: patched() };
  } catch {
    return undefined;
  }
}

test('a patch that fast-json-patch accepts too has the same result', () => {
  let compared = 0;
  fc.assert(
    fc.property(objects, fc.array(operations, { minLength: 1, maxLength: 3 }), (document, patch) => {
      const own = patchedValue(() => applyJsonPatch(document, decodeJsonPatch(patch as unknown as Json)));
      const other = patchedValue(() => applyPatch(structuredClone(document), structuredClone(patch), true).newDocument);
      if (!own || !other) return;
      compared++;
      expect(own.value).toEqual(other.value);
    }),
    { numRuns: 5_000 },
  );
  expect(compared).toBeGreaterThan(200);
});
