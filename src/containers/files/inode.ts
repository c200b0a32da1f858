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

export const createDirectory = (owner: Owner = {}, entries: Iterable<readonly [string, Inode]> = []): Directory => ({
  ...attributesOf(0o755, owner),
  type: 'directory',
  entries: new Map(entries),
});

export const createLink = (target: string, owner: Owner = {}): SymbolicLink => ({ ...attributesOf(0o777, owner), type: 'link', target });

export function createFile(content: string | Uint8Array, owner: Owner = {}): RegularFile {
  const buffer = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { ...attributesOf(0o644, owner), type: 'file', buffer, size: buffer.length, links: 1 };
}

/** A file whose text is computed when it is read. */
export const createVirtualFile = (text: () => string, owner: Owner = {}): SpecialFile => ({
  ...attributesOf(0o444, owner),
  type: 'virtual',
  read: () => new TextEncoder().encode(text()),
  write: () => {},
});

export const createDevice = (device: Pick<SpecialFile, 'read' | 'write'>): SpecialFile => ({
  ...attributesOf(0o666, {}),
  type: 'device',
  read: device.read,
  write: device.write,
});

/** A copy that may be changed; the entries of a directory stay shared. */
export function copyInode<Some extends Inode>(inode: Some): Some {
  const copy: Inode = { ...inode, isShared: false };
  if (copy.type === 'directory') return { ...copy, entries: new Map(copy.entries) } as Some;
  if (copy.type === 'file') return { ...copy, buffer: copy.buffer.slice(0, copy.size), links: 1 } as Some;
  return copy as Some;
}

export const contentOf = ({ buffer, size }: RegularFile): Uint8Array => buffer.subarray(0, size);
