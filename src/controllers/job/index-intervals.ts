/** Completion indexes in ascending order, as disjoint intervals. Cf. pkg/controller/job/indexed_job_utils.go orderedIntervals. */
export type IndexIntervals = readonly IndexInterval[];

export interface IndexInterval {
  readonly first: number;
  readonly last: number;
}

/** Parses `1,3-5,7`. Indexes from `completions` on are dropped, invalid intervals ignored. Cf. parseIndexesFromString. */
export function parseIndexes(text: string, completions: number): IndexIntervals {
  const intervals: IndexInterval[] = [];
  if (text === '') return intervals;
  for (const part of text.split(',')) {
    const [firstText = '', lastText] = part.split('-');
    const [first, last] = [parseIndex(firstText), lastText === undefined ? undefined : parseIndex(lastText)];
    if (first === undefined) continue;
    if (first >= completions) break;
    if (lastText !== undefined && last === undefined) continue;
    append(intervals, { first, last: Math.min(last ?? first, completions - 1) });
  }
  return intervals;
}

/** `1,3-5,7`: two neighbours are listed, more are written as an interval. */
export function formatIndexes(intervals: IndexIntervals): string {
  return intervals.map(({ first, last }) => (last === first ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`)).join(',');
}

export function countIndexes(intervals: IndexIntervals): number {
  return intervals.reduce((count, { first, last }) => count + last - first + 1, 0);
}

export function includesIndex(intervals: IndexIntervals, index: number): boolean {
  return intervals.some(({ first, last }) => first <= index && index <= last);
}

/** The union with further indexes, in any order. */
export function addIndexes(intervals: IndexIntervals, indexes: Iterable<number>): IndexIntervals {
  return mergeIntervals(
    intervals,
    [...indexes].map((index) => ({ first: index, last: index })),
  );
}

export function mergeIntervals(one: IndexIntervals, other: IndexIntervals): IndexIntervals {
  const merged: IndexInterval[] = [];
  for (const interval of [...one, ...other].sort((a, b) => a.first - b.first)) append(merged, interval);
  return merged;
}

/** Number of indexes in both. */
export function countCommonIndexes(one: IndexIntervals, other: IndexIntervals): number {
  let count = 0;
  for (let [i, j] = [0, 0]; ; ) {
    const [a, b] = [one[i], other[j]];
    if (!a || !b) return count;
    count += Math.max(0, Math.min(a.last, b.last) - Math.max(a.first, b.first) + 1);
    if (a.last <= b.last) i += 1;
    if (b.last <= a.last) j += 1;
  }
}

/** The lowest indexes below `completions` that are in no interval. */
export function firstMissingIndexes(intervals: IndexIntervals, count: number, completions: number): readonly number[] {
  const missing: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...intervals, { first: completions, last: completions }]) {
    for (; candidate < first && candidate < completions && missing.length < count; candidate++) missing.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return missing;
}

/** The interval starts at or after all intervals before. */
function append(intervals: IndexInterval[], { first, last }: IndexInterval): void {
  const before = intervals.at(-1);
  if (before && first <= before.last + 1) intervals[intervals.length - 1] = { first: before.first, last: Math.max(before.last, last) };
  else intervals.push({ first, last });
}

function parseIndex(text: string): number | undefined {
  return /^[-+]?\d+$/.test(text) ? Number(text) : undefined;
}
