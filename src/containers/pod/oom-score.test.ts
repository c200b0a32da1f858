import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import { oomScoreAdjustment } from './oom-score.ts';

test.each([
  ['Guaranteed', '1Gi', -997],
  ['BestEffort', undefined, 1000],
  ['Burstable', undefined, 999],
  ['Burstable', '2Gi', 750],
  ['Burstable', '8Gi', 3],
])('a %s pod with a request of %s', (qosClass, memory, expected) => {
  const pod = { status: { qosClass } } as corev1.Pod;
  const container = { name: 'c', resources: memory === undefined ? {} : { requests: { memory } } };
  expect(oomScoreAdjustment(pod, container, 8 * 1024 ** 3)).toBe(expected);
});
