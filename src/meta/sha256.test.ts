import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('hashes what the platform hashes', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const bytes = new Uint8Array(length).fill(0xe5);
    expect(hex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => hex(sha256(bytes)) === createHash('sha256').update(bytes).digest('hex')),
  );
});
