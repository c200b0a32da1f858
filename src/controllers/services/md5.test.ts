import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { md5 } from './md5.ts';

test('digests are those of another implementation', () => {
  const expected = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
  for (let length = 0; length <= 130; length++) {
    const bytes = new Uint8Array(length).fill(length);
    expect(md5(bytes)).toBe(expected(bytes));
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => md5(bytes) === expected(bytes)));
});
