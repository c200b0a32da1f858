import { expect, test } from 'vitest';
import { ScalingHistory } from './scaling-history.ts';
import { limitReplicas, limitReplicasByBehavior } from './scaling-limits.ts';

test.each([
  [2, 3, 3, 'DesiredWithinRange'],
  [1, 9, 4, 'ScaleUpLimit'],
  [3, 9, 6, 'ScaleUpLimit'],
  [8, 20, 10, 'TooManyReplicas'],
  [3, 1, 2, 'TooFewReplicas'],
])('from %i to %i without a behavior', (currentReplicas, desiredReplicas, replicas, reason) => {
  expect(limitReplicas({ currentReplicas, desiredReplicas, minReplicas: 2, maxReplicas: 10 })).toMatchObject({ replicas, reason });
});

const pods = (value: number) => ({ type: 'Pods', value, periodSeconds: 60 });
const percent = (value: number) => ({ type: 'Percent', value, periodSeconds: 60 });

test.each([
  [4, 9, { scaleUp: { selectPolicy: 'Max', policies: [pods(1), percent(50)] } }, 6, 'ScaleUpLimit'],
  [4, 9, { scaleUp: { selectPolicy: 'Min', policies: [pods(1), percent(50)] } }, 5, 'ScaleUpLimit'],
  [4, 9, { scaleUp: { selectPolicy: 'Disabled', policies: [pods(1)] } }, 4, 'ScaleUpLimit'],
  [4, 99, { scaleUp: { selectPolicy: 'Max', policies: [pods(50)] } }, 10, 'TooManyReplicas'],
  [8, 1, { scaleDown: { selectPolicy: 'Max', policies: [pods(1), percent(50)] } }, 4, 'ScaleDownLimit'],
  [8, 1, { scaleDown: { selectPolicy: 'Min', policies: [pods(1), percent(50)] } }, 7, 'ScaleDownLimit'],
  [8, 1, { scaleDown: { selectPolicy: 'Max', policies: [percent(100)] } }, 2, 'TooFewReplicas'],
  [8, 8, {}, 8, 'DesiredWithinRange'],
])('from %i to %i with %j', (currentReplicas, desiredReplicas, behavior, replicas, reason) => {
  const input = { currentReplicas, desiredReplicas, minReplicas: 2, maxReplicas: 10 };
  expect(limitReplicasByBehavior(input, behavior, [], 0)).toMatchObject({ replicas, reason });
});

test('earlier changes count in the period of a policy', () => {
  const input = { currentReplicas: 5, desiredReplicas: 9, minReplicas: 1, maxReplicas: 10 };
  const behavior = { scaleUp: { selectPolicy: 'Max', policies: [pods(1)] } };
  const events = [{ atMs: 100_000, change: 1 }];
  expect(limitReplicasByBehavior(input, behavior, events, 130_000).replicas).toBe(5);
  expect(limitReplicasByBehavior(input, behavior, events, 170_000).replicas).toBe(6);
});

test('the highest recent recommendation prevents scaling down', () => {
  const history = new ScalingHistory();
  history.recordInitial(5, 0);
  history.recordInitial(9, 1);
  expect(history.stabilize(2, 60_000).replicas).toBe(5);
  expect(history.stabilize(3, 301_000).replicas).toBe(3);
  expect(history.stabilize(1, 370_000).replicas).toBe(3);
});

test('a behavior stabilizes in both directions', () => {
  const history = new ScalingHistory();
  const behavior = { scaleUp: { stabilizationWindowSeconds: 60 }, scaleDown: { stabilizationWindowSeconds: 120 } };
  history.recordInitial(4, 0);
  expect(history.stabilizeByBehavior(8, 4, behavior, 30_000)).toMatchObject({ replicas: 4, reason: 'ScaleUpStabilized' });
  expect(history.stabilizeByBehavior(8, 4, behavior, 70_000)).toMatchObject({ replicas: 8 });
  expect(history.stabilizeByBehavior(1, 8, behavior, 100_000)).toMatchObject({ replicas: 8, reason: 'ScaleDownStabilized' });
  expect(history.stabilizeByBehavior(1, 8, behavior, 300_000)).toMatchObject({ replicas: 1 });
});
