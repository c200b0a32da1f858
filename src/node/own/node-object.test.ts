import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { nodeStatus } from './node-object.ts';

test.each([
  ['kubernetes', 'kubernetes.io/x'],
  ['svc', 'svc/x'],
] as const)('advertised resources are allocatable beside those of the configuration, but for native ones (%s)', (names, native) => {
  const before = { capacity: { 'example.com/a': '2', 'example.com/b': '2', [native]: '1' }, allocatable: { 'example.com/c': '2' } };
  const { allocatable } = nodeStatus(
    { name: 'n', capacity: { 'example.com/a': '4' } },
    { address: '', before: before as unknown as corev1.NodeStatus, images: [], present: [], product: productByName(names), nowMs: 0 },
  );
  expect(allocatable).toMatchObject({ 'example.com/a': '4', 'example.com/b': '2', 'example.com/c': null });
  expect(allocatable).not.toHaveProperty([native]);
});
