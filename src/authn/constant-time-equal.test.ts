import { expect, test } from 'vitest';
import { constantTimeEqual } from './constant-time-equal.ts';

/** A string that counts reads of its characters. */
function counted(text: string) {
  const looked = { times: 0 };
  const charCodeAt = (at: number): number => {
    looked.times++;
    return text.charCodeAt(at);
  };
  return { looked, text: { length: text.length, charCodeAt } };
}

test.each([
  ['abcd', 'abcd', true],
  ['abcd', 'abce', false],
  ['abcd', 'xbcd', false],
  ['abcd', 'abc', false],
  ['abc', 'abcd', false],
  ['abc', 'abc\u0000', false],
  ['', 'a', false],
  ['', '', true],
])('%j and %j are the same: %s', (known, given, same) => {
  expect(constantTimeEqual(known, given)).toBe(same);
});

test('reads as many characters whether the first differs, the last, or none', () => {
  const times = ['secret-token', 'xecret-token', 'secret-tokex', 'SECRET-TOKEN'].map((known) => {
    const given = counted('secret-token');
    constantTimeEqual(known, given.text);
    return given.looked.times;
  });
  expect(new Set(times)).toEqual(new Set([12]));
});
