import { FileError, type FileSystem } from '../../shell/index.ts';
import { type Errno, SystemError } from '../files/file-error.ts';
import type { FileTree } from '../files/file-tree.ts';
import { type Credentials, isPermitted, permissions } from '../files/walk.ts';
import type { Process } from './process.ts';

const codes: Readonly<Partial<Record<Errno, FileError['code']>>> = {
  EACCES: 'refused',
  EISDIR: 'is-directory',
  ENOENT: 'not-found',
  ENOSPC: 'no-space',
  ENOTDIR: 'not-directory',
  EROFS: 'read-only',
};

/** Paths of the output of the first process. */
const outputs: Readonly<Record<string, 'stdout' | 'stderr'>> = { '/proc/1/fd/1': 'stdout', '/proc/1/fd/2': 'stderr' };

/** The files of a process, for its shell. */
export function shellFilesOf({ container, user }: Process): FileSystem {
  const { files } = container;
  const attempt = <Result>(run: () => Result): Promise<Result> => Promise.resolve().then(() => translate(run));
  return {
    kind: async (path) => {
      const type = files.find(path, user)?.inode.type;
      return type && (type === 'directory' ? 'directory' : 'file');
    },
    read: (path) =>
      attempt(() => (files.find(path, user) || !isMissing(() => files.status(path, user)) ? files.read(path, user) : undefined)),
    write: (path, content) => attempt(() => files.write(path, content, user)),
    list: (path) => attempt(() => files.list(path, user)),
    makeDirectory: (path) => attempt(() => makeParents(path, (one) => files.makeDirectory(one, user))),
    remove: (path) => attempt(() => files.remove(path, user)),
    test: (operator, path) => testFile(operator, path, files, user),
    open(path, append) {
      const output = outputs[path];
      const encoder = new TextEncoder();
      const bytesOf = (chunk: string | Uint8Array): Uint8Array => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
      if (output) return (chunk) => container.writeOutput(output, bytesOf(chunk));
      const file = translate(() => files.open(path, user, { append }));
      return (chunk) => translate(() => file.write(bytesOf(chunk)));
    },
  };
}

/** File operators of `test`; those of sockets, pipes and block devices are never true. */
function testFile(operator: string, path: string, files: FileTree, user: Credentials): boolean {
  const { inode, size = 0 } = files.find(path, user, operator !== '-L' && operator !== '-h') ?? {};
  if (!inode) return false;
  const isOf: Readonly<Record<string, () => boolean>> = {
    '-a': () => true,
    '-e': () => true,
    '-c': () => inode.type === 'device',
    '-d': () => inode.type === 'directory',
    '-f': () => inode.type === 'file' || inode.type === 'virtual',
    '-g': () => (inode.mode & 0o2000) !== 0,
    '-h': () => inode.type === 'link',
    '-k': () => (inode.mode & 0o1000) !== 0,
    '-r': () => isPermitted(inode, permissions.read, user),
    '-s': () => size > 0,
    '-u': () => (inode.mode & 0o4000) !== 0,
    '-w': () => isPermitted(inode, permissions.write, user),
    '-x': () => isPermitted(inode, permissions.execute, user),
    '-L': () => inode.type === 'link',
    '-O': () => inode.uid === user.uid,
    '-G': () => inode.gid === user.gid,
  };
  return isOf[operator]?.() ?? false;
}

function isMissing(access: () => unknown): boolean {
  try {
    access();
    return false;
  } catch (error) {
    return error instanceof SystemError && error.code === 'ENOENT';
  }
}

/** Creates a directory with its parents; those that exist stay. */
export function makeParents(path: string, make: (path: string) => void): void {
  const parts = path.split('/').filter((part) => part !== '');
  for (let count = 1; count <= parts.length; count++) {
    try {
      make(`/${parts.slice(0, count).join('/')}`);
    } catch (error) {
      const isKnown = error instanceof SystemError && (error.code === 'EEXIST' || (count < parts.length && error.code === 'EROFS'));
      if (!isKnown) throw error;
    }
  }
}

function translate<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new FileError(codes[error.code] ?? 'other', error.message);
  }
}
