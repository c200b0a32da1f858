import { expect, test } from 'vitest';
import type { corev1 } from '../schema/api/index.ts';
import type { ClusterEvent } from './framework/cluster-events.ts';
import { testPod } from './testing.test-support.ts';
import { type WatchOptions, watchCluster } from './watch-cluster.ts';

interface PodHandler {
  onUpdate(pod: corev1.Pod, old: corev1.Pod): void;
}

/** Follows a cluster without objects; returns the handler of pods, and the events that make pods schedulable. */
async function watchEmptyCluster(): Promise<{ handler: PodHandler; events: string[] }> {
  const events: string[] = [];
  const handlers: PodHandler[] = [];
  const informer = { addHandler: () => undefined, synced: Promise.resolve() };
  const options = {
    informers: { informer: () => informer },
    pods: { ...informer, addHandler: (added: PodHandler) => handlers.push(added) },
    cache: { setPod: () => undefined, isAssumed: () => false },
    queue: {
      delete: () => undefined,
      update: () => undefined,
      nominated: { remove: () => undefined },
      moveAll: ({ resource, action }: ClusterEvent, _old: unknown, _object: unknown, selects?: (pod: { priority: number }) => boolean) =>
        events.push([resource, action, ...(selects ? [1, 2, 3].filter((priority) => selects({ priority })) : [])].join(' ')),
    },
    isResponsible: () => true,
    resources: new Set(),
  };
  await watchCluster(options as unknown as WatchOptions);
  const [handler] = handlers;
  if (!handler) throw new Error('no handler of pods');
  return { handler, events };
}

test('pods of at most its priority are retried when a nominated pod is bound, also to another node', async () => {
  const { handler, events } = await watchEmptyCluster();
  const { pod: waiting } = testPod({ priority: 2 });
  const nominated = { ...waiting, status: { ...waiting.status, nominatedNodeName: 'a' } };
  const bound = { ...nominated, spec: { ...waiting.spec, nodeName: 'b' } };
  handler.onUpdate(bound, waiting);
  expect(events).toEqual(['AssignedPod 1']);
  events.length = 0;
  handler.onUpdate(bound, nominated);
  expect(events).toEqual(['AssignedPod 1', 'AssignedPod 2 1 2']);
});
