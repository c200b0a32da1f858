import { expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../env/index.ts';
import { actions, type EventRegistration } from '../framework/cluster-events.ts';
import type { QueuedPod } from '../framework/plugin.ts';
import { unresolvable } from '../framework/status.ts';
import { prioritySort } from '../plugins/priority-sort.ts';
import { testHandle } from '../plugins/test-handle.test-support.ts';
import { testCache, testPod } from '../testing.test-support.ts';
import { Heap } from './heap.ts';
import { SchedulingQueue } from './scheduling-queue.ts';

const nodeAdd = { resource: 'Node', action: actions.add } as const;

function createQueue(registration?: EventRegistration): { queue: SchedulingQueue; clock: ManualClock; gated: Set<string> } {
  const clock = createManualClock();
  const sort = prioritySort(testHandle(testCache([])), undefined);
  const gated = new Set<string>();
  const profile = {
    less: (a: QueuedPod, b: QueuedPod) => sort.less?.(a, b) ?? false,
    preEnqueue: ({ key }: { readonly key: string }) => (gated.has(key) ? { ...unresolvable('gated'), plugin: 'Gate' } : undefined),
    events: [
      ...(registration ? [{ plugin: 'Fit', registration }] : []),
      { plugin: 'Gate', registration: { resource: 'UnscheduledPod', actions: actions.updatePodLabel } as const },
    ],
  };
  const queue = new SchedulingQueue({ clock, signal: new AbortController().signal, profileOf: () => profile, onReady: () => undefined });
  return { queue, clock, gated };
}

function refused(queue: SchedulingQueue, plugins: readonly string[]): QueuedPod {
  const queued = queue.pop();
  if (!queued) throw new Error('the queue is empty');
  queued.unschedulablePlugins = new Set(plugins);
  queue.addUnschedulable(queued);
  return queued;
}

const names = (queue: SchedulingQueue): readonly string[] => {
  const popped: string[] = [];
  for (let next = queue.pop(); next; next = queue.pop()) popped.push(next.info.pod.metadata.name ?? '');
  return popped;
};

test('returns pods by priority, then in their order', () => {
  const { queue } = createQueue();
  for (const [name, priority] of [
    ['a', 0],
    ['b', 10],
    ['c', 0],
    ['d', 10],
  ] as const)
    queue.add(testPod({ name, priority }));
  expect(names(queue)).toEqual(['b', 'd', 'a', 'c']);
});

test('retries an unschedulable pod after an event of a plugin that refused it', () => {
  const { queue } = createQueue({ resource: 'Node', actions: actions.add });
  queue.add(testPod());
  refused(queue, ['Fit']);
  queue.moveAll({ ...nodeAdd, resource: 'PersistentVolume' });
  expect(names(queue)).toEqual([]);
  queue.moveAll(nodeAdd);
  expect(names(queue)).toEqual(['pod']);
});

test('does not retry a pod for events of other plugins, or when the hint denies it', () => {
  const { queue } = createQueue({ resource: 'Node', actions: actions.add, hint: () => false });
  queue.add(testPod());
  refused(queue, ['Fit']);
  queue.moveAll(nodeAdd);
  expect(names(queue)).toEqual([]);
});

test('moves each pod by the plugins that rejected it, also after these changed', () => {
  const { queue, gated } = createQueue({ resource: 'Node', actions: actions.add });
  for (const name of ['fit', 'gate', 'both']) queue.add(testPod({ name }));
  for (const plugins of [['Fit'], ['Gate'], ['Gate', 'Fit']]) refused(queue, plugins);
  queue.moveAll({ resource: 'UnscheduledPod', action: actions.updatePodLabel });
  expect(names(queue)).toEqual(['gate', 'both']);
  for (const name of ['gate', 'both']) queue.add(testPod({ name }));
  for (const plugins of [['Gate'], ['Gate']]) refused(queue, plugins);
  // A gate found when the pod would become active adds its plugin.
  gated.add('default/fit');
  queue.moveAll(nodeAdd);
  expect(names(queue)).toEqual([]);
  gated.clear();
  queue.moveAll({ resource: 'UnscheduledPod', action: actions.updatePodLabel });
  expect(names(queue)).toEqual(['fit', 'gate', 'both']);
});

test('retries any pod after five minutes', async () => {
  const { queue, clock } = createQueue();
  queue.add(testPod());
  refused(queue, ['Fit']);
  await clock.advance(5 * 60_000);
  expect(names(queue)).toEqual([]);
  await clock.advance(60_000);
  expect(names(queue)).toEqual(['pod']);
});

test('retries after an error with a growing delay', async () => {
  const { queue, clock } = createQueue();
  queue.add(testPod());
  let queued = queue.pop();
  for (const seconds of [1, 2, 4, 8, 10, 10]) {
    if (queued) queue.addUnschedulable(queued);
    await clock.advance(seconds * 1000 - 1);
    expect(queue.pop()).toBeUndefined();
    await clock.advance(1);
    queued = queue.pop();
    expect(queued?.info.key).toBe('default/pod');
  }
});

test('holds gated pods back until an update removes the gate', () => {
  const { queue, gated } = createQueue();
  gated.add('default/pod');
  const [old, pod] = [testPod(), testPod({ labels: { a: 'b' } })];
  queue.add(old);
  expect(names(queue)).toEqual([]);
  gated.clear();
  queue.update(old, pod);
  expect(names(queue)).toEqual(['pod']);
});

test('forgets deleted pods', () => {
  const { queue } = createQueue();
  const pod = testPod({ status: { nominatedNodeName: 'a' } });
  queue.add(pod);
  expect(queue.nominated.podsForNode('a')).toEqual([pod]);
  queue.delete(pod);
  expect([names(queue), queue.nominated.podsForNode('a')]).toEqual([[], []]);
});

test('a heap removes any item and stays in order', () => {
  const heap = new Heap<number>(String, (a, b) => a < b);
  for (const value of [5, 3, 9, 1, 7, 2, 8]) heap.set(value);
  expect([heap.delete('3'), heap.delete('4')]).toEqual([3, undefined]);
  const popped: (number | undefined)[] = [];
  while (heap.length > 0) popped.push(heap.pop());
  expect(popped).toEqual([1, 2, 5, 7, 8, 9]);
});
