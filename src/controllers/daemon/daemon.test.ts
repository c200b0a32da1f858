import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { updateLimits } from './daemon-counts.ts';
import { newDaemonPod, targetNode, withDaemonTolerations } from './daemon-pod.ts';
import { countPods, isStatusCurrent } from './daemon-status.ts';
import { FailureBackoff } from './failure-backoff.ts';
import { planPods } from './manage.ts';
import { isSyncNeeded } from './node-changes.ts';
import { nodeEligibility } from './node-eligibility.ts';
import { groupByNode } from './node-pods.ts';
import { planUpdate } from './rolling-update.ts';

const nowMs = Date.parse('2026-01-01T01:00:00Z');

interface SetFacts {
  readonly pod?: object;
  readonly rollingUpdate?: appsv1.RollingUpdateDaemonSet;
  readonly minReadySeconds?: number;
}

function setOf({ pod = {}, rollingUpdate = { maxUnavailable: 1, maxSurge: 0 }, minReadySeconds }: SetFacts = {}): appsv1.DaemonSet {
  const set = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {
      namespace: 'shop',
      name: 'agent',
      uid: 'u',
      generation: 2,
      annotations: { 'deprecated.daemonset.template.generation': '2' },
    },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [], ...pod } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate },
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
    },
    status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  } as unknown as appsv1.DaemonSet;
  return withDaemonTolerations(set, (text) => text);
}

function node(name: string, { labels = {}, taints = [] }: { labels?: object; taints?: readonly object[] } = {}): corev1.Node {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: { taints }, status: {} } as unknown as corev1.Node;
}

interface PodFacts {
  readonly hash?: string;
  readonly phase?: string;
  readonly isReady?: boolean;
  readonly isDeleted?: boolean;
  readonly created?: string;
  readonly isScheduled?: boolean;
}

function pod(
  name: string,
  on: string,
  {
    hash = 'new',
    phase = 'Running',
    isReady = true,
    isDeleted = false,
    created = '2026-01-01T00:00:00Z',
    isScheduled = true,
  }: PodFacts = {},
): corev1.Pod {
  const { spec } = newDaemonPod(setOf(), on, hash);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      uid: name,
      creationTimestamp: created,
      labels: { 'controller-revision-hash': hash },
      ...(isDeleted ? { deletionTimestamp: created } : {}),
    },
    spec: isScheduled ? { ...spec, nodeName: on } : spec,
    status: { phase, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:30:00Z' }] },
  } as unknown as corev1.Pod;
}

const names = (pods: readonly corev1.Pod[]): readonly unknown[] => pods.map(({ metadata }) => metadata.name);

const affinityTo = (...nodeSelectorTerms: readonly object[]): object => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const taint = (effect: string, key = 'k'): object => ({ key, value: 'v', effect });

test.each<[string, object, corev1.Node, boolean, boolean]>([
  ['any node', {}, node('a'), true, true],
  ['the named node', { nodeName: 'a' }, node('a'), true, true],
  ['another than the named node', { nodeName: 'b' }, node('a'), false, false],
  ['a node with the label', { nodeSelector: { disk: 'ssd' } }, node('a', { labels: { disk: 'ssd' } }), true, true],
  ['a node without the label', { nodeSelector: { disk: 'ssd' } }, node('a'), false, false],
  [
    'a node of one of the terms',
    affinityTo(
      { matchExpressions: [{ key: 'x', operator: 'Exists' }] },
      { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] },
    ),
    node('a'),
    true,
    true,
  ],
  ['no node with an empty term', affinityTo({}), node('a'), false, false],
  [
    'a node with a large enough number',
    affinityTo({ matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['3'] }] }),
    node('a', { labels: { cores: '4' } }),
    true,
    true,
  ],
  ['a node with a NoSchedule taint', {}, node('a', { taints: [taint('NoSchedule')] }), false, true],
  ['a node with a NoExecute taint', {}, node('a', { taints: [taint('NoExecute')] }), false, false],
  ['a node with a PreferNoSchedule taint', {}, node('a', { taints: [taint('PreferNoSchedule')] }), true, true],
  [
    'a node with a tolerated taint',
    { tolerations: [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute' }] },
    node('a', { taints: [taint('NoExecute')] }),
    true,
    true,
  ],
  [
    'a node with another value of the taint',
    { tolerations: [{ key: 'k', value: 'w' }] },
    node('a', { taints: [taint('NoSchedule')] }),
    false,
    true,
  ],
  [
    'an unreachable and unschedulable node',
    {},
    node('a', {
      taints: [taint('NoExecute', 'node.kubernetes.io/unreachable'), taint('NoSchedule', 'node.kubernetes.io/unschedulable')],
    }),
    true,
    true,
  ],
  ['a node without network', {}, node('a', { taints: [taint('NoSchedule', 'node.kubernetes.io/network-unavailable')] }), false, true],
  [
    'a node without network, for its own network',
    { hostNetwork: true },
    node('a', { taints: [taint('NoSchedule', 'node.kubernetes.io/network-unavailable')] }),
    true,
    true,
  ],
])('decides about %s', (_, spec, given, shouldRun, shouldContinue) => {
  expect(nodeEligibility(given, setOf({ pod: spec }))).toEqual({ shouldRun, shouldContinue });
});

test('makes a pod that only its node fits', () => {
  const preferredDuringSchedulingIgnoredDuringExecution = [{ weight: 1, preference: {} }];
  const affinity = {
    podAffinity: {},
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'x', operator: 'Exists' }] }] },
    },
  };
  const tolerations = [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
    { key: 'own' },
  ];
  const created = newDaemonPod(setOf({ pod: { affinity, tolerations } }), 'a', 'h');
  expect(created.metadata).toMatchObject({
    generateName: 'agent-',
    labels: { app: 'agent', 'controller-revision-hash': 'h', 'pod-template-generation': '2' },
    ownerReferences: [{ kind: 'DaemonSet', uid: 'u', controller: true }],
  });
  expect(created.spec?.affinity).toEqual({
    podAffinity: {},
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
      },
    },
  });
  expect(
    created.spec?.tolerations?.map(({ key, effect, tolerationSeconds }) => `${key}:${effect ?? ''}:${tolerationSeconds ?? ''}`),
  ).toEqual([
    'node.kubernetes.io/not-ready:NoExecute:',
    'own::',
    'node.kubernetes.io/unreachable:NoExecute:',
    'node.kubernetes.io/disk-pressure:NoSchedule:',
    'node.kubernetes.io/memory-pressure:NoSchedule:',
    'node.kubernetes.io/pid-pressure:NoSchedule:',
    'node.kubernetes.io/unschedulable:NoSchedule:',
  ]);
  expect(targetNode(pod('p', 'a', { isScheduled: false }))).toBe('a');
  expect(targetNode({ spec: { containers: [] } as unknown as corev1.PodSpec })).toBeUndefined();
});

function plan(nodes: readonly corev1.Node[], pods: readonly corev1.Pod[], facts: SetFacts = {}, backedOff: readonly string[] = []) {
  const { create, remove, ended } = planPods(nodes, groupByNode(pods), {
    set: setOf(facts),
    hash: 'new',
    nowMs,
    isBackedOff: (one) => backedOff.includes(one.node),
  });
  return { create, remove: names(remove), ended: ended.map((one) => one.pod.metadata.name) };
}

const nodes = [node('a'), node('b')];
const none = { create: [], remove: [], ended: [] };
const surge: SetFacts = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

test('creates a pod on each node without one', () => {
  expect(plan(nodes, [pod('p', 'a')])).toEqual({ ...none, create: ['b'] });
  expect(plan(nodes, [pod('p', 'a'), pod('q', 'b', { isScheduled: false })])).toEqual(none);
});

test('creates no pod until the deletion of the former one completes', () => {
  expect(plan([node('a')], [pod('p', 'a', { isDeleted: true })])).toEqual(none);
  expect(plan([node('a')], [pod('p', 'a', { isDeleted: true, phase: 'Failed' })])).toEqual({ ...none, create: ['a'] });
});

test('deletes pods that ended, failed ones with a growing delay', () => {
  const pods = [pod('failed', 'a', { phase: 'Failed' }), pod('done', 'b', { phase: 'Succeeded' })];
  expect(plan(nodes, pods)).toEqual({ create: [], remove: ['failed', 'done'], ended: ['failed', 'done'] });
  expect(plan(nodes, pods, {}, ['a', 'b'])).toEqual({ create: [], remove: ['done'], ended: ['done'] });
});

test('deletes all but the oldest pod of a node, a scheduled one first', () => {
  const pods = [
    pod('waiting', 'a', { isScheduled: false, created: '2025-01-01T00:00:00Z' }),
    pod('young', 'a', { created: '2026-01-01T00:00:05Z' }),
    pod('old', 'a'),
  ];
  expect(plan([node('a')], pods)).toEqual({ ...none, remove: ['young', 'waiting'] });
});

test('deletes the pods of nodes with a NoExecute taint, and unscheduled ones of unknown nodes', () => {
  const tainted = [node('a', { taints: [taint('NoExecute')] }), node('b', { taints: [taint('NoSchedule')] })];
  const pods = [pod('p', 'a'), pod('q', 'b'), pod('r', 'absent', { isScheduled: false }), pod('s', 'absent')];
  expect(plan(tainted, pods)).toEqual({ ...none, remove: ['p', 'r'] });
});

test.each<[string, readonly corev1.Pod[], object]>([
  ['an old pod beside a new one that is not ready', [pod('old', 'a', { hash: 'old' }), pod('new', 'a', { isReady: false })], none],
  ['no old pod beside an available one', [pod('old', 'a', { hash: 'old' }), pod('new', 'a')], { ...none, remove: ['old'] }],
  [
    'no old pod that is not ready',
    [pod('old', 'a', { hash: 'old', isReady: false }), pod('new', 'a', { isReady: false })],
    { ...none, remove: ['old'] },
  ],
  ['no second new pod', [pod('n1', 'a'), pod('n2', 'a')], { ...none, remove: ['n2'] }],
  ['a new pod beside one that is being deleted', [pod('old', 'a', { isDeleted: true })], { ...none, create: ['a'] }],
])('allows with a surge %s', (_, pods, expected) => {
  expect(plan([node('a')], pods, surge)).toEqual(expected);
});

function update(given: readonly corev1.Node[], pods: readonly corev1.Pod[], facts: SetFacts = {}) {
  const { create, remove } = planUpdate(given, groupByNode(pods), { set: setOf(facts), hash: 'new', nowMs });
  return { create, remove: names(remove) };
}

test.each<[string, readonly corev1.Pod[], SetFacts, object]>([
  ['one old pod', [pod('p', 'a', { hash: 'old' }), pod('q', 'b', { hash: 'old' })], {}, { create: [], remove: ['p'] }],
  [
    'none while a new one is unavailable',
    [pod('p', 'a', { isReady: false }), pod('q', 'b', { hash: 'old' })],
    {},
    { create: [], remove: [] },
  ],
  ['none while a node has none', [pod('q', 'b', { hash: 'old' })], {}, { create: [], remove: [] }],
  [
    'all old ones that are unavailable',
    [pod('p', 'a', { hash: 'old', isReady: false }), pod('q', 'b', { hash: 'old', isReady: false })],
    {},
    { create: [], remove: ['p', 'q'] },
  ],
  [
    'a percentage, rounded up',
    [pod('p', 'a', { hash: 'old' }), pod('q', 'b', { hash: 'old' })],
    { rollingUpdate: { maxUnavailable: '60%', maxSurge: 0 } },
    { create: [], remove: ['p', 'q'] },
  ],
  [
    'nothing until a new one is available',
    [pod('p', 'a'), pod('q', 'b', { hash: 'old' })],
    { minReadySeconds: 3600 },
    { create: [], remove: ['q'] },
  ],
])('replaces %s', (_, pods, facts, expected) => {
  expect(update(nodes, pods, facts)).toEqual(expected);
});

test.each<[string, readonly corev1.Node[], readonly corev1.Pod[], object]>([
  ['one new pod at a time', nodes, [pod('p', 'a', { hash: 'old' }), pod('q', 'b', { hash: 'old' })], { create: ['a'], remove: [] }],
  [
    'nothing while a new pod is not available',
    nodes,
    [pod('p', 'a', { hash: 'old' }), pod('n', 'a', { isReady: false }), pod('q', 'b', { hash: 'old' })],
    { create: [], remove: [] },
  ],
  [
    'the next one when a new pod is available',
    nodes,
    [pod('p', 'a', { hash: 'old' }), pod('n', 'a'), pod('q', 'b', { hash: 'old' })],
    { create: ['b'], remove: ['p'] },
  ],
  [
    'new pods beside all unavailable old ones',
    nodes,
    [pod('p', 'a', { hash: 'old', isReady: false }), pod('q', 'b', { hash: 'old', isReady: false })],
    { create: ['a', 'b'], remove: [] },
  ],
  [
    'nothing on a node that is not eligible any more, while the others lack pods',
    [node('a', { taints: [taint('NoSchedule')] }), node('b')],
    [pod('p', 'a', { hash: 'old' })],
    { create: [], remove: [] },
  ],
  [
    'no more than needed on nodes that are not eligible any more',
    [node('a', { taints: [taint('NoSchedule')] }), node('b')],
    [pod('p', 'a', { hash: 'old' }), pod('q', 'b')],
    { create: [], remove: ['p'] },
  ],
])('creates with a surge %s', (_, given, pods, expected) => {
  expect(update(given, pods, surge)).toEqual(expected);
});

test('resolves the limits of updates, and accepts one unavailable pod when both are zero', () => {
  expect(updateLimits(setOf({ rollingUpdate: { maxUnavailable: '10%', maxSurge: 0 } }), 11)).toEqual({ maxSurge: 0, maxUnavailable: 2 });
  expect(updateLimits(setOf({ rollingUpdate: { maxUnavailable: 0, maxSurge: '30%' } }), 4)).toEqual({ maxSurge: 2, maxUnavailable: 0 });
  expect(updateLimits(setOf({ rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } }), 4)).toEqual({ maxSurge: 0, maxUnavailable: 1 });
});

test('counts pods by their nodes', () => {
  const given = [node('a'), node('b'), node('c', { taints: [taint('NoSchedule')] }), node('d')];
  const pods = [pod('p', 'a'), pod('q', 'b', { hash: 'old', isReady: false }), pod('r', 'c')];
  const counts = countPods(given, groupByNode(pods), setOf(), 'new', nowMs);
  expect(counts).toEqual({
    currentNumberScheduled: 2,
    numberMisscheduled: 1,
    desiredNumberScheduled: 3,
    numberReady: 1,
    updatedNumberScheduled: 1,
    numberAvailable: 1,
    numberUnavailable: 2,
  });
  const set = setOf();
  expect(isStatusCurrent(set, counts)).toBe(false);
  expect(isStatusCurrent({ ...set, status: { ...counts, observedGeneration: 2 } }, counts)).toBe(true);
  expect(isStatusCurrent({ ...set, status: { ...counts, observedGeneration: 1 } }, counts)).toBe(false);
});

test.each([
  [true, true, false, 0, true],
  [false, true, false, 0, false],
  [true, true, true, 0, false],
  [false, true, true, 0, false],
  [false, false, true, 0, true],
  [true, true, true, 1, true],
])(
  'syncs a set after a change of a node: run %s, continue %s, has a pod %s, misscheduled %s',
  (run, goOn, hasPod, misscheduled, expected) => {
    const { status } = setOf();
    const eligibility = { shouldRun: run, shouldContinue: goOn };
    expect(isSyncNeeded({ status: { ...status, numberMisscheduled: misscheduled } }, eligibility, hasPod)).toBe(expected);
  },
);

test('doubles the delay of failures', async () => {
  const clock = createManualClock();
  const backoff = new FailureBackoff(clock);
  expect([backoff.next('k'), backoff.next('k'), backoff.next('other')]).toEqual([undefined, 1_000, undefined]);
  await clock.advance(1_000);
  expect([backoff.next('k'), backoff.next('k')]).toEqual([undefined, 2_000]);
  await clock.advance(31 * 60_000);
  expect([backoff.next('k'), backoff.next('k')]).toEqual([undefined, 1_000]);
});
