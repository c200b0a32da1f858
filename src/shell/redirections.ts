import type { Redirection } from './ast.ts';
import type { Expander, Streams } from './context.ts';
import { CommandError } from './errors.ts';
import { FileError, type FileSystem, fileMessages, resolvePath } from './files.ts';
import { joinBytes, sourceOf, type Write } from './streams.ts';

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
  const { files } = expander.shell;
  if (redirection.mode === 'read') {
    const content = path === '/dev/null' ? new Uint8Array() : await files.read(path);
    if (!content) throw new CommandError(`sh: ${name}: No such file or directory`);
    return { ...streams, input: sourceOf(content) };
  }
  const { write, close } = await openForWriting({ path, name, append: redirection.mode === 'append' }, streams, files);
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
  files: FileSystem,
): Promise<{ write: Write; close?: () => Promise<void> }> {
  if (path === '/dev/null') return { write: () => {} };
  if (path === '/dev/stdout') return { write: streams.out };
  if (path === '/dev/stderr') return { write: streams.err };
  const chunks: Uint8Array[] = [];
  const encoder = new TextEncoder();
  const save = async (): Promise<void> => {
    try {
      await files.write(path, joinBytes(chunks));
    } catch (error) {
      if (error instanceof FileError) throw new CommandError(`sh: ${name}: ${fileMessages[error.code]}`);
      throw error;
    }
  };
  const before = append ? await files.read(path) : undefined;
  if (before) chunks.push(before);
  await save();
  return {
    write: (chunk) => chunks.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk),
    close: save,
  };
}
