import { bytesToHex } from '../../meta/index.ts';

/** Bits by which the four kinds of steps of each round rotate. */
const rotations = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];

/** Of each round: how a step mixes the state, and the number of the word that it adds, modulo 16. */
const rounds: readonly {
  readonly mix: (b: number, c: number, d: number) => number;
  readonly word: (step: number) => number;
}[] = [
  { mix: (b, c, d) => (b & c) | (~b & d), word: (step) => step },
  { mix: (b, c, d) => (d & b) | (~d & c), word: (step) => 5 * step + 1 },
  { mix: (b, c, d) => b ^ c ^ d, word: (step) => 3 * step + 5 },
  { mix: (b, c, d) => c ^ (b | ~d), word: (step) => 7 * step },
];

/** The MD5 digest in hexadecimal digits (RFC 1321). A library would take three times as many bytes of the page's components. */
export function md5(bytes: Uint8Array): string {
  const words = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  words.set([...bytes, 0x80]);
  const padded = new DataView(words.buffer);
  padded.setUint32(padded.byteLength - 8, bytes.length * 8, true);
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  for (let start = 0; start < padded.byteLength; start += 64) {
    let [a = 0, b = 0, c = 0, d = 0] = state;
    rounds.forEach(({ mix, word }, round) => {
      for (let step = round * 16; step < (round + 1) * 16; step++) {
        const constant = Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32);
        const sum = (a + mix(b, c, d) + constant + padded.getUint32(start + (word(step) % 16) * 4, true)) | 0;
        const bits = rotations[round * 4 + (step % 4)] ?? 0;
        [a, b, c, d] = [d, (b + ((sum << bits) | (sum >>> (32 - bits)))) | 0, b, c];
      }
    });
    [a, b, c, d].forEach((part, index) => {
      state[index] = (state[index] ?? 0) + part;
    });
  }
  const digest = new DataView(new ArrayBuffer(16));
  for (const [index, part] of state.entries()) digest.setUint32(index * 4, part, true);
  return bytesToHex(new Uint8Array(digest.buffer));
}
