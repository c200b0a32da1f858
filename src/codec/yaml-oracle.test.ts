import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseYaml } from './yaml.ts';

/**
 * Parts of documents. Left out are those on which the two differ: `yaml` accepts text after the root value, quoted text at the indentation
 * of its parent, and block scalars below it; scalars are words, as YAML 1.1 and go-yaml differ on numbers, dates and booleans.
 */
const parts = [
  'a',
  'b',
  '- ',
  '? ',
  ': ',
  '\n',
  '  ',
  '[a, [b], {k: c}]\n',
  '{k: b, l: [a]}\n',
  "'q''r'\n",
  '"d\\n\\u00e4"\n',
  '"e": ',
  '&x b',
  '*x\n',
  ' # c\n',
  '\n- ',
  '\n  ',
  '\n    ',
  '\nk: ',
  'k: ',
  'k: |\n  t\n',
  'k: >-\n    t\n    u\n',
];
const documents = fc.array(fc.constantFrom(...parts), { maxLength: 14 }).map((chosen) => `${chosen.join('')}\n`);

/** The value, or undefined for an invalid document. */
function readValue(read: () => unknown): { readonly value: unknown } | undefined {
  try {
    return { value: read() };
  } catch {
    return undefined;
  }
}

test('reads a document that yaml accepts too as the same value', () => {
  let compared = 0;
  fc.assert(
    fc.property(documents, (text) => {
      const own = readValue(() => parseYaml(text).value);
      const other = readValue(() => parse(text, { version: '1.1', logLevel: 'silent', uniqueKeys: false }));
      if (!own || !other) return;
      compared++;
      expect(own.value, text).toEqual(other.value);
    }),
    { numRuns: 2_000 },
  );
  expect(compared).toBeGreaterThan(500);
});
