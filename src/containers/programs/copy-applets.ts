import { SystemError } from '../files/file-error.ts';
import type { FileTree, FileUser } from '../files/file-tree.ts';
import type { Applet } from '../process/applet.ts';
import { attempt } from './file-attempt.ts';
import { parseOptions } from './options.ts';
import { removeRecursively } from './walk-files.ts';

const lastOf = (path: string): string =>
  path
    .replace(/(?<!\/)\/+$/, '')
    .split('/')
    .at(-1) ?? '';

export const copy: Applet = async ({ args, err, path }, { container: { files, pause }, user }) => {
  const { flags, operands } = parseOptions(args, ['t']);
  const recursive = ['r', 'R', 'a', 'recursive'].some((flag) => flags.has(flag));
  const target = operands.at(-1) ?? '';
  const isInto = files.find(path(target), user)?.inode.type === 'directory';
  let code = 0;
  for (const name of operands.slice(0, -1)) {
    await pause();
    const status = files.find(path(name), user);
    if (!status) {
      err(`cp: can't stat '${name}': No such file or directory\n`);
      code = 1;
    } else if (status.inode.type === 'directory' && !recursive) {
      err(`cp: omitting directory '${name}'\n`);
      code = 1;
    } else {
      const to = isInto ? `${target}/${lastOf(name)}` : target;
      const preservesAttributes = flags.has('p') || flags.has('a');
      if (
        !attempt(
          () => copyTree(path(name), path(to), files, user, { preservesAttributes, preservesLinks: flags.has('a') || flags.has('d') }),
          err,
          `cp: can't create '${to}'`,
        )
      )
        code = 1;
    }
  }
  return code;
};

interface CopyOptions {
  readonly preservesAttributes: boolean;
  readonly preservesLinks: boolean;
}

function copyTree(from: string, to: string, files: FileTree, user: FileUser, options: CopyOptions): void {
  const { inode } = files.status(from, user, !options.preservesLinks);
  if (inode.type === 'link') {
    files.makeLink(inode.target, to, user);
    return;
  }
  if (inode.type === 'directory') {
    const names = files.list(from, user);
    if (files.find(to, user)?.inode.type !== 'directory') files.makeDirectory(to, user, inode.mode | 0o700);
    for (const name of names) copyTree(`${from}/${name}`, `${to}/${name}`, files, user, options);
  } else files.write(to, files.read(from, user).slice(), user, inode.mode & 0o777);
  if (!options.preservesAttributes) return;
  if (user.uid === 0) files.changeOwner(to, inode.uid, inode.gid, user);
  files.changeMode(to, inode.mode, user);
  files.changeTime(to, inode.mtimeMs, user);
}

export const move: Applet = ({ args, out, err, path }, { container: { files }, user }) => {
  const { flags, operands } = parseOptions(args);
  const target = operands.at(-1) ?? '';
  const isInto = files.find(path(target), user)?.inode.type === 'directory';
  let code = 0;
  for (const name of operands.slice(0, -1)) {
    const to = isInto ? `${target.replace(/\/$/, '')}/${lastOf(name)}` : target;
    if (!attempt(() => moveFile(path(name), path(to), name, files, user, err), err, `mv: can't rename '${name}'`)) code = 1;
    else if (flags.has('v')) out(`'${name}' -> '${to}'\n`);
  }
  return code;
};

function moveFile(from: string, to: string, name: string, files: FileTree, user: FileUser, err: (text: string) => void): void {
  try {
    files.rename(from, to, user);
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'EXDEV') throw error;
    copyTree(from, to, files, user, { preservesAttributes: true, preservesLinks: true });
    removeRecursively(from, name, files, user, (chunk) => err(String(chunk)));
  }
}
