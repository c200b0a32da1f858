// The same server in memory and on an etcd of one member, beside each other: what the store costs.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiClient } from './api-client.mjs';
import { median } from './measure.mjs';
import { configMap } from './objects.mjs';
import { root, start } from './start.mjs';

export const goals = {};

const collection = '/api/v1/namespaces/default/configmaps';
const width = 16;
const creates = 500;
const gets = 1_000;

/** @returns {Promise<Record<string, number>>} */
export async function benchEtcd() {
  if (spawnSync('etcd', ['--version']).status !== 0) {
    console.log('\netcd: skipped, there is none on the PATH');
    return {};
  }
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-bench-'));
  const etcd = await startEtcd(folder);
  const servers = {};
  try {
    servers['in memory'] = await startServer(folder);
    servers['on etcd'] = await startServer(folder, '--etcd-servers', etcd.url);
    const rounds = { 'in memory': [], 'on etcd': [] };
    for (let round = 0; round < 4; round++) {
      // The first round warms both up.
      for (const [name, { url }] of Object.entries(servers)) {
        const figures = await measured(url, round);
        if (round > 0) rounds[name].push(figures);
      }
    }
    return compared(rounds);
  } finally {
    for (const { stop } of Object.values(servers)) stop();
    await etcd.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function compared(rounds) {
  const results = {};
  for (const name of Object.keys(rounds['in memory'][0])) {
    const [memory, etcd] = ['in memory', 'on etcd'].map((where) => median(rounds[where].map((figures) => figures[name])));
    results[`${name}, in memory`] = memory;
    results[`${name}, on etcd`] = etcd;
    results[`${name}, on etcd as a part of memory's`] = etcd / memory;
  }
  return results;
}

async function measured(url, round) {
  const client = createApiClient({ baseUrl: url, token: 'admin-token', connections: width });
  const name = (i) => `r${round}-${i % creates}`;
  const figures = {
    'creates a second, 16 at once': await rateOf(creates, (i) => client.send('POST', collection, configMap(name(i)))),
    'gets a second, 16 at once': await rateOf(gets, (i) => client.send('GET', `${collection}/${name(i)}`)),
    'lists of the namespace a second': await rateOf(20, () => client.send('GET', collection)),
  };
  client.end();
  return figures;
}

async function rateOf(count, run) {
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) await run(next++);
    }),
  );
  return (count / (performance.now() - started)) * 1000;
}

function startServer(folder, ...flags) {
  const tokens = join(root, 'test/conformance/tokens.csv');
  const common = ['serve', '--insecure', '--names', 'kubernetes', '--token-auth-file', tokens, '--kubeconfig', join(folder, 'kubeconfig')];
  return start([join(root, 'dist/node/tabplane.js'), ...common, ...flags]);
}

async function startEtcd(folder) {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const flags = { 'data-dir': join(folder, 'etcd'), 'listen-client-urls': client, 'advertise-client-urls': client };
  const peers = { 'listen-peer-urls': peer, 'initial-advertise-peer-urls': peer, 'initial-cluster': `default=${peer}` };
  const words = Object.entries({ ...flags, ...peers }).map(([flag, value]) => `--${flag}=${value}`);
  const child = spawn('etcd', words, { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    url: client,
    stop() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
