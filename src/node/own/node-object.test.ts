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

const statusOf = (config: object): Partial<corev1.NodeStatus> =>
  nodeStatus(
    { name: 'n', ...config },
    { address: '', before: undefined, images: [], present: [], product: productByName('kubernetes'), nowMs: 0 },
  );

test.each([
  [{}, { memory: '8092Mi', 'ephemeral-storage': '96636764000', cpu: '4' }],
  [{ capacity: { memory: '50Mi', 'ephemeral-storage': '10' } }, { memory: '0', 'ephemeral-storage': '9' }],
])('pods may use the capacity %j without the thresholds of evictions', (config, allocatable) => {
  expect(statusOf(config).allocatable).toMatchObject(allocatable);
});

test.each([
  [{}, ['', 'runc']],
  [{ runtimeHandlers: ['runc', 'runsc'] }, ['', 'runc', 'runsc']],
])('the runtime handlers of the configuration %j', (config, names) => {
  expect(statusOf(config).runtimeHandlers?.map(({ name }) => name)).toEqual(names);
});

test('a node has other IDs than another one, the same in each run, and a boot ID until it is booted again', () => {
  const { machineID = '', systemUUID = '', bootID = '' } = statusOf({}).nodeInfo ?? {};
  expect(machineID).toMatch(/^[\da-f]{32}$/);
  for (const id of [systemUUID, bootID]) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  expect(statusOf({}).nodeInfo).toEqual(statusOf({}).nodeInfo);
  expect(new Set([machineID, systemUUID.replaceAll('-', ''), bootID.replaceAll('-', '')]).size).toBe(3);
  expect(statusOf({ name: 'o' }).nodeInfo?.machineID).not.toBe(machineID);
});
