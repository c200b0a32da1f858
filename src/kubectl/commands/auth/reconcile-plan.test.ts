import { expect, test } from 'vitest';
import type { JsonObject } from '../../../meta/index.ts';
import { planBinding, planCreation, planRole } from './reconcile-plan.ts';

const options = { protection: 'rbac.authorization.kubernetes.io/autoupdate', removeExtra: false };
const role = (verbs: readonly string[], more: JsonObject = {}): JsonObject => ({
  kind: 'Role',
  metadata: { name: 'r', ...more },
  rules: [{ apiGroups: [''], resources: ['pods'], verbs }],
});
const listed = '{Verbs:[list] APIGroups:[] Resources:[pods] ResourceNames:[] NonResourceURLs:[]}';

test('a role that covers the wanted rules is left as it is', () => {
  expect(planRole(role(['*']), role(['get', 'list']), options)).toMatchObject({ operation: 'none', missingRules: [] });
});

test('missing rules are added, extra ones removed on request only', () => {
  const added = planRole(role(['get']), role(['list']), options);
  expect(added).toMatchObject({ operation: 'update', missingRules: [listed] });
  expect(added.object['rules']).toHaveLength(2);
  const replaced = planRole(role(['get', 'list']), role(['list']), { ...options, removeExtra: true });
  expect(replaced).toMatchObject({ operation: 'update', object: { rules: [{ verbs: ['list'] }] }, missingRules: [] });
});

test('a protected role is reported as such', () => {
  const live = role(['get'], { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } });
  expect(planRole(live, role(['list']), options)).toMatchObject({ isProtected: true });
});

test('a binding with another role is created again', () => {
  const binding = (name: string, user: string): JsonObject => ({
    kind: 'RoleBinding',
    metadata: { name: 'b' },
    roleRef: { kind: 'Role', name },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
  });
  expect(planBinding(binding('r', 'x'), binding('s', 'x'), options)).toMatchObject({ operation: 'recreate' });
  const changed = planBinding(binding('r', 'x'), binding('r', 'y'), options);
  expect(changed.missingSubjects).toEqual(['{Kind:User APIGroup:rbac.authorization.k8s.io Name:y Namespace:}']);
  expect(changed.object['subjects']).toHaveLength(2);
  expect(planBinding(binding('r', 'x'), binding('r', 'x'), options)).toMatchObject({ operation: 'none' });
});

test('a missing object is created with all of its rules', () => {
  expect(planCreation(role(['list']))).toMatchObject({ operation: 'create', missingRules: [listed] });
});
