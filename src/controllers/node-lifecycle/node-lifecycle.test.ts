import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { conditionTaints, missingLabels } from './condition-taints.ts';
import { checkHealth } from './node-health.ts';
import { TaintQueue } from './taint-queue.ts';
import { computeZoneState, ZoneStates } from './zone-states.ts';

const product = productByName('kubernetes');
const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString().replace('.000', '');
const atMs = (seconds: number): number => Date.UTC(2026, 0, 1) + seconds * 1000;

function newNode(ready: string | undefined, more: object = {}, heartbeat = 0): corev1.Node {
  const condition = { type: 'Ready', status: ready, lastHeartbeatTime: at(heartbeat), lastTransitionTime: at(0) };
  const status = { conditions: ready === undefined ? [] : [condition] };
  return { metadata: { name: 'n', creationTimestamp: at(0) }, spec: {}, status, ...more } as unknown as corev1.Node;
}

const taint = (key: string, effect = 'NoSchedule') => ({ key: `node.kubernetes.io/${key}`, effect });

test.each([
  ['a ready node', newNode('True', { spec: { taints: [taint('not-ready')] } }), [], ['not-ready']],
  ['a node that is not ready', newNode('False'), ['not-ready'], []],
  ['an unreachable node', newNode('Unknown', { spec: { taints: [taint('not-ready')] } }), ['unreachable'], ['not-ready']],
  ['an unschedulable node', newNode('True', { spec: { unschedulable: true } }), ['unschedulable'], []],
  ['a node with the taints of its conditions', newNode('False', { spec: { taints: [taint('not-ready')] } }), undefined, undefined],
])('taints of %s', (_, node, add, remove) => {
  const change = conditionTaints(node, product);
  expect(change?.add).toEqual(add?.map((key) => taint(key)));
  expect(change?.remove).toEqual(remove?.map((key) => taint(key)));
});

test('deprecated labels equal their successors', () => {
  const labels = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'arm64', 'beta.kubernetes.io/arch': 'arm64' };
  expect(missingLabels({ labels }, product)).toEqual({ 'beta.kubernetes.io/os': 'linux' });
});

test('a node is unreachable 50 s after its last heartbeat or renewal', () => {
  const node = newNode('True');
  const first = checkHealth(node, undefined, undefined, atMs(0));
  expect(checkHealth(node, undefined, first.health, atMs(50)).conditions).toBeUndefined();
  const { conditions = [] } = checkHealth(node, undefined, first.health, atMs(51));
  expect(conditions.map(({ type, status, reason }) => [type, status, reason])).toEqual([
    ['Ready', 'Unknown', 'NodeStatusUnknown'],
    ['MemoryPressure', 'Unknown', 'NodeStatusNeverUpdated'],
    ['DiskPressure', 'Unknown', 'NodeStatusNeverUpdated'],
    ['PIDPressure', 'Unknown', 'NodeStatusNeverUpdated'],
  ]);
  const lease = { spec: { renewTime: at(40) } } as never;
  const renewed = checkHealth(node, lease, first.health, atMs(45)).health;
  expect(checkHealth(node, lease, renewed, atMs(60)).conditions).toBeUndefined();
  expect(checkHealth(node, lease, renewed, atMs(96)).conditions).toBeDefined();
});

test('a new node has 60 s to report', () => {
  const { health } = checkHealth(newNode(undefined), undefined, undefined, atMs(5));
  expect(checkHealth(newNode(undefined), undefined, health, atMs(60)).conditions).toBeUndefined();
  expect(checkHealth(newNode(undefined), undefined, health, atMs(61)).conditions).toHaveLength(4);
});

test.each([
  [[true, false, false], 'normal'],
  [[true, false, false, false], 'partial'],
  [[false], 'full'],
  [[], 'normal'],
] as const)('the zone of %j is %s', (readiness, state) => {
  expect(computeZoneState(readiness)).toBe(state);
});

test('no node is tainted while none of the cluster is ready', () => {
  const states = new ZoneStates();
  expect(states.update(new Map([['a', [true, false]]]))).toMatchObject({ rates: new Map([['a', 0.1]]) });
  const all = new Map([['a', [false, false]]]);
  expect(states.update(all)).toMatchObject({ entersFullDisruption: true, rates: new Map([['a', 0]]) });
  expect(states.update(all)).toMatchObject({ entersFullDisruption: false, rates: new Map() });
  expect(states.update(new Map([['a', [true, false]]]))).toMatchObject({ leavesFullDisruption: true, rates: new Map([['a', 0.1]]) });
});

test('the first node of a zone is tainted at once, the next one 10 s later', () => {
  const queue = new TaintQueue(0);
  expect([queue.add('a'), queue.add('b'), queue.add('a')]).toEqual([true, true, false]);
  expect([queue.take(0), queue.take(5_000), queue.nextMs()]).toEqual(['a', undefined, 5_000]);
  expect(queue.take(10_000)).toBe('b');
});
