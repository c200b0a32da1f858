import { expect, test } from 'vitest';
import { findFunction } from './functions.ts';
import { GoInt } from './values.ts';

const texts = ['<a href="x">\'&\0</a>', "a b!*'()~-_./?=+%é\n", 'ä€😀', 'x\u2028y\u0001\ttab\\"\'<>&=\u0085é\u200b😀'];

// The results of Go's text/template.
test.each([
  ['html', ['&lt;a href=&#34;x&#34;&gt;&#39;&amp;\ufffd&lt;/a&gt;', 'a b!*&#39;()~-_./?=+%é\n', 'ä€😀']],
  [
    'urlquery',
    [
      '%3Ca+href%3D%22x%22%3E%27%26%00%3C%2Fa%3E',
      'a+b%21%2A%27%28%29~-_.%2F%3F%3D%2B%25%C3%A9%0A',
      '%C3%A4%E2%82%AC%F0%9F%98%80',
      'x%E2%80%A8y%01%09tab%5C%22%27%3C%3E%26%3D%C2%85%C3%A9%E2%80%8B%F0%9F%98%80',
    ],
  ],
  [
    'js',
    [
      String.raw`\u003Ca href\u003D\"x\"\u003E\'\u0026\u0000\u003C/a\u003E`,
      String.raw`a b!*\'()~-_./?\u003D+%é\u000A`,
      'ä€😀',
      String.raw`x\u2028y\u0001\u0009tab\\\"\'\u003C\u003E\u0026\u003D\u0085é\u200B😀`,
    ],
  ],
  ['len', [19, 20, 9, 28].map((length) => new GoInt(length))],
])('%s gives the results of Go', (name, expected) => {
  expect(texts.slice(0, expected.length).map((text) => findFunction(name)?.run(text))).toEqual(expected);
});

test('escapes several operands as one text', () => {
  expect(findFunction('html')?.run(1, '<')).toBe('1&lt;');
  expect(findFunction('urlquery')?.run('a', 'b c')).toBe('ab+c');
});

test('slices and quotes texts as Go does', () => {
  expect(findFunction('slice')?.run('äbc', new GoInt(1))).toBe('\ufffdbc');
  expect(findFunction('slice')?.run('abc', new GoInt(1), new GoInt(2))).toBe('b');
  expect(findFunction('slice')?.run([1, 2, 3], new GoInt(1))).toEqual([2, 3]);
  expect(findFunction('printf')?.run('%q', 'x\u2028\u0001é\u200b')).toBe(String.raw`"x\u2028\x01é\u200b"`);
});
