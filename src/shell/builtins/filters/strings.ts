import type { Program } from '../../context.ts';
import { readNumber } from '../read-number.ts';
import { isPrintable } from './blocks.ts';
import { forEachInput, OutputBuffer, readArguments } from './inputs.ts';

/** A string that is longer is written in parts. */
const maxString = 65_536;

/** Shows the printable strings in a file. */
export const strings: Program = async (call) => {
  const { has, value, words } = readArguments(call, 'afon:t:', { all: 'a', bytes: 'n', radix: 't' });
  const least = readNumber(call, value('n') ?? '4', { least: 1, most: 2 ** 31 - 1 });
  const radix = has('o') ? 8 : { o: 8, d: 10, x: 16 }[value('t') ?? ''];
  return forEachInput(words, call, async (pieces, name) => {
    const output = new OutputBuffer(call.out);
    let [text, at, isLong] = ['', 0, false];
    const end = (): void => {
      if (isLong) output.add(`${text}\n`);
      else if (text.length >= least) {
        const offset = radix === undefined ? '' : `${(at - text.length).toString(radix).padStart(7)} `;
        output.add(`${has('f') ? `${name}: ` : ''}${offset}${text}\n`);
      }
      [text, isLong] = ['', false];
    };
    for await (const piece of pieces) {
      for (const byte of piece) {
        if (isPrintable(byte) || byte === 9) text += String.fromCharCode(byte);
        else end();
        at++;
      }
      if (text.length > maxString && text.length >= least) {
        output.add(text);
        [text, isLong] = ['', true];
      }
    }
    end();
    output.flush();
  });
};
