import type { Invocation } from '../context.ts';
import { linesOf, readAll, type Source, sourceOf } from '../streams.ts';

/** The content of a file, or undefined after printing an error. */
export async function readInputFile(call: Invocation, name: string): Promise<Uint8Array | undefined> {
  if (name === '-' || name === '/dev/stdin') return readAll(call.input);
  const path = call.path(name);
  if (path === '/dev/null') return new Uint8Array();
  const content = await call.shell.files.read(path);
  if (content) return content;
  const kind = await call.shell.files.kind(path);
  call.err(`${call.name}: ${name}: ${kind === 'directory' ? 'Is a directory' : 'No such file or directory'}\n`);
  return undefined;
}

/** A named file, or standard input as `-`. */
export interface Input {
  readonly name: string;
  readonly source: Source;
}

/** The named files, or standard input when no files are named. Prints an error for missing ones and omits them. */
export async function openInputs(call: Invocation, names: readonly string[]): Promise<readonly Input[]> {
  if (names.length === 0) return [{ name: '-', source: call.input }];
  const sources: Input[] = [];
  for (const name of names) {
    const content = name === '-' ? undefined : await readInputFile(call, name);
    if (name === '-') sources.push({ name, source: call.input });
    else if (content) sources.push({ name, source: sourceOf(content) });
  }
  return sources;
}

/** All lines of the named files, or of standard input. */
export async function* readInputLines(call: Invocation, names: readonly string[]): AsyncGenerator<string> {
  for (const { source } of await openInputs(call, names)) yield* linesOf(source);
}

/** Collects all lines. */
export async function collectLines(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}
