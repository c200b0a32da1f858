import { type BlockHash, createBlockHash, rotateLeft } from './block-hash.ts';

const initial = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

const md5Shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];

/** RFC 1321. */
export function createMd5(): BlockHash {
  const state = Int32Array.from(initial.slice(0, 4));
  const sines = Int32Array.from({ length: 64 }, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32));
  const compress = (block: DataView): void => {
    let [a = 0, b = 0, c = 0, d = 0] = state;
    for (let step = 0; step < 64; step++) {
      const round = step >> 4;
      const mixed = round === 0 ? (b & c) | (~b & d) : round === 1 ? (d & b) | (~d & c) : round === 2 ? b ^ c ^ d : c ^ (b | ~d);
      const word = ([1, 5, 3, 7][round] ?? 0) * step + ([0, 1, 5, 0][round] ?? 0);
      const sum = (a + mixed + (sines[step] ?? 0) + block.getInt32((word % 16) * 4, true)) | 0;
      [a, d, c, b] = [d, c, b, (b + rotateLeft(sum, md5Shifts[round * 4 + (step % 4)] ?? 0)) | 0];
    }
    add(state, [a, b, c, d]);
  };
  return createBlockHash({ blockBytes: 64, isLittleEndian: true, state, compress });
}

const sha1Constants = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

/** FIPS 180-4, 6.1. */
export function createSha1(): BlockHash {
  const state = Int32Array.from(initial);
  const words = new Int32Array(80);
  const word = (at: number): number => words[at] ?? 0;
  const compress = (block: DataView): void => {
    for (let at = 0; at < 80; at++)
      words[at] = at < 16 ? block.getInt32(at * 4) : rotateLeft(word(at - 3) ^ word(at - 8) ^ word(at - 14) ^ word(at - 16), 1);
    let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
    for (let step = 0; step < 80; step++) {
      const round = Math.floor(step / 20);
      const mixed = round === 0 ? (b & c) | (~b & d) : round === 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
      const next = (rotateLeft(a, 5) + mixed + e + (sha1Constants[round] ?? 0) + word(step)) | 0;
      [e, d, c, b, a] = [d, c, rotateLeft(b, 30), a, next];
    }
    add(state, [a, b, c, d, e]);
  };
  return createBlockHash({ blockBytes: 64, isLittleEndian: false, state, compress });
}

function add(state: Int32Array, values: readonly number[]): void {
  for (const [at, value] of values.entries()) state[at] = (state[at] ?? 0) + value;
}
