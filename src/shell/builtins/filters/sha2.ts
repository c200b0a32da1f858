import { type BlockHash, createBlockHash, rotateLeft } from './block-hash.ts';

/** The first bits of the fractional parts of roots of the first primes: high and low words in turns. */
interface Constants {
  /** Of square roots. */
  readonly initial: Int32Array;
  /** Of cube roots. */
  readonly steps: Int32Array;
}

let known: Constants | undefined;

function constants(): Constants {
  if (known) return known;
  const primes: number[] = [];
  for (let number = 2; primes.length < 80; number++) if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  const words = (count: number, degree: bigint): Int32Array =>
    Int32Array.from(
      primes.slice(0, count).flatMap((prime) => {
        const root = integerRoot(BigInt(prime) << (64n * degree), degree);
        return [Number(BigInt.asIntN(32, root >> 32n)), Number(BigInt.asIntN(32, root))];
      }),
    );
  known = { initial: words(8, 2n), steps: words(80, 3n) };
  return known;
}

function integerRoot(value: bigint, degree: bigint): bigint {
  let root = 0n;
  for (let bit = 1n << 70n; bit > 0n; bit >>= 1n) if ((root + bit) ** degree <= value) root += bit;
  return root;
}

/** FIPS 180-4, 6.2: the words are the high ones of SHA-512. */
export function createSha256(): BlockHash {
  const { initial, steps } = constants();
  const state = initial.filter((_, at) => at % 2 === 0);
  const words = new Int32Array(64);
  const word = (at: number): number => words[at] ?? 0;
  const mix = (value: number, first: number, second: number, third: number): number =>
    rotateLeft(value, 32 - first) ^ rotateLeft(value, 32 - second) ^ rotateLeft(value, 32 - third);
  const mixAndShift = (value: number, first: number, second: number, shift: number): number =>
    rotateLeft(value, 32 - first) ^ rotateLeft(value, 32 - second) ^ (value >>> shift);
  const compress = (block: DataView): void => {
    for (let at = 0; at < 64; at++)
      words[at] =
        at < 16
          ? block.getInt32(at * 4)
          : mixAndShift(word(at - 2), 17, 19, 10) + word(at - 7) + mixAndShift(word(at - 15), 7, 18, 3) + word(at - 16);
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let step = 0; step < 64; step++) {
      const first = (h + mix(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + (steps[2 * step] ?? 0) + word(step)) | 0;
      const second = (mix(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + value;
  };
  return createBlockHash({ blockBytes: 64, isLittleEndian: false, state, compress });
}

/** The high or the low word of a rotated number of 64 bits; the other word is the same with the words exchanged. */
const rotated = (high: number, low: number, count: number): number =>
  count < 32 ? (high >>> count) | (low << (32 - count)) : (low >>> (count - 32)) | (high << (64 - count));

/** FIPS 180-4, 6.4; numbers of 64 bits are pairs of words. */
export function createSha512(): BlockHash {
  const { initial, steps } = constants();
  const state = initial.slice();
  const words = new Int32Array(160);
  /** The last sum. */
  let [sumHigh, sumLow] = [0, 0];
  const clear = (): void => {
    sumHigh = sumLow = 0;
  };
  const addPair = (high: number, low: number): void => {
    const sum = (sumLow >>> 0) + (low >>> 0);
    sumLow = sum | 0;
    sumHigh = (sumHigh + high + (sum >= 2 ** 32 ? 1 : 0)) | 0;
  };
  const addAt = (from: Int32Array, at: number): void => addPair(from[at] ?? 0, from[at + 1] ?? 0);
  const mix = (high: number, low: number, first: number, second: number, third: number): void =>
    addPair(
      rotated(high, low, first) ^ rotated(high, low, second) ^ rotated(high, low, third),
      rotated(low, high, first) ^ rotated(low, high, second) ^ rotated(low, high, third),
    );
  const mixAndShift = (at: number, first: number, second: number, shift: number): void => {
    const [high, low] = [words[at] ?? 0, words[at + 1] ?? 0];
    addPair(
      rotated(high, low, first) ^ rotated(high, low, second) ^ (high >>> shift),
      rotated(low, high, first) ^ rotated(low, high, second) ^ ((low >>> shift) | (high << (32 - shift))),
    );
  };
  const expand = (block: DataView): void => {
    for (let at = 0; at < 32; at++) words[at] = block.getInt32(at * 4);
    for (let at = 32; at < 160; at += 2) {
      clear();
      mixAndShift(at - 4, 19, 61, 6);
      addAt(words, at - 14);
      mixAndShift(at - 30, 1, 8, 7);
      addAt(words, at - 32);
      words[at] = sumHigh;
      words[at + 1] = sumLow;
    }
  };
  const work = new Int32Array(16);
  const value = (at: number): number => work[at] ?? 0;
  const compress = (block: DataView): void => {
    expand(block);
    work.set(state);
    for (let at = 0; at < 160; at += 2) {
      clear();
      addAt(work, 14);
      mix(value(8), value(9), 14, 18, 41);
      addPair((value(8) & value(10)) ^ (~value(8) & value(12)), (value(9) & value(11)) ^ (~value(9) & value(13)));
      addAt(steps, at);
      addAt(words, at);
      const [high, low] = [sumHigh, sumLow];
      addAt(work, 6);
      const [nextHigh, nextLow] = [sumHigh, sumLow];
      [sumHigh, sumLow] = [high, low];
      mix(value(0), value(1), 28, 34, 39);
      addPair(majority(value(0), value(2), value(4)), majority(value(1), value(3), value(5)));
      work.copyWithin(2, 0, 14);
      work[0] = sumHigh;
      work[1] = sumLow;
      work[8] = nextHigh;
      work[9] = nextLow;
    }
    for (let at = 0; at < 16; at += 2) {
      clear();
      addAt(state, at);
      addAt(work, at);
      state[at] = sumHigh;
      state[at + 1] = sumLow;
    }
  };
  return createBlockHash({ blockBytes: 128, isLittleEndian: false, state, compress });
}

const majority = (a: number, b: number, c: number): number => (a & b) ^ (a & c) ^ (b & c);
