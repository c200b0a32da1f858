/** A line and its cursor position. */
export interface EditedLine {
  readonly text: string;
  readonly cursor: number;
}

export type LineEdit = (line: EditedLine) => EditedLine;

const lineStart = ({ text, cursor }: EditedLine): number => text.lastIndexOf('\n', cursor - 1) + 1;

function lineEnd({ text, cursor }: EditedLine): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

function wordLeft({ text, cursor }: EditedLine): number {
  return text.slice(0, cursor).replace(/[\p{L}\p{N}]*[^\p{L}\p{N}]*$/u, '').length;
}

function wordRight({ text, cursor }: EditedLine): number {
  return cursor + (/^[^\p{L}\p{N}]*[\p{L}\p{N}]*/u.exec(text.slice(cursor))?.[0].length ?? 0);
}

function blankLeft({ text, cursor }: EditedLine): number {
  const left = text.slice(0, cursor);
  const trimmed = left.trimEnd();
  return Math.max(trimmed.lastIndexOf(' '), trimmed.lastIndexOf('\n')) + 1;
}

const cut = (from: number, to: number, { text }: EditedLine): EditedLine => ({ text: text.slice(0, from) + text.slice(to), cursor: from });

/** Common key bindings of GNU readline. */
export const lineEdits: Readonly<Record<string, LineEdit>> = {
  'Ctrl-a': (line) => ({ ...line, cursor: lineStart(line) }),
  'Ctrl-e': (line) => ({ ...line, cursor: lineEnd(line) }),
  'Ctrl-u': (line) => cut(lineStart(line), line.cursor, line),
  'Ctrl-k': (line) => cut(line.cursor, lineEnd(line), line),
  'Ctrl-w': (line) => cut(blankLeft(line), line.cursor, line),
  'Alt-b': (line) => ({ ...line, cursor: wordLeft(line) }),
  'Alt-f': (line) => ({ ...line, cursor: wordRight(line) }),
};
