import type { Random } from './ports.ts';

/** A seeded random source: the same seed gives the same sequence (mulberry32). */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  return {
    integer,
    uuid() {
      const hex = Array.from({ length: 32 }, () => integer(16).toString(16));
      hex[12] = '4';
      hex[16] = (8 + integer(4)).toString(16);
      const text = hex.join('');
      return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
    },
  };
}
