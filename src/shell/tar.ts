/** A member of a tar archive. */
export interface TarEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'link' | 'hard-link';
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Seconds since 1970. */
  readonly mtime: number;
  /** Of links. */
  readonly target: string;
  /** Of files. */
  readonly content: Uint8Array;
}

/** An archive that cannot be read. */
export class TarError extends Error {}

const blockBytes = 512;
const blocksOf = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;
const noContent: Uint8Array = new Uint8Array();

/** Offsets and lengths of the fields of a header. Cf. POSIX.1-1988 ustar. */
const fields = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  target: [157, 100],
  magic: [257, 6],
  version: [263, 2],
  prefix: [345, 155],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;

type Field = keyof typeof fields;

const typeFlags = { file: '0', 'hard-link': '1', link: '2', directory: '5' } as const;
const typesByFlag: Readonly<Record<string, TarEntry['type']>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '1': 'hard-link',
  '2': 'link',
  '5': 'directory',
};

/** The header and the content of a member. Names longer than 100 bytes get a member of their own, as in GNU tar. */
export function* formatTarEntry(entry: TarEntry): Generator<Uint8Array> {
  const { name, type, target, content } = entry;
  if (byteLength(target) > 100) yield* formatLongText('K', target);
  if (byteLength(name) > 100) yield* formatLongText('L', name);
  const size = type === 'file' ? content.length : 0;
  yield formatHeader({ ...entry, size, flag: typeFlags[type] });
  if (size > 0) yield padded(content.subarray(0, size));
}

/** Ends an archive. */
export const tarEnd: Uint8Array = new Uint8Array(2 * blockBytes);

function* formatLongText(flag: string, text: string): Generator<Uint8Array> {
  const content = new TextEncoder().encode(`${text}\0`);
  yield formatHeader({ name: '././@LongLink', target: '', mode: 0, uid: 0, gid: 0, mtime: 0, size: content.length, flag });
  yield padded(content);
}

type Header = Pick<TarEntry, 'name' | 'target' | 'mode' | 'uid' | 'gid' | 'mtime'> & { readonly size: number; readonly flag: string };

function formatHeader({ name, target, mode, uid, gid, mtime, size, flag }: Header): Uint8Array {
  const header = new Uint8Array(blockBytes);
  const setText = (field: Field, text: string): void => {
    const [offset, length] = fields[field];
    header.set(new TextEncoder().encode(text).subarray(0, length), offset);
  };
  const setNumber = (field: Field, value: number): void => setText(field, `${value.toString(8).padStart(fields[field][1] - 1, '0')}\0`);
  setText('name', name);
  setNumber('mode', mode);
  setNumber('uid', uid);
  setNumber('gid', gid);
  setNumber('size', size);
  setNumber('mtime', mtime);
  setText('type', flag);
  setText('target', target);
  setText('magic', 'ustar ');
  setText('version', ' \0');
  setText('checksum', `${checksumOf(header).toString(8).padStart(6, '0')}\0 `);
  return header;
}

/** The sum of all bytes, with spaces for the checksum itself. */
function checksumOf(header: Uint8Array): number {
  const [offset, length] = fields.checksum;
  return header.reduce((sum, byte, at) => sum + (at >= offset && at < offset + length ? 0x20 : byte), 0);
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

function padded(content: Uint8Array): Uint8Array {
  const blocks = new Uint8Array(blocksOf(content.length));
  blocks.set(content);
  return blocks;
}

/** Texts of members before the one that they belong to. */
interface Overrides {
  name?: string | undefined;
  target?: string | undefined;
}

/** Reads the members of an archive in the formats ustar, GNU and pax. @throws TarError */
export function* readTar(archive: Uint8Array): Generator<TarEntry> {
  let overrides: Overrides = {};
  for (let at = 0; at + blockBytes <= archive.length; ) {
    const header = archive.subarray(at, at + blockBytes);
    if (header.every((byte) => byte === 0)) return;
    if (readNumber(header, 'checksum') !== checksumOf(header)) throw new TarError('invalid tar magic');
    const size = readNumber(header, 'size');
    const flag = String.fromCharCode(header[fields.type[0]] ?? 0);
    const content = archive.subarray(at + blockBytes, at + blockBytes + size);
    if (content.length < size) throw new TarError('short read');
    at += blockBytes + blocksOf(size);
    if (flag === 'L') overrides.name = untilZero(content);
    else if (flag === 'K') overrides.target = untilZero(content);
    else if (flag === 'x') overrides = { ...overrides, ...readPaxRecords(content) };
    else if (flag in typesByFlag) {
      yield readEntry(header, typesByFlag[flag] ?? 'file', content, overrides);
      overrides = {};
    }
  }
}

function readEntry(header: Uint8Array, type: TarEntry['type'], content: Uint8Array, overrides: Overrides): TarEntry {
  const prefix = readField(header, 'magic') === 'ustar' ? readField(header, 'prefix') : '';
  const ownName = readField(header, 'name');
  return {
    name: overrides.name ?? (prefix === '' ? ownName : `${prefix}/${ownName}`),
    type,
    mode: readNumber(header, 'mode') & 0o7777,
    uid: readNumber(header, 'uid'),
    gid: readNumber(header, 'gid'),
    mtime: readNumber(header, 'mtime'),
    target: overrides.target ?? readField(header, 'target'),
    content: type === 'file' ? content : noContent,
  };
}

/** `LENGTH KEY=VALUE\n`, of which the length counts all bytes. */
function readPaxRecords(content: Uint8Array): Overrides {
  const found: Overrides = {};
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(new TextDecoder().decode(content.subarray(at, space)));
    if (space < 0 || !(length > 0)) throw new TarError('corrupted extended header');
    const [key, value] = new TextDecoder().decode(content.subarray(space + 1, at + length - 1)).split(/=([\s\S]*)/, 2);
    if (key === 'path') found.name = value;
    if (key === 'linkpath') found.target = value;
    at += length;
  }
  return found;
}

const untilZero = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
};

function readField(header: Uint8Array, field: Field): string {
  const [offset, length] = fields[field];
  return untilZero(header.subarray(offset, offset + length));
}

/** Octal digits, or a binary number with the first bit set. */
function readNumber(header: Uint8Array, field: Field): number {
  const [offset, length] = fields[field];
  const first = header[offset] ?? 0;
  if (first < 0x80) return Number.parseInt(readField(header, field).trim() || '0', 8);
  return header.subarray(offset + 1, offset + length).reduce((value, byte) => value * 256 + byte, first & 0x7f);
}
