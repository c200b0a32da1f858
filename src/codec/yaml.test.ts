import { expect, test } from 'vitest';
import { parseYaml, parseYamlAsync, YamlSyntaxError } from './yaml.ts';

const read = (text: string): unknown => parseYaml(text).value;

test('YAML 1.1 words are booleans and null, quoted ones strings', () => {
  expect(read('{a: yes, b: n, c: OFF, d: "yes", e: ~, f: , g: nope}')).toEqual({
    a: true,
    b: false,
    c: false,
    d: 'yes',
    e: null,
    f: null,
    g: 'nope',
  });
});

test('parses numbers like Go', () => {
  expect(read('[0777, 0o777, 0x1F, 0b11, 1_000, 1.0, 1e3, .5, 1:30, 2001-01-01, 9223372036854775807, 09, +5]')).toEqual([
    511,
    511,
    31,
    3,
    1000,
    1,
    1000,
    0.5,
    '1:30',
    '2001-01-01',
    9223372036854775807n,
    9,
    5,
  ]);
});

test('keys become strings', () => {
  expect(read('n: 1\n2: x\n"y": z\n1.5: q')).toEqual({ false: 1, '2': 'x', y: 'z', '1.5': 'q' });
});

test('resolves anchors, aliases and merges', () => {
  expect(read('base: &b {x: 1, z: 2}\nuse:\n  <<: *b\n  z: 3\nagain: *b')).toEqual({
    base: { x: 1, z: 2 },
    use: { x: 1, z: 3 },
    again: { x: 1, z: 2 },
  });
});

test('reports duplicate keys with their lines, and the last one wins', () => {
  const parsed = parseYaml('a: 1\nb:\n  c: 1\n  c: 2\na: 3\n');
  expect(parsed.value).toEqual({ a: 3, b: { c: 2 } });
  expect(parsed.duplicates).toEqual(['line 4: key "c" already set in map', 'line 5: key "a" already set in map']);
});

test('rejects a billion laughs and excessive depth', () => {
  const levels = Array.from(
    { length: 12 },
    (_, i) =>
      `l${i}: &l${i} [${Array(10)
        .fill(i === 0 ? 'x' : `*l${i - 1}`)
        .join(',')}]`,
  );
  expect(() => parseYaml(levels.join('\n'))).toThrow(YamlSyntaxError);
  expect(() => parseYaml('['.repeat(20_000) + ']'.repeat(20_000))).toThrow(YamlSyntaxError);
});

test('a member called __proto__ is data', () => {
  expect(Object.hasOwn(read('__proto__: {x: 1}') as object, '__proto__')).toBe(true);
});

test('reads only the first document', () => {
  expect(read('a: 1\n---\nb: 2\n')).toEqual({ a: 1 });
});

test('reports a syntax error with its line', () => {
  expect(() => parseYaml('a: b: c')).toThrow('yaml: mapping values are not allowed in this context');
  expect(() => parseYaml('x: 1\na: b: c')).toThrow('yaml: line 2: mapping values are not allowed in this context');
});

test('a large text read with pauses has the same value', async () => {
  const text = `a: &a {b: c}\nx:\n${Array.from({ length: 30_000 }, (_, at) => `- {<<: *a, k${at}: "t ${at}"}\n`).join('')}`;
  let pauses = 0;
  const parsed = await parseYamlAsync(text, async () => {
    pauses++;
  });
  expect(parsed).toEqual(parseYaml(text));
  expect(pauses).toBeGreaterThan(1);
});

test('long numbers and words parse like short ones', () => {
  expect(read(`a: ${'9'.repeat(100)}`)).toEqual({ a: 1e100 });
  expect(read(`a: 0x${'0'.repeat(100)}ff`)).toEqual({ a: 255 });
  expect(read('a: b:c d::e\n   f g #h')).toEqual({ a: 'b:c d::e f g' });
});

test('integers beyond 64 bits are floats in decimal, and strings in other bases', () => {
  const digits = '9'.repeat(400);
  expect(read(`[18446744073709551616, -9223372036854775809, 0x1ffffffffffffffff, 0o7777777777777777777777777, ${digits}]`)).toEqual([
    2 ** 64,
    -(2 ** 63),
    '0x1ffffffffffffffff',
    '0o7777777777777777777777777',
    digits,
  ]);
});
