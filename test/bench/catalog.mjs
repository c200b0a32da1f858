// The cost of the catalog of kinds: its bytes in the bundle, and the memory of a cluster that has read every type.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createCluster } from '../../dist/node/library.js';
import { heapMB } from './measure.mjs';

export const goals = {
  'catalog, gz bytes': { atMost: 150_000 },
  'memory of a cluster with every type read, MB': { atMost: 12 },
};

const data = new URL('../../src/schema/data/', import.meta.url);

/** @returns {Promise<Record<string, number>>} by name, which ends in the unit */
export async function benchCatalog() {
  const shipped = readdirSync(data).filter((name) => name.endsWith('.json') && name !== 'types-default.json');
  const bytes = shipped.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, data)), { level: 9 }).length, 0);
  const before = heapMB();
  const cluster = await createCluster({ names: 'kubernetes' });
  await readEverything(cluster);
  const usedMB = heapMB() - before;
  await cluster.close();
  return { 'catalog, gz bytes': bytes, 'memory of a cluster with every type read, MB': usedMB };
}

/** The OpenAPI v3 documents contain every field of every kind. */
async function readEverything(cluster) {
  const get = async (target) => {
    const headers = new Headers({ authorization: 'Bearer admin-token', accept: 'application/json' });
    const { status, body } = await cluster.handle({
      method: 'GET',
      target,
      headers,
      body: undefined,
      signal: new AbortController().signal,
    });
    if (status !== 200) throw new Error(`${target}: ${status}`);
    return JSON.parse(String(body));
  };
  const { paths } = await get('/openapi/v3');
  for (const { serverRelativeURL } of Object.values(paths)) await get(serverRelativeURL);
}
