import type { FileTree } from '../files/file-tree.ts';
import { contentOf, createFile, type RegularFile } from '../files/inode.ts';
import { type Credentials, isPermitted, permissions } from '../files/walk.ts';

/** The content of executable files of images: a mark and the name of the program. */
const mark = '\u007fELF program ';

/** An executable file of an image. `program` ends with `*` for a file that runs the program by which it is called. */
export const createExecutable = (program: string, mode = 0o755): RegularFile => createFile(`${mark}${program}\n`, { mode, isShared: true });

/** What a path or name executes. */
export type Executable =
  | { readonly type: 'program'; readonly name: string; readonly isSetUid: boolean }
  | { readonly type: 'script'; readonly interpreter: readonly string[]; readonly path: string }
  | { readonly type: 'missing' }
  | { readonly type: 'refused' };

/** Finds an executable by its path, or by its name in the folders of PATH. */
export function findExecutable(command: string, path: string, directory: string, files: FileTree, user: Credentials): Executable {
  if (command.includes('/')) return executableAt(command.startsWith('/') ? command : `${directory}/${command}`, files, user);
  let result: Executable = { type: 'missing' };
  for (const folder of path.split(':')) {
    const found = executableAt(`${folder}/${command}`, files, user);
    if (found.type === 'program' || found.type === 'script') return found;
    if (found.type === 'refused') result = found;
  }
  return result;
}

function executableAt(path: string, files: FileTree, user: Credentials): Executable {
  const inode = files.find(path, user)?.inode;
  if (!inode) return { type: 'missing' };
  if (inode.type !== 'file' || !isPermitted(inode, permissions.execute, user)) return { type: 'refused' };
  const [line = ''] = new TextDecoder().decode(contentOf(inode).subarray(0, 256)).split('\n', 1);
  if (line.startsWith(mark)) {
    const name = line.slice(mark.length);
    return { type: 'program', name: name.endsWith('*') ? (path.split('/').at(-1) ?? '') : name, isSetUid: (inode.mode & 0o4000) !== 0 };
  }
  const interpreter = line.startsWith('#!') ? line.slice(2).trim().split(/\s+/) : ['/bin/sh'];
  return { type: 'script', interpreter, path };
}
