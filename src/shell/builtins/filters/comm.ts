import { compareTexts } from '../../../meta/index.ts';
import type { Program } from '../../context.ts';
import { cannotOpen, OutputBuffer, usageError } from './inputs.ts';
import { openLines } from './line-cursor.ts';

/** Compares two sorted files: lines of the first, of the second, and of both are in three columns. */
export const comm: Program = async (call) => {
  const options = call.args.filter((arg) => /^-[123]+$/.test(arg)).join('');
  const names = call.args.filter((arg) => arg === '-' || !arg.startsWith('-'));
  if (names.length !== 2) throw usageError(call, '[-123] FILE1 FILE2');
  const [left, right] = [await openLines(names[0] ?? '', call, cannotOpen), await openLines(names[1] ?? '', call, cannotOpen)];
  const output = new OutputBuffer(call.out);
  const columns = ['1', '2', '3'].filter((column) => !options.includes(column));
  const print = (column: '1' | '2' | '3', line: string): void => {
    const at = columns.indexOf(column);
    if (at >= 0) output.add(`${'\t'.repeat(at)}${line}\n`);
  };
  let [a, b] = [await left.next(), await right.next()];
  while (a !== undefined || b !== undefined) {
    const order = compareLines(a, b);
    if (order === 0) print('3', a ?? '');
    else if (order < 0) print('1', a ?? '');
    else print('2', b ?? '');
    if (order <= 0) a = await left.next();
    if (order >= 0) b = await right.next();
  }
  output.flush();
  return 0;
};

/** The end of a file is after all lines. */
function compareLines(left: string | undefined, right: string | undefined): number {
  if (left === undefined) return 1;
  return right === undefined ? -1 : compareTexts(left, right);
}
