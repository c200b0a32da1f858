import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryLog } from '../../../env/index.ts';
import { parseFlags, start } from '../main.ts';
import { createNodeEnv, createStderrLog } from '../node-env.ts';
import type { Serving } from '../serve.ts';
import { parseComponentFlags } from './component-flags.ts';
import { runComponents } from './run-components.ts';

let folder: string;
let kubeconfig: string;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'components-'));
  kubeconfig = join(folder, 'kubeconfig');
  ends.push(() => rm(folder, { recursive: true }));
});
afterEach(async () => {
  for (let end = ends.pop(); end; end = ends.pop()) await end();
});

async function serve(...words: readonly string[]): Promise<Serving> {
  const failed = (error: unknown): never => {
    throw error;
  };
  const serving = await start(parseFlags(['--kubeconfig', kubeconfig, '--controllers=', '--insecure', ...words]), {
    createLog: createStderrLog,
    warn: () => undefined,
    storageLost: failed,
  });
  ends.push(() => serving.close());
  return serving;
}

for (const names of ['kubernetes', 'svc']) {
  test(`controllers, scheduler and nodes of ${names} run as clients of a server without them`, async () => {
    const { url, adminToken } = await serve('--names', names);
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    const deployments = `${url}/apis/apps/v1/namespaces/default/deployments`;
    const labels = { app: 'web' };
    const containers = [{ name: 'c', image: 'nginx' }];
    const template = { metadata: { labels }, spec: { containers } };
    const body = JSON.stringify({ metadata: { name: 'web' }, spec: { replicas: 2, selector: { matchLabels: labels }, template } });
    const log = createMemoryLog();
    const flags = parseComponentFlags(['--kubeconfig', kubeconfig, '--names', names, '--leader-elect=false', '--nodes', '1']);
    ends.push(await runComponents(flags, createNodeEnv(log)));
    expect((await fetch(deployments, { method: 'POST', headers, body })).status).toBe(201);
    const read = async (): Promise<unknown> => (await fetch(`${deployments}/web`, { headers })).json();
    await expect.poll(read, { timeout: 100_000 }).toMatchObject({ status: { availableReplicas: 2 } });
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  }, 120_000);
}

test('a missing kubeconfig and a wrong CA are refused', async () => {
  const env = createNodeEnv(createMemoryLog());
  await expect(runComponents(parseComponentFlags(['--kubeconfig', join(folder, 'none')]), env)).rejects.toThrow(
    'no such file or directory',
  );
  await serve('--names', 'kubernetes');
  const broken = join(folder, 'ca.pem');
  await writeFile(broken, 'no PEM');
  const flags = ['--kubeconfig', kubeconfig, '--cluster-signing-cert-file', broken, '--cluster-signing-key-file', broken];
  await expect(runComponents(parseComponentFlags(flags), env)).rejects.toThrow(`error reading CA from ${broken}`);
});
