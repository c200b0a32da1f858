import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const endpoints = '/api/v1/namespaces/default/endpoints/kubernetes';
const slice = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';

const ipsOf = async ({ send }: Pick<TestCluster, 'send'>): Promise<readonly string[] | undefined> => {
  const { subsets } = bodyOf(await send('GET', endpoints)) as {
    readonly subsets?: readonly { readonly addresses: readonly { readonly ip: string }[] }[];
  };
  const { endpoints: own } = bodyOf(await send('GET', slice)) as {
    readonly endpoints?: readonly { readonly addresses: readonly string[] }[];
  };
  const ips = subsets?.flatMap(({ addresses }) => addresses.map(({ ip }) => ip));
  expect(own?.flatMap(({ addresses }) => addresses) ?? []).toEqual(ips ?? []);
  return ips;
};

test('creates the Endpoints and the EndpointSlice of the Service kubernetes with the advertised address', async () => {
  const { send } = await startTestCluster({ advertiseAddress: { ip: '192.0.2.1', port: 7443 } });
  const ports = [{ name: 'https', port: 7443, protocol: 'TCP' }];
  expect(bodyOf(await send('GET', endpoints))).toMatchObject({
    metadata: { managedFields: [{ manager: 'kube-apiserver' }] },
    subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports }],
  });
  expect(bodyOf(await send('GET', slice))).toMatchObject({
    metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: true } }],
    ports,
  });
  const service = bodyOf(await send('GET', '/api/v1/namespaces/default/services/kubernetes'));
  expect(service['spec']).toMatchObject({
    clusterIP: '10.96.0.1',
    ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 7443 }],
  });
});

test('creates deleted objects and resets changed ones after ten seconds', async () => {
  const cluster = await startTestCluster();
  await cluster.send('DELETE', endpoints);
  const change = { endpoints: [{ addresses: ['192.0.2.9'] }] };
  await cluster.send('PATCH', slice, change, { 'content-type': 'application/merge-patch+json' });
  expect((await cluster.send('GET', endpoints)).status).toBe(404);
  await cluster.clock.advance(10_000);
  await expect.poll(() => ipsOf(cluster)).toEqual(['172.18.0.1']);
});

test('writes the port of a single server again after a restart', async () => {
  const storage = createMemoryKeySpace(createManualClock());
  await startTestCluster({ storage, advertiseAddress: { ip: '192.0.2.1', port: 6443 } });
  const { send } = await startTestCluster({ storage, advertiseAddress: { ip: '192.0.2.1', port: 7443 } });
  expect(bodyOf(await send('GET', endpoints))).toMatchObject({ subsets: [{ ports: [{ port: 7443 }] }] });
  expect(bodyOf(await send('GET', slice))).toMatchObject({ ports: [{ port: 7443 }] });
});

test('shares the endpoints with the other servers on the store by leases', async () => {
  // A server that stops closes its connection only.
  const storage = Object.assign(createMemoryKeySpace(createManualClock()), { close: () => Promise.resolve() });
  const serverOn = (ip: string) => startTestCluster({ storage, sharedStorage: true, advertiseAddress: { ip, port: 6443 } });
  const first = await serverOn('192.0.2.1');
  const second = await serverOn('192.0.2.2');
  expect(await ipsOf(first)).toEqual(['192.0.2.1', '192.0.2.2']);
  await second.close();
  expect(await ipsOf(first)).toEqual(['192.0.2.1']);
  // The lease of a crashed server expires in etcd.
  const third = await serverOn('192.0.2.3');
  const lease = await storage.get('/registry/masterleases/192.0.2.3');
  expect(await ipsOf(first)).toEqual(['192.0.2.1', '192.0.2.3']);
  await storage.commit({ key: '/registry/masterleases/192.0.2.3', expected: lease?.revision ?? 0, value: undefined });
  await first.clock.advance(10_000);
  await expect.poll(() => ipsOf(first)).toEqual(['192.0.2.1']);
  await third.clock.advance(10_000);
  await expect.poll(() => ipsOf(first)).toEqual(['192.0.2.1', '192.0.2.3']);
});

test('reports addresses that no endpoint can have, and goes on', async () => {
  const { log, clock, send } = await startTestCluster({ advertiseAddress: { ip: '127.0.0.1', port: 6443 } });
  expect(log.lines.map(({ event }) => event)).toContain('unable to sync kubernetes service');
  expect((await send('GET', endpoints)).status).toBe(404);
  await clock.advance(10_000);
});

test('writes no endpoints with --endpoint-reconciler-type=none', async () => {
  expect(await ipsOf(await startTestCluster({ endpointReconcilerType: 'none' }))).toBeUndefined();
});
