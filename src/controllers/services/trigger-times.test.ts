import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import { TriggerTimes } from './trigger-times.ts';

const service = { metadata: { creationTimestamp: '2026-01-01T00:00:05Z' } } as corev1.Service;
const pod = (name: string, lastTransitionTime?: string): corev1.Pod =>
  ({ metadata: { name }, status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] } }) as unknown as corev1.Pod;

test('the first change is the creation of the service, later ones are the first new readiness of its pods', () => {
  const times = new TriggerTimes();
  expect(times.next('s', service, [pod('a', '2026-01-01T00:00:09Z')])).toBe('2026-01-01T00:00:05Z');
  expect(times.next('s', service, [pod('a', '2026-01-01T00:00:09Z'), pod('b')])).toBeUndefined();
  const changed = [pod('a', '2026-01-01T00:00:20Z'), pod('b', '2026-01-01T00:00:15Z')];
  expect(times.next('s', service, changed)).toBe('2026-01-01T00:00:15Z');
});
