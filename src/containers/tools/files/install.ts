import { CommandError } from '../../../shell/index.ts';
import type { FileTree, FileUser } from '../../files/file-tree.ts';
import type { Applet } from '../../process/applet.ts';
import { makeParents } from '../../process/shell-files.ts';
import { idOf } from '../../programs/file-applets.ts';
import { attempt, parseMode } from '../../programs/file-attempt.ts';
import { readArguments, usageError } from '../arguments.ts';

const usage = {
  options: 'cdDsg:m:o:',
  synopsis: '[-cdDs] [-o USER] [-g GRP] [-m MODE] [SOURCE]... DEST',
};

/** What installed files get. */
interface Attributes {
  readonly mode: number;
  readonly owner: number | undefined;
  readonly group: number | undefined;
}

/** Copies files and sets their attributes, or creates folders. */
export const install: Applet = (invocation, { container: { files }, user }) => {
  const { flags, values, operands } = readArguments(invocation, usage);
  const { err, path } = invocation;
  const text = values.get('m') ?? '755';
  const mode = parseMode(text, 0, false);
  if (mode === undefined) throw new CommandError(`install: invalid mode '${text}'`);
  const attributes = { mode, owner: ownerOf('o'), group: ownerOf('g') };
  if (flags.has('d'))
    return all(operands, (name) => attempt(() => installFolder(path(name)), err, `install: can't create directory '${name}'`));
  const target = operands.at(-1) ?? '';
  const sources = operands.slice(0, -1);
  if (sources.length === 0) throw usageError(invocation, usage);
  const isInto = files.find(path(target), user)?.inode.type === 'directory';
  return all(sources, (name) => {
    const to = isInto ? `${target}/${name.slice(name.lastIndexOf('/') + 1)}` : target;
    if (!files.find(path(name), user)) {
      err(`install: can't stat '${name}': No such file or directory\n`);
      return false;
    }
    if (flags.has('D')) makeFolders(path(to).replace(/\/[^/]*$/, ''), files, user);
    return attempt(() => installFile(path(name), path(to)), err, `install: can't create '${to}'`);
  });

  function ownerOf(letter: string): number | undefined {
    const name = values.get(letter);
    const id = name === undefined ? undefined : idOf(name);
    if (Number.isNaN(id)) throw new CommandError(`install: unknown ${letter === 'o' ? 'user' : 'group'} ${name}`);
    return id;
  }

  function installFolder(full: string): void {
    makeFolders(full, files, user);
    setAttributes(full, attributes, files, user);
  }

  function installFile(from: string, to: string): void {
    const content = files.read(from, user).slice();
    if (files.find(to, user, false)) files.remove(to, user);
    files.write(to, content, user);
    setAttributes(to, attributes, files, user);
  }
};

const all = (names: readonly string[], run: (name: string) => boolean): number => (names.map(run).every((isDone) => isDone) ? 0 : 1);

/** Creates a folder with its parents, if it is missing. @throws SystemError */
function makeFolders(path: string, files: FileTree, user: FileUser): void {
  makeParents(path, (one) => files.makeDirectory(one, user, 0o755));
}

/** @throws SystemError */
function setAttributes(path: string, { mode, owner, group }: Attributes, files: FileTree, user: FileUser): void {
  files.changeMode(path, mode, user);
  if (owner !== undefined || group !== undefined) files.changeOwner(path, owner, group, user);
}
