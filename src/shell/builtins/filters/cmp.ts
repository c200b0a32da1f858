import type { Invocation, Program } from '../../context.ts';
import { CommandError } from '../../errors.ts';
import { readNumber, readOptionalNumber } from '../read-number.ts';
import { type Range, sliceOf } from './blocks.ts';
import { FileProblem, OutputBuffer, readArguments, readPieces, usageError } from './inputs.ts';

/** Bytes of a stream, one by one without waiting for each of them. */
class ByteCursor {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array();
  #at = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Reads the next piece if the last one is used up; false at the end. */
  async fill(): Promise<boolean> {
    while (this.#at === this.#piece.length) {
      const { value, done } = await this.#pieces.next();
      if (done === true) return false;
      [this.#piece, this.#at] = [value, 0];
    }
    return true;
  }

  get available(): number {
    return this.#piece.length - this.#at;
  }

  next(): number {
    return this.#piece[this.#at++] ?? 0;
  }
}

interface Difference {
  /** From 1. */
  readonly at: number;
  readonly line: number;
  readonly values: readonly [number, number];
}

class Comparison {
  readonly #left: ByteCursor;
  readonly #right: ByteCursor;
  #at = 0;
  #line = 1;

  constructor(left: ByteCursor, right: ByteCursor) {
    this.#left = left;
    this.#right = right;
  }

  /** The side whose file is shorter, after all differences were read. */
  shorter: 0 | 1 | undefined;

  async *differences(): AsyncGenerator<Difference> {
    for (;;) {
      const [hasLeft, hasRight] = [await this.#left.fill(), await this.#right.fill()];
      if (hasLeft && hasRight) yield* this.#next();
      else {
        if (hasLeft !== hasRight) this.shorter = hasLeft ? 1 : 0;
        return;
      }
    }
  }

  /** Among the bytes that can be read without waiting. */
  *#next(): Generator<Difference> {
    while (this.#left.available > 0 && this.#right.available > 0) {
      const [a, b] = [this.#left.next(), this.#right.next()];
      this.#at++;
      if (a !== b) yield { at: this.#at, line: this.#line, values: [a, b] };
      if (a === 10) this.#line++;
    }
  }
}

/** @throws CommandError for a file that cannot be read */
async function open(name: string, range: Range, call: Invocation): Promise<ByteCursor> {
  const cursor = new ByteCursor(sliceOf(readPieces(name, call), range));
  try {
    await cursor.fill();
  } catch (error) {
    if (error instanceof FileProblem) throw new CommandError(`cmp: ${name}: ${error.message}`, 2);
    throw error;
  }
  return cursor;
}

/** Compares two files byte by byte. */
export const cmp: Program = async (call) => {
  const { has, value, words } = readArguments(call, 'lsn:', { verbose: 'l', quiet: 's', silent: 's', bytes: 'n' });
  if (words.length === 0 || words.length > 4) throw usageError(call, '[-ls] [-n NUM] FILE1 [FILE2 [SKIP1 [SKIP2]]]');
  const [first = '-', second = '-', ...skips] = words;
  const [skip1 = 0, skip2 = 0] = skips.map((text) => readNumber(call, text, { suffixes: 'kmgKMG' }));
  const length = readOptionalNumber(call, value('n'));
  const left = await open(first, { skip: skip1, length }, call);
  const right = await open(second, { skip: skip2, length }, call);
  const report = has('s') ? 'nothing' : has('l') ? 'all' : 'first';
  return compare({ left, right, names: [first, second], report }, call);
};

interface ComparedFiles {
  readonly left: ByteCursor;
  readonly right: ByteCursor;
  readonly names: readonly [string, string];
  /** The differences that are written. */
  readonly report: 'nothing' | 'first' | 'all';
}

async function compare({ left, right, names, report }: ComparedFiles, call: Invocation): Promise<number> {
  const comparison = new Comparison(left, right);
  const output = new OutputBuffer(call.out);
  let code = 0;
  for await (const { at, line, values } of comparison.differences()) {
    code = 1;
    if (report === 'first') call.out(`${names.join(' ')} differ: char ${at}, line ${line}\n`);
    if (report !== 'all') return code;
    output.add(`${at} ${values.map((byte) => byte.toString(8).padStart(3)).join(' ')}\n`);
  }
  output.flush();
  if (comparison.shorter === undefined) return code;
  if (report !== 'nothing') call.err(`cmp: EOF on ${names[comparison.shorter]}\n`);
  return 1;
}
