import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiClient } from '../client/index.ts';
import { startTestCluster, type TestCluster } from '../cluster/test-cluster.test-support.ts';
import { productByName } from '../meta/index.ts';
import { apiextensionsv1CustomResourceDefinitions } from '../schema/api/index.ts';
import { type DiscoveredResource, discoverResources } from './discovered-resources.ts';

const product = productByName('kubernetes');
let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startTestCluster({ product });
});
afterEach(() => cluster.close());

test('discovers new resources, and returns the same list while there are none', async () => {
  const client = new ApiClient({ api: cluster.adminApi, product, signal: new AbortController().signal });
  const first = await discoverResources({ client, product });
  expect(first).toContainEqual(expect.objectContaining({ group: 'apps', version: 'v1', name: 'deployments', isPreferred: true }));
  expect(await discoverResources({ client, product })).toBe(first);
  const schema = { openAPIV3Schema: { type: 'object' } };
  await client.resource(apiextensionsv1CustomResourceDefinitions).create({
    metadata: { name: 'tools.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'tools', kind: 'Tool' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  const discovered = async (): Promise<DiscoveredResource | undefined> => {
    await cluster.clock.advance(1_000);
    return (await discoverResources({ client, product })).find(({ kind }) => kind === 'Tool');
  };
  await expect.poll(discovered).toMatchObject({ group: 'example.com' });
  const second = await discoverResources({ client, product });
  expect(second).toHaveLength(first.length + 1);
  expect(await discoverResources({ client, product })).toBe(second);
});
