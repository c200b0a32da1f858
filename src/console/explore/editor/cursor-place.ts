/** The position of the cursor in a possibly incomplete YAML text, derived from the indentation. */
export interface CursorPlace {
  /** Names of the enclosing fields, `[]` for an item of a list. */
  readonly path: readonly string[];
  /** Whether the cursor is at a name or at the value of `name`. */
  readonly at: 'name' | 'value';
  /** The field of the value; empty at a name. */
  readonly name: string;
  /** The start of the completed text. */
  readonly from: number;
  /** The column of the names at this level. */
  readonly column: number;
  /** The existing fields at this level, without the one at the cursor. */
  readonly siblings: readonly string[];
  /** The lines of the document at the cursor. */
  readonly document: readonly string[];
}

interface Line {
  /** Columns of the dashes before the name. */
  readonly dashes: readonly number[];
  readonly column: number;
  /** Undefined for an item that is not a mapping, and for an invalid line. */
  readonly name: string | undefined;
  readonly value: string;
  readonly empty: boolean;
}

export function cursorPlace(text: string, position: number): CursorPlace {
  const lines = text.split('\n');
  const before = text.slice(0, position).split('\n');
  const row = before.length - 1;
  const start = documentStart(lines, row);
  const end = documentEnd(lines, row);
  const typed = before[row] ?? '';
  const value = /^(\s*(?:-\s+)*)((?:"[^"]*"|[\w./$-]+)):\s+(.*)$/.exec(typed);
  const prefix = value?.[1] ?? /^\s*(?:-\s+)*/.exec(typed)?.[0] ?? '';
  const column = prefix.length;
  const around = walkUp(lines, { row, start, column, dashes: dashColumns(prefix) });
  const after = siblingsBelow(lines, { row, end, column });
  return {
    path: around.path,
    at: value === null ? 'name' : 'value',
    name: value === null ? '' : unquoted(value[2] ?? ''),
    from: position - (value === null ? typed.length - column : (value[3] ?? '').length),
    column,
    siblings: [...around.siblings, ...after],
    document: lines.slice(start, end),
  };
}

function documentStart(lines: readonly string[], row: number): number {
  for (let at = row; at >= 0; at--) if (/^---(\s|$)/.test(lines[at] ?? '')) return at + 1;
  return 0;
}

function documentEnd(lines: readonly string[], row: number): number {
  for (let at = row + 1; at < lines.length; at++) if (/^---(\s|$)/.test(lines[at] ?? '')) return at;
  return lines.length;
}

interface Climb {
  readonly row: number;
  readonly start: number;
  readonly column: number;
  readonly dashes: readonly number[];
}

/** Finds the enclosing fields and the siblings, from the cursor's line up to the start of the document. */
function walkUp(lines: readonly string[], { row, start, column, dashes }: Climb): { path: string[]; siblings: string[] } {
  const path: string[] = [];
  const siblings: string[] = [];
  let want = column;
  let inItem = false;
  let beside = true;
  const enter = (columns: readonly number[]): void => {
    for (const dash of [...columns].reverse()) {
      path.unshift('[]');
      want = dash;
      inItem = true;
      beside = false;
    }
  };
  enter(dashes);
  for (let at = row - 1; at >= start; at--) {
    const line = readLine(lines[at] ?? '');
    if (line.empty || line.name === undefined) continue;
    if (line.column === want && !inItem) {
      if (beside) siblings.push(line.name);
      enter(line.dashes);
    } else if (encloses(line, want, inItem)) {
      path.unshift(line.name);
      want = line.column;
      inItem = false;
      beside = false;
      enter(line.dashes);
    }
    if (want === 0 && !inItem && !beside) break;
  }
  return { path, siblings };
}

/** Whether a line names the field around the column `want`; the items of a list may be at the column of its name. */
function encloses({ column, value, dashes }: Line, want: number, inItem: boolean): boolean {
  return value === '' && (column < want || (inItem && column === want && !dashes.includes(want)));
}

function siblingsBelow(lines: readonly string[], { row, end, column }: { row: number; end: number; column: number }): string[] {
  const siblings: string[] = [];
  for (let at = row + 1; at < end; at++) {
    const line = readLine(lines[at] ?? '');
    if (line.empty) continue;
    if (line.column < column || line.dashes.some((dash) => dash < column)) break;
    if (line.column === column && line.name !== undefined) siblings.push(line.name);
  }
  return siblings;
}

function readLine(text: string): Line {
  const prefix = /^\s*(?:-\s+|-$)*/.exec(text)?.[0] ?? '';
  const rest = text.slice(prefix.length);
  const named = /^("[^"]*"|'[^']*'|[^\s:#][^:#]*?)\s*:(?:\s+(.*))?$/.exec(rest);
  return {
    dashes: dashColumns(prefix),
    column: prefix.length,
    name: named === null ? undefined : unquoted(named[1] ?? ''),
    value: (named?.[2] ?? '').replace(/\s*#.*$/, ''),
    empty: rest === '' && !prefix.includes('-') ? true : rest.startsWith('#'),
  };
}

function dashColumns(prefix: string): number[] {
  return [...prefix.matchAll(/-/g)].map(({ index }) => index);
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2');
}
