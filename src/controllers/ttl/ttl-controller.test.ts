import { expect, test } from 'vitest';
import { nextStep } from './ttl-controller.ts';

test.each([
  [0, 100, 0],
  [0, 101, 1],
  [1, 95, 1],
  [1, 89, 0],
  [0, 5000, 4],
])('from step %d with %d nodes to step %d', (step, nodes, expected) => {
  expect(nextStep(step, nodes)).toBe(expected);
});
