import { readNote, writeNote } from './session-notes.ts';

/** Adjacent output of one stream. */
export type OutputRun = readonly ['out' | 'err', string];

/** A finished command with its output, as stored for a reload of the page. */
export interface StoredBlock {
  readonly line: string;
  readonly prompt: string;
  readonly exit: number;
  readonly ms: number;
  readonly output: readonly OutputRun[];
}

/** Maximum length of a stored output, and of all of them, in characters. A tab may store about five million. */
const outputMax = 64 * 1024;
const totalMax = 512 * 1024;

/** The newest blocks that fit. */
export function writeBlocks(cluster: string, blocks: readonly StoredBlock[]): void {
  let total = 0;
  const newest = blocks.map(shortenOutput).reverse();
  const over = newest.findIndex((block) => {
    total += block.line.length + lengthOf(block.output);
    return total > totalMax;
  });
  writeNote('blocks', cluster, JSON.stringify((over < 0 ? newest : newest.slice(0, over)).reverse()));
}

export function readBlocks(cluster: string): readonly StoredBlock[] {
  const text = readNote('blocks', cluster);
  // Only this page writes it.
  return text === '' ? [] : (JSON.parse(text) as StoredBlock[]);
}

/** Retains the beginning of a long output. */
function shortenOutput(block: StoredBlock): StoredBlock {
  if (lengthOf(block.output) <= outputMax) return block;
  let free = outputMax;
  const output = block.output.map(([stream, text]): OutputRun => {
    const part = text.slice(0, free);
    free -= part.length;
    return [stream, part];
  });
  return { ...block, output: [...output, ['err', '\n…\n']] };
}

function lengthOf(output: readonly OutputRun[]): number {
  return output.reduce((length, [, text]) => length + text.length, 0);
}
