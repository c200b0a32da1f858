import type { Program } from '../../context.ts';
import { readNumber } from '../read-number.ts';
import { forEachInput, linesIn, OutputBuffer, readArguments, withoutBreak } from './inputs.ts';

/** Numbers lines. */
export const nl: Program = (call) => {
  const { value, words } = readArguments(call, 'pb:i:s:v:w:');
  const style = value('b') ?? 't';
  const separator = value('s') ?? '\t';
  const number = (letter: string, fallback: string): number => readNumber(call, value(letter) ?? fallback);
  const [step, width] = [number('i', '1'), Math.min(number('w', '6'), 1000)];
  let next = number('v', '1');
  return forEachInput(words, call, async (pieces) => {
    const output = new OutputBuffer(call.out);
    for await (const line of linesIn(pieces)) {
      const text = withoutBreak(line);
      const isNumbered = style === 'a' || (style === 't' && text !== '');
      output.add(isNumbered ? `${String(next).padStart(width)}${separator}${text}\n` : `${' '.repeat(width + separator.length)}${text}\n`);
      if (isNumbered) next += step;
    }
    output.flush();
  });
};
