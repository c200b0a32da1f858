import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../meta/index.ts';
import { parseYaml } from './yaml.ts';
import { printYaml } from './yaml-print.ts';

test('prints an object like upstream', () => {
  const value = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    empty: [],
    list: ['a', { b: 1, a: [true, null] }],
    words: ['yes', 'n', '1e3', '', '0x1', '2026-01-01T00:00:00Z', '1:30', 'a: b', '#x', ' lead', "it's", '-', '~'],
    text: 'one\ntwo\n',
    cut: 'one\ntwo',
    tab: 'a\tb',
    message: 'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
  };
  expect(printYaml(value)).toBe(`apiVersion: v1
cut: |-
  one
  two
empty: []
kind: Status
list:
- a
- a:
  - true
  - null
  b: 1
message: 'only the following media types are accepted: application/json;stream=watch,
  application/vnd.kubernetes.protobuf;stream=watch'
metadata: {}
tab: "a\\tb"
text: |
  one
  two
words:
- "yes"
- "n"
- "1e3"
- ""
- "0x1"
- "2026-01-01T00:00:00Z"
- "1:30"
- 'a: b'
- '#x'
- ' lead'
- it's
- '-'
- "~"
`);
});

test.each<[string, Json, string]>([
  ['emoji are escaped', { a: 'a 😀' }, 'a: "a \\U0001F600"\n'],
  ['everything after a leading byte order mark is escaped', { a: '\ufeffb' }, 'a: "\\uFEFF\\x62"\n'],
  ['Unicode line breaks stay in quoted text', { a: 'x\u2029y' }, "a: 'x\u2029  y'\n"],
  ['but not at a blank', { a: 'x \u2029y' }, 'a: "x \\Py"\n'],
  ['a long key is a complex key', { ['é'.repeat(65)]: 1 }, `? ${'é'.repeat(65)}\n: 1\n`],
  [
    'a key of some lines too, and lists below it are indented',
    { 'a\nb': ['c', { 'd\n': [] }] },
    '? |-\n  a\n  b\n: - c\n  - ? |\n      d\n    : []\n',
  ],
  ['the merge key is not quoted', { '<<': '<<' }, '<<: <<\n'],
  ['lists in lists', [[['a'], []], {}], '- - - a\n  - []\n- {}\n'],
  ['a text of line breaks only', { a: '\n', b: '\n\n', c: '\na' }, 'a: |2+\n\nb: |2+\n\n\nc: |2-\n\n  a\n'],
])('prints like upstream: %s', (_, value, text) => {
  expect(printYaml(value)).toBe(text);
});

test('sorts members naturally', () => {
  expect(printYaml({ a19: 1, a10: 1, a100: 1, a2: 1 })).toBe('a2: 1\na10: 1\na19: 1\na100: 1\n');
  expect(printYaml({ a10: 1, a9: 1, b: 1, A: 1, '1': 1, 'a-1': 1 })).toBe('"1": 1\nA: 1\na-1: 1\na9: 1\na10: 1\nb: 1\n');
});

test('parses its own output', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, noUnicodeString: false }), (value) => {
      // Integers beyond 2^53 are bigints here, which no generated number is.
      fc.pre(!/-0|e[+-]?\d{2}|\d{16}|__proto__|<<|[\u0080-\u009f]/.test(JSON.stringify(value)));
      // JSON has no -0.
      expect(parseYaml(printYaml(value as Json)).value).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
