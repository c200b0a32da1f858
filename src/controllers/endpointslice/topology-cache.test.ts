import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import type { corev1, discoveryv1 } from '../../schema/api/index.ts';
import type { SliceChanges } from './fill-slices.ts';
import { type HintedChanges, TopologyCache } from './topology-cache.ts';

const auto = { 'service.kubernetes.io/topology-mode': 'Auto' };

interface NodeSettings {
  readonly zone?: string;
  readonly cpu?: string;
  readonly ready?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
}

const node = ({ zone, cpu = '1', ready = true, labels = {} }: NodeSettings): corev1.Node =>
  ({
    metadata: { labels: { ...labels, ...(zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone }) } },
    status: { allocatable: { cpu }, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  }) as unknown as corev1.Node;

const service = (annotations: Readonly<Record<string, string>>): corev1.Service =>
  ({ metadata: { namespace: 'ns', name: 's', annotations }, spec: {} }) as unknown as corev1.Service;

const cacheOf = (...nodes: readonly NodeSettings[]): TopologyCache => {
  const cache = new TopologyCache(productByName('kubernetes'));
  cache.setNodes(nodes.map(node));
  return cache;
};

/** Endpoints in these zones: `a` is ready, `-a` is not, `a>b` has a hint for another zone, `` has no zone. */
const endpointsIn = (...zones: readonly string[]): readonly discoveryv1.Endpoint[] =>
  zones.map((text) => {
    const [, sign, zone, hint] = /^(-?)(\w*)>?(\w*)$/.exec(text) ?? [];
    return {
      addresses: [],
      conditions: { ready: sign === '' },
      ...(zone ? { zone } : {}),
      ...(hint ? { hints: { forZones: [{ name: hint }] } } : {}),
    };
  });
const slice = (...zones: readonly string[]) => ({ addressType: 'IPv4', endpoints: endpointsIn(...zones), metadata: {}, ports: [] });
const changesOf = (changes: Partial<Record<'create' | 'update' | 'unchanged', ReturnType<typeof slice>[]>>): SliceChanges =>
  ({ create: [], update: [], delete: [], unchanged: [], ...changes }) as unknown as SliceChanges;

/** The hints of the slices in each list, and the events. */
const shown = ({ changes, events }: HintedChanges) => {
  const hintsOf = (slices: readonly { readonly endpoints: readonly discoveryv1.Endpoint[] | null }[]): string =>
    slices.map(({ endpoints }) => (endpoints ?? []).map(({ hints }) => hints?.forZones?.[0]?.name ?? '-').join('')).join();
  return {
    create: hintsOf(changes.create),
    update: hintsOf(changes.update as readonly { endpoints: readonly discoveryv1.Endpoint[] }[]),
    unchanged: hintsOf(changes.unchanged as readonly { endpoints: readonly discoveryv1.Endpoint[] }[]),
    events: events.map(({ type, message }) => `${type}: ${message}`),
  };
};
const enabled = 'Normal: Topology Aware Hints has been enabled, addressType: IPv4';

test.each([
  ['equal zones', [{ zone: 'a' }, { zone: 'b' }], ['a', 'b'], 'ab'],
  ['an endpoint is moved to a zone without endpoints', [{ zone: 'a' }, { zone: 'b' }], ['a', 'a', '-a'], 'ba-'],
  ['zones of other sizes', [{ zone: 'a', cpu: '3' }, { zone: 'b' }], ['a', 'a', 'b', 'b'], 'aaab'],
  ['nodes of a zone are added up', [{ zone: 'a', cpu: '500m' }, { zone: 'a', cpu: '500m' }, { zone: 'b' }], ['a', 'a', 'b', 'b'], 'aabb'],
  [
    'not ready and control plane nodes do not count',
    [{ zone: 'a' }, { zone: 'b' }, { zone: 'c', ready: false }, { zone: 'd', labels: { 'node-role.kubernetes.io/control-plane': '' } }],
    ['a', 'b'],
    'ab',
  ],
])('hints in proportion to CPUs: %s', (_, nodes, zones, hints) => {
  const result = cacheOf(...nodes).reconcile(service(auto), 'IPv4', changesOf({ create: [slice(...zones)] }));
  expect(shown(result)).toEqual({ create: hints, update: '', unchanged: '', events: [enabled] });
});

const noNodes = 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes';

test.each([
  ['no nodes', [], ['a', 'a'], noNodes],
  ['one zone', [{ zone: 'a' }], ['a', 'a'], noNodes],
  ['a node without zone', [{ zone: 'a' }, { zone: 'b' }, {}], ['a', 'b'], noNodes],
  ['a node without CPU', [{ zone: 'a' }, { zone: 'b', cpu: '0' }], ['a', 'b'], noNodes],
  ['few endpoints', [{ zone: 'a' }, { zone: 'b' }], ['a', '-b'], 'Insufficient number of endpoints (1 endpoints, 2 zones)'],
  ['an endpoint without zone', [{ zone: 'a' }, { zone: 'b' }], ['a', 'a', 'b', ''], 'One or more endpoints do not have a zone specified'],
  [
    'overload',
    [{ zone: 'a', cpu: '4' }, { zone: 'b' }],
    ['a', 'b'],
    'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (2 endpoints, 2 zones)',
  ],
])('removes hints, with an event: %s', (_, nodes, zones, message) => {
  const changes = changesOf({ create: [slice(...zones)], unchanged: [slice('-a>a', '-b'), slice('-a')] });
  expect(shown(cacheOf(...nodes).reconcile(service(auto), 'IPv4', changes))).toEqual({
    create: zones.map(() => '-').join(''),
    update: '--',
    unchanged: '-',
    events: [`Warning: ${message}, addressType: IPv4`],
  });
});

test('leaves valid slices unchanged, and updates those with missing, obsolete or too many hints', () => {
  const cache = cacheOf({ zone: 'a' }, { zone: 'b' });
  const unchanged = [slice('a>a', 'b>b'), slice('a', 'b>b'), slice('a>c', 'b>b'), slice(...Array<string>(8).fill('a>a'))];
  expect(shown(cache.reconcile(service(auto), 'IPv4', changesOf({ unchanged })))).toEqual({
    create: '',
    update: 'bb,bb,bbaaaaaa',
    unchanged: 'ab',
    events: [enabled],
  });
});

test('reports when hints begin and end, and the deprecated annotation takes precedence', () => {
  const cache = cacheOf({ zone: 'a' }, { zone: 'b' });
  const changes = changesOf({ unchanged: [slice('a>a', 'b>b')] });
  const eventsFor = (annotations: Readonly<Record<string, string>>) => shown(cache.reconcile(service(annotations), 'IPv4', changes)).events;
  expect(eventsFor({})).toEqual([]);
  expect(eventsFor({ 'service.kubernetes.io/topology-aware-hints': 'auto' })).toEqual([enabled]);
  expect(eventsFor(auto)).toEqual([]);
  expect(eventsFor({ ...auto, 'service.kubernetes.io/topology-aware-hints': 'Disabled' })).toEqual([
    'Warning: Topology Aware Hints has been disabled, addressType: IPv4',
  ]);
  expect(eventsFor({ 'service.kubernetes.io/topology-mode': 'PreferZone' })).toEqual([]);
});

test('finds services that have too few endpoints for a zone after nodes have changed', () => {
  const cache = cacheOf({ zone: 'a' }, { zone: 'b' });
  cache.reconcile(service(auto), 'IPv4', changesOf({ create: [slice('a', 'a', 'b', 'b')] }));
  expect(cache.overloadedServices()).toEqual([]);
  for (const nodes of [[{ zone: 'a', cpu: '9' }, { zone: 'b' }], [{ zone: 'a' }, { zone: 'b' }, { zone: 'c' }], [{ zone: 'a' }]]) {
    cache.setNodes(nodes.map(node));
    expect(cache.overloadedServices()).toEqual(['ns/s']);
  }
  cache.removeHints('ns/s', 'IPv4');
  expect(cache.overloadedServices()).toEqual([]);
});
