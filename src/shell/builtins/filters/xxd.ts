import { bytesToHex } from '../../../meta/index.ts';
import type { Invocation, Program } from '../../context.ts';
import { CommandError } from '../../errors.ts';
import { readNumber, readOptionalNumber } from '../read-number.ts';
import { blocksOf, hex, isPrintable, sliceOf } from './blocks.ts';
import { FileProblem, InputChain, linesIn, OutputBuffer, readArguments, readPieces } from './inputs.ts';

/** Shows bytes in hexadecimal digits, or reads such a text. */
export const xxd: Program = async (call) => {
  const { has, value, words } = readArguments(call, 'prig:c:l:n:s:o:');
  const number = (letter: string): number | undefined => readOptionalNumber(call, value(letter));
  const [name = '-'] = words;
  try {
    if (has('r')) {
      for await (const line of linesIn(readPieces(name, call))) call.out(bytesOf(line, has('p')));
      return 0;
    }
    const inputs = new InputChain([name], call);
    const skip = number('s') ?? 0;
    const pieces = sliceOf(inputs.pieces(), { skip, length: number('l') ?? number('n') });
    if (has('p')) await showPlain(pieces, number('c') ?? 30, call);
    else if (has('i')) await showArray(pieces, name, number('c') ?? 12, call);
    else {
      const columns = readNumber(call, value('c') ?? '16', { least: 1, most: 4096 });
      await showColumns(pieces, { from: skip + (number('o') ?? 0), columns, group: number('g') ?? 2 }, call);
    }
    return inputs.code;
  } catch (error) {
    if (error instanceof FileProblem) throw new CommandError(`xxd: ${name}: ${error.message}`);
    throw error;
  }
};

async function showPlain(pieces: AsyncIterable<Uint8Array>, columns: number, { out }: Invocation): Promise<void> {
  for await (const block of blocksOf(pieces, columns || 30)) out(`${bytesToHex(block)}\n`);
}

/** As source text in C. */
async function showArray(pieces: AsyncIterable<Uint8Array>, name: string, columns: number, { out }: Invocation): Promise<void> {
  const variable = name.replaceAll(/[^\w]/g, '_');
  let size = 0;
  if (name !== '-') out(`unsigned char ${variable}[] = {\n`);
  for await (const block of blocksOf(pieces, columns || 12)) {
    out(` ${Array.from(block, (byte) => ` 0x${hex(byte, 2)},`).join('')}\n`);
    size += block.length;
  }
  if (name !== '-') out(`};\nunsigned int ${variable}_len = ${size};\n`);
}

interface Columns {
  /** The address of the first byte. */
  readonly from: number;
  readonly columns: number;
  /** Bytes of a group; 0: all are one group. */
  readonly group: number;
}

async function showColumns(pieces: AsyncIterable<Uint8Array>, { from, columns, group }: Columns, { out }: Invocation): Promise<void> {
  const output = new OutputBuffer(out);
  const size = group || columns;
  const width = columns * 2 + Math.ceil(columns / size) - 1;
  let address = from;
  for await (const block of blocksOf(pieces, columns)) {
    const groups = Array.from({ length: Math.ceil(block.length / size) }, (_, at) =>
      bytesToHex(block.subarray(at * size, (at + 1) * size)),
    );
    const text = Array.from(block, (byte) => (isPrintable(byte) ? String.fromCharCode(byte) : '.')).join('');
    output.add(`${hex(address, 8)}: ${groups.join(' ').padEnd(width)}  ${text}\n`);
    address += block.length;
  }
  output.flush();
}

/** The bytes of a line, of which two spaces begin the text; a plain line has digits only. */
function bytesOf(line: string, isPlain: boolean): Uint8Array {
  const part = isPlain ? line : (/^[0-9a-fA-F]+: ?(.*)/.exec(line)?.[1] ?? '').split('  ', 1)[0];
  const digits = /^(?:[0-9a-fA-F]{2}|\s)*/.exec(part ?? '')?.[0] ?? '';
  return Uint8Array.from(digits.replaceAll(/\s/g, '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
