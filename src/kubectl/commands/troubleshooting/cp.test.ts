import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../../env/index.ts';
import { type ApiHandler, type ApiResponse, concatBytes, type WebSocketConnection } from '../../../meta/index.ts';
import { createMemoryFiles, formatTarEntry, sourceOf, type TarEntry, tarEnd } from '../../../shell/index.ts';
import { createShell } from '../../console-shell.ts';

const archiveOf = (...entries: readonly Partial<TarEntry>[]): Uint8Array => {
  const defaults = { name: '', type: 'file', mode: 0o644, uid: 0, gid: 0, mtime: 0, target: '' } as const;
  const content = new TextEncoder().encode('text');
  return concatBytes([...entries.flatMap((entry) => [...formatTarEntry({ ...defaults, content, ...entry })]), tarEnd]);
};

/** A container whose `tar` prints an archive. */
function execResponse(archive: Uint8Array): ApiResponse {
  const serve = async (socket: WebSocketConnection): Promise<void> => {
    await socket.send(Uint8Array.of(1, ...archive));
    await socket.send(concatBytes([Uint8Array.of(3), new TextEncoder().encode('{"status":"Success"}')]));
    await socket.close();
  };
  return { status: 101, headers: [], body: undefined, upgrade: { kind: 'websocket', protocol: undefined, serve, cancel: () => {} } };
}

const kubeconfig = JSON.stringify({
  clusters: [{ name: 'a', cluster: { server: 'https://a.test' } }],
  contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  'current-context': 'a',
  users: [{ name: 'a', user: { token: 't' } }],
});
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'box', namespace: 'default' }, spec: { containers: [{ name: 'c' }] } };

/** Runs a line in /home/me; returns its output and the contents of all files below /home. */
async function run(line: string, archive: Uint8Array): Promise<{ output: string; files: Record<string, string> }> {
  const api: ApiHandler = async ({ target }) =>
    target.includes('/exec')
      ? execResponse(archive)
      : { status: 200, headers: [['content-type', 'application/json']], body: JSON.stringify(pod) };
  const files = createMemoryFiles({ '/home/me/.kube/config': kubeconfig });
  const shell = createShell({
    env: { clock: createManualClock(0), random: createSeededRandom(1), log: createMemoryLog() },
    files,
    connect: () => api,
    variables: { HOME: '/home/me', PWD: '/home/me' },
  });
  let output = '';
  const write = (chunk: string | Uint8Array): void => {
    output += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
  };
  await shell.run(line, { input: sourceOf(''), out: write, err: write, signal: new AbortController().signal });
  const contents: Record<string, string> = {};
  const collect = async (path: string): Promise<void> => {
    const content = await files.read(path);
    if (content) contents[path] = new TextDecoder().decode(content);
    else for (const name of await files.list(path)) if (name !== '.kube') await collect(`${path}/${name}`);
  };
  await collect('/home');
  return { output, files: contents };
}

test('a copied file has the path that was given, also relative to a folder above', async () => {
  const { output, files } = await run('kubectl cp box:/tmp/a ../other/b', archiveOf({ name: 'tmp/a' }));
  expect(output).toBe('');
  expect(files).toEqual({ '/home/other/b': 'text' });
});

test('members with names outside of the target are skipped, and links', async () => {
  const archive = archiveOf({ name: 'tmp/d/../../../me/x' }, { name: 'tmp/d/l', type: 'link', target: 'x' }, { name: 'tmp/d/in' });
  const { output, files } = await run('kubectl cp box:/tmp/d back', archive);
  expect(output.split('\n')[0]).toBe('warning: file "../../me/x" is outside target destination, skipping');
  expect(output).toContain('warning: skipping symlink: "back/l" -> "x"');
  expect(files).toEqual({ '/home/me/back/in': 'text' });
});

test('an archive with other names is corrupted', async () => {
  const { output, files } = await run('kubectl cp box:/tmp/a b', archiveOf({ name: 'etc/a' }));
  expect(output).toBe('error: tar contents corrupted\n');
  expect(files).toEqual({});
});
