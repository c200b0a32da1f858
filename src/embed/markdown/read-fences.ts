/** A fenced block of a Markdown document. */
export interface Fence {
  readonly info: string;
  readonly text: string;
  /** Number of the line with the info string, from 1. */
  readonly line: number;
  /** The lines of the text, as a range for `Array.slice` of the document's lines. */
  readonly content: readonly [start: number, end: number];
  /** What precedes each line of the text: indentation, and the `>` of quotes. */
  readonly prefix: string;
}

const opening = /^([ \t>]*)(`{3,}|~{3,})/;

/** Finds the fenced blocks of a document, including those in lists and quotes. An unclosed one extends to the end, as in CommonMark. */
export function readFences(source: string): readonly Fence[] {
  const lines = source.split('\n').map((line) => line.replace(/\r$/, ''));
  const fences: Fence[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [whole = '', prefix = '', mark = ''] = opening.exec(line) ?? [];
    const info = line.slice(whole.length);
    // A backtick after the opening marks is inline code.
    if (mark === '' || (mark.startsWith('`') && info.includes('`'))) continue;
    const start = at + 1;
    const found = lines.findIndex((line, index) => index >= start && isClosing(line, mark));
    const end = found < 0 ? lines.length : found;
    const content = lines.slice(start, end).map((line) => withoutPrefix(line, prefix));
    fences.push({ info: info.trim(), text: content.map((line) => `${line}\n`).join(''), line: at + 1, content: [start, end], prefix });
    at = end;
  }
  return fences;
}

function isClosing(line: string, mark: string): boolean {
  const bare = line.replace(/^[ \t>]+/, '').trimEnd();
  return bare.length >= mark.length && bare === (mark[0] ?? '').repeat(bare.length);
}

/** Blank lines may lack the trailing spaces of the prefix, and content may be indented less than its fence. */
function withoutPrefix(line: string, prefix: string): string {
  if (line.startsWith(prefix)) return line.slice(prefix.length);
  if (prefix.includes('>')) return line.replace(/^[ \t]*>[ \t]?/, '');
  return line.slice(Math.min(prefix.length, line.length - line.trimStart().length));
}
