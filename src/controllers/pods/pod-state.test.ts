import { expect, test } from 'vitest';
import { parseTime } from '../../meta/index.ts';
import { isPodActive, isPodAvailable, isPodReady, isPodTerminating, nextAvailabilityMs } from './index.ts';
import { podWith, readyStatus } from './pod.test-support.ts';

const nowMs = parseTime('2026-01-01T00:01:00Z');

test.each([
  ['ready', readyStatus('2026-01-01T00:00:00Z'), 0, true, true],
  ['not ready', readyStatus('2026-01-01T00:00:00Z', false), 0, false, false],
  ['without conditions', { phase: 'Running' }, 0, false, false],
  ['ready long enough', readyStatus('2026-01-01T00:00:50Z'), 10, true, true],
  ['ready for too short a time', readyStatus('2026-01-01T00:00:51Z'), 10, true, false],
  ['ready since an unknown time', readyStatus(null), 10, true, false],
])('a pod that is %s', (_, status, minReadySeconds, isReady, isAvailable) => {
  expect([isPodReady(podWith({ status })), isPodAvailable(podWith({ status }), minReadySeconds, nowMs)]).toEqual([isReady, isAvailable]);
});

test('finds when the next pod becomes available', () => {
  const readyAt = (...seconds: readonly string[]) =>
    seconds.map((second) => podWith({ status: readyStatus(`2026-01-01T00:00:${second}Z`) }));
  expect(nextAvailabilityMs(readyAt('30', '55', '52', '58'), 10, nowMs)).toBe(2_000);
  expect(nextAvailabilityMs(readyAt('30'), 10, nowMs)).toBeUndefined();
  expect(nextAvailabilityMs([podWith({ status: readyStatus('2026-01-01T00:00:59Z', false) })], 10, nowMs)).toBeUndefined();
});

const deletionTimestamp = '2026-01-01T00:00:00Z';

test.each([
  ['a new pod', {}, true, false],
  ['a deleted pod', { metadata: { deletionTimestamp } }, false, true],
  ['a failed pod', { status: { phase: 'Failed' } }, false, false],
  ['a deleted pod that succeeded', { metadata: { deletionTimestamp }, status: { phase: 'Succeeded' } }, false, false],
])('%s', (_, fields, isActive, isTerminating) => {
  expect([isPodActive(podWith(fields)), isPodTerminating(podWith(fields))]).toEqual([isActive, isTerminating]);
});
