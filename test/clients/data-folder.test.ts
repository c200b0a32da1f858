import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { httpTransport } from '../conformance/http-transport.ts';
import { builtFolder, startServer, tokenFile } from '../servers/start-server.ts';

const program = join(builtFolder, 'tabplane.js');
const canCreateNamespaces = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-data-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface JsonResponse {
  readonly status: number;
  readonly json: { readonly message?: string; readonly items?: readonly unknown[] };
}

async function request(url: string, method: string, target: string, body?: object): Promise<JsonResponse> {
  const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json', accept: 'application/json' };
  const answer = await httpTransport(url)({ method, target, headers, body: body && JSON.stringify(body) });
  let text = '';
  for await (const chunk of answer.chunks) text += Buffer.from(chunk).toString();
  return { status: answer.status, json: JSON.parse(text) };
}

const configMaps = '/api/v1/namespaces/default/configmaps';

function createConfigMap(url: string, name: string, characters = 1): Promise<JsonResponse> {
  return request(url, 'POST', configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { text: 'x'.repeat(characters) },
  });
}

interface RunningProgram {
  readonly process: ChildProcess;
  output(): string;
  /** Resolves with the first match in the output; rejects when the program ends before. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  readonly exited: Promise<number | null>;
}

function run(command: string, ...words: readonly string[]): RunningProgram {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  undo.push(() => child.kill('SIGKILL'));
  let text = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (const listener of listeners) listener();
    });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    process: child,
    output: () => text,
    exited,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const match = pattern.exec(text);
          if (match) resolve(match);
        };
        listeners.add(check);
        check();
        void exited.then((code) => reject(new Error(`ended with ${code}: ${text}`)));
      }),
  };
}

/** Without controllers, whose writes could follow those of the test. */
function serveFlags(folder: string): readonly string[] {
  return ['serve', '--token-auth-file', tokenFile, '--data-dir', folder, '--controllers='];
}

test('files are private under any umask, and the default kubeconfig is removed at the end', async () => {
  const parent = newFolder();
  chmodSync(parent, 0o755);
  const [folder, audit, policy] = [join(parent, 'data'), join(parent, 'audit.log'), join(parent, 'policy.yaml')];
  writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
  const flags = ['--names', 'kubernetes', '--data-dir', folder, '--audit-policy-file', policy, '--audit-log-path', audit];
  for (const umask of ['000', '377']) {
    const server = run('sh', '-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, program, 'serve', ...flags);
    const [, kubeconfig = ''] = await server.waitFor(/kubeconfig (\S+)/);
    const files = [kubeconfig, audit, ...readdirSync(folder).map((name) => join(folder, name))];
    const modes = [folder, dirname(kubeconfig), ...files].map((path) => [path, (statSync(path).mode & 0o777).toString(8)]);
    expect(modes).toEqual([[folder, '700'], [dirname(kubeconfig), umask === '000' ? '700' : '400'], ...files.map((path) => [path, '600'])]);
    server.process.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    expect(existsSync(dirname(kubeconfig))).toBe(false);
  }
});

test('a kubeconfig given by a flag is retained and made private', async () => {
  const kubeconfig = join(newFolder(), 'kubeconfig');
  writeFileSync(kubeconfig, 'an older one');
  chmodSync(kubeconfig, 0o644);
  const server = run(process.execPath, program, 'serve', '--kubeconfig', kubeconfig);
  await server.waitFor(/serving on/);
  expect((statSync(kubeconfig).mode & 0o777).toString(8)).toBe('600');
  expect(server.output()).toContain('other users had access to private files');
  server.process.kill('SIGTERM');
  await server.exited;
  expect(readFileSync(kubeconfig, 'utf8')).toContain('kind: Config');
});

/** Bytes of the log that a server has recorded as acknowledged. */
function acknowledgedBytes(folder: string): number {
  const owners = readdirSync(folder).filter((name) => name.startsWith('owner-'));
  const recorded = owners.map((name) => /"acknowledged":\{"segment":0,"bytes":(\d+)/.exec(readFileSync(join(folder, name), 'utf8')));
  return Math.max(0, ...recorded.map((match) => Number(match?.[1] ?? 0)));
}

test('a log truncated below the acknowledged size is rejected, and repaired by `repair --write`', async () => {
  const folder = newFolder();
  const server = run(process.execPath, program, ...serveFlags(folder));
  const [, url = ''] = await server.waitFor(/serving on (\S+)/);
  for (const name of ['one', 'two']) expect((await createConfigMap(url, name)).status).toBe(201);
  const log = join(folder, 'log-0');
  // The acknowledged size is recorded after the response.
  const { size } = statSync(log);
  await expect.poll(() => acknowledgedBytes(folder)).toBeGreaterThanOrEqual(size);
  server.process.kill('SIGKILL');
  await server.exited;
  const text = readFileSync(log);
  // From the acknowledged record on: a write of the server's own that follows may not have been acknowledged.
  const at = text.lastIndexOf('\n', text.indexOf('/configmaps/default/two')) + 1;
  truncateSync(log, at);
  const refused = run(process.execPath, program, ...serveFlags(folder));
  expect(await refused.exited).toBe(1);
  const [, acknowledged] = await refused.waitFor(
    new RegExp(`log-0 is damaged at byte ${at}: the file ends there, but (\\d+) bytes of it were acknowledged`),
  );
  expect(Number(acknowledged)).toBeLessThanOrEqual(text.length);
  expect(refused.output()).toContain(`tabplane repair --data-dir ${folder}`);
  const repairing = run(process.execPath, program, 'repair', '--data-dir', folder, '--write');
  expect(await repairing.exited).toBe(0);
  const [, copy = ''] = await repairing.waitFor(/copied to (\S+),/);
  undo.push(() => rmSync(copy, { recursive: true }));
  expect(statSync(join(copy, 'log-0')).size).toBe(at);
  const repaired = run(process.execPath, program, ...serveFlags(folder));
  const [, again = ''] = await repaired.waitFor(/serving on (\S+)/);
  expect((await request(again, 'GET', `${configMaps}/one`)).status).toBe(200);
  expect((await request(again, 'GET', `${configMaps}/two`)).status).toBe(404);
});

test('a server takes over the folder of a killed one immediately, and never that of a running one', async () => {
  const folder = newFolder();
  const first = run(process.execPath, program, ...serveFlags(folder));
  const [, url = ''] = await first.waitFor(/serving on (\S+)/);
  const refused = run(process.execPath, program, ...serveFlags(folder));
  expect(await refused.exited).toBe(1);
  expect(refused.output()).toContain(`process ${first.process.pid} on `);
  expect((await createConfigMap(url, 'one')).status).toBe(201);
  first.process.kill('SIGKILL');
  await first.exited;
  const second = run(process.execPath, program, ...serveFlags(folder));
  await second.waitFor(/serving on (\S+)/);
  // Without waiting for a lease.
  expect(second.output()).not.toContain('waiting for a sign of life');
});

test.runIf(canCreateNamespaces)(
  'in another PID namespace a server fails to start while the first is alive, and fences a stopped one',
  async () => {
    const folder = newFolder();
    const first = run(process.execPath, program, ...serveFlags(folder));
    const [, url = ''] = await first.waitFor(/serving on (\S+)/);
    const inNamespace = ['--pid', '--fork', '--mount-proc', '--kill-child', process.execPath, program, ...serveFlags(folder)];
    const refused = run('unshare', ...inNamespace);
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toContain(`process ${first.process.pid} on `);
    expect((await createConfigMap(url, 'acknowledged')).status).toBe(201);

    // Stopped in the middle of its writes.
    const writes = Array.from({ length: 20 }, (_, index) => createConfigMap(url, `late-${index}`).catch(() => undefined));
    first.process.kill('SIGSTOP');
    const second = run('unshare', ...inNamespace);
    const [, secondUrl = ''] = await second.waitFor(/serving on (\S+)/);
    const listed = async (): Promise<readonly unknown[]> => (await request(secondUrl, 'GET', configMaps)).json.items ?? [];
    const before = await listed();
    expect((await request(secondUrl, 'GET', `${configMaps}/acknowledged`)).status).toBe(200);
    expect((await createConfigMap(secondUrl, 'second')).status).toBe(201);

    first.process.kill('SIGCONT');
    expect(await first.exited).toBe(1);
    expect(first.output()).toContain(`another process has taken over ${folder}`);
    const names = new Set((await Promise.all(writes)).flatMap((answer, index) => (answer?.status === 201 ? [`late-${index}`] : [])));
    // Its acknowledged writes were durable before it was stopped.
    for (const name of names) expect((await request(secondUrl, 'GET', `${configMaps}/${name}`)).status, name).toBe(200);
    expect(await listed()).toHaveLength(before.length + 1);

    spawnSync('pkill', ['-TERM', '-P', String(second.process.pid)]);
    await second.exited;
    const third = run(process.execPath, program, ...serveFlags(folder));
    const [, thirdUrl = ''] = await third.waitFor(/serving on (\S+)/);
    expect((await request(thirdUrl, 'GET', configMaps)).json.items).toHaveLength(before.length + 1);
  },
);

function mountSmallDisk(): string | undefined {
  const folder = newFolder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m,mode=700', 'tmpfs', folder]).status !== 0) return undefined;
  undo.push(() => spawnSync('umount', ['--lazy', folder]));
  return folder;
}

test('a full disk rejects writes as a full etcd does, accepts deletes, and accepts writes again', async ({ skip }) => {
  const folder = mountSmallDisk();
  if (folder === undefined) return skip('no tmpfs can be mounted here');
  const flags = ['--token-auth-file', tokenFile, '--data-dir', folder];
  const first = await startServer(...flags);
  let count = 0;
  const fill = async (url: string): Promise<void> => {
    let last = await createConfigMap(url, `map-${count}`, 100_000);
    while (last.status === 201) last = await createConfigMap(url, `map-${++count}`, 100_000);
    expect([last.status, last.json.message]).toEqual([500, 'etcdserver: mvcc: database space exceeded']);
  };
  await fill(first.url);
  expect(count).toBeGreaterThan(50);
  expect((await request(first.url, 'GET', configMaps)).json.items?.length).toBeGreaterThanOrEqual(count);
  first.process.kill('SIGKILL');
  await first.stop();

  const second = await startServer(...flags);
  expect((await request(second.url, 'GET', `${configMaps}/map-${count - 1}`)).status).toBe(200);
  await fill(second.url);
  const left = Math.floor(count / 3);
  for (let index = left; index < count; index++)
    expect((await request(second.url, 'DELETE', `${configMaps}/map-${index}`)).status).toBe(200);
  await expect.poll(async () => (await createConfigMap(second.url, 'new', 100_000)).status, { timeout: 30_000 }).not.toBe(500);
  expect(await second.stop()).toBe(0);

  const third = await startServer(...flags);
  for (const [name, status] of [
    ['map-0', 200],
    [`map-${left - 1}`, 200],
    [`map-${left}`, 404],
    ['new', 200],
  ] as const)
    expect((await request(third.url, 'GET', `${configMaps}/${name}`)).status, name).toBe(status);
  await third.stop();
});

test('the metrics show the size of the data folder, and none for objects in memory', async () => {
  const folder = newFolder();
  const sizeOf = async (...flags: readonly string[]): Promise<string | undefined> => {
    const server = await startServer('--token-auth-file', tokenFile, '--controllers=', ...flags);
    try {
      const { chunks } = await httpTransport(server.url)({
        method: 'GET',
        target: '/metrics',
        headers: { authorization: 'Bearer admin-token' },
        body: undefined,
      });
      let text = '';
      for await (const chunk of chunks) text += Buffer.from(chunk).toString();
      return /^apiserver_storage_size_bytes\{storage_cluster_id="etcd-0"\} (.*)$/m.exec(text)?.[1];
    } finally {
      await server.stop();
    }
  };
  const allocated = Number(await sizeOf('--data-dir', folder));
  expect(allocated).toBeGreaterThan(100_000);
  expect(await sizeOf()).toBeUndefined();
});
