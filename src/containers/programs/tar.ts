import { concatBytes, trimEnd } from '../../meta/index.ts';
import { formatTarEntry, piecesOf, readAll, readTar, type TarEntry, TarError, tarEnd, type Write } from '../../shell/index.ts';
import { SystemError } from '../files/file-error.ts';
import type { FileTree, FileUser } from '../files/file-tree.ts';
import { joinPath } from '../files/walk.ts';
import type { Applet } from '../process/applet.ts';
import { makeParents } from '../process/shell-files.ts';
import { attempt, formatMode } from './file-attempt.ts';
import { loadTools } from './loaded-applets.ts';
import { parseOptions } from './options.ts';
import { removeRecursively, walkFiles } from './walk-files.ts';

const usage = 'Usage: tar c|x|t [-zhvompk] [-f TARFILE] [-C DIR] [FILE]...\n';

interface TarOptions {
  readonly files: FileTree;
  readonly user: FileUser;
  /** Members are relative to it. */
  readonly directory: string;
  readonly flags: ReadonlySet<string>;
  readonly out: Write;
  readonly err: Write;
  readonly pause: () => Promise<void> | undefined;
}

/** `tar` of BusyBox, with gzip compression; `kubectl cp` runs it. */
export const tar: Applet = async ({ args, input, out, err, path }, { container: { files, pause }, user }) => {
  // Traditionally the first argument has no hyphen.
  const [first = '', ...rest] = args;
  const { flags, values, operands } = parseOptions(first.startsWith('-') ? args : [`-${first}`, ...rest], ['f', 'C']);
  const file = values.get('f') ?? '-';
  const folder = values.get('C') ?? '.';
  const options: TarOptions = { files, user, directory: path(folder), flags, out, err, pause };
  if (files.find(options.directory, user)?.inode.type !== 'directory') {
    err(`tar: can't change directory to '${folder}': No such file or directory\n`);
    return 1;
  }
  if (flags.has('c')) return create(operands, file === '-' ? undefined : path(file), options);
  if (!flags.has('x') && !flags.has('t')) {
    err(usage);
    return 1;
  }
  const archive = { bytes: file === '-' ? await readAll(input) : new Uint8Array() };
  const open = (): void => {
    if (file !== '-') archive.bytes = files.read(path(file), user).slice();
  };
  if (!attempt(open, err, `tar: can't open '${file}'`)) return 1;
  const isCompressed = flags.has('z') || (archive.bytes[0] === 0x1f && archive.bytes[1] === 0x8b);
  const bytes = isCompressed ? await decompress(archive.bytes, options) : archive.bytes;
  return bytes ? readMembers(bytes, operands, flags.has('t') ? list : extract, options) : 1;
};

/** Bytes of a decompressed archive: it is in memory while it is read. */
const maxArchive = 256 * 1024 * 1024;

/** Undefined after an error was written. */
async function decompress(archive: Uint8Array, { err, pause }: TarOptions): Promise<Uint8Array | undefined> {
  const { gunzip, GzipError } = await loadTools();
  const parts: Uint8Array[] = [];
  let left = maxArchive;
  try {
    for await (const bytes of gunzip(piecesOf([archive]))) {
      await pause();
      left -= bytes.length;
      if (left < 0) throw new TarError('out of memory');
      parts.push(bytes);
    }
    return concatBytes(parts);
  } catch (error) {
    if (!(error instanceof GzipError || error instanceof TarError)) throw error;
    err(`tar: ${error.message}\n${error instanceof GzipError ? 'tar: short read\n' : ''}`);
    return undefined;
  }
}

/** `file` is the archive; undefined: standard output. */
async function create(names: readonly string[], file: string | undefined, options: TarOptions): Promise<number> {
  const { files, user, err, flags, pause } = options;
  const archive: Archive = { file, isSlashReported: false, hasFailed: false };
  let write: (bytes: Uint8Array) => void = options.out;
  const open = (): void => {
    if (file !== undefined) write = files.open(file, user).write;
  };
  if (!attempt(open, err, `tar: can't open '${file}'`)) return 1;
  const blocks = archiveBlocks(names, archive, options);
  try {
    for await (const block of flags.has('z') ? (await loadTools()).gzip(piecesOf(blocks)) : blocks) {
      await pause();
      write(block);
    }
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    err(`tar: write error: ${error.message}\n`);
    return 1;
  }
  if (archive.hasFailed) err('tar: error exit delayed from previous errors\n');
  return archive.hasFailed ? 1 : 0;
}

interface Archive {
  /** Undefined: standard output. */
  readonly file: string | undefined;
  isSlashReported: boolean;
  /** A member could not be read. */
  hasFailed: boolean;
}

async function* archiveBlocks(names: readonly string[], archive: Archive, options: TarOptions): AsyncGenerator<Uint8Array> {
  for (const name of names) {
    try {
      yield* treeBlocks(name, archive, options);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      options.err(`tar: ${name}: ${error.message}\n`);
      archive.hasFailed = true;
    }
  }
  yield tarEnd;
}

/** A file and all files below it. @throws SystemError */
function* treeBlocks(name: string, archive: Archive, options: TarOptions): Generator<Uint8Array> {
  const { files, user, directory, flags, out, err } = options;
  const typed = trimEnd(name, '/') || name.slice(0, 1);
  const root = typed.startsWith('/') ? typed : joinPath(directory, typed);
  if (typed.startsWith('/') && !archive.isSlashReported) {
    err("tar: removing leading '/' from member names\n");
    archive.isSlashReported = true;
  }
  for (const path of walkFiles(root, files, user)) {
    const member = (typed + path.slice(root.length)).replace(/^\/+/, '');
    if (path === archive.file || member === '') continue;
    yield* formatTarEntry(memberOf(path, member, options));
    // The names are on standard error when the archive is on standard output.
    if (flags.has('v')) (archive.file === undefined ? err : out)(`${member}\n`);
  }
}

/** @throws SystemError */
function memberOf(path: string, name: string, { files, user, flags }: TarOptions): TarEntry {
  const { inode } = files.status(path, user, flags.has('h'));
  const { mode, uid, gid, mtimeMs } = inode;
  const attributes = { mode, uid, gid, mtime: Math.floor(mtimeMs / 1_000), target: '', content: new Uint8Array() };
  if (inode.type === 'directory') return { ...attributes, name: `${name}/`, type: 'directory' };
  if (inode.type === 'link') return { ...attributes, name, type: 'link', target: inode.target };
  return { ...attributes, name, type: 'file', content: files.read(path, user).slice() };
}

/** Calls `use` for the members that are named, or that are below a named directory; for all when none is named. */
async function readMembers(
  archive: Uint8Array,
  names: readonly string[],
  use: (entry: TarEntry, options: TarOptions) => void,
  options: TarOptions,
): Promise<number> {
  const wanted = names.map((name) => trimEnd(name, '/'));
  const missing = new Set(wanted);
  try {
    for (const entry of readTar(archive)) {
      await options.pause();
      const match = wanted.find((name) => `${entry.name}/`.startsWith(`${name}/`));
      if (wanted.length > 0 && match === undefined) continue;
      missing.delete(match ?? '');
      use(entry, options);
    }
  } catch (error) {
    if (!(error instanceof TarError || error instanceof SystemError)) throw error;
    options.err(`tar: ${error.message}\n`);
    return 1;
  }
  for (const name of missing) options.err(`tar: ${name}: not found in archive\n`);
  return missing.size > 0 ? 1 : 0;
}

const list = ({ name, type, mode, uid, gid, mtime, target, content }: TarEntry, { flags, out }: TarOptions): void => {
  if (!flags.has('v')) {
    out(`${name}\n`);
    return;
  }
  const time = new Date(mtime * 1_000).toISOString().slice(0, 19).replace('T', ' ');
  const arrow = { file: '', directory: '', link: ` -> ${target}`, 'hard-link': ` link to ${target}` }[type];
  const owner = `${uid}/${gid}`.padEnd(10);
  out(`${formatMode(type === 'hard-link' ? 'file' : type, mode)} ${owner}${String(content.length).padStart(9)} ${time} ${name}${arrow}\n`);
};

/** @throws SystemError */
function extract(entry: TarEntry, { files, user, directory, flags, out, err }: TarOptions): void {
  // Members stay below the directory.
  const name = entry.name
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/');
  if (name === '') return;
  const path = joinPath(directory, name);
  makeParents(path.slice(0, path.lastIndexOf('/')), (parent) => files.makeDirectory(parent, user));
  const before = files.find(path, user, false)?.inode.type;
  if (before !== undefined && before !== 'directory') {
    if (flags.has('k')) {
      err(`tar: can't open '${name}': File exists\n`);
      return;
    }
    removeRecursively(path, name, files, user, err);
  }
  if (flags.has('v')) out(`${entry.name}\n`);
  if (entry.type === 'hard-link') {
    files.makeHardLink(joinPath(directory, entry.target), path, user);
    return;
  }
  if (entry.type === 'link') files.makeLink(entry.target, path, user);
  else if (entry.type === 'file') files.write(path, entry.content, user, entry.mode & 0o777);
  else if (before !== 'directory') files.makeDirectory(path, user);
  setAttributes(path, entry, files, user, flags);
}

/** Owners are set by root only, and modes without the umask by root or with `-p`. */
function setAttributes(path: string, entry: TarEntry, files: FileTree, user: FileUser, flags: ReadonlySet<string>): void {
  const isRoot = user.uid === 0;
  const restoresOwners = isRoot && !flags.has('o') && !flags.has('no-same-owner');
  if (restoresOwners) files.changeOwner(path, entry.uid, entry.gid, user, false);
  if (entry.type === 'link') return;
  if ((isRoot || flags.has('p')) && !flags.has('no-same-permissions')) files.changeMode(path, entry.mode, user);
  if (!flags.has('m')) files.changeTime(path, entry.mtime * 1_000, user);
}
