import { expect, test } from 'vitest';
import { type ApiObject, productByName } from '../../meta/index.ts';
import { addressRange } from '../../registry/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';
import { type AddressState, findRepairs } from './address-repair.ts';

const product = productByName('kubernetes');
const nowMs = Date.parse('2026-01-01T01:00:00Z');
const range = addressRange('10.96.0.0/12');

const service = (name: string, ...clusterIPs: readonly string[]): ApiObject =>
  ({ kind: 'Service', apiVersion: 'v1', metadata: { name, namespace: 'n' }, spec: { clusterIPs } }) as ApiObject;

const labels = { 'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' };
const parentOf = (name: string) => ({ resource: 'services', namespace: 'n', name });

function address(name: string, parentRef: object, metadata: object = { labels }): readonly [string, ApiObject] {
  const object = { kind: 'IPAddress', metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z', ...metadata }, spec: { parentRef } };
  return [name, object as unknown as ApiObject];
}

const found = (state: Partial<AddressState>): readonly string[] =>
  findRepairs({ services: [], addresses: new Map(), ranges: range ? [range] : [], nowMs, ...state }, product).map(
    ({ address: ip, action, event }) => `${ip} ${action}${event ? ` ${event.reason}: ${event.note}` : ''}`,
  );

test.each<[string, Partial<AddressState>, readonly string[]]>([
  ['nothing amiss', { services: [service('a', '10.96.0.5')], addresses: new Map([address('10.96.0.5', parentOf('a'))]) }, []],
  [
    'an address that is missing',
    { services: [service('a', '10.96.0.5')] },
    ['10.96.0.5 write ClusterIPNotAllocated: Cluster IP [IPv4]: 10.96.0.5 is not allocated; repairing'],
  ],
  [
    'one out of all ranges',
    { services: [service('a', '192.0.2.1')] },
    ['192.0.2.1 none ClusterIPOutOfRange: Cluster IP [IPv4]: 192.0.2.1 is not within any configured Service CIDR; please recreate service'],
  ],
  [
    'one of a service that is no more, in use',
    { services: [service('a', '10.96.0.5')], addresses: new Map([address('10.96.0.5', parentOf('missing'), {})]) },
    ['10.96.0.5 write ClusterIPNotAllocated: the ClusterIP [IPv4]: 10.96.0.5 for Service n/a has a wrong reference; repairing'],
  ],
  [
    'one that two services have',
    { services: [service('a', '10.96.0.5'), service('b', '10.96.0.5')], addresses: new Map([address('10.96.0.5', parentOf('b'))]) },
    ['10.96.0.5 none ClusterIPAlreadyAllocated: Cluster IP [IPv4]:10.96.0.5 was assigned to multiple services; please recreate service'],
  ],
  [
    'one without its labels',
    { services: [service('a', '10.96.0.5')], addresses: new Map([address('10.96.0.5', parentOf('a'), {})]) },
    ['10.96.0.5 write'],
  ],
  [
    'one whose service is missing',
    { addresses: new Map([address('10.96.0.5', parentOf('a'))]) },
    ['10.96.0.5 remove IPAddressNotAllocated: IPAddress: 10.96.0.5 for Service n/a appears to have leaked: cleaning up'],
  ],
  [
    'one whose service is just being made',
    { addresses: new Map([address('10.96.0.5', parentOf('a'), { labels, creationTimestamp: '2026-01-01T00:59:10Z' })]) },
    [],
  ],
  [
    'one that its service does not have',
    {
      services: [service('a', '10.96.0.6')],
      addresses: new Map([address('10.96.0.5', parentOf('a')), address('10.96.0.6', parentOf('a'))]),
    },
    ['10.96.0.5 remove IPAddressWrongReference: IPAddress: 10.96.0.5 for Service n/a has a wrong reference; cleaning up'],
  ],
  ['one that others have made', { addresses: new Map([address('10.96.0.5', parentOf('a'), {})]) }, []],
])('%s', (_, state, repairs) => {
  expect(found(state)).toEqual(repairs);
});

test('recreates a deleted address after a while, and records an event', async () => {
  const { send, clock } = await startTestCluster();
  const ip = '/apis/networking.k8s.io/v1/ipaddresses/10.96.0.1';
  expect((await send('DELETE', ip)).status).toBe(200);
  await clock.advance(61_000);
  expect(bodyOf(await send('GET', ip))).toMatchObject({
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'kubernetes' } },
  });
  expect(bodyOf(await send('GET', '/api/v1/namespaces/default/events'))).toMatchObject({
    items: [
      {
        reason: 'ClusterIPNotAllocated',
        message: 'Cluster IP [IPv4]: 10.96.0.1 is not allocated; repairing',
        involvedObject: { kind: 'Service', name: 'kubernetes' },
        reportingComponent: 'ipallocator-repair-controller',
      },
    ],
  });
});

test('recreates the server’s own Service and ServiceCIDR', async () => {
  const { send, clock } = await startTestCluster();
  const own = ['/apis/networking.k8s.io/v1/servicecidrs/kubernetes', '/api/v1/namespaces/default/services/kubernetes'];
  for (const path of own) expect((await send('DELETE', path)).status).toBe(200);
  expect((await send('GET', own[1] ?? '')).status).toBe(404);
  await clock.advance(10_000);
  for (const path of own) await expect.poll(async () => (await send('GET', path)).status, { message: path }).toBe(200);
});
