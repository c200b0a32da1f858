import {
  type ApiObject,
  type Json,
  type JsonObject,
  labelSelectorRequirements,
  matchesLabels,
  SelectorError,
  sameJson,
} from '../meta/index.ts';
import { writeRequest } from './api-call.ts';
import type { Controller } from './controller.ts';
import { startInformer } from './informer.ts';
import { createSingleWorkerQueue } from './single-worker-queue.ts';

const manager = 'clusterrole-aggregation-controller';

/** Sets the rules of aggregated cluster roles to those of the roles that they select (part 2.11). */
export const roleAggregation: Controller = (parts, signal) => {
  const { product, api } = parts;
  const apiVersion = product.rename('rbac.authorization.k8s.io/v1');
  const path = `/apis/${apiVersion}/clusterroles`;
  const fill = createSingleWorkerQueue('role aggregation', { ...parts, signal }, async () => {
    for (const role of roles.objects.values()) {
      const rules = computeAggregatedRules(role, [...roles.objects.values()]);
      if (!rules) continue;
      const name = role.metadata.name ?? '';
      const intent = { apiVersion, kind: 'ClusterRole', metadata: { name }, rules };
      await api(writeRequest('APPLY', `${path}/${encodeURIComponent(name)}?fieldManager=${manager}&force=true`, intent, signal));
    }
  });
  const roles = startInformer(parts, { path, fieldSelector: '' }, () => fill(), signal);
};

/** The new rules of a role; undefined when nothing changes, or it has no aggregation rule. Cf. pkg/controller/clusterroleaggregation. */
export function computeAggregatedRules(role: ApiObject, all: readonly ApiObject[]): readonly Json[] | undefined {
  const { aggregationRule, rules } = role as ApiObject & {
    readonly aggregationRule?: AggregationRule;
    readonly rules?: readonly Json[] | null;
  };
  const selectors = aggregationRule?.clusterRoleSelectors ?? [];
  if (selectors.length === 0) return undefined;
  const others = all.filter(({ metadata }) => metadata.name !== role.metadata.name).sort(byName);
  const wanted: Json[] = [];
  for (const selector of selectors) {
    for (const rule of others.filter((other) => isSelected(other, selector)).flatMap(rulesOf)) {
      if (!wanted.some((known) => sameJson(known, rule))) wanted.push(rule);
    }
  }
  return sameJson(wanted, rules ?? []) ? undefined : wanted;
}

interface AggregationRule {
  readonly clusterRoleSelectors?: readonly JsonObject[] | null;
}

function isSelected({ metadata }: ApiObject, selector: JsonObject): boolean {
  try {
    return matchesLabels(labelSelectorRequirements(selector), metadata.labels ?? {});
  } catch (error) {
    // An invalid selector selects nothing.
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

function rulesOf(role: ApiObject): readonly Json[] {
  const { rules } = role as { readonly rules?: readonly Json[] | null };
  return rules ?? [];
}

function byName(a: ApiObject, b: ApiObject): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
