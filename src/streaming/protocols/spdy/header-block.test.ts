import { expect, test } from 'vitest';
import { parseHeaderBlock } from './header-block.ts';
import { headerDictionary } from './header-dictionary.ts';

/** The checksum of zlib, by which a compressed block names its dictionary. */
function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return ((b << 16) | a) >>> 0;
}

test('the dictionary is the one of SPDY/3', () => {
  expect(headerDictionary().length).toBe(1423);
  expect(adler32(headerDictionary())).toBe(0xe3c6a7c2);
});

test('a header block has names in lower case and the first of several values', () => {
  const text = (value: string): number[] => [0, 0, 0, value.length, ...new TextEncoder().encode(value)];
  const block = Uint8Array.of(0, 0, 0, 2, ...text('StreamType'), ...text('data'), ...text('port'), ...text('80\x0081'));
  expect([...parseHeaderBlock(block)]).toEqual([
    ['streamtype', 'data'],
    ['port', '80'],
  ]);
});

test('headers that are cut off are left out', () => {
  expect(parseHeaderBlock(Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 9, 65)).size).toBe(0);
  expect(parseHeaderBlock(Uint8Array.of(0, 0)).size).toBe(0);
});
