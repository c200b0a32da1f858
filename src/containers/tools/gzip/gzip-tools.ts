import type { Invocation } from '../../../shell/index.ts';
import { SystemError } from '../../files/file-error.ts';
import type { Applet } from '../../process/applet.ts';
import type { Process } from '../../process/process.ts';
import { nameOf, readArguments } from '../arguments.ts';
import { GzipError } from './bit-reader.ts';
import { gzip as compress } from './gzip.ts';
import { gunzip as decompress } from './inflate.ts';
import { readPieces } from './read-pieces.ts';

const long = { '--stdout': 'c', '--force': 'f', '--keep': 'k', '--decompress': 'd' };
const usage = { options: 'cfkdtqvn123456789', synopsis: '[-cfkdt] [FILE]...', long };

/** One run of an applet. */
interface Run {
  readonly invocation: Invocation;
  readonly process: Process;
  readonly flags: ReadonlySet<string>;
}

const createTool =
  (defaults: string): Applet =>
  (invocation, process) => {
    const { flags: given, operands } = readArguments(invocation, usage);
    const flags = new Set([...defaults, ...given]);
    return run(operands, { invocation, process, flags });
  };

async function run(names: readonly string[], options: Run): Promise<number> {
  let code = 0;
  for (const name of names.length === 0 ? ['-'] : names) {
    try {
      await (name === '-' || options.flags.has('c') || options.flags.has('t') ? toOutput(name, options) : replaceFile(name, options));
    } catch (error) {
      if (!(error instanceof FileProblem || error instanceof GzipError || error instanceof SystemError)) throw error;
      options.invocation.err(`${nameOf(options.invocation)}: ${describe(error, name, options)}\n`);
      code = 1;
    }
  }
  return code;
}

/** A file that is left as it is. */
class FileProblem extends Error {}

function describe(error: FileProblem | GzipError | SystemError, name: string, { invocation }: Run): string {
  if (error instanceof SystemError) return `${name}: ${error.message}`;
  return error.message === 'invalid magic' && nameOf(invocation) === 'zcat' ? 'no gzip/bzip2/xz magic' : error.message;
}

const convert = (name: string, { invocation, process, flags }: Run): AsyncGenerator<Uint8Array> =>
  (flags.has('d') || flags.has('t') ? decompress : compress)(readPieces(name, invocation, process));

async function toOutput(name: string, run: Run): Promise<void> {
  for await (const bytes of convert(name, run)) {
    await run.process.container.pause();
    if (!run.flags.has('t')) run.invocation.out(bytes);
  }
}

/** `x.gz` becomes `x`, `x.tgz` becomes `x.tar`; undefined: the name has no such end. */
function decompressedName(name: string): string | undefined {
  const [, stem, end = ''] = /^(.*[^/])\.(t?gz|Z)$/.exec(name) ?? [];
  return stem === undefined ? undefined : end === 'tgz' ? `${stem}.tar` : stem;
}

async function replaceFile(name: string, run: Run): Promise<void> {
  const { invocation, process, flags } = run;
  const isDecompressing = flags.has('d');
  const { files } = process.container;
  const { user } = process;
  const path = invocation.path(name);
  const { inode } = files.status(path, user);
  const to = isDecompressing ? decompressedName(name) : `${name}.gz`;
  if (to === undefined) throw new FileProblem(`${name}: unknown suffix - ignored`);
  if (inode.type === 'directory') throw new FileProblem(`can't remove file '${name}': Is a directory`);
  const target = invocation.path(to);
  if (files.find(target, user)) {
    if (!flags.has('f')) throw new FileProblem(`can't open '${to}': File exists`);
    files.remove(target, user);
  }
  const file = files.open(target, user, { mode: inode.mode & 0o777 });
  try {
    for await (const bytes of convert(name, run)) {
      await process.container.pause();
      file.write(bytes);
    }
  } catch (error) {
    files.remove(target, user);
    throw error;
  }
  files.changeTime(target, inode.mtimeMs, user);
  if (!flags.has('k')) files.remove(path, user);
}

export const gzipTools: Readonly<Record<string, Applet>> = { gunzip: createTool('d'), gzip: createTool(''), zcat: createTool('dc') };
