import { cacheKeyOf } from '../../client/index.ts';
import { labelSelectorRequirements, matchesLabels, SelectorError, sameJson } from '../../meta/index.ts';
import { type metav1, type rbacv1, rbacv1ClusterRoles } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { startWorkers } from '../start-workers.ts';

const name = 'clusterrole-aggregation-controller';

/** Sets the rules of aggregated cluster roles to those of the roles that they select (part 2.11). */
export const roleAggregation: Controller = (context) => {
  const roles = context.informers.informer(rbacv1ClusterRoles);
  const reconcile = async (key: string): Promise<void> => {
    const role = roles.store.get(key);
    const rules = role && computeAggregatedRules(role, roles.store.list());
    if (rules) await context.client.resource(rbacv1ClusterRoles).apply({ metadata: { name: key }, rules }, { fieldManager: name });
  };
  const queue = startWorkers({ name, informers: [roles], reconcile }, context);
  const enqueueAggregated = (): void => {
    for (const role of roles.store.list()) if (role.aggregationRule) queue.add(cacheKeyOf(role));
  };
  roles.addHandler({ onAdd: enqueueAggregated, onUpdate: enqueueAggregated, onDelete: enqueueAggregated });
};

/** The new rules of a role; undefined when nothing changes, or it has no aggregation rule. Cf. pkg/controller/clusterroleaggregation. */
export function computeAggregatedRules(
  { metadata, aggregationRule, rules }: rbacv1.ClusterRole,
  all: readonly rbacv1.ClusterRole[],
): readonly rbacv1.PolicyRule[] | undefined {
  const selectors = aggregationRule?.clusterRoleSelectors ?? [];
  if (selectors.length === 0) return undefined;
  const others = all.filter((other) => other.metadata.name !== metadata.name).sort(byName);
  const wanted: rbacv1.PolicyRule[] = [];
  for (const selector of selectors) {
    for (const rule of others.filter((other) => isSelected(other, selector)).flatMap((other) => other.rules ?? [])) {
      if (!wanted.some((known) => sameJson(known, rule))) wanted.push(rule);
    }
  }
  return sameJson(wanted, rules ?? []) ? undefined : wanted;
}

function isSelected({ metadata }: rbacv1.ClusterRole, selector: metav1.LabelSelector): boolean {
  try {
    return matchesLabels(labelSelectorRequirements({ ...selector }), metadata.labels ?? {});
  } catch (error) {
    // An invalid selector selects nothing.
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

function byName(a: rbacv1.ClusterRole, b: rbacv1.ClusterRole): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
