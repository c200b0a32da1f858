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
