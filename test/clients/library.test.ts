import { expect, test } from 'vitest';

// The built library, as a project that installs it would import it.
const built = new URL('../../dist/node/library.js', import.meta.url).href;
const { createCluster }: typeof import('../../src/hosts/node/index.ts') = await import(built);

const admin = { authorization: 'Bearer admin-token', 'content-type': 'application/json' };

test('a cluster is ready immediately, and its data is discarded on close', async () => {
  const cluster = await createCluster({ names: 'kubernetes' });
  const created = await cluster.fetch('https://cluster.test/api/v1/namespaces/default/configmaps', {
    method: 'POST',
    headers: admin,
    body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }),
  });
  expect(created.status).toBe(201);
  const listed = await cluster.fetch('https://cluster.test/api/v1/namespaces/default/configmaps', { headers: admin });
  expect((await listed.json()).items).toHaveLength(1);
  await cluster.close();
});

test('two clusters in one process are independent', async () => {
  const [one, other] = [await createCluster(), await createCluster()];
  await one.fetch('http://one.test/api/v1/namespaces', { method: 'POST', headers: admin, body: '{"metadata":{"name":"mine"}}' });
  expect((await other.fetch('http://other.test/api/v1/namespaces/mine', { headers: admin })).status).toBe(404);
  await Promise.all([one.close(), other.close()]);
});

test('a watch streams, and ends when its reader disconnects', async () => {
  const cluster = await createCluster();
  const watching = await cluster.fetch('http://c.test/api/v1/namespaces?watch=1', { headers: admin });
  const reader = watching.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  expect(JSON.parse(first.split('\n')[0] ?? '').type).toBe('ADDED');
  await reader?.cancel();
  await cluster.close();
});
