import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSeededRandom } from '../../../env/index.ts';
import { createMd5, createSha1 } from './md5-sha1.ts';
import { createSha256, createSha512 } from './sha2.ts';

const random = createSeededRandom(3);
const bytes = Uint8Array.from({ length: 70_000 }, () => random.integer(256));

test.each([
  ['md5', createMd5],
  ['sha1', createSha1],
  ['sha256', createSha256],
  ['sha512', createSha512],
] as const)('%s of every length is that of the platform', (name, create) => {
  for (const length of [...Array(300).keys(), 65_537]) {
    const hash = create();
    const part = bytes.subarray(0, length);
    const middle = random.integer(length + 1);
    hash.update(part.subarray(0, middle));
    hash.update(part.subarray(middle));
    expect(hash.digest(), `length ${length}`).toBe(createHash(name).update(part).digest('hex'));
  }
});
