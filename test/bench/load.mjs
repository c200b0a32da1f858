#!/usr/bin/env node
// Measures the load on one server: this one, or a real API server to compare with.
//   node test/bench/load.mjs --base-url https://127.0.0.1:6443 --token T [--pids 12,34] [--part operations|lists|fan-out] [--json FILE]
// `--pids` are the server's processes, including its store: their processor time is reported for each operation.
import { writeFileSync } from 'node:fs';
import { createApiClient } from './api-client.mjs';
import { cpuMsOf, memoryOf } from './cpu-of.mjs';
import { median } from './measure.mjs';
import { configMap, deployment, pod } from './objects.mjs';
import { table } from './table.mjs';

const usualRounds = 3;
const maps = (namespace) => `/api/v1/namespaces/${namespace}/configmaps`;

/** One request for each index; the object names are unique to a round. */
const operations = {
  'create a ConfigMap':
    ({ namespace, run }) =>
    (i) => ['POST', maps(namespace), configMap(`${run}-${i}`)],
  'get it':
    ({ namespace, run, count }) =>
    (i) => ['GET', `${maps(namespace)}/${run}-${i % count}`],
  'update it':
    ({ namespace, run, count, versions }) =>
    (i) => [
      'PUT',
      `${maps(namespace)}/${run}-${i % count}`,
      configMap(`${run}-${i % count}`, { annotations: { i: `${i}` }, ...versions?.[i] }),
    ],
  'merge patch it':
    ({ namespace, run, count }) =>
    (i) => ['PATCH', `${maps(namespace)}/${run}-${i % count}`, `{"data":{"n":"${i}"}}`, 'application/merge-patch+json'],
  'apply a Deployment':
    ({ namespace, run, count }) =>
    (i) => [
      'PATCH',
      `/apis/apps/v1/namespaces/${namespace}/deployments/${run}-${i % Math.ceil(count / 4)}?fieldManager=bench&force=true`,
      deployment(`${run}-${i % Math.ceil(count / 4)}`, i),
      'application/apply-patch+yaml',
    ],
};

/** Sends `count` requests over `connections` concurrent connections. */
async function inParallel(client, connections, count, make) {
  let next = 0;
  const work = async () => {
    while (next < count) {
      const [method, path, payload, type] = make(next++);
      await client.send(method, path, payload, type === undefined ? {} : { type });
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

/** Creates `count` ConfigMaps. */
export function fill(client, namespace, count) {
  return inParallel(client, 64, count, (i) => ['POST', maps(namespace), configMap(`fill-${i}`)]);
}

async function measureRun(target, run, count) {
  const cpu = target.pids.length > 0 ? cpuMsOf(target.pids) : 0;
  const started = performance.now();
  await run();
  const ms = performance.now() - started;
  return { ms, rate: (count / ms) * 1000, cpuMs: target.pids.length > 0 ? (cpuMsOf(target.pids) - cpu) / count : undefined };
}

async function inNamespace(target, run) {
  const client = createApiClient({ ...target, connections: 64 });
  const namespace = `bench-${Math.random().toString(36).slice(2, 8)}`;
  try {
    await client.send('POST', '/api/v1/namespaces', `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"${namespace}"}}`);
    return await run(client, namespace);
  } finally {
    for (const path of [maps(namespace), `/api/v1/namespaces/${namespace}/pods`, `/apis/apps/v1/namespaces/${namespace}/deployments`])
      await client.send('DELETE', path).catch(() => {});
    await client.send('DELETE', `/api/v1/namespaces/${namespace}`).catch(() => {});
    client.end();
  }
}

/** @param {{ baseUrl: string, token: string, pids: number[] }} target */
export function benchOperations(target, { count = 1000, connections = [1, 16, 64], rounds = usualRounds } = {}) {
  return inNamespace(target, async (warm, namespace) => {
    const figures = {};
    // Warms the server up, as in normal use.
    for (const make of Object.values(operations)) await inParallel(warm, 16, count, make({ namespace, run: 'warm', count }));
    for (const width of connections) {
      const client = createApiClient({ ...target, connections: width });
      const results = Object.fromEntries(Object.keys(operations).map((name) => [name, []]));
      for (let round = 0; round < rounds; round++) {
        const at = { namespace, run: `w${width}r${round}`, count };
        for (const [name, make] of Object.entries(operations))
          results[name].push(await measureRun(target, () => inParallel(client, width, count, make(at)), count));
      }
      client.end();
      for (const [name, all] of Object.entries(results)) {
        figures[`${name}, ${width} at once, a second`] = median(all.map(({ rate }) => rate));
        if (target.pids.length > 0) figures[`${name}, ${width} at once, CPU ms`] = median(all.map(({ cpuMs }) => cpuMs));
      }
    }
    return figures;
  });
}

export function benchLists(target, { pods = 10_000, rounds = usualRounds } = {}) {
  return inNamespace(target, async (client, namespace) => {
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const before = target.pids.length > 0 ? memoryOf(target.pids) : undefined;
    await client.send('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, '{"metadata":{"name":"default"}}').catch(() => {});
    await inParallel(client, 16, pods, (i) => ['POST', path, pod(`pod-${i}`)]);
    const whole = (query) => async () => void (await client.send('GET', path + query));
    const paged = async () => {
      for (let token = '', first = true; first || token !== ''; first = false) {
        const more = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
        token =
          /"continue":"([^"]+)"/.exec(
            (await client.send('GET', `${path}?limit=500${more}`, undefined, { withBody: true })).toString('latin1', 0, 2000),
          )?.[1] ?? '';
      }
    };
    const figures = {};
    if (before !== undefined) {
      figures[`memory with ${pods.toLocaleString('en')} pods, MB`] = memoryOf(target.pids);
      figures['memory per pod, KB'] = ((memoryOf(target.pids) - before) * 1024) / pods;
    }
    for (const [name, run] of [
      ['whole', whole('')],
      ['resourceVersion=0', whole('?resourceVersion=0')],
      ['in pages of 500', paged],
    ]) {
      const all = [];
      for (let round = 0; round < rounds + 1; round++) all.push(await measureRun(target, run, 1));
      // The first round warms up.
      figures[`list of ${pods.toLocaleString('en')} pods, ${name}, ms`] = median(all.slice(1).map(({ ms }) => ms));
      if (target.pids.length > 0)
        figures[`list of ${pods.toLocaleString('en')} pods, ${name}, CPU ms`] = median(all.slice(1).map(({ cpuMs }) => cpuMs));
    }
    return figures;
  });
}

/** From the first change until every watcher has all of them. */
export function benchFanOut(target, { watchers = 1000, changes = 100, rounds = usualRounds } = {}) {
  return inNamespace(target, async (client, namespace) => {
    const { metadata } = JSON.parse((await client.send('GET', `${maps(namespace)}?limit=1`, undefined, { withBody: true })).toString());
    const watching = createApiClient({ ...target, connections: watchers });
    const all = [];
    for (let round = 0; round < rounds; round++) {
      let missing = watchers * changes;
      let finish = () => {};
      const done = new Promise((resolve) => {
        finish = resolve;
      });
      const { resourceVersion } =
        round === 0
          ? metadata
          : JSON.parse((await client.send('GET', `${maps(namespace)}?limit=1`, undefined, { withBody: true })).toString()).metadata;
      const path = `${maps(namespace)}?watch=true&resourceVersion=${resourceVersion}`;
      const onLine = () => {
        if (--missing === 0) finish();
      };
      const ends = [];
      // In batches, since a server's connection backlog is short.
      for (let at = 0; at < watchers; at += 50)
        ends.push(...(await Promise.all(Array.from({ length: 50 }, () => watching.watch(path, onLine)))));
      all.push(
        await measureRun(
          target,
          async () => {
            for (let i = 0; i < changes; i++) await client.send('POST', maps(namespace), configMap(`r${round}-${i}`));
            await done;
          },
          1,
        ),
      );
      for (const end of ends) end();
    }
    watching.end();
    const name = `${watchers.toLocaleString('en')} watchers have ${changes} changes`;
    return {
      [`${name}, ms`]: median(all.map(({ ms }) => ms)),
      ...(target.pids.length > 0 ? { [`${name}, CPU ms`]: median(all.map(({ cpuMs }) => cpuMs)) } : {}),
    };
  });
}

/** Parses the flag `12,34`; without it processor time and memory are not measured. */
export const pidsOf = (flag) => (flag ?? '').split(',').filter(Boolean).map(Number);

export const parts = { operations: benchOperations, lists: benchLists, 'fan-out': benchFanOut };

if (process.argv[1]?.endsWith('load.mjs')) await main(process.argv.slice(2));

async function main(words) {
  const flag = (name) => (words.includes(`--${name}`) ? words[words.indexOf(`--${name}`) + 1] : undefined);
  const [baseUrl, token] = [flag('base-url'), flag('token')];
  if (baseUrl === undefined || token === undefined) {
    console.log('usage: node test/bench/load.mjs --base-url URL --token T [--pids 12,34] [--part operations|lists|fan-out] [--json FILE]');
    process.exit(2);
  }
  const target = { baseUrl, token, pids: pidsOf(flag('pids')) };
  const all = {};
  for (const [name, bench] of Object.entries(parts)) {
    if ((flag('part') ?? name) !== name) continue;
    all[name] = await bench(target);
    console.log(`\n${name}\n${table(all[name], {})}`);
  }
  const json = flag('json');
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(all, null, 2)}\n`);
}
