import { expect, test } from 'vitest';
import type { corev1 } from '../schema/api/index.ts';
import { runningContainersOf, sidecarsOf } from './sidecars.ts';

test('an init container that always restarts runs as long as the pod', () => {
  const container = (name: string, restartPolicy?: string): corev1.Container => ({
    name,
    resources: {},
    ...(restartPolicy ? { restartPolicy } : {}),
  });
  const spec = {
    containers: [container('main', 'Always')],
    initContainers: [container('first'), container('proxy', 'Always'), container('once', 'Never')],
  };
  expect(sidecarsOf(spec).map(({ name }) => name)).toEqual(['proxy']);
  expect(runningContainersOf(spec).map(({ name }) => name)).toEqual(['main', 'proxy']);
  expect(sidecarsOf({})).toEqual([]);
});
