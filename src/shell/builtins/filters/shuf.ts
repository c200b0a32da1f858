import { createPace } from '../../../env/index.ts';
import type { Program } from '../../context.ts';
import { CommandError } from '../../errors.ts';
import { readOptionalNumber } from '../read-number.ts';
import { OutputBuffer, readArguments, usageError } from './inputs.ts';
import { openLines } from './line-cursor.ts';

/** Characters and lines that are held in memory. */
const maxCharacters = 64 * 1024 * 1024;
const maxLines = 1_000_000;

const outOfMemory = (): CommandError => new CommandError('shuf: out of memory');

/** Writes lines in a random order. */
export const shuf: Program = async (call) => {
  const { has, value, words } = readArguments(call, 'ezi:n:o:');
  if (!has('e') && words.length > (has('i') ? 0 : 1)) throw usageError(call, '[-n NUM] [-o FILE] [-z] [FILE | -e [ARG...] | -i L-H]');
  const most = readOptionalNumber(call, value('n')) ?? Number.POSITIVE_INFINITY;
  const items = await readItems();
  const end = has('z') ? '\0' : '\n';
  const target = value('o');
  const parts: string[] = [];
  const output = new OutputBuffer(target === undefined ? call.out : (text) => parts.push(text));
  const pace = createPace(call.shell.clock);
  // The items that have moved: of a large range, few are needed.
  const moved = new Map<number, number>();
  for (let at = 0; at < Math.min(most, items.length); at++) {
    if (at % 1000 === 0) await pace();
    if (at >= maxLines) throw outOfMemory();
    const other = at + call.shell.random.integer(items.length - at);
    const chosen = moved.get(other) ?? other;
    moved.set(other, moved.get(at) ?? at);
    output.add(`${items.at(chosen)}${end}`);
  }
  output.flush();
  if (target !== undefined) await call.shell.files.write(call.path(target), new TextEncoder().encode(parts.join('')));
  return 0;

  async function readItems(): Promise<{ readonly length: number; at(index: number): string }> {
    const range = value('i');
    if (has('e')) return { length: words.length, at: (index) => words[index] ?? '' };
    if (range !== undefined) {
      const [, low, high] = /^(\d+)-(\d+)$/.exec(range) ?? [];
      const length = Number(high) - Number(low) + 1;
      if (!(length > 0)) throw new CommandError(`shuf: bad range '${range}'`);
      return { length, at: (index) => String(Number(low) + index) };
    }
    const lines: string[] = [];
    const input = await openLines(words[0] ?? '-', call);
    let left = maxCharacters;
    for (let line = await input.next(); line !== undefined; line = await input.next()) {
      left -= line.length;
      if (left < 0 || lines.length === maxLines) throw outOfMemory();
      lines.push(line);
    }
    return { length: lines.length, at: (index) => lines[index] ?? '' };
  }
};
