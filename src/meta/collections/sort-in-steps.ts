import { itemsPerStep, type Steps } from './steps.ts';

/** Sorts names by their UTF-16 code units, like `sort`. */
export function* sortNamesInSteps(names: readonly string[]): Steps<readonly string[]> {
  if (names.length <= itemsPerStep) return names.toSorted();
  return yield* sortInSteps([...names], compareTexts);
}

/** Stable sort in steps of limited length; may sort `items` in place or return another list. */
export function* sortInSteps<T>(items: T[], compare: (a: T, b: T) => number): Steps<T[]> {
  if (items.length <= itemsPerStep) return items.sort(compare);
  let sorted: T[][] = [];
  for (let start = 0; start < items.length; start += itemsPerStep) {
    sorted.push(items.slice(start, start + itemsPerStep).sort(compare));
    yield;
  }
  while (sorted.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < sorted.length; index += 2)
      merged.push(yield* mergeSorted(sorted[index] ?? [], sorted[index + 1] ?? [], compare));
    sorted = merged;
  }
  return sorted[0] ?? [];
}

function* mergeSorted<T>(left: T[], right: T[], compare: (a: T, b: T) => number): Steps<T[]> {
  if (right.length === 0) return left;
  const out: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    const [mine, theirs] = [left[l] as T, right[r] as T];
    if (compare(mine, theirs) <= 0) {
      out.push(mine);
      l++;
    } else {
      out.push(theirs);
      r++;
    }
    if (out.length % itemsPerStep === 0) yield;
  }
  for (; l < left.length; l++) out.push(left[l] as T);
  for (; r < right.length; r++) out.push(right[r] as T);
  return out;
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
