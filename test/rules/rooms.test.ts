import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { banned, packages, platformRooms, rooms } from './rooms.ts';

const src = new URL('../../src/', import.meta.url).pathname;
const importPattern = /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const files: readonly SourceFile[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path.includes(sep))
  .map((path) => {
    const text = readFileSync(join(src, path), 'utf8');
    const code = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '$1');
    const imports = [...code.matchAll(importPattern)].map((m) => m[1] ?? m[2] ?? '');
    return { path, room: path.split(sep)[0] ?? '', text: code, imports };
  });

/** What `file` imports, as [room, path inside src]; packages come back with room undefined. */
function target(file: SourceFile, specifier: string): { room?: string; path: string } {
  if (!specifier.startsWith('.')) return { path: specifier };
  const path = relative(src, join(src, dirname(file.path), specifier));
  return { room: path.split(sep)[0] ?? '', path };
}

/** `room/index.ts`, or `room/part/index.ts` where a room has parts one may want alone. */
const isDoor = (path: string): boolean => /^[^/]+(\/[^/]+)?\/index\.ts$/.test(path);

test('every folder under src is a room in the table', () => {
  const folders = readdirSync(src, { withFileTypes: true })
    .filter((e) => e.isDirectory())
    .map((e) => e.name);
  expect(folders.filter((name) => !(name in rooms))).toEqual([]);
});

test('the table looks only upwards, so it has no cycle', () => {
  const order = Object.keys(rooms);
  const downward = order.flatMap((room, at) =>
    (rooms[room] ?? []).filter((other) => order.indexOf(other) >= at).map((other) => `${room} -> ${other}`),
  );
  expect(downward).toEqual([]);
});

test('a room imports only its neighbours in the table, and through their door', () => {
  const wrong = files.flatMap((file) =>
    file.imports.flatMap((specifier) => {
      const { room, path } = target(file, specifier);
      if (room === undefined || room === file.room) return [];
      if (!rooms[file.room]?.includes(room)) return [`${file.path} -> ${path}`];
      return isDoor(path) ? [] : [`${file.path} -> ${path} (not a door)`];
    }),
  );
  expect(wrong).toEqual([]);
});

/** What supports tests keeps to the rooms, and may use what tests use. */
const shipped = files.filter(({ path }) => !path.endsWith('.test-support.ts'));

test('a room uses only the packages the table gives it', () => {
  const wrong = shipped.flatMap((file) =>
    file.imports
      .filter((specifier) => !specifier.startsWith('.'))
      .map((specifier) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      .filter((name) => !packages[file.room]?.includes(name) && !(file.room === 'hosts' && name.startsWith('node:')))
      .map((name) => `${file.path} -> ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('clock, chance and platform come in through env and hosts', () => {
  const wrong = files
    .filter((file) => !platformRooms.has(file.room))
    .flatMap((file) =>
      banned
        .filter(([pattern]) => pattern.test(file.text))
        .map(([pattern, instead]) => `${file.path}: ${pattern.exec(file.text)?.[0]} -> ${instead}`),
    );
  expect(wrong).toEqual([]);
});
