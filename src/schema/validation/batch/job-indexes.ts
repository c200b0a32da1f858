import { goQuote } from '../../../meta/index.ts';

/** `1,3-5`: first and last index, both inclusive. */
type Interval = readonly [first: number, last: number];

/** Validates a list of indexes below `completions`; returns the problem, if any. Cf. upstream validateIndexesFormat. */
export function findIndexesProblem(text: string, completions: number): string | undefined {
  if (text === '') return undefined;
  let last: number | undefined;
  for (const part of text.split(',')) {
    const interval = parseInterval(part, completions);
    if (typeof interval === 'string') return interval;
    if (last !== undefined && last >= interval[0]) return `non-increasing order, previous: ${last}, current: ${interval[0]}`;
    last = interval[1];
  }
  return undefined;
}

/** The first index in both lists; unparsable parts are reported elsewhere. */
export function findOverlap(completed: string, failed: string, completions: number): number | undefined {
  const [done, broken] = [completed, failed].map((text) =>
    text === '' ? [] : text.split(',').map((part) => parseInterval(part, completions)),
  );
  for (const a of done ?? []) {
    for (const b of broken ?? []) {
      if (typeof a !== 'string' && typeof b !== 'string' && a[0] <= b[1] && b[0] <= a[1]) return Math.max(a[0], b[0]);
    }
  }
  return undefined;
}

function parseInterval(text: string, completions: number): Interval | string {
  const limits = text.split('-');
  if (limits.length > 2) {
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const numbers = limits.map((limit) => (/^\+?\d+$/.test(limit) ? Number(limit) : undefined));
  for (const [place, value] of numbers.entries()) {
    const shown = goQuote(limits[place] ?? '');
    if (value === undefined) return `cannot convert string to integer for index: ${shown}`;
    if (value >= completions) return `too large index: ${shown}`;
  }
  const [first = 0, last] = numbers;
  if (last !== undefined && first >= last) return `non-increasing order, previous: ${first}, current: ${last}`;
  return [first, last ?? first];
}
