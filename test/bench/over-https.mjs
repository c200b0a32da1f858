// The load of load.mjs on this server: over https, in memory and with its data on disk; and how long it takes to start.
import { createApiClient } from './api-client.mjs';
import { benchFanOut, benchLists, benchOperations, fill } from './load.mjs';
import { median } from './measure.mjs';
import { inFolder, serveArguments, start } from './serving.mjs';

// Fractions of the real server's time, including its store (16 connections): an eighth for writes, a third for reads.
export const goals = {
  'ready after start, ms': { atMost: 150 },
  'create a ConfigMap, 16 at once, CPU ms': { atMost: 0.11 },
  'get it, 16 at once, CPU ms': { atMost: 0.14 },
  'update it, 16 at once, CPU ms': { atMost: 0.165 },
  'merge patch it, 16 at once, CPU ms': { atMost: 0.21 },
  'apply a Deployment, 16 at once, CPU ms': { atMost: 0.49 },
  'memory with 10,000 pods, MB': { atMost: 150 },
  'list of 10,000 pods, whole, ms': { atMost: 120 },
  'list of 10,000 pods, in pages of 500, ms': { atMost: 165 },
  '1,000 watchers have 100 changes, ms': { atMost: 1_000 },
};

export const inMemory = () => [];
export const onDisk = (folder) => ['--data-dir', `${folder}/data`];

/** Runs with this server in a temporary folder; `flagsIn` returns its flags for that folder. */
export function withServer(flagsIn, run) {
  return inFolder(async (folder) => {
    const server = await start(serveArguments(folder, ...flagsIn(folder)));
    try {
      return await run({ baseUrl: server.url, token: 'admin-token', pids: [server.pid] });
    } finally {
      await server.stop();
    }
  });
}

async function readyMs() {
  const times = [];
  for (let round = 0; round < 3; round++) {
    const { readyMs, stop } = await inFolder((folder) => start(serveArguments(folder)));
    await stop();
    times.push(readyMs);
  }
  return median(times);
}

/** @returns {Promise<Record<string, number>>} */
export async function benchOverHttps() {
  return {
    'ready after start, ms': await readyMs(),
    ...(await withServer(inMemory, benchOperations)),
    ...(await withServer(inMemory, benchLists)),
    ...(await withServer(inMemory, benchFanOut)),
  };
}

export const durableGoals = {
  'create a ConfigMap, 16 at once, CPU ms': { atMost: 0.18 },
  'update it, 16 at once, CPU ms': { atMost: 0.26 },
};

/** With `--data-dir`: acknowledged writes are on disk. */
export async function benchDurable() {
  const figures = await withServer(onDisk, (target) => benchOperations(target, { count: 500 }));
  for (const objects of [10_000, 50_000])
    figures[`ready again with ${objects.toLocaleString('en')} objects, ms`] = await restartMs(objects);
  return figures;
}

function restartMs(objects) {
  return inFolder(async (folder) => {
    const serve = serveArguments(folder, ...onDisk(folder));
    const first = await start(serve);
    const client = createApiClient({ baseUrl: first.url, token: 'admin-token', connections: 64 });
    await fill(client, 'default', objects);
    client.end();
    await first.stop();
    const again = await start(serve);
    await again.stop();
    return again.readyMs;
  });
}
