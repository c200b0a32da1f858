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
export function computeAggregatedRules(role: rbacv1.ClusterRole, all: readonly rbacv1.ClusterRole[]): Rules | undefined {
  if (!isAggregated(role)) return undefined;
  const wanted = collectRules(role, [...all].sort(byName), new Map());
  return sameJson(wanted, role.rules ?? []) ? undefined : wanted;
}

type Rules = readonly rbacv1.PolicyRule[];

/** Aggregated roles that are collected for one role; of others the stored rules count, until they are complete. */
const maxCollected = 20;

const isAggregated = ({ aggregationRule }: rbacv1.ClusterRole): boolean => (aggregationRule?.clusterRoleSelectors ?? []).length > 0;

/**
 * The rules of the selected roles. Those that are aggregated themselves are collected too, so that one write makes a role complete: clients
 * that wait for its first rules read all of them. `known` has the rules by role; the stored ones of roles that select each other.
 */
function collectRules(role: rbacv1.ClusterRole, all: readonly rbacv1.ClusterRole[], known: Map<string, Rules>): Rules {
  if (!isAggregated(role)) return role.rules ?? [];
  const name = nameOf(role);
  const before = known.get(name);
  if (before) return before;
  if (known.size >= maxCollected) return role.rules ?? [];
  known.set(name, role.rules ?? []);
  const wanted: rbacv1.PolicyRule[] = [];
  for (const selector of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const selected = all.filter((other) => nameOf(other) !== name && isSelected(other, selector));
    for (const rule of selected.flatMap((other) => collectRules(other, all, known))) {
      if (!wanted.some((one) => sameJson(one, rule))) wanted.push(rule);
    }
  }
  known.set(name, wanted);
  return wanted;
}

const nameOf = ({ metadata }: rbacv1.ClusterRole): string => metadata.name ?? '';

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
  return nameOf(a) < nameOf(b) ? -1 : 1;
}
