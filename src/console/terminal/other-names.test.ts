import { expect, test } from 'vitest';
import { otherNamesIn } from './other-names.ts';

const noKind = (version: string): string =>
  `error: resource mapping not found for name: "a" namespace: "" from "a.yaml": no matches for kind "Role" in version "${version}"`;

test.each([
  [noKind('rbac.authorization.k8s.io/v1'), 'svc', 'kubernetes'],
  [noKind('rbac.authorization.svc/v1'), 'kubernetes', 'svc'],
  [`error: the server doesn't have a resource type "roles"`, 'svc', 'kubernetes'],
  [`error: the server doesn't have a resource type "pots"`, 'svc', undefined],
  [noKind('rbac.authorization.k8s.io/v2'), 'kubernetes', undefined],
  [noKind('example.com/v1'), 'svc', undefined],
  ['configmap/a created', 'svc', undefined],
] as const)('finds the names for which a command was written: %s', (output, names, expected) => {
  expect(otherNamesIn(output, 'kubectl get pods,roles.rbac.authorization.k8s.io', names)).toBe(expected);
});
