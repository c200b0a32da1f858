import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../meta/index.ts';
import { parseYaml } from './yaml.ts';
import { printYaml } from './yaml-print.ts';

test('an object is printed as the real server prints it', () => {
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

test('members are ordered naturally', () => {
  expect(printYaml({ a10: 1, a9: 1, b: 1, A: 1, '1': 1, 'a-1': 1 })).toBe('"1": 1\nA: 1\na-1: 1\na9: 1\na10: 1\nb: 1\n');
});

test('what is printed is read back the same', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, noUnicodeString: false }), (value) => {
      // Integers beyond 2^53 are bigints here, which no generated number is.
      fc.pre(!/-0|e[+-]?\d{2}|\d{16}|__proto__/.test(JSON.stringify(value)));
      // JSON has no -0.
      expect(parseYaml(printYaml(value as Json)).value).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
