/**
 * SHA-256 (FIPS 180-4) where the answer is needed at once: WebCrypto gives it on a later task only.
 * For short texts of the server's own; what has to be secret or fast goes to WebCrypto.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  const words = paddedWords(bytes);
  const state = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
  const schedule = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    schedule.set(words.subarray(block, block + 16));
    for (let i = 16; i < 64; i++) {
      const [early, late] = [at(schedule, i - 15), at(schedule, i - 2)];
      const s0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
      const s1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
      schedule[i] = at(schedule, i - 16) + s0 + at(schedule, i - 7) + s1;
    }
    const after = compressed(state, schedule);
    for (let i = 0; i < 8; i++) state[i] = at(state, i) + at(after, i);
  }
  return Uint8Array.from({ length: 32 }, (_, i) => at(state, i >> 2) >>> (24 - 8 * (i & 3)));
}

function compressed(state: Uint32Array, schedule: Uint32Array): Uint32Array {
  const work = Uint32Array.from(state);
  for (let i = 0; i < 64; i++) {
    const [a, b, c, e, f, g] = [at(work, 0), at(work, 1), at(work, 2), at(work, 4), at(work, 5), at(work, 6)];
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (at(work, 7) + s1 + choice + at(roundConstants, i) + at(schedule, i)) | 0;
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    work.copyWithin(1, 0, 7);
    work[4] = at(work, 4) + first;
    work[0] = first + s0 + majority;
  }
  return work;
}

/** Big-endian words: the bytes, a one bit, zeros, and the length in bits at the end of a block. */
function paddedWords(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(16 * Math.ceil((bytes.length + 9) / 64));
  for (let i = 0; i <= bytes.length; i++) words[i >> 2] = at(words, i >> 2) | ((bytes[i] ?? 0x80) << (24 - 8 * (i & 3)));
  words[words.length - 2] = Math.floor(bytes.length / 2 ** 29);
  words[words.length - 1] = bytes.length << 3;
  return words;
}

const at = (words: Uint32Array, index: number): number => words[index] ?? 0;
const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32);
const isPrime = (value: number): boolean => {
  for (let divisor = 2; divisor * divisor <= value; divisor++) if (value % divisor === 0) return false;
  return value > 1;
};
/** The largest of the first 64 primes is 311. */
const primes: readonly number[] = Array.from({ length: 312 }, (_, value) => value).filter(isPrime);
const roundConstants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
