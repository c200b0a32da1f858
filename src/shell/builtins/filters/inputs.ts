import { createPace } from '../../../env/index.ts';
import type { Invocation } from '../../context.ts';
import { CommandError } from '../../errors.ts';
import { baseName, FileError, fileMessages } from '../../files.ts';
import { chunksOf, pieceBytes, piecesOf } from '../../pieces.ts';
import { type Options, readOptions } from '../options.ts';

/** Lines that are longer are split, so that an endless one does not need endless memory. */
const maxLine = 1024 * 1024;

/** The name by which a program was called, without folders. */
export const nameOf = ({ name }: Pick<Invocation, 'name'>): string => baseName(name);

/** A file that cannot be read or written; the message is the reason. */
export class FileProblem extends Error {}

/** Turns errors of the file system into problems of a file. */
export async function attemptOnFile<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FileError) throw new FileProblem(error.code === 'other' ? error.message : fileMessages[error.code]);
    throw error;
  }
}

/** @throws FileProblem */
export async function contentOf(name: string, { path, shell: { files } }: Invocation): Promise<Uint8Array> {
  const full = path(name);
  const content = await attemptOnFile(() => files.read(full));
  if (content) return content;
  if (full === '/dev/null') return new Uint8Array();
  throw new FileProblem(fileMessages[(await files.kind(full)) ? 'is-directory' : 'not-found']);
}

/** The content of a file, or the standard input as `-`, in pieces. @throws FileProblem, and the signal's reason */
export async function* readPieces(name: string, call: Invocation): AsyncGenerator<Uint8Array> {
  const { input, signal, shell } = call;
  const pace = createPace(shell.clock);
  for await (const piece of piecesOf(name === '-' ? chunksOf(input) : [await contentOf(name, call)])) {
    await pace();
    signal.throwIfAborted();
    yield piece;
  }
}

/** Lines with their line breaks; the last may lack one. */
export async function* linesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/(?<=\n)/);
    rest = lines.at(-1)?.endsWith('\n') === false ? (lines.pop() ?? '') : '';
    yield* lines;
    if (rest.length > maxLine) {
      yield rest;
      rest = '';
    }
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

export const withoutBreak = (line: string): string => (line.endsWith('\n') ? line.slice(0, -1) : line);

/** The message for a file that cannot be opened. */
type Describe = (name: string) => string;

/** Runs `use` for each file, or for the standard input if none is named. Files that cannot be read make the exit code 1. */
export async function forEachInput(
  names: readonly string[],
  call: Invocation,
  use: (pieces: AsyncIterable<Uint8Array>, name: string) => Promise<void>,
  describe: Describe = (name) => name,
): Promise<number> {
  let code = 0;
  for (const name of names.length === 0 ? ['-'] : names) {
    try {
      await use(readPieces(name, call), name);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      const isUnreadable = error.message === fileMessages['is-directory'];
      call.err(`${nameOf(call)}: ${isUnreadable ? `can't read '${name}'` : describe(name)}: ${error.message}\n`);
      code = 1;
    }
  }
  return code;
}

/** The message of several programs. */
export const cannotOpen: Describe = (name) => `can't open '${name}'`;

/** Collects the output of a program, which is written in pieces. */
export class OutputBuffer {
  #text = '';
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= pieceBytes) this.flush();
  }

  flush(): void {
    if (this.#text !== '') this.#write(this.#text);
    this.#text = '';
  }
}

/** Reads options; an unknown one ends the program with the code 1. @throws CommandError */
export function readArguments(call: Pick<Invocation, 'name' | 'args'>, spec: string, long: Readonly<Record<string, string>> = {}): Options {
  try {
    return readOptions(nameOf(call), call.args, spec, long);
  } catch (error) {
    throw error instanceof CommandError ? new CommandError(error.message) : error;
  }
}

/** For a program that was called in a wrong way. */
export const usageError = (call: Invocation, synopsis: string): CommandError => new CommandError(`Usage: ${nameOf(call)} ${synopsis}`);

/** The content of several files, one after the other. Those that cannot be read make the exit code 1. */
export class InputChain {
  code = 0;
  /** Bytes that were read. */
  totalBytes = 0;
  readonly #names: readonly string[];
  readonly #call: Invocation;
  #readable = 0;

  constructor(names: readonly string[], call: Invocation) {
    this.#names = names.length === 0 ? ['-'] : names;
    this.#call = call;
  }

  /** No file could be read. */
  get isUnreadable(): boolean {
    return this.#readable === 0;
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    for (const name of this.#names) {
      const isReadable = await this.#check(name);
      if (!isReadable) continue;
      this.#readable++;
      for await (const piece of readPieces(name, this.#call)) {
        this.totalBytes += piece.length;
        yield piece;
      }
    }
  }

  /** Reports a file that cannot be read. */
  async #check(name: string): Promise<boolean> {
    const code = await forEachInput([name], this.#call, async () => {
      if (name !== '-') await contentOf(name, this.#call);
    });
    this.code = Math.max(this.code, code);
    return code === 0;
  }
}
