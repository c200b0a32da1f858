/** An error in an expression with its location (UTF-16 offset). */
export interface Issue {
  readonly at: number;
  readonly message: string;
}

/** Syntax errors of an expression. */
export class SyntaxIssues extends Error {
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(issues.map(({ message }) => message).join('\n'));
    this.name = 'SyntaxIssues';
    this.issues = issues;
  }
}

const maxShown = 100;
const maxLineBytes = 16_384;

/** `ERROR: <input>:1:5: undefined field 'b'`, the line, and a caret below the location; sorted by location. */
export function describeIssues(source: string, issues: readonly Issue[]): string {
  const sorted = [...issues].sort((a, b) => a.at - b.at);
  const shown = sorted.slice(0, maxShown).map((issue) => describe(source, issue));
  if (sorted.length > maxShown) shown.push(`${sorted.length - maxShown} more errors were truncated`);
  return shown.join('\n');
}

function describe(source: string, { at, message }: Issue): string {
  if (source === '') return `ERROR: <input>:1:0: ${message}`;
  const before = source.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  const lineEnd = source.indexOf('\n', at);
  const line = source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd).replaceAll('\t', ' ');
  const lead = [...source.slice(lineStart, at)];
  const text = `ERROR: <input>:${before.split('\n').length}:${lead.length + 1}: ${message}`;
  if (new TextEncoder().encode(line).length > maxLineBytes) return text;
  const next = [...line][lead.length];
  return `${text}\n | ${line}\n | ${lead.map((char) => (wide(char) ? '．' : '.')).join('')}${wide(next) ? '＾' : '^'}`;
}

/** Multi-byte characters get a full-width mark, so that the caret aligns. */
function wide(char: string | undefined): boolean {
  return char !== undefined && (char.codePointAt(0) ?? 0) > 0x7f;
}
