/** Attributes of every file. Modes are permission bits with setuid, setgid and sticky bit. */
interface Attributes {
  mode: number;
  uid: number;
  gid: number;
  mtimeMs: number;
  /** Part of an image, which several containers share: it is copied before a change. */
  readonly isShared: boolean;
}

export interface Directory extends Attributes {
  readonly type: 'directory';
  readonly entries: Map<string, Inode>;
}

export interface RegularFile extends Attributes {
  readonly type: 'file';
  /** May be longer than the content. */
  buffer: Uint8Array;
  size: number;
  /** Number of names. */
  links: number;
}

export interface SymbolicLink extends Attributes {
  readonly type: 'link';
  readonly target: string;
}

/** A device, or a file of /proc and /sys. */
export interface SpecialFile extends Attributes {
  readonly type: 'device' | 'virtual';
  /** The content; of endless devices at most `limit` bytes. */
  read(limit: number): Uint8Array;
  /** @throws SystemError */
  write(bytes: Uint8Array): void;
}

export type Inode = Directory | RegularFile | SymbolicLink | SpecialFile;

export type Owner = Partial<Pick<Attributes, 'uid' | 'gid' | 'mode' | 'mtimeMs' | 'isShared'>>;

const attributesOf = (defaultMode: number, { uid = 0, gid = 0, mode = defaultMode, mtimeMs = 0, isShared = false }: Owner): Attributes => ({
  mode,
  uid,
  gid,
  mtimeMs,
  isShared,
});

/** Not by a spread: V8 creates a hidden class of 280 bytes for each object that is made of another one with a fractional number. */
const withAttributes = <Own extends object>(attributes: Attributes, own: Own): Attributes & Own => Object.assign(attributes, own);

export const createDirectory = (owner: Owner = {}, entries: Iterable<readonly [string, Inode]> = []): Directory =>
  withAttributes(attributesOf(0o755, owner), { type: 'directory', entries: new Map(entries) });

export const createLink = (target: string, owner: Owner = {}): SymbolicLink =>
  withAttributes(attributesOf(0o777, owner), { type: 'link', target });

export function createFile(content: string | Uint8Array, owner: Owner = {}): RegularFile {
  const buffer = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return withAttributes(attributesOf(0o644, owner), { type: 'file', buffer, size: buffer.length, links: 1 });
}

/** A file whose text is computed when it is read. */
export const createVirtualFile = (text: () => string, owner: Owner = {}): SpecialFile =>
  withAttributes(attributesOf(0o444, owner), { type: 'virtual', read: () => new TextEncoder().encode(text()), write: ignoreWrite });

const ignoreWrite = (): void => {};

export const createDevice = ({ read, write }: Pick<SpecialFile, 'read' | 'write'>): SpecialFile =>
  withAttributes(attributesOf(0o666, {}), { type: 'device', read, write });

/** A copy that may be changed; the entries of a directory stay shared. */
export function copyInode<Some extends Inode>(inode: Some): Some;
export function copyInode(inode: Inode): Inode {
  const { mode, uid, gid, mtimeMs } = inode;
  const owner = { mode, uid, gid, mtimeMs };
  switch (inode.type) {
    case 'directory':
      return createDirectory(owner, inode.entries);
    case 'file':
      return createFile(inode.buffer.slice(0, inode.size), owner);
    case 'link':
      return createLink(inode.target, owner);
    default:
      return withAttributes(attributesOf(mode, owner), { type: inode.type, read: inode.read, write: inode.write });
  }
}

export const contentOf = ({ buffer, size }: RegularFile): Uint8Array => buffer.subarray(0, size);
