import { expect, test } from 'vitest';
import { changedManagers, fieldOwners, type Manager, managersOf, pathKey } from './managed-fields.ts';

const pod = {
  metadata: {
    labels: { app: 'web', tier: 'front' },
    managedFields: [
      {
        manager: 'kubectl',
        operation: 'Apply',
        time: '2026-01-01T00:00:00Z',
        fieldsV1: {
          'f:metadata': { 'f:labels': { 'f:app': {} } },
          'f:spec': {
            'f:containers': {
              'k:{"name":"b"}': {
                '.': {},
                'f:name': {},
                'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { 'f:containerPort': {} } },
              },
            },
            'f:finalizers': { 'v:"x"': {} },
          },
        },
      },
      { manager: 'other', operation: 'Update', fieldsV1: { 'f:metadata': { 'f:labels': {} } } },
    ],
  },
  spec: { containers: [{ name: 'a' }, { name: 'b', ports: [{ containerPort: 80 }] }], finalizers: ['y', 'x'] },
};

const owners = (...path: (string | number)[]): string => {
  const managers: readonly Manager[] = managersOf(pod);
  return (fieldOwners(pod, managers).get(pathKey(path)) ?? []).map((at) => managers[at]?.name).join();
};

test('a field is owned by all managers that name it, an atomic one with all fields below', () => {
  expect(owners('metadata', 'labels', 'app')).toBe('kubectl,other');
  expect(owners('metadata', 'labels', 'tier')).toBe('other');
  expect(owners('metadata', 'labels')).toBe('other');
});

test('finds list items by keys, including defaulted ones, and by value', () => {
  expect(owners('spec', 'containers', 1)).toBe('kubectl');
  expect(owners('spec', 'containers', 0)).toBe('');
  expect(owners('spec', 'containers', 1, 'ports', 0, 'containerPort')).toBe('kubectl');
  expect(owners('spec', 'finalizers', 1)).toBe('kubectl');
});

test('the managers of a change are those whose entries it added or altered, not the one with the latest time', () => {
  const entry = (manager: string, operation: string, field: string, more: object = {}): object => ({
    manager,
    operation,
    time: '2026-01-01T00:00:00Z',
    fieldsV1: { [field]: {} },
    ...more,
  });
  const status = entry('kubelet', 'Update', 'f:status', { subresource: 'status' });
  const objectOf = (...managedFields: object[]): Parameters<typeof changedManagers>[0] => ({ metadata: { managedFields } }) as never;
  const created = objectOf(entry('kubectl', 'Apply', 'f:a'), status);
  expect(changedManagers({}, created)).toBe('kubectl (apply), kubelet (update status)');
  expect(changedManagers(created, objectOf(entry('kubectl', 'Apply', 'f:b'), status))).toBe('kubectl (apply)');
  expect(
    changedManagers(created, objectOf(entry('kubectl', 'Apply', 'f:a'), entry('kubelet', 'Update', 'f:other', { subresource: 'status' }))),
  ).toBe('kubelet (update status)');
  expect(changedManagers(created, created)).toBe('');
});
