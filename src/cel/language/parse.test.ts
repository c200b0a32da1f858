import { expect, test } from 'vitest';
import { parseExpression } from './parse.ts';

/** Messages of the Go library. */
test.each([
  ['a. <= 3', "no viable alternative at input '. <='"],
  ['a.\n<= 3', String.raw`no viable alternative at input '.\n<='`],
  ['a.', "no viable alternative at input '.'"],
  ['a.  in b', "no viable alternative at input '.  in'"],
  ['a. // c', "no viable alternative at input '. // c'"],
  ['. 3', "no viable alternative at input '. 3'"],
  ['.null', "mismatched input 'null' expecting IDENTIFIER"],
  ['. null', "no viable alternative at input '. null'"],
  ['{a b}', "missing ':' at 'b'"],
  ['A{ b c}', "missing ':' at 'c'"],
  ['a ? b c', "missing ':' at 'c'"],
  ['a ? b c : d', "extraneous input 'c' expecting ':'"],
  ['{a }', "mismatched input '}' expecting ':'"],
])('rejects %j with the upstream message', (source, message) => {
  expect(() => parseExpression(source, () => true)).toThrow(`Syntax error: ${message}`);
});

test('parsing continues after a missing colon', () => {
  expect(() => parseExpression('{"a" "b", "c" "d"}', () => true)).toThrow(/missing ':' at '"b"'.*\n[\s\S]*missing ':' at '"d"'/);
});
