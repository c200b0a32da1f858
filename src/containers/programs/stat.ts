import type { FileStatus } from '../files/file-tree.ts';
import { fileSystemNumbers } from '../files/volume-store.ts';
import type { Applet } from '../process/applet.ts';
import type { Process } from '../process/process.ts';
import { attempt, formatMode } from './file-attempt.ts';
import { parseOptions } from './options.ts';
import { userNameOf } from './user-names.ts';

export const stat: Applet = ({ args, out, err, path }, process) => {
  const { flags, values, operands } = parseOptions(args, ['c', 'format', 'printf']);
  const format = values.get('c') ?? values.get('format');
  const { files } = process.container;
  let code = 0;
  for (const name of operands) {
    const show = (): void => {
      const status = files.status(path(name), process.user, flags.has('L') || flags.has('f'));
      if (flags.has('f')) out(format === undefined ? describeFileSystem(name, status) : `${expandFileSystem(format, name, status)}\n`);
      else out(format === undefined ? describe(name, status, process) : `${expand(format, name, status, process)}\n`);
    };
    if (!attempt(show, err, `stat: can't stat '${name}'`)) code = 1;
  }
  return code;
};

const typeNames = {
  directory: 'directory',
  file: 'regular file',
  link: 'symbolic link',
  device: 'character special file',
  virtual: 'regular empty file',
} as const;

function expand(format: string, name: string, { inode, size }: FileStatus, process: Process): string {
  const seconds = Math.floor(inode.mtimeMs / 1000);
  const values: Readonly<Record<string, string>> = {
    a: (inode.mode & 0o7777).toString(8),
    A: formatMode(inode.type, inode.mode),
    F: inode.type === 'file' && size === 0 ? 'regular empty file' : typeNames[inode.type],
    g: String(inode.gid),
    G: userNameOf(inode.gid, process),
    h: String(inode.type === 'file' ? inode.links : 1),
    n: name,
    N: `'${name}'`,
    s: String(size),
    u: String(inode.uid),
    U: userNameOf(inode.uid, process),
    X: String(seconds),
    y: formatTime(inode.mtimeMs),
    Y: String(seconds),
    Z: String(seconds),
    '%': '%',
  };
  return format.replaceAll(/%([a-zA-Z%])/g, (all, letter: string) => values[letter] ?? all);
}

const formatTime = (ms: number): string => `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '000000')} +0000`;

function describe(name: string, status: FileStatus, process: Process): string {
  const { inode, size } = status;
  const shown = inode.type === 'link' ? `${name} -> ${inode.target}` : name;
  const time = formatTime(inode.mtimeMs);
  return [
    `  File: ${shown}`,
    `  Size: ${String(size).padEnd(10)}\tBlocks: ${String(Math.ceil(size / 512)).padEnd(10)} IO Block: 4096   ${expand('%F', name, status, process)}`,
    `Access: (${(inode.mode & 0o7777).toString(8).padStart(4, '0')}/${formatMode(inode.type, inode.mode)})  Uid: (${idOf(inode.uid, process)})   Gid: (${idOf(inode.gid, process)})`,
    `Access: ${time}\nModify: ${time}\nChange: ${time}\n`,
  ].join('\n');
}

const idOf = (id: number, process: Process): string => `${String(id).padStart(5)}/${userNameOf(id, process).padStart(8)}`;

const expandFileSystem = (format: string, name: string, { mount }: FileStatus): string =>
  format.replaceAll(/%([a-zA-Z%])/g, (all, letter: string) => {
    const values: Readonly<Record<string, string>> = {
      n: name,
      T: mount.store.type,
      t: fileSystemNumbers[mount.store.type].toString(16),
      '%': '%',
    };
    return values[letter] ?? all;
  });

const describeFileSystem = (name: string, status: FileStatus): string =>
  expandFileSystem(`  File: "%n"\n    ID: 0        Namelen: 255     Type: %T\nBlock size: 4096\n`, name, status);

export const readlink: Applet = ({ args, out, path }, { container: { files }, user }) => {
  const { flags, operands } = parseOptions(args);
  let code = 0;
  for (const name of operands) {
    const status = files.find(path(name), user, flags.has('f') || flags.has('e'));
    const { inode } = status ?? {};
    if (status && (flags.has('f') || flags.has('e'))) out(`${status.path}\n`);
    else if (inode?.type === 'link') out(`${inode.target}\n`);
    else code = 1;
  }
  return code;
};
