import type { Program } from '../../context.ts';
import { readNumber } from '../read-number.ts';
import { forEachInput, linesIn, OutputBuffer, readArguments } from './inputs.ts';

/** Wraps lines. */
export const fold: Program = (call) => {
  // `-20` is the same as `-w 20`.
  const args = call.args.map((arg) => (/^-\d+$/.test(arg) ? `-w${arg.slice(1)}` : arg));
  const { has, value, words } = readArguments({ ...call, args }, 'bsw:', { bytes: 'b', spaces: 's', width: 'w' });
  const width = readNumber(call, value('w') ?? '80', { least: 1, most: 10_000 });
  const advance = has('b') ? (char: string, column: number): number => column + byteLength(char) : columnAfter;
  return forEachInput(words, call, async (pieces) => {
    const output = new OutputBuffer(call.out);
    for await (const line of linesIn(pieces)) output.add(foldLine(line, width, has('s'), advance));
    output.flush();
  });
};

const byteLength = (char: string): number => new TextEncoder().encode(char).length;

function columnAfter(char: string, column: number): number {
  if (char === '\t') return (Math.floor(column / 8) + 1) * 8;
  if (char === '\b') return Math.max(0, column - 1);
  return char === '\r' ? 0 : column + 1;
}

function foldLine(line: string, width: number, atSpaces: boolean, advance: (char: string, column: number) => number): string {
  const done: string[] = [];
  let pending: string[] = [];
  let column = 0;
  for (const char of line) {
    if (char !== '\n' && advance(char, column) > width && pending.length > 0) {
      const space = atSpaces ? pending.findLastIndex((one) => one === ' ' || one === '\t') : -1;
      const length = space < 0 ? pending.length : space + 1;
      done.push(...pending.slice(0, length), '\n');
      pending = pending.slice(length);
      column = pending.reduce((at, one) => advance(one, at), 0);
    }
    pending.push(char);
    column = advance(char, column);
  }
  return [...done, ...pending].join('');
}
