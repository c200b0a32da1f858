import { SystemError } from './file-error.ts';
import { copyInode, type Directory, type Inode } from './inode.ts';
import type { Mount, MountTable } from './mount-table.ts';

/** The user of a process. */
export interface Credentials {
  readonly uid: number;
  readonly gid: number;
  /** Supplementary groups. */
  readonly groups: readonly number[];
}

/** An entry of a directory, which may be missing. */
interface Entry {
  readonly inode: Inode | undefined;
  readonly mount: Mount;
  readonly path: string;
  readonly name: string;
}

/** One directory on the way to a file. */
interface Level extends Entry {
  inode: Inode;
}

/** Where a path leads. */
export interface Place {
  /** From the root to the parent. */
  readonly levels: readonly Level[];
  readonly name: string;
  /** The normalized path, without links. */
  readonly path: string;
  readonly mount: Mount;
  /** Undefined: only the parent exists. */
  readonly inode: Inode | undefined;
}

const maxLinks = 40;

export const permissions = { read: 4, write: 2, execute: 1 } as const;

/** Whether a user has a permission; the superuser has all of them, except to execute what nobody may execute. */
export function isPermitted({ mode, uid, gid, type }: Inode, bit: number, user: Credentials): boolean {
  if (user.uid === 0) return bit !== permissions.execute || type === 'directory' || (mode & 0o111) !== 0;
  const shift = uid === user.uid ? 6 : gid === user.gid || user.groups.includes(gid) ? 3 : 0;
  return ((mode >> shift) & bit) !== 0;
}

/**
 * Follows a path from the root, through mounts and links.
 * @throws SystemError ENOENT for a missing directory, ENOTDIR, EACCES, ELOOP
 */
export function walk(path: string, mounts: MountTable, user: Credentials, follow = true): Place {
  const root: Level = { inode: mounts.root.root, mount: mounts.root, path: '/', name: '' };
  let levels: Level[] = [root];
  const rest = partsOf(path);
  let links = 0;
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const level = levels.at(-1) ?? root;
    const directory = searchable(level.inode, user);
    if (name === '..') {
      levels = levels.slice(0, Math.max(1, levels.length - 1));
      continue;
    }
    const entry = entryOf(directory, level, name, mounts);
    const { inode } = entry;
    const isLast = rest.length === 0;
    if (!inode && !isLast) throw new SystemError('ENOENT');
    if (!inode) return placeOf(levels, entry);
    if (inode.type !== 'link' || (isLast && !follow)) {
      levels.push({ ...entry, inode });
      continue;
    }
    if (++links > maxLinks) throw new SystemError('ELOOP');
    rest.unshift(...partsOf(inode.target));
    if (inode.target.startsWith('/')) levels = [root];
  }
  return placeOf(levels.slice(0, -1), levels.at(-1) ?? root);
}

/** The mount, or the file, of a name in a directory. */
function entryOf({ entries }: Directory, level: Level, name: string, mounts: MountTable): Entry {
  const path = joinPath(level.path, name);
  const mount = mounts.at(path);
  return { name, path, mount: mount ?? level.mount, inode: mount?.root ?? entries.get(name) };
}

/** A directory whose entries the user may look up. @throws SystemError ENOTDIR, EACCES */
function searchable(inode: Inode, user: Credentials): Directory {
  if (inode.type !== 'directory') throw new SystemError('ENOTDIR');
  if (!isPermitted(inode, permissions.execute, user)) throw new SystemError('EACCES');
  return inode;
}

/** The path of an entry of a directory. */
export const joinPath = (parent: string, name: string): string => `${parent === '/' ? '' : parent}/${name}`;

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

const placeOf = (levels: readonly Level[], { inode, mount, path, name }: Entry): Place => ({ levels, name, path, mount, inode });

/** Copies what is shared on the way, and returns the file and its parent for a change. @throws SystemError EROFS */
export function makeWritable(place: Place): { readonly parent: Directory | undefined; readonly inode: Inode | undefined } {
  if (place.mount.isReadOnly) throw new SystemError('EROFS');
  let parent: Directory | undefined;
  for (const level of place.levels) {
    level.inode = ownCopy(level.inode, level.name, parent, level.mount, level.path);
    if (level.inode.type === 'directory') parent = level.inode;
  }
  const inode = place.inode && ownCopy(place.inode, place.name, parent, place.mount, place.path);
  return { parent, inode };
}

function ownCopy(inode: Inode, name: string, parent: Directory | undefined, mount: Mount, path: string): Inode {
  if (!inode.isShared) return inode;
  if (inode.type === 'file') mount.store.resize(inode.size);
  const copy = copyInode(inode);
  if (mount.path === path) mount.root = copy;
  else parent?.entries.set(name, copy);
  return copy;
}
