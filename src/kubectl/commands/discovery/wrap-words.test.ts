import { expect, test } from 'vitest';
import { wrapWords } from './wrap-words.ts';

test.each([
  ['one two three', 7, 'one two\nthree'],
  ['one two three', 100, 'one two three'],
  ['one two\nthree four\n', 9, 'one two\nthree\nfour\n'],
  ['incomprehensible words', 8, 'incomprehensible\nwords'],
  ['a  b', 10, 'a  b'],
  ['  indented line', 10, '  indented\nline'],
  ['trailing  ', 8, 'trailing'],
  ['two\n\nparagraphs', 5, 'two\n\nparagraphs'],
  ['no\u00a0break here', 8, 'no\u00a0break\nhere'],
])('wraps %j at %i characters', (text, limit, expected) => {
  expect(wrapWords(text, limit)).toBe(expected);
});
