import { expect, test } from 'vitest';
import type { corev1, policyv1 } from '../../schema/api/index.ts';
import { CycleState } from '../framework/cycle-state.ts';
import { nodeResourcesFit } from '../plugins/node-resources/node-resources-fit.ts';
import { testFramework, testHandle } from '../plugins/test-handle.test-support.ts';
import { testCache, testNode, testPod } from '../testing.test-support.ts';
import { bestCandidate, type Candidate } from './candidate.ts';
import { selectVictims } from './select-victims.ts';

const budget = (app: string, disruptionsAllowed: number, disruptedPods: Record<string, string> = {}): policyv1.PodDisruptionBudget =>
  ({
    metadata: { namespace: 'default', name: app },
    spec: { selector: { matchLabels: { app } } },
    status: { disruptionsAllowed, disruptedPods },
  }) as unknown as policyv1.PodDisruptionBudget;

const running = (name: string, priority: number, cpu = '1', status: Partial<corev1.PodStatus> = {}) =>
  testPod({ name, priority, labels: { app: name }, requests: { cpu }, status });

function victimsOf(
  pods: readonly ReturnType<typeof testPod>[],
  cpu: string,
  budgets: readonly policyv1.PodDisruptionBudget[] = [],
): unknown {
  const handle = testHandle(testCache([testNode('a')], { a: pods }));
  const simulation = testFramework(nodeResourcesFit, handle);
  const node = handle.snapshot.get('a');
  if (!node) throw new Error('there is no node');
  const pod = testPod({ name: 'preemptor', priority: 100, requests: { cpu } });
  const found = selectVictims({ simulation, pod, state: new CycleState(), node: node.clone(), budgets, nowMs: 0 });
  return 'code' in found ? found.reasons : [found.victims.map(({ pod: { metadata } }) => metadata.name), found.violations];
}

test('removes as few pods as possible, the least important ones', () => {
  const pods = [running('low', 1), running('middle', 5), running('high', 9), running('equal', 100)];
  expect(victimsOf(pods, '1')).toEqual([['low'], 0]);
  expect(victimsOf(pods, '2')).toEqual([['middle', 'low'], 0]);
  expect(victimsOf(pods, '4')).toEqual(['Insufficient cpu']);
});

test('removes the younger of equally important pods', () => {
  const started = (startTime: string) => ({ startTime });
  const pods = [running('young', 1, '2', started('2026-01-01T00:00:02Z')), running('old', 1, '2', started('2026-01-01T00:00:01Z'))];
  expect(victimsOf(pods, '2')).toEqual([['young'], 0]);
});

test('finds no victims among pods of the same priority', () => {
  expect(victimsOf([running('equal', 100, '4')], '1')).toEqual(['No preemption victims found for incoming pod']);
});

test('spares pods that a budget protects', () => {
  const pods = [running('guarded', 1, '2'), running('free', 5, '2')];
  expect(victimsOf(pods, '2', [budget('guarded', 0)])).toEqual([['free'], 0]);
  expect(victimsOf(pods, '2', [budget('guarded', 1)])).toEqual([['guarded'], 0]);
  expect(victimsOf(pods, '2', [budget('guarded', 0, { guarded: '' })])).toEqual([['guarded'], 0]);
  expect(victimsOf(pods, '4', [budget('guarded', 0)])).toEqual([['free', 'guarded'], 1]);
});

const candidate = (node: string, priorities: readonly number[], violations = 0, startTime?: string): Candidate => ({
  node,
  violations,
  victims: priorities.map((priority, index) => running(`${node}${index}`, priority, '1', startTime ? { startTime } : {})),
});

test.each([
  ['fewer violations of budgets', [candidate('a', [1], 1), candidate('b', [9])], 'b'],
  ['the lower highest priority', [candidate('a', [9]), candidate('b', [5, 5, 5])], 'b'],
  ['the smaller sum of priorities', [candidate('a', [5, 4]), candidate('b', [5, 1])], 'b'],
  ['fewer victims', [candidate('a', [5, 0, 0]), candidate('b', [5, 0])], 'b'],
  ['the later start', [candidate('a', [5], 0, '2026-01-01T00:00:01Z'), candidate('b', [5], 0, '2026-01-01T00:00:02Z')], 'b'],
  ['the first', [candidate('a', [5], 0, '2026-01-01T00:00:01Z'), candidate('b', [5], 0, '2026-01-01T00:00:01Z')], 'a'],
])('prefers %s', (_, candidates, best) => {
  expect(bestCandidate(candidates, 0)?.node).toBe(best);
});
