import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseYaml, YamlSyntaxError } from '../yaml.ts';

/** Recorded upstream messages. */
test.each([
  ['{', 'line 1: did not find expected node content'],
  ['[a: b', "line 1: did not find expected ',' or ']'"],
  ['a: {b\nc: d', "line 1: did not find expected ',' or '}'"],
  ['a: b: c', 'mapping values are not allowed in this context'],
  ['a: b\n  c: d', 'line 2: mapping values are not allowed in this context'],
  ['a:\n  b: c\n d: e', 'line 2: did not find expected key'],
  ['\ta: b', 'found character that cannot start any token'],
  ['a:\n\tb: c', 'line 2: found character that cannot start any token'],
  ['a: - b', 'block sequence entries are not allowed in this context'],
  ['"a', 'found unexpected end of stream'],
  ['"a\\q"', 'found unknown escape character'],
  ['"\\x4"', 'did not find expected hexdecimal number'],
  ['"\\ud800"', 'found invalid Unicode character escape code'],
  ['a: "b\n---\nc"', 'line 2: found unexpected document indicator'],
  ['a: @b', 'found character that cannot start any token'],
  ['a: |0\n b', 'found an indentation indicator equal to 0'],
  ['a: |x\n b', 'did not find expected comment or line break'],
  ['*', 'did not find expected alphabetic or numeric character'],
  ['a: *x', "unknown anchor 'x' referenced"],
  ['a: &a [*a]', "anchor 'a' value contains itself"],
  ['!h!x y', 'found undefined tag handle'],
  ['!!int x', 'cannot decode !!str `x` as a !!int'],
  ['%YAML 1.2\n---\n{}', 'found incompatible YAML document'],
  ['%FOO\n---\n{}', 'found unknown directive name'],
  ['{[a]: b}', 'invalid map key: []interface {}{"a"}'],
  ['<<: a', 'map merge requires map or sequence of maps as the value'],
  ['a: \u0007', 'control characters are not allowed'],
])('rejects %j: %s', (text, message) => {
  expect(() => parseYaml(text)).toThrow(new YamlSyntaxError(`yaml: ${message}`));
});

test.each<[string, unknown]>([
  ['', null],
  ['---\n...\nx', null],
  // The text after the first document is ignored.
  ['a: b\n---\nc: d', { a: 'b' }],
  ['{a: b}}', { a: 'b' }],
  ['? a\n: b\n? c', { a: 'b', c: null }],
  ['[? a : b, c]', [{ a: 'b' }, 'c']],
  ['{a, b: c, d: }', { a: null, b: 'c', d: null }],
  ['a:\n- b\n-\n- - c\n  - d', { a: ['b', null, ['c', 'd']] }],
  ['a: x\n\n  y\n  z', { a: 'x\ny z' }],
  ['a: "x\\\n  y\n\n  z"', { a: 'xy\nz' }],
  ['a: "x\n\n\ny\n \n z\n\n"', { a: 'x\n\ny\nz\n' }],
  ['a: "x\r\n\ny\u2028\nz"', { a: 'x\ny\u2028\nz' }],
  ["a: 'it''s'", { a: "it's" }],
  ['a: |\n  b\n   c\n\nd: >-\n  e\n  f\n\n  g\n', { a: 'b\n c\n', d: 'e f\ng' }],
  ['a: |+\n b\n\n', { a: 'b\n\n' }],
  ['a: |2\n    b', { a: '  b' }],
  ['&k a: &v b\nc: *v\n*k : d', { a: 'd', c: 'b' }],
  ['<<: [{a: 1, b: 2}, {a: 3}]\nb: 4', { a: 1, b: 4 }],
  ['a: ! 1\nb: !!str 2\nc: !!binary YQ==\nd: !x 3', { a: '1', b: '2', c: 'a', d: '3' }],
  ['a: 1e400\nb: 0o17\nc: 1_000', { a: '1e400', b: 15, c: 1000 }],
  ['a: b#c #d', { a: 'b#c' }],
])('reads %j', (text, value) => {
  expect(parseYaml(text).value).toEqual(value);
});

test('any text is parsed or rejected with a message', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ' ',
      '\n',
      '\n  ',
      '- ',
      ': ',
      ':',
      '? ',
      '{',
      '}',
      '[',
      ']',
      ',',
      '&a ',
      '*a',
      '!!str ',
      '|',
      '>',
      '"',
      "'",
      '#',
      '%',
      '---',
      '...',
    ),
    fc.constantFrom('a', 'b', '<<', '1', 'null', '\t', '\\', '\u0085', '\r\n', '|-\n', '__proto__'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      try {
        expect(JSON.stringify(parseYaml(pieces.join('')).value)).toBeDefined();
      } catch (error) {
        expect(error).toBeInstanceOf(YamlSyntaxError);
      }
    }),
    {
      numRuns: 3_000 * Number(process.env['HOSTILE_RUNS'] ?? 1),
      interruptAfterTimeLimit: 1_500 * Number(process.env['HOSTILE_RUNS'] ?? 1),
    },
  );
});

test('scalars of many lines parse like short ones', () => {
  const words = Array.from({ length: 5_000 }, (_, at) => `w${at}`);
  const lines = (each: string): string => words.map((word) => each.replace('w', word)).join('');
  expect(parseYaml(`a:\n${lines(' w\n')}`).value).toEqual({ a: words.join(' ') });
  expect(parseYaml(`a: "${lines('w\n\n')}"`).value).toEqual({ a: `${words.join('\n')}\n` });
  expect(parseYaml(`a: '${lines("w''é ")}'`).value).toEqual({ a: lines("w'é ") });
  expect(parseYaml(`a: |\n${lines(' w é\n')}`).value).toEqual({ a: lines('w é\n') });
  expect(parseYaml(`a: >\n${lines(' w\n\n')}`).value).toEqual({ a: `${words.join('\n')}\n` });
});
