import { expect, test } from 'vitest';
import { goQuote, goQuoteRune } from './go-quote.ts';

test.each([
  ['web', '"web"'],
  ['a "b" \\c', '"a \\"b\\" \\\\c"'],
  ['\u0000\u0007\b\t\n\v\f\r\u001f\u007f', '"\\x00\\a\\b\\t\\n\\v\\f\\r\\x1f\\x7f"'],
  ['é世\u0301', '"é世\u0301"'],
  ['\u0081\u00a0\u00ad\u200d\ufeff', '"\\u0081\\u00a0\\u00ad\\u200d\\ufeff"'],
  ['🙂\u{e0001}', '"🙂\\U000e0001"'],
])('quotes %j as %s', (text, quoted) => {
  expect(goQuote(text)).toBe(quoted);
});

test('does not escape a quotation mark in a quoted rune', () => {
  expect([`'`, '"', '\\', '\u0081'].map(goQuoteRune)).toEqual([`'\\''`, `'"'`, `'\\\\'`, `'\\u0081'`]);
});
