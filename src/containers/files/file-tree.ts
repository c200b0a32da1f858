import type { Clock } from '../../env/index.ts';
import { SystemError } from './file-error.ts';
import {
  contentOf,
  createDirectory,
  createFile,
  createLink,
  type Directory,
  type Inode,
  type RegularFile,
  type SpecialFile,
} from './inode.ts';
import type { Mount, MountTable } from './mount-table.ts';
import { type Credentials, isPermitted, makeWritable, type Place, permissions, walk } from './walk.ts';

/** A process as far as files are concerned. */
export interface FileUser extends Credentials {
  /** Bits that new files do not get. */
  umask: number;
}

export interface FileStatus {
  readonly inode: Inode;
  readonly mount: Mount;
  readonly path: string;
  readonly size: number;
}

/** A file that is open for writing. */
export interface OpenFile {
  /** @throws SystemError ENOSPC */
  write(bytes: Uint8Array): void;
}

/** The files of a container, as its processes see them. Paths are absolute. All methods throw SystemError. */
export class FileTree {
  readonly mounts: MountTable;
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(mounts: MountTable, clock: Pick<Clock, 'nowMs'>) {
    this.mounts = mounts;
    this.#clock = clock;
  }

  status(path: string, user: Credentials, follow = true): FileStatus {
    const { inode, mount, path: found } = this.#existing(path, user, follow);
    return { inode, mount, path: found, size: inode.type === 'file' ? inode.size : inode.type === 'link' ? inode.target.length : 0 };
  }

  /** Undefined: there is no such file, or it cannot be reached. */
  find(path: string, user: Credentials, follow = true): FileStatus | undefined {
    try {
      return this.status(path, user, follow);
    } catch (error) {
      if (error instanceof SystemError) return undefined;
      throw error;
    }
  }

  /** Of endless devices, `limit` bytes are read. */
  read(path: string, user: Credentials, limit = 65_536): Uint8Array {
    const { inode } = this.#existing(path, user);
    if (inode.type === 'directory') throw new SystemError('EISDIR');
    if (!isPermitted(inode, permissions.read, user)) throw new SystemError('EACCES');
    if (inode.type === 'file') return contentOf(inode);
    return inode.type === 'link' ? new Uint8Array() : inode.read(limit);
  }

  /** The names in a directory, sorted. */
  list(path: string, user: Credentials): readonly string[] {
    const { inode, path: found } = this.#existing(path, user);
    if (inode.type !== 'directory') throw new SystemError('ENOTDIR');
    if (!isPermitted(inode, permissions.read, user)) throw new SystemError('EACCES');
    return [...new Set([...inode.entries.keys(), ...this.mounts.namesIn(found)])].sort();
  }

  /** Opens a file for writing, which is created if it is missing. */
  open(
    path: string,
    user: FileUser,
    { append = false, mode = 0o666 }: { readonly append?: boolean; readonly mode?: number } = {},
  ): OpenFile {
    const place = walk(path, this.mounts, user);
    const { inode } = place;
    if (inode?.type === 'directory') throw new SystemError('EISDIR');
    if (inode?.type === 'device' || inode?.type === 'virtual') return openSpecial(inode, user);
    if (!inode)
      return this.#writer(
        this.#create(place, user, (owner) => createFile('', { ...owner, mode: mode & ~user.umask })),
        place.mount,
      );
    if (!isPermitted(inode, permissions.write, user)) throw new SystemError('EACCES');
    const file = makeWritable(place).inode;
    if (file?.type !== 'file') throw new SystemError('EINVAL');
    if (!append) this.#truncate(file, place.mount);
    return this.#writer(file, place.mount);
  }

  write(path: string, content: string | Uint8Array, user: FileUser, mode = 0o666): void {
    this.open(path, user, { mode }).write(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  }

  makeDirectory(path: string, user: FileUser, mode = 0o777): void {
    const place = walk(path, this.mounts, user);
    if (place.inode) throw new SystemError('EEXIST');
    this.#create(place, user, (owner, parent) => createDirectory({ ...owner, mode: (mode & ~user.umask) | (parent.mode & 0o2000) }));
  }

  makeLink(target: string, path: string, user: FileUser): void {
    const place = walk(path, this.mounts, user, false);
    if (place.inode) throw new SystemError('EEXIST');
    this.#create(place, user, (owner) => createLink(target, owner));
  }

  /** A second name of a file. */
  makeHardLink(from: string, path: string, user: FileUser): void {
    const source = walk(from, this.mounts, user, false);
    const place = walk(path, this.mounts, user, false);
    if (!source.inode) throw new SystemError('ENOENT');
    if (source.inode.type === 'directory') throw new SystemError('EPERM');
    if (place.inode) throw new SystemError('EEXIST');
    if (source.mount !== place.mount) throw new SystemError('EXDEV');
    const { inode } = makeWritable(source);
    if (!inode) throw new SystemError('ENOENT');
    this.#create(walk(path, this.mounts, user, false), user, () => inode);
    if (inode.type === 'file') inode.links++;
  }

  /** Removes a file, or an empty directory if `directory` is set. */
  remove(path: string, user: Credentials, directory = false): void {
    const place = this.#existing(path, user, false);
    const { inode } = place;
    if (this.mounts.at(place.path)) throw new SystemError('EBUSY');
    if (!directory && inode.type === 'directory') throw new SystemError('EISDIR');
    if (directory && inode.type !== 'directory') throw new SystemError('ENOTDIR');
    if (inode.type === 'directory' && inode.entries.size > 0) throw new SystemError('ENOTEMPTY');
    const { parent } = makeWritable(place);
    if (!parent) throw new SystemError('EBUSY');
    checkEntryChange(parent, inode, user);
    parent.entries.delete(place.name);
    parent.mtimeMs = this.#clock.nowMs();
    if (inode.type === 'file' && --inode.links === 0 && !inode.isShared) place.mount.store.resize(-inode.size);
  }

  rename(from: string, to: string, user: Credentials): void {
    const source = this.#existing(from, user, false);
    const target = walk(to, this.mounts, user, false);
    if (source.mount !== target.mount) throw new SystemError('EXDEV');
    if (`${target.path}/`.startsWith(`${source.path}/`) && target.path !== source.path) throw new SystemError('EINVAL');
    if (target.inode?.type === 'directory' && target.inode.entries.size > 0) throw new SystemError('ENOTEMPTY');
    const { parent, inode } = makeWritable(source);
    if (!parent || !inode) throw new SystemError('EBUSY');
    checkEntryChange(parent, inode, user);
    const other = makeWritable(walk(to, this.mounts, user, false)).parent;
    if (!other) throw new SystemError('EBUSY');
    checkEntryChange(other, target.inode, user);
    if (target.path === source.path) return;
    parent.entries.delete(source.name);
    other.entries.set(target.name, inode);
    if (target.inode?.type === 'file' && --target.inode.links === 0) target.mount.store.resize(-target.inode.size);
  }

  changeMode(path: string, mode: number, user: Credentials): void {
    this.#changeAttributes(path, user, (inode) => {
      if (user.uid !== 0 && user.uid !== inode.uid) throw new SystemError('EPERM');
      inode.mode = mode & 0o7777;
    });
  }

  changeOwner(path: string, uid: number | undefined, gid: number | undefined, user: Credentials, follow = true): void {
    this.#changeAttributes(
      path,
      user,
      (inode) => {
        const isOwnGroup =
          uid === undefined && user.uid === inode.uid && (gid === undefined || gid === user.gid || user.groups.includes(gid));
        if (user.uid !== 0 && !isOwnGroup) throw new SystemError('EPERM');
        inode.uid = uid ?? inode.uid;
        inode.gid = gid ?? inode.gid;
      },
      follow,
    );
  }

  changeTime(path: string, mtimeMs: number, user: Credentials): void {
    this.#changeAttributes(path, user, (inode) => {
      if (!isPermitted(inode, permissions.write, user)) throw new SystemError('EACCES');
      inode.mtimeMs = mtimeMs;
    });
  }

  #changeAttributes(path: string, user: Credentials, change: (inode: Inode) => void, follow = true): void {
    const { inode } = makeWritable(this.#existing(path, user, follow));
    if (!inode) throw new SystemError('ENOENT');
    change(inode);
  }

  #existing(path: string, user: Credentials, follow = true): Place & { readonly inode: Inode } {
    const place = walk(path, this.mounts, user, follow);
    const { inode } = place;
    if (!inode || (path.endsWith('/') && inode.type !== 'directory')) throw new SystemError(inode ? 'ENOTDIR' : 'ENOENT');
    return { ...place, inode };
  }

  #create<Some extends Inode>(
    place: Place,
    user: Credentials,
    make: (owner: { uid: number; gid: number; mtimeMs: number }, parent: Directory) => Some,
  ): Some {
    const { parent } = makeWritable(place);
    if (!parent) throw new SystemError('ENOENT');
    if (!isPermitted(parent, permissions.write, user)) throw new SystemError('EACCES');
    // Files in a directory with the setgid bit get its group.
    const gid = parent.mode & 0o2000 ? parent.gid : user.gid;
    const inode = make({ uid: user.uid, gid, mtimeMs: this.#clock.nowMs() }, parent);
    parent.entries.set(place.name, inode);
    parent.mtimeMs = this.#clock.nowMs();
    return inode;
  }

  #truncate(file: RegularFile, mount: Mount): void {
    mount.store.resize(-file.size);
    file.size = 0;
    file.buffer = new Uint8Array();
    file.mtimeMs = this.#clock.nowMs();
  }

  #writer(file: RegularFile, { store }: Mount): OpenFile {
    return {
      write: (bytes) => {
        store.resize(bytes.length);
        if (file.buffer.length < file.size + bytes.length) {
          const larger = new Uint8Array(Math.max(256, (file.size + bytes.length) * 2));
          larger.set(contentOf(file));
          file.buffer = larger;
        }
        file.buffer.set(bytes, file.size);
        file.size += bytes.length;
        file.mtimeMs = this.#clock.nowMs();
      },
    };
  }
}

function openSpecial(inode: SpecialFile, user: Credentials): OpenFile {
  if (!isPermitted(inode, permissions.write, user)) throw new SystemError('EACCES');
  return { write: (bytes) => inode.write(bytes) };
}

/** Whether entries of a directory may be removed or replaced. In one with the sticky bit, only by the owner of the file or directory. */
function checkEntryChange(parent: Directory, inode: Inode | undefined, user: Credentials): void {
  if (!isPermitted(parent, permissions.write, user)) throw new SystemError('EACCES');
  const isOwner = user.uid === 0 || user.uid === parent.uid || user.uid === inode?.uid;
  if (parent.mode & 0o1000 && inode && !isOwner) throw new SystemError('EPERM');
}
