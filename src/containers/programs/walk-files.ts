import type { Write } from '../../shell/index.ts';
import type { FileTree } from '../files/file-tree.ts';
import { type Credentials, joinPath } from '../files/walk.ts';
import { attempt } from './file-attempt.ts';

/** The paths of a file and all files below it, directories before their content; links below it are not followed. */
export function* walkFiles(path: string, files: FileTree, user: Credentials, followsFirst = false): Generator<string> {
  yield path;
  if (files.status(path, user, followsFirst).inode.type !== 'directory') return;
  for (const name of files.list(path, user)) yield* walkFiles(joinPath(path, name), files, user);
}

/** Whether everything could be removed. */
export function removeRecursively(path: string, name: string, files: FileTree, user: Credentials, err: Write): boolean {
  const message = `rm: can't remove '${name}'`;
  const isDirectory = files.find(path, user, false)?.inode.type === 'directory';
  if (!isDirectory) return attempt(() => files.remove(path, user), err, message);
  let isDone = true;
  const remove = (): void => {
    for (const entry of files.list(path, user))
      isDone = removeRecursively(`${path}/${entry}`, `${name}/${entry}`, files, user, err) && isDone;
  };
  return attempt(remove, err, message) && isDone && attempt(() => files.remove(path, user, true), err, message);
}
