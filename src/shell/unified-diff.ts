export interface Edit {
  readonly mark: ' ' | '-' | '+';
  readonly line: string;
}

/** Compares two texts in the format of `diff -u`, without its two header lines. */
export function unifiedDiff(before: string, after: string, context = 3): string {
  const edits = diffLines(splitLines(before), splitLines(after));
  const changed = edits.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]));
  let text = '';
  for (let at = 0; at < changed.length; ) {
    let end = at;
    while (end + 1 < changed.length && (changed[end + 1] ?? 0) - (changed[end] ?? 0) <= 2 * context + 1) end++;
    const from = Math.max(0, (changed[at] ?? 0) - context);
    const to = Math.min(edits.length, (changed[end] ?? 0) + context + 1);
    text += formatHunk(edits, from, to);
    at = end + 1;
  }
  return text;
}

export function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function formatHunk(edits: readonly Edit[], from: number, to: number): string {
  const count = (mark: Edit['mark'], upTo: number, start: number): number =>
    edits.slice(start, upTo).filter((edit) => edit.mark === ' ' || edit.mark === mark).length;
  const range = (mark: Edit['mark']): string => {
    const [before, length] = [count(mark, from, 0), count(mark, to, from)];
    return length === 0 ? `${before},0` : length === 1 ? `${before + 1}` : `${before + 1},${length}`;
  };
  const body = edits.slice(from, to).map(({ mark, line }) => `${mark}${line}\n`);
  return `@@ -${range('-')} +${range('+')} @@\n${body.join('')}`;
}

/** Edits by the longest common subsequence of lines; deletions come before insertions. */
export function diffLines(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < before.length - start && tail < after.length - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const [left, right] = [before.slice(start, before.length - tail), after.slice(start, after.length - tail)];
  const same = (lines: readonly string[]): Edit[] => lines.map((line) => ({ mark: ' ', line }));
  return [...same(before.slice(0, start)), ...diffMiddle(left, right), ...same(before.slice(before.length - tail))];
}

function diffMiddle(left: readonly string[], right: readonly string[]): Edit[] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    const row = lengths[i];
    for (let j = right.length - 1; row && j >= 0; j--)
      row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      edits.push({ mark: ' ', line: left[i] ?? '' });
      i++;
      j++;
    } else if (i < left.length && (j >= right.length || at(i + 1, j) >= at(i, j + 1))) edits.push({ mark: '-', line: left[i++] ?? '' });
    else edits.push({ mark: '+', line: right[j++] ?? '' });
  }
  return edits;
}
