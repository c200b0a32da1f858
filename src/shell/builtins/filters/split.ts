import { createPace } from '../../../env/index.ts';
import { concatBytes } from '../../../meta/index.ts';
import type { Program } from '../../context.ts';
import { CommandError } from '../../errors.ts';
import { readNumber } from '../read-number.ts';
import { attemptOnFile, FileProblem, readArguments, readPieces } from './inputs.ts';

/** The suffix of a part; undefined: there are none left. */
function suffixOf(index: number, length: number): string | undefined {
  let suffix = '';
  let rest = index;
  for (let at = 0; at < length; at++, rest = Math.floor(rest / 26)) suffix = String.fromCharCode(97 + (rest % 26)) + suffix;
  return rest > 0 ? undefined : suffix;
}

/** Writes the lines or bytes of a file to several files. */
export const split: Program = async (call) => {
  const { value, words } = readArguments(call, 'l:b:a:', { lines: 'l', bytes: 'b', 'suffix-length': 'a' });
  const suffixLength = readNumber(call, value('a') ?? '2', { least: 1, most: 200 });
  const bytes = value('b');
  const count = readNumber(call, bytes ?? value('l') ?? '1000', { least: 1, suffixes: bytes === undefined ? '' : 'bkmgKMG' });
  const [input = '-', prefix = 'x'] = words;
  let index = 0;
  let left = 0;
  let parts: Uint8Array[] = [];
  const pace = createPace(call.shell.clock);
  const writeParts = async (): Promise<void> => {
    if (parts.length === 0) return;
    await pace();
    const suffix = suffixOf(index++, suffixLength);
    if (suffix === undefined) throw new CommandError('split: suffixes exhausted');
    const content = concatBytes(parts).slice();
    parts = [];
    await attemptOnFile(() => call.shell.files.write(call.path(prefix + suffix), content)).catch((error: unknown) => {
      throw error instanceof FileProblem ? new CommandError(`split: write error: ${error.message}`) : error;
    });
  };
  /** Where the current part ends in a piece. */
  const endOf = (piece: Uint8Array): number => {
    if (bytes !== undefined) {
      const length = Math.min(left, piece.length);
      left -= length;
      return length;
    }
    const lineEnd = piece.indexOf(10) + 1;
    if (lineEnd > 0) left--;
    return lineEnd || piece.length;
  };
  try {
    for await (const piece of readPieces(input, call)) {
      for (let rest = piece; rest.length > 0; ) {
        if (left === 0) {
          await writeParts();
          left = count;
        }
        const length = endOf(rest);
        parts.push(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    }
    await writeParts();
  } catch (error) {
    if (error instanceof FileProblem) throw new CommandError(`split: can't open '${input}': ${error.message}`);
    throw error;
  }
  return 0;
};
