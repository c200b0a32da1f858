import { expect, test } from 'vitest';
import { splitMatches } from './log-view.ts';

test.each([
  ['GET / 200', 'get', ['', 'GET', ' / 200']],
  ['a-a', 'a', ['', 'a', '-', 'a', '']],
  ['aaa', 'aa', ['', 'aa', 'a']],
  ['nothing', 'x', ['nothing']],
  ['İ error', 'ERROR', ['', 'İ error', '']],
])('the matches of a filter in "%s"', (text, filter, parts) => {
  expect(splitMatches(text, filter)).toEqual(parts);
});
