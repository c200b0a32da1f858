/**
 * Unified diff of two texts with three lines of context, without file names. Equal to Python's difflib (cf. pmezard/go-difflib), including
 * its heuristics, since errors show it.
 */
export function diffLines(before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  return groupOperations(operations(a, b))
    .map((group) => formatHunk(group, a, b))
    .join('');
}

const context = 3;

/** Every line ends in a line feed, including the last one. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => `${line}\n`);
}

/** Lines `a1` to `a2` of one text correspond to lines `b1` to `b2` of the other; in a match both are equal. */
interface Operation {
  readonly equal: boolean;
  readonly a1: number;
  readonly a2: number;
  readonly b1: number;
  readonly b2: number;
}

interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

function operations(a: readonly string[], b: readonly string[]): readonly Operation[] {
  const out: Operation[] = [];
  let [i, j] = [0, 0];
  for (const { a: at, b: bt, size } of [...findMatches(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < at || j < bt) out.push({ equal: false, a1: i, a2: at, b1: j, b2: bt });
    if (size > 0) out.push({ equal: true, a1: at, a2: at + size, b1: bt, b2: bt + size });
    [i, j] = [at + size, bt + size];
  }
  return out;
}

/** The longest match, then the matches before and after it; adjacent ones are joined. */
function findMatches(a: readonly string[], b: readonly string[]): readonly Match[] {
  const places = placesOf(b);
  const found: Match[] = [];
  const search = (a1: number, a2: number, b1: number, b2: number): void => {
    const match = longestMatch(a, b, places, { a1, a2, b1, b2 });
    if (match.size === 0) return;
    if (a1 < match.a && b1 < match.b) search(a1, match.a, b1, match.b);
    found.push(match);
    if (match.a + match.size < a2 && match.b + match.size < b2) search(match.a + match.size, a2, match.b + match.size, b2);
  };
  search(0, a.length, 0, b.length);
  const joined: Match[] = [];
  for (const match of found) {
    const last = joined.at(-1);
    if (last && last.a + last.size === match.a && last.b + last.size === match.b)
      joined[joined.length - 1] = { ...last, size: last.size + match.size };
    else joined.push(match);
  }
  return joined;
}

/** In longer texts, lines that make up more than a hundredth are ignored as too frequent. */
const longText = 200;

function placesOf(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of b.entries()) {
    const known = places.get(line);
    if (known) known.push(index);
    else places.set(line, [index]);
  }
  if (b.length < longText) return places;
  const often = Math.floor(b.length / 100) + 1;
  return new Map([...places].filter(([, at]) => at.length <= often));
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  { a1, a2, b1, b2 }: Omit<Operation, 'equal'>,
): Match {
  let best = { a: a1, b: b1, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = a1; i < a2; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] ?? '') ?? []) {
      if (j < b1) continue;
      if (j >= b2) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  return extendMatch(best, a, b, { a1, a2, b1, b2 });
}

/** Extends a match by adjacent lines that were ignored as too frequent. */
function extendMatch(match: Match, a: readonly string[], b: readonly string[], { a1, a2, b1, b2 }: Omit<Operation, 'equal'>): Match {
  let { a: i, b: j, size } = match;
  while (i > a1 && j > b1 && a[i - 1] === b[j - 1]) {
    i--;
    j--;
    size++;
  }
  while (i + size < a2 && j + size < b2 && a[i + size] === b[j + size]) size++;
  return { a: i, b: j, size };
}

/** Groups changes with their context; distant ones form separate groups. */
function groupOperations(all: readonly Operation[]): readonly (readonly Operation[])[] {
  const groups: Operation[][] = [];
  let group: Operation[] = [];
  for (const [index, operation] of all.entries()) {
    const head = index === 0 ? lastLines(operation) : operation;
    const shown = index === all.length - 1 ? firstLines(head) : head;
    if (shown.equal && shown.a2 - shown.a1 > 2 * context) {
      groups.push([...group, firstLines(shown)]);
      group = [lastLines(shown)];
    } else group.push(shown);
  }
  groups.push(group);
  return groups.filter((one) => one.some(({ equal }) => !equal));
}

function firstLines(operation: Operation): Operation {
  const { equal, a1, a2, b1, b2 } = operation;
  return equal ? { ...operation, a2: Math.min(a2, a1 + context), b2: Math.min(b2, b1 + context) } : operation;
}

function lastLines(operation: Operation): Operation {
  const { equal, a1, a2, b1, b2 } = operation;
  return equal ? { ...operation, a1: Math.max(a1, a2 - context), b1: Math.max(b1, b2 - context) } : operation;
}

function formatHunk(group: readonly Operation[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return '';
  const lines = group.flatMap(({ equal, a1, a2, b1, b2 }) =>
    equal
      ? a.slice(a1, a2).map((line) => ` ${line}`)
      : [...a.slice(a1, a2).map((line) => `-${line}`), ...b.slice(b1, b2).map((line) => `+${line}`)],
  );
  return `@@ -${formatRange(first.a1, last.a2)} +${formatRange(first.b1, last.b2)} @@\n${lines.join('')}`;
}

function formatRange(start: number, stop: number): string {
  const length = stop - start;
  if (length === 1) return `${start + 1}`;
  return `${length === 0 ? start : start + 1},${length}`;
}
