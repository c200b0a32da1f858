import { afterEach, expect, test } from 'vitest';
import { bodyOf, passTime } from '../test-cluster.test-support.ts';
import { startWorkloadCluster, type WorkloadCluster } from './workload.test-support.ts';

let running: WorkloadCluster;
afterEach(() => running.close());

const settle = (): Promise<void> => passTime(running.clock, 3);

const base = '/api/v1/namespaces/default';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
type Slice = { readonly metadata: { readonly labels: Readonly<Record<string, string>> } } & Readonly<Record<string, unknown>>;

async function slicesOf(service: string): Promise<readonly Slice[]> {
  const { items } = bodyOf(await running.send('GET', slices)) as { items: readonly Slice[] };
  return items.filter(({ metadata }) => metadata.labels['kubernetes.io/service-name'] === service);
}

test('ready pods become endpoints of their service, and Endpoints of services without a selector are mirrored', async () => {
  running = await startWorkloadCluster('endpoints-controller', 'endpointslice-controller', 'endpointslice-mirroring-controller');
  const { send } = running;
  await settle();
  await send('POST', '/api/v1/nodes', { metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'z1' } } });
  await send('POST', `${base}/services`, { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
  await settle();
  expect(await slicesOf('web')).toMatchObject([{ endpoints: null, ports: null }]);
  await send('DELETE', `${base}/endpoints/web`);
  await settle();
  expect(bodyOf(await send('GET', `${base}/endpoints/web`))).toMatchObject({ kind: 'Endpoints' });
  const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] };
  await send('POST', `${base}/pods`, { metadata: { name: 'a', labels: { app: 'web' } }, spec });
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:30Z' }];
  const status = { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], conditions };
  await send('PATCH', `${base}/pods/a/status`, { status }, { 'content-type': 'application/merge-patch+json' });
  await settle();
  expect(await slicesOf('web')).toMatchObject([
    {
      metadata: { annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:30Z' } },
      endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true, serving: true, terminating: false }, nodeName: 'n1', zone: 'z1' }],
      ports: [{ name: '', port: 80, protocol: 'TCP' }],
    },
  ]);
  expect(bodyOf(await send('GET', `${base}/endpoints/web`))).toMatchObject({
    metadata: { labels: { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } },
    subsets: [{ addresses: [{ ip: '10.0.0.1', nodeName: 'n1' }], ports: [{ port: 80, protocol: 'TCP' }] }],
  });
  await send('DELETE', `${base}/pods/a`, { gracePeriodSeconds: 0 });
  await settle();
  expect(await slicesOf('web')).toMatchObject([{ endpoints: null, ports: null }]);

  await send('POST', `${base}/services`, { metadata: { name: 'db' }, spec: { ports: [{ port: 5432 }] } });
  const subsets = [{ addresses: [{ ip: '10.9.9.9' }], ports: [{ port: 5432 }] }];
  await send('POST', `${base}/endpoints`, { metadata: { name: 'db' }, subsets });
  await settle();
  expect(await slicesOf('db')).toMatchObject([{ endpoints: [{ addresses: ['10.9.9.9'], conditions: { ready: true } }] }]);
  await send('DELETE', `${base}/services/db`);
  await settle();
  expect(await slicesOf('db')).toEqual([]);
});

test('Endpoints that cannot be created are reported in the namespace default', async () => {
  running = await startWorkloadCluster('endpoints-controller');
  const { send } = running;
  const other = '/api/v1/namespaces/other';
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
  await settle();
  await send('POST', `${other}/services`, { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
  await send('POST', `${other}/pods`, {
    metadata: { name: 'a', labels: { app: 'web' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  // An address without a node is invalid.
  const status = { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], conditions: [{ type: 'Ready', status: 'True' }] };
  await send('PATCH', `${other}/pods/a/status`, { status }, { 'content-type': 'application/merge-patch+json' });
  await settle();
  await send('DELETE', `${other}/endpoints/web`);
  await settle();
  const { items } = bodyOf(await send('GET', `/api/v1/namespaces/default/events`)) as {
    items: readonly { involvedObject: object; message: string }[];
  };
  const [event] = items;
  // As of kube-controller-manager 1.34.4.
  expect(event?.involvedObject).toEqual({ apiVersion: 'v1', kind: 'Endpoints', name: 'web' });
  expect(event?.message).toContain(
    'Failed to create endpoint for service other/web: Endpoints "web" is invalid: subsets[0].addresses[0].nodeName',
  );
});

test('writes Endpoints again after an update that changed nothing, and removes an annotation of an exceeded capacity', async () => {
  running = await startWorkloadCluster('endpoints-controller');
  const { send } = running;
  await settle();
  // The real controller does not take such Endpoints for up to date.
  const labels = { 'endpoints.kubernetes.io/managed-by': 'me' };
  await send('POST', `${base}/services`, { metadata: { name: 'web', labels }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
  await settle();
  const merge = { 'content-type': 'application/merge-patch+json' };
  await send(
    'PATCH',
    `${base}/endpoints/web`,
    { metadata: { annotations: { 'endpoints.kubernetes.io/over-capacity': 'warning' } } },
    merge,
  );
  for (const note of ['1', '2', '3']) {
    await send('PATCH', `${base}/services/web`, { metadata: { annotations: { note } } }, merge);
    await settle();
  }
  expect(bodyOf(await send('GET', `${base}/endpoints/web`))['metadata']).not.toHaveProperty('annotations');
  await send('POST', `${base}/pods`, {
    metadata: { name: 'a', labels: { app: 'web' } },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
  });
  const status = { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] };
  await send('PATCH', `${base}/pods/a/status`, { status }, merge);
  await settle();
  expect(bodyOf(await send('GET', `${base}/endpoints/web`))).toMatchObject({ subsets: [{ notReadyAddresses: [{ ip: '10.0.0.1' }] }] });
});
