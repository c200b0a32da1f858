import { expect, test } from 'vitest';
import type { rbacv1 } from '../../schema/api/index.ts';
import { computeAggregatedRules } from './role-aggregation.ts';

const rule = (resource: string) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
const role = (name: string, rules: readonly rbacv1.PolicyRule[] | null, more: Partial<rbacv1.ClusterRole> = {}): rbacv1.ClusterRole => ({
  kind: 'ClusterRole',
  apiVersion: 'x/v1',
  metadata: { name, labels: { to: 'all' } },
  rules,
  ...more,
});
const aggregate = (rules: readonly rbacv1.PolicyRule[] | null) =>
  role('all', rules, { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: 'all' } }, { matchLabels: { to: 'none' } }] } });

test('aggregates the rules of selected roles, ordered by name and deduplicated, without its own', () => {
  const parts = [role('b', [rule('pods'), rule('nodes')]), role('a', [rule('nodes')]), role('c', null)];
  expect(computeAggregatedRules(aggregate([rule('secrets')]), [aggregate([rule('secrets')]), ...parts])).toEqual([
    rule('nodes'),
    rule('pods'),
  ]);
});

test('returns undefined for up-to-date and for non-aggregated roles', () => {
  expect(computeAggregatedRules(aggregate([rule('pods')]), [role('a', [rule('pods')])])).toBeUndefined();
  expect(computeAggregatedRules(aggregate(null), [])).toBeUndefined();
  expect(computeAggregatedRules(role('a', [rule('pods')]), [])).toBeUndefined();
});

test('the rules of selected roles that are aggregated themselves are complete, also when roles select each other', () => {
  const selecting = (name: string, label: string, to: string): rbacv1.ClusterRole => ({
    ...role(name, null, { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: label } }] } }),
    metadata: { name, labels: { to } },
  });
  const part = { ...role('part', [rule('pods')]), metadata: { name: 'part', labels: { to: 'view' } } };
  const [edit, view] = [selecting('edit', 'edit', 'none'), selecting('view', 'view', 'edit')];
  expect(computeAggregatedRules(edit, [edit, part, view])).toEqual([rule('pods')]);
  const [first, second] = [selecting('first', 'a', 'b'), selecting('second', 'b', 'a')];
  expect(computeAggregatedRules(first, [first, second])).toBeUndefined();
});

test('many roles that select each other are collected in part', () => {
  const roles = Array.from({ length: 3_000 }, (_, at) =>
    role(`r${at}`, [rule(`resource-${at % 7}`)], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: 'all' } }] } }),
  );
  expect(computeAggregatedRules(roles[0] ?? role('none', null), roles)).toHaveLength(7);
});
