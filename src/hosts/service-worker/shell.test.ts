import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Shell } from './shell.ts';
import type { WorkerScope } from './worker-scope.ts';

const root = 'https://host/docs/';

type Files = Readonly<Record<string, readonly [contentType: string, content: string]>>;

/** As in sw/vite-plugin.ts. */
function archiveOf(files: Files): Buffer<ArrayBuffer> {
  const entries = Object.entries(files);
  const index = entries.map(([path, [contentType, content]]) => [path, contentType, Buffer.byteLength(content)]);
  return gzipSync(`${JSON.stringify(index)}\n${entries.map(([, [, content]]) => content).join('')}`);
}

/** The caches of a browser, and a site with these archives; its other files have the content `network`. */
function createScope(archives: Readonly<Record<string, Files>>): { readonly scope: WorkerScope; readonly caches: Map<string, unknown> } {
  const caches = new Map<string, Map<string, Response>>();
  const fetch = async (request: string | Request): Promise<Response> => {
    const url = typeof request === 'string' ? request : request.url;
    const files = archives[url.slice(root.length)];
    return new Response(files ? archiveOf(files) : 'network');
  };
  const openCache = (entries: Map<string, Response>): Partial<Cache> => ({
    match: async (url) => entries.get(String(url))?.clone(),
    put: async (url, response) => void entries.set(String(url), response),
    add: async (request) => void entries.set((request as Request).url, await fetch(request as Request)),
  });
  const storage: Partial<CacheStorage> = {
    has: async (name) => caches.has(name),
    match: async (url, { cacheName = '' } = {}) => caches.get(cacheName)?.get(String(url))?.clone(),
    keys: async () => [...caches.keys()],
    delete: async (name) => caches.delete(name),
    async open(name) {
      const entries = caches.get(name) ?? new Map<string, Response>();
      caches.set(name, entries);
      return openCache(entries) as Cache;
    },
  };
  vi.stubGlobal('fetch', fetch);
  onTestFinished(() => void vi.unstubAllGlobals());
  const scope: Partial<WorkerScope> = { registration: { scope: root, active: null }, caches: storage as CacheStorage, fetch };
  return { scope: scope as WorkerScope, caches };
}

const createShell = (scope: WorkerScope, version: string): Shell =>
  new Shell(scope, { version, files: ['index.html', 'icon.svg'], archive: `assets/offline-${version}.bin` }, '');

async function load(shell: Shell, path: string): Promise<readonly [contentType: string | null, content: string]> {
  const request = new Request(root + path);
  const response = await shell.respond(request, shell.fileFor(request) ?? '');
  return [response.headers.get('content-type'), await response.text()];
}

const icon = ['image/svg+xml', '<ä>'] as const;
const archives = {
  'assets/offline-one.bin': { 'icon.svg': icon, 'assets/a-1.js': ['text/javascript', 'a(1);'], 'assets/b-1.js': ['text/javascript', ''] },
  'assets/offline-two.bin': { 'icon.svg': icon, 'assets/a-2.js': ['text/javascript', 'a(2);'] },
  'assets/offline-three.bin': {},
} as const;

test('the files of the archive have their content types and contents', async () => {
  const shell = createShell(createScope(archives).scope, 'one');
  await shell.fill();
  expect(await Promise.all(['icon.svg', 'assets/a-1.js', 'assets/b-1.js', 'assets/c-1.js', ''].map((path) => load(shell, path)))).toEqual([
    ['image/svg+xml', '<ä>'],
    ['text/javascript', 'a(1);'],
    ['text/javascript', ''],
    ['text/plain;charset=UTF-8', 'network'],
    ['text/plain;charset=UTF-8', 'network'],
  ]);
});

test('files of the previous version are loaded, and those of older ones are not', async () => {
  const { scope, caches } = createScope(archives);
  for (const version of ['one', 'two', 'three']) await createShell(scope, version).fill();
  const shell = createShell(scope, 'three');
  await shell.deleteOld();
  expect([...caches.keys()]).toEqual(['tabplane-shell-two', 'tabplane-shell-three']);
  expect([await load(shell, 'assets/a-2.js'), await load(shell, 'assets/a-1.js')]).toEqual([
    ['text/javascript', 'a(2);'],
    ['text/plain;charset=UTF-8', 'network'],
  ]);
});

test('a deleted copy is not completed after a file is loaded', async () => {
  const { scope, caches } = createScope(archives);
  const shell = createShell(scope, 'one');
  await shell.fill();
  await shell.delete();
  expect((await load(shell, 'icon.svg'))[1]).toBe('network');
  await createShell(scope, 'one').resume();
  expect([...caches.keys()]).toEqual([]);
});
