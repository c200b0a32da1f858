import type { Program } from '../../context.ts';
import type { Options } from '../options.ts';
import { readNumber } from '../read-number.ts';
import { forEachInput, linesIn, OutputBuffer, readArguments } from './inputs.ts';

const createTool =
  (spec: string, long: Readonly<Record<string, string>>, convert: (line: string, size: number, options: Options) => string): Program =>
  (call) => {
    const options = readArguments(call, spec, long);
    const size = readNumber(call, options.value('t') ?? '8', { least: 1, most: 2 ** 32 - 1 });
    return forEachInput(options.words, call, async (pieces) => {
      const output = new OutputBuffer(call.out);
      for await (const line of linesIn(pieces)) output.add(convert(line, Math.min(size, 4096), options));
      output.flush();
    });
  };

function expandLine(line: string, size: number, { has }: Options): string {
  let text = '';
  let column = 0;
  let isInitial = true;
  for (const char of line) {
    if (char === '\t' && (isInitial || !has('i'))) {
      const width = size - (column % size);
      text += ' '.repeat(width);
      column += width;
      continue;
    }
    isInitial &&= char === ' ' || char === '\t';
    text += char;
    column++;
  }
  return text;
}

/** Without `-a` and `-t`, only the blanks before the first other character are converted. */
function unexpandLine(line: string, size: number, { has }: Options): string {
  const convertsAll = (has('a') || has('t')) && !has('f');
  let text = '';
  let column = 0;
  for (const run of line.match(/[ \t]+|[^ \t]+/g) ?? []) {
    const isBlank = run.startsWith(' ') || run.startsWith('\t');
    if (isBlank && (convertsAll || column === 0)) {
      let to = column;
      for (const char of run) to = char === '\t' ? to + size - (to % size) : to + 1;
      text += blanks(column, to, size);
      column = to;
    } else {
      text += run;
      column += run.length;
    }
  }
  return text;
}

/** Tabs and spaces from one column to another; a single space stays one. */
function blanks(from: number, to: number, size: number): string {
  const first = from - (from % size) + size;
  if (to - from < 2 || to < first) return ' '.repeat(to - from);
  return '\t'.repeat(1 + Math.floor((to - first) / size)) + ' '.repeat((to - first) % size);
}

export const expand: Program = createTool('it:', { initial: 'i', tabs: 't' }, expandLine);
export const unexpand: Program = createTool('faut:', { 'first-only': 'f', tabs: 't', all: 'a' }, unexpandLine);
