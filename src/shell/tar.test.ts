import { expect, test } from 'vitest';
import { concatBytes } from '../meta/index.ts';
import { formatTarEntry, readTar, type TarEntry, TarError, tarEnd } from './tar.ts';

const entry = (name: string, fields: Partial<TarEntry> = {}): TarEntry => ({
  name,
  type: 'file',
  mode: 0o640,
  uid: 1000,
  gid: 2000,
  mtime: 1_767_225_600,
  target: '',
  content: new Uint8Array(),
  ...fields,
});

const format = (entries: readonly TarEntry[]): Uint8Array => concatBytes([...entries.flatMap((one) => [...formatTarEntry(one)]), tarEnd]);

test('members are read as they were written', () => {
  const entries = [
    entry('a/', { type: 'directory', mode: 0o755 }),
    entry('a/file', { content: new TextEncoder().encode('content') }),
    entry('a/block', { content: new Uint8Array(512).fill(7) }),
    entry(`a/${'long'.repeat(60)}`, { content: Uint8Array.of(1) }),
    entry('a/link', { type: 'link', target: '../'.repeat(50) }),
    entry('a/same', { type: 'hard-link', target: 'a/file' }),
    entry('a/größe'),
  ];
  expect([...readTar(format(entries))]).toEqual(entries);
});

test('names of the formats ustar and pax are read', () => {
  const [header = new Uint8Array()] = [...formatTarEntry(entry('file'))];
  const set = (text: string, offset: number): void => header.set(new TextEncoder().encode(text), offset);
  set('ustar\x0000', 257);
  set('a/folder', 345);
  set('        ', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  set(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  expect([...readTar(concatBytes([header, tarEnd]))].map(({ name }) => name)).toEqual(['a/folder/file']);

  const records = new TextEncoder().encode('20 path=größe.txt\n');
  const pax = [...formatTarEntry(entry('PaxHeaders', { content: records }))];
  const first = pax[0] ?? new Uint8Array();
  first[156] = 'x'.charCodeAt(0);
  first.set(new TextEncoder().encode('        '), 148);
  first.set(
    new TextEncoder().encode(
      `${first
        .reduce((total, byte) => total + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
    ),
    148,
  );
  expect([...readTar(concatBytes([...pax, ...formatTarEntry(entry('short')), tarEnd]))].map(({ name }) => name)).toEqual(['größe.txt']);
});

test('a text that is no archive, and one that ends too early, are errors', () => {
  expect(() => [...readTar(new TextEncoder().encode('x'.repeat(600)))]).toThrow(new TarError('invalid tar magic'));
  const archive = format([entry('file', { content: new Uint8Array(2000) })]);
  expect(() => [...readTar(archive.subarray(0, 1024))]).toThrow(new TarError('short read'));
  expect([...readTar(new Uint8Array())]).toEqual([]);
});
