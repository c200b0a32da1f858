import type { Program } from '../../context.ts';
import { CommandError } from '../../errors.ts';
import type { Options } from '../options.ts';
import { readNumber, readOptionalNumber } from '../read-number.ts';
import { blocksOf, sliceOf } from './blocks.ts';
import { InputChain, OutputBuffer, readArguments } from './inputs.ts';
import { type OdFormat, shortFormats, typedFormats } from './od-formats.ts';

/** The formats in the order of the options. */
function formatsOf({ flags }: Options): readonly OdFormat[] {
  const short = [...flags.keys()].flatMap((letter) => shortFormats[letter] ?? []);
  const typed = (flags.get('t') ?? []).flatMap(typedFormats);
  const formats = [...short, ...typed];
  return formats.length > 0 ? formats : typedFormats('o2');
}

const radixes: Readonly<Record<string, (address: number) => string>> = {
  d: (address) => String(address).padStart(7, '0'),
  n: () => '',
  o: (address) => address.toString(8).padStart(7, '0'),
  x: (address) => address.toString(16).padStart(6, '0'),
};

const skipSuffixes = 'bkm';

/** Shows bytes as numbers or characters. */
export const od: Program = async (call) => {
  const options = readArguments(call, 'abcdfhilovxst:A:N:j:w:', {
    format: 't',
    'address-radix': 'A',
    'read-bytes': 'N',
    'skip-bytes': 'j',
    width: 'w',
    'output-duplicates': 'v',
  });
  const { has, value, words } = options;
  const radix = value('A') ?? 'o';
  const addressOf = radixes[radix];
  if (!addressOf) throw new CommandError(`od: bad output address radix '${radix}' (must be [doxn])`);
  const length = readOptionalNumber(call, value('N'), { suffixes: skipSuffixes });
  const skip = readNumber(call, value('j') ?? '0', { suffixes: skipSuffixes });
  const width = readNumber(call, value('w') ?? '16', { least: 1, most: 4096 });
  const formats = formatsOf(options);
  const output = new OutputBuffer(call.out);
  const inputs = new InputChain(words, call);
  let address = skip;
  let before: string | undefined;
  let isRepeated = false;
  for await (const block of blocksOf(sliceOf(inputs.pieces(), { skip, length }), width)) {
    const lines = formatBlock(block, addressOf(address), width, formats);
    const content = block.join();
    if (content !== before || block.length < width || has('v')) output.add(lines);
    else if (!isRepeated) output.add('*\n');
    isRepeated = content === before;
    before = content;
    address += block.length;
  }
  if (inputs.totalBytes < skip) throw new CommandError("od: can't skip past end of combined input");
  if (radix !== 'n' && !inputs.isUnreadable) output.add(`${addressOf(address)}\n`);
  output.flush();
  return inputs.code;
};

function formatBlock(block: Uint8Array, address: string, width: number, formats: readonly OdFormat[]): string {
  const padded = new Uint8Array(width + 8);
  padded.set(block);
  const view = new DataView(padded.buffer);
  return formats
    .map((format, index) => {
      let line = index === 0 ? address : ' '.repeat(address.length);
      for (let at = 0; at < block.length; at += format.size) line += format.show(view, at).padStart(format.width);
      return `${line}\n`;
    })
    .join('');
}
