import { expect, test } from 'vitest';
import type { discoveryv1 } from '../../schema/api/index.ts';
import { fillSlices } from './fill-slices.ts';
import { reconcileHints } from './traffic-distribution.ts';

const endpoint = (name: string, more: Partial<discoveryv1.Endpoint> = {}): discoveryv1.Endpoint => ({
  addresses: [`ip-${name}`],
  conditions: { ready: true },
  targetRef: { namespace: 'ns', name },
  ...more,
});
const slice = (name: string, ...names: readonly string[]): discoveryv1.EndpointSlice => ({
  kind: 'EndpointSlice',
  apiVersion: 'discovery.k8s.io/v1',
  metadata: { name },
  addressType: 'IPv4',
  endpoints: names.map((one) => endpoint(one)),
  ports: [],
});
const fill = (existing: readonly discoveryv1.EndpointSlice[], desired: readonly discoveryv1.Endpoint[]) =>
  fillSlices({
    existing,
    desired,
    newSlice: () => ({ metadata: { name: 'new' }, endpoints: [] }),
    labelsOf: () => ({ labels: {}, isChanged: false }),
    capacity: 3,
  });
const endpointsOf = (slices: readonly { readonly endpoints: readonly discoveryv1.Endpoint[] | null }[]): readonly string[] =>
  slices.map(({ endpoints }) => (endpoints ?? []).map(({ targetRef }) => targetRef?.name).join());

test.each([
  ['nothing changes', [['a', 'b']], ['a', 'b'], { create: [], update: [], delete: [], unchanged: ['a,b'] }],
  ['new slices are filled', [], ['a', 'b', 'c', 'd'], { create: ['a,b,c', 'd'], update: [], delete: [], unchanged: [] }],
  ['a slice without endpoints is deleted', [['a']], [], { create: [], update: [], delete: ['a'], unchanged: [] }],
  [
    'a changed slice is filled first',
    [['a', 'b'], ['c']],
    ['a', 'c', 'd', 'e'],
    { create: [], update: ['a,d,e'], delete: [], unchanged: ['c'] },
  ],
  [
    'the fullest unchanged slice with capacity gets the rest',
    [['a'], ['b', 'c']],
    ['a', 'b', 'c', 'd'],
    { create: [], update: ['b,c,d'], delete: [], unchanged: ['a'] },
  ],
])('%s', (_, existing, desired, expected) => {
  const changes = fill(
    existing.map((names, index) => slice(`s${index}`, ...names)),
    desired.map((name) => endpoint(name)),
  );
  const found = {
    create: endpointsOf(changes.create),
    update: endpointsOf(changes.update),
    delete: endpointsOf(changes.delete),
    unchanged: endpointsOf(changes.unchanged),
  };
  expect(found).toEqual(expected);
});

test('a changed endpoint updates its slice', () => {
  const changed = endpoint('a', { conditions: { ready: false } });
  expect(fill([slice('s', 'a')], [changed]).update).toMatchObject([{ metadata: { name: 's' }, endpoints: [changed] }]);
});

const placed = { zone: 'z1', nodeName: 'n1' };
test.each([
  [undefined, undefined],
  ['PreferClose', { forZones: [{ name: 'z1' }] }],
  ['PreferSameNode', { forZones: [{ name: 'z1' }], forNodes: [{ name: 'n1' }] }],
])('hints of the traffic distribution %s', (distribution, hints) => {
  const unchanged = { ...slice('s'), endpoints: [endpoint('a', { ...placed, hints: { forZones: [{ name: 'old' }] } })] };
  const changes = reconcileHints(distribution, { create: [], update: [], delete: [], unchanged: [unchanged] });
  expect(changes.unchanged).toEqual([]);
  expect(changes.update[0]?.endpoints[0]?.hints).toEqual(hints);
});
