import { diffLines, splitLines } from '../../../shell/index.ts';

/** Lines with different changes on both sides. */
export interface Conflict {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** A part of a merged text: merged lines or a conflict. */
export type MergePart = string | Conflict;

interface Hunk {
  /** The replaced lines of the base. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Three-way merge by lines. Takes the changes of one side, and preserves comments and order of mine. */
export function mergeTexts(base: string, mine: string, theirs: string): readonly MergePart[] {
  const lines = splitLines(base);
  const [ours, others] = [diffHunks(base, mine), diffHunks(base, theirs)];
  const parts: MergePart[] = [];
  let at = 0;
  const settle = (some: readonly string[]): void => {
    if (some.length > 0) parts.push(some.map((line) => `${line}\n`).join(''));
  };
  while (ours.length > 0 || others.length > 0) {
    const group = takeGroup(ours, others);
    settle(lines.slice(at, group.from));
    const [left, right] = [applyHunks(lines, group, group.mine), applyHunks(lines, group, group.theirs)];
    const old = lines.slice(group.from, group.to);
    if (isSameLines(left, right) || isSameLines(right, old)) settle(left);
    else if (isSameLines(left, old)) settle(right);
    else parts.push({ base: joinLines(old), mine: joinLines(left), theirs: joinLines(right) });
    at = group.to;
  }
  settle(lines.slice(at));
  return parts;
}

export function isConflict(part: MergePart): part is Conflict {
  return typeof part !== 'string';
}

/** Takes the adjacent hunks of both sides, with the lines of the base that they span. */
function takeGroup(ours: Hunk[], others: Hunk[]): { from: number; to: number; mine: Hunk[]; theirs: Hunk[] } {
  const first = Math.min(ours[0]?.from ?? Number.MAX_SAFE_INTEGER, others[0]?.from ?? Number.MAX_SAFE_INTEGER);
  const group = { from: first, to: first, mine: [] as Hunk[], theirs: [] as Hunk[] };
  for (let grew = true; grew; ) {
    grew = false;
    for (const [queue, taken] of [
      [ours, group.mine],
      [others, group.theirs],
    ] as const) {
      while (queue[0] !== undefined && queue[0].from <= group.to) {
        const hunk = queue.shift();
        if (hunk === undefined) break;
        taken.push(hunk);
        group.to = Math.max(group.to, hunk.to);
        grew = true;
      }
    }
  }
  return group;
}

function applyHunks(lines: readonly string[], { from, to }: { from: number; to: number }, hunks: readonly Hunk[]): string[] {
  const out: string[] = [];
  let at = from;
  for (const hunk of hunks) {
    out.push(...lines.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
  }
  return [...out, ...lines.slice(at, to)];
}

function diffHunks(base: string, changed: string): Hunk[] {
  const hunks: { from: number; to: number; lines: string[] }[] = [];
  let at = 0;
  let open: { from: number; to: number; lines: string[] } | undefined;
  for (const { mark, line } of diffLines(splitLines(base), splitLines(changed))) {
    if (mark === ' ') {
      open = undefined;
      at++;
      continue;
    }
    if (open === undefined) {
      open = { from: at, to: at, lines: [] };
      hunks.push(open);
    }
    if (mark === '-') open.to = ++at;
    else open.lines.push(line);
  }
  return hunks;
}

function isSameLines(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, at) => line === right[at]);
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
