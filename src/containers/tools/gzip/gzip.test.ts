import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createSeededRandom } from '../../../env/index.ts';
import { concatBytes } from '../../../meta/index.ts';
import { gzip } from './gzip.ts';
import { gunzip } from './inflate.ts';

async function* pieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const bytes of source) all.push(bytes);
  return concatBytes(all);
}

const random = createSeededRandom(7);
const noise = Uint8Array.from({ length: 200_000 }, () => random.integer(256));
const words = new TextEncoder().encode(Array.from({ length: 60_000 }, () => ['alpha', 'beta', 'gamma', '\n'][random.integer(4)]).join(' '));
const samples: readonly (readonly [string, Uint8Array])[] = [
  ['nothing', new Uint8Array()],
  ['a byte', Uint8Array.of(65)],
  ['zeros', new Uint8Array(300_000)],
  ['random bytes', noise],
  ['text', words],
];

test.each(samples)('%s is compressed so that zlib reads it', async (_, bytes) => {
  for (const length of [1000, 65_536]) expect(gunzipSync(await collect(gzip(pieces(bytes, length)))).equals(bytes)).toBe(true);
});

test.each(samples)('%s that zlib has compressed is read, in pieces of every size', async (_, bytes) => {
  for (const [level, length] of [
    [0, 7],
    [1, 1000],
    [9, 65_536],
    [9, 1],
  ] as const)
    expect(Buffer.compare(await collect(gunzip(pieces(gzipSync(bytes, { level }), length))), bytes)).toBe(0);
});

test('text becomes smaller', async () => {
  expect((await collect(gzip(pieces(words, 65_536)))).length).toBeLessThan(words.length / 4);
});

test('several members are read one after the other, and other bytes after them are ignored', async () => {
  const member = gzipSync('hello\n');
  const all = concatBytes([member, member, new TextEncoder().encode('trash')]);
  expect(new TextDecoder().decode(await collect(gunzip(pieces(all, 5))))).toBe('hello\nhello\n');
});

const damaged = (change: (bytes: Uint8Array) => void): Uint8Array => {
  const bytes = new Uint8Array(gzipSync('hello hello hello\n'));
  change(bytes);
  return bytes;
};

test.each<[string, Uint8Array]>([
  ['invalid magic', new TextEncoder().encode('hello')],
  ['invalid magic', new Uint8Array()],
  ['unexpected end of file', gzipSync('hello').subarray(0, 12)],
  ['unexpected end of file', gzipSync(noise).subarray(0, 100_000)],
  ['corrupted data', Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 255, 255, 255, 255)],
  ['crc error', damaged((bytes) => bytes.fill(7, -8, -6))],
  ['incorrect length', damaged((bytes) => bytes.fill(7, -4, -3))],
])('reading fails with: %s', async (message, bytes) => {
  await expect(collect(gunzip(pieces(bytes, 1024)))).rejects.toThrow(message);
});

test('damaged input ends with an error, or gives other bytes', async () => {
  const good = new Uint8Array(gzipSync(words.subarray(0, 20_000)));
  for (let round = 0; round < 50; round++) {
    const bytes = good.slice();
    for (let count = 0; count < 3; count++) bytes[10 + random.integer(bytes.length - 10)] = random.integer(256);
    await collect(gunzip(pieces(bytes, 512))).catch((error: unknown) => {
      expect(String(error)).toMatch(/corrupted data|unexpected end of file|crc error|incorrect length/);
    });
  }
});
