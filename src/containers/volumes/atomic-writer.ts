import { contentOf, createDirectory, createFile, createLink, type Directory, type Inode } from '../files/inode.ts';
import type { Payload } from './payload.ts';

const dataLink = '..data';

/** The owner of the files of a volume. */
export interface VolumeOwner {
  /** `fsGroup` of the pod. */
  readonly fsGroup: number | undefined;
}

/**
 * Replaces the files of a projected volume at once: a folder with the new files becomes the target of the link `..data`. Unchanged content
 * is not written. Cf. pkg/volume/util AtomicWriter.
 */
export function writeAtomically(root: Directory, payload: Payload, { fsGroup }: VolumeOwner, nowMs: number): void {
  const link = root.entries.get(dataLink);
  const before = link?.type === 'link' ? root.entries.get(link.target) : undefined;
  if (before?.type === 'directory' && isSame(before, payload)) return;
  const folder = createDirectory({ mtimeMs: nowMs, ...groupOf(fsGroup, 0o755, true) });
  for (const [path, { bytes, mode, uid = 0 }] of payload) {
    const file = createFile(bytes, { uid, mtimeMs: nowMs, ...groupOf(fsGroup, mode, false) });
    putFile(folder, path.split('/'), file, nowMs, fsGroup);
  }
  const name = folderName(nowMs, root);
  root.entries.set(name, folder);
  root.entries.set(dataLink, createLink(name, { mtimeMs: nowMs }));
  const names = new Set([...payload.keys()].map((path) => path.split('/')[0] ?? ''));
  for (const first of names) {
    const known = root.entries.get(first);
    if (known?.type !== 'link') root.entries.set(first, createLink(`${dataLink}/${first}`, { mtimeMs: nowMs }));
  }
  for (const known of [...root.entries.keys()]) if (!known.startsWith('..') && !names.has(known)) root.entries.delete(known);
  if (link?.type === 'link') root.entries.delete(link.target);
}

/** The group of a volume may read its files, and new files of its folders get the group. Cf. pkg/volume SetVolumeOwnership. */
function groupOf(fsGroup: number | undefined, mode: number, isDirectory: boolean): { readonly mode: number; readonly gid?: number } {
  if (fsGroup === undefined) return { mode };
  return { mode: mode | 0o440 | (isDirectory ? 0o2110 : 0), gid: fsGroup };
}

function putFile(
  folder: Directory,
  [name = '', ...rest]: readonly string[],
  file: Inode,
  nowMs: number,
  fsGroup: number | undefined,
): void {
  if (rest.length === 0) {
    folder.entries.set(name, file);
    return;
  }
  const known = folder.entries.get(name);
  const child = known?.type === 'directory' ? known : createDirectory({ mtimeMs: nowMs, ...groupOf(fsGroup, 0o755, true) });
  folder.entries.set(name, child);
  putFile(child, rest, file, nowMs, fsGroup);
}

function isSame(folder: Directory, payload: Payload): boolean {
  const files = new Map(filesIn(folder, ''));
  if (files.size !== payload.size) return false;
  return [...payload].every(([path, { bytes }]) => {
    const known = files.get(path);
    return known !== undefined && known.length === bytes.length && known.every((byte, at) => byte === bytes[at]);
  });
}

function* filesIn(folder: Directory, prefix: string): Generator<[path: string, bytes: Uint8Array]> {
  for (const [name, inode] of folder.entries) {
    if (inode.type === 'directory') yield* filesIn(inode, `${prefix}${name}/`);
    else if (inode.type === 'file') yield [`${prefix}${name}`, contentOf(inode)];
  }
}

/** `..2026_01_31_12_00_00.123456789`. */
function folderName(nowMs: number, root: Directory): string {
  const time = new Date(nowMs).toISOString();
  const base = `..${time.slice(0, 19).replaceAll(/[-:T]/g, '_')}.${time.slice(20, 23)}`;
  let number = 0;
  while (root.entries.has(`${base}${String(number).padStart(6, '0')}`)) number++;
  return `${base}${String(number).padStart(6, '0')}`;
}
