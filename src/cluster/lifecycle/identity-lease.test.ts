import { afterEach, expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

const contains =
  (...texts: readonly string[]) =>
  (body: Record<string, unknown>): boolean =>
    texts.every((text) => JSON.stringify(body).includes(text));

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

for (const name of ['kubernetes', 'svc'] as const) {
  test(`a server of ${name} renews the lease of its identity, and deletes the expired leases of others`, async () => {
    const product = productByName(name);
    running = await startTestCluster({ product, identity: { id: 'apiserver-a', hostname: 'vm' } });
    const path = product.rename(leases);
    const label = product.rename('apiserver.kubernetes.io/identity');
    const lease = await running.until(`${path}/apiserver-a`, contains('"renewTime"'));
    expect(lease).toMatchObject({
      metadata: { labels: { [label]: product.rename('kube-apiserver'), [product.rename('kubernetes.io/hostname')]: 'vm' } },
      spec: { leaseDurationSeconds: 3600, holderIdentity: expect.stringMatching(/^apiserver-a_/) },
    });
    await running.create(path, {
      metadata: { name: 'apiserver-b', labels: { [label]: product.rename('kube-apiserver') } },
      spec: { leaseDurationSeconds: 10, renewTime: '2001-01-01T00:00:00.000000Z' },
    });
    await running.clock.advance(15_000);
    await running.until(`${path}/apiserver-a`, (body) => JSON.stringify(body['spec']) !== JSON.stringify(lease['spec']));
    await running.until(`${path}/apiserver-b`, contains('"NotFound"'), { stepMs: 60_000 });
  });
}

test('without its gate the identity has no lease', async () => {
  running = await startTestCluster({ identity: { id: 'apiserver-a', hostname: 'vm' } }, 'APIServerIdentity=false');
  await running.clock.advance(20_000);
  expect((await running.send('GET', `${leases}/apiserver-a`)).status).toBe(404);
});
