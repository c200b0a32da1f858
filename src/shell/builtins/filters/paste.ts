import type { Program } from '../../context.ts';
import { OutputBuffer, readArguments } from './inputs.ts';
import { type LineCursor, openLines } from './line-cursor.ts';

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '0': '', '\\': '\\' };

/** Writes the lines of several files beside each other, or with `-s` those of each file in one line. */
export const paste: Program = async (call) => {
  const { has, value, words } = readArguments(call, 'd:s', { delimiters: 'd', serial: 's' });
  const list = (value('d') ?? '\t').match(/\\?[\s\S]/gu) ?? [''];
  const delimiters = list.map((one) => (one.length > 1 && one.startsWith('\\') ? (escapes[one.slice(1)] ?? one.slice(1)) : one));
  const names = words.length === 0 ? ['-'] : words;
  // The standard input is read by all of its columns in turn.
  const input = await openLines('-', call);
  const files: LineCursor[] = [];
  for (const name of names) files.push(name === '-' ? input : await openLines(name, call));
  const output = new OutputBuffer(call.out);
  if (has('s')) for (const file of files) await pasteSerially(file, delimiters, output);
  else await pasteInParallel(files, delimiters, output);
  output.flush();
  return 0;
};

const delimiterAt = (delimiters: readonly string[], at: number): string => delimiters[at % delimiters.length] ?? '';

async function pasteSerially(file: LineCursor, delimiters: readonly string[], output: OutputBuffer): Promise<void> {
  let at = 0;
  for (let line = await file.next(); line !== undefined; line = await file.next()) {
    output.add(at === 0 ? line : delimiterAt(delimiters, at - 1) + line);
    at++;
  }
  output.add('\n');
}

async function pasteInParallel(files: readonly LineCursor[], delimiters: readonly string[], output: OutputBuffer): Promise<void> {
  for (;;) {
    const row: (string | undefined)[] = [];
    for (const file of files) row.push(await file.next());
    if (row.every((cell) => cell === undefined)) return;
    output.add(`${row.map((cell = '', at) => (at === 0 ? cell : delimiterAt(delimiters, at - 1) + cell)).join('')}\n`);
  }
}
