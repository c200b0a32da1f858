import { expect, test } from 'vitest';
import { compareByCreation, controllerOf } from './object-meta.ts';

const owner = (name: string, controller?: boolean) => ({
  apiVersion: 'v1',
  kind: 'A',
  name,
  uid: name,
  ...(controller === undefined ? {} : { controller }),
});

test('only the reference that is marked so is the controller', () => {
  expect(controllerOf({ metadata: { ownerReferences: [owner('a'), owner('b', false), owner('c', true)] } })?.name).toBe('c');
  expect(controllerOf({ metadata: { ownerReferences: [owner('a'), owner('b', false)] } })).toBeUndefined();
  expect(controllerOf({ metadata: {} })).toBeUndefined();
});

test('older objects come first, of the same age by name', () => {
  const object = (name: string, creationTimestamp?: string) => ({
    metadata: { name, ...(creationTimestamp ? { creationTimestamp } : {}) },
  });
  const objects = [
    object('b', '2026-01-01T00:00:01Z'),
    object('c', '2026-01-01T00:00:00Z'),
    object('a', '2026-01-01T00:00:01Z'),
    object('d'),
  ];
  expect(objects.sort(compareByCreation).map(({ metadata }) => metadata.name)).toEqual(['d', 'c', 'a', 'b']);
});
