import { concatBytes } from '../meta/index.ts';
import type { Redirection } from './ast.ts';
import type { Expander, ShellServices, Streams } from './context.ts';
import { CommandError } from './errors.ts';
import { FileError, fileMessages, resolvePath } from './files.ts';
import { sourceOf, type Write } from './streams.ts';

/** Applies `< file`, `> file` or `2>&1` to the streams; `closing` collects actions for the end of the command. */
export async function applyRedirection(
  redirection: Redirection,
  streams: Streams,
  expander: Expander,
  closing: (() => Promise<void>)[],
): Promise<Streams> {
  if (redirection.type === 'text') return { ...streams, input: sourceOf(await expander.text(redirection.word)) };
  if (redirection.type === 'duplicate') {
    const target = redirection.from === 2 ? streams.err : streams.out;
    return redirection.descriptor === 2 ? { ...streams, err: target } : { ...streams, out: target };
  }
  const name = await expander.text(redirection.target);
  const path = resolvePath(expander.state.directory, name);
  const { files, dialect } = expander.shell;
  if (redirection.mode === 'read') {
    const content = path === '/dev/null' ? new Uint8Array() : await orFail(files.read(path), (reason) => dialect.cannotRead(name, reason));
    if (!content) throw new CommandError(dialect.cannotRead(name, fileMessages['not-found']));
    return { ...streams, input: sourceOf(content) };
  }
  const { write, close } = await openForWriting({ path, name, append: redirection.mode === 'append' }, streams, expander.shell);
  if (close) closing.push(close);
  if (redirection.descriptor < 0) return { ...streams, out: write, err: write };
  return redirection.descriptor === 2 ? { ...streams, err: write } : { ...streams, out: write };
}

interface Target {
  readonly path: string;
  readonly name: string;
  readonly append: boolean;
}

/** Creates the file at once and writes it when the command ends. */
async function openForWriting(
  { path, name, append }: Target,
  streams: Streams,
  { files, dialect }: Pick<ShellServices, 'files' | 'dialect'>,
): Promise<{ write: Write; close?: () => Promise<void> }> {
  const { open } = files;
  if (open)
    return {
      write: await orFail(
        Promise.resolve().then(() => open(path, append)),
        (reason) => dialect.cannotWrite(name, reason),
      ),
    };
  if (path === '/dev/null') return { write: () => {} };
  if (path === '/dev/stdout') return { write: streams.out };
  if (path === '/dev/stderr') return { write: streams.err };
  const chunks: Uint8Array[] = [];
  const encoder = new TextEncoder();
  const save = (): Promise<void> => orFail(files.write(path, concatBytes(chunks)), (reason) => dialect.cannotWrite(name, reason));
  const before = append ? await files.read(path) : undefined;
  if (before) chunks.push(before);
  await save();
  return {
    write: (chunk) => chunks.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk),
    close: save,
  };
}

/** A failed access to a file fails the command. @throws CommandError */
async function orFail<Result>(access: Promise<Result>, messageOf: (reason: string) => string): Promise<Result> {
  try {
    return await access;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new CommandError(messageOf(error.code === 'other' ? error.message : fileMessages[error.code]));
  }
}
