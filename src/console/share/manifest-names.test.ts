import { expect, test } from 'vitest';
import { namesOfManifests } from './manifest-names.ts';

test.each([
  ['apiVersion: rbac.authorization.k8s.io/v1\nkind: Role', 'kubernetes'],
  ['apiVersion: apps/v1\n---\napiVersion: networking.svc/v1', 'svc'],
  ['{"apiVersion":"storage.k8s.io/v1"}', 'kubernetes'],
  ['apiVersion: v1\n---\napiVersion: example.com/v1', undefined],
])('finds the names of the manifests %s', (text, names) => {
  expect(namesOfManifests(text)).toBe(names);
});
