import { type ApiObject, isJsonObject, type JsonObject, objectsAt, type Product, recordAt, sameJson } from '../../meta/index.ts';
import type { PolicyRule } from '../rbac/policy.ts';
import { readRules } from '../rbac/read-policy.ts';
import { findUncoveredRules } from '../rbac/rule-coverage.ts';

/** The reconciliation of an existing default object at startup (part 2.11). */
export type ReconcileResult =
  | { readonly action: 'keep' }
  | { readonly action: 'update'; readonly object: ApiObject }
  /** The roleRef of a binding is immutable, so the binding is recreated. */
  | { readonly action: 'recreate' };

const unchanged: ReconcileResult = { action: 'keep' };

/** Adds what is missing and removes nothing; skips objects with autoupdate=false. Cf. upstream auth/rbac/reconciliation. */
export function reconcileDefaultObject(existing: ApiObject, expected: JsonObject, product: Product): ReconcileResult {
  const annotation = product.rename('rbac.authorization.kubernetes.io/autoupdate');
  if (recordAt(existing.metadata as unknown as JsonObject, 'annotations')[annotation] === 'false') return unchanged;
  const stored = existing as unknown as JsonObject;
  if ('roleRef' in expected && !sameJson(recordAt(stored, 'roleRef'), recordAt(expected, 'roleRef'))) return { action: 'recreate' };
  const changes = {
    ...metadataChange(existing, recordAt(expected, 'metadata')),
    ...('roleRef' in expected
      ? subjectsChange(stored, expected)
      : { ...rulesChange(stored, expected), ...aggregationChange(stored, expected) }),
  };
  if (Object.keys(changes).length === 0) return unchanged;
  const { aggregationRule, ...others } = { ...stored, ...changes } as JsonObject;
  const object = { ...others, ...(aggregationRule === undefined || aggregationRule === null ? {} : { aggregationRule }) };
  return { action: 'update', object: object as unknown as ApiObject };
}

/** Adds missing labels and annotations; existing values win. */
function metadataChange(existing: ApiObject, expected: JsonObject): JsonObject {
  const own = existing.metadata as unknown as JsonObject;
  const merged = Object.fromEntries(
    ['labels', 'annotations'].map((name) => [name, { ...recordAt(expected, name), ...recordAt(own, name) }]),
  );
  const same = ['labels', 'annotations'].every((name) => sameJson(merged[name] ?? {}, recordAt(own, name)));
  return same ? {} : { metadata: { ...own, ...merged } };
}

function rulesChange(stored: JsonObject, expected: JsonObject): JsonObject {
  const missing = findUncoveredRules(readRules(stored), readRules(expected));
  return missing.length === 0 ? {} : { rules: [...objectsAt(stored, 'rules'), ...missing.map(omitEmptyLists)] };
}

/** The rule without its empty lists. */
function omitEmptyLists(rule: PolicyRule): JsonObject {
  return Object.fromEntries(Object.entries(rule).filter(([, values]: [string, readonly string[]]) => values.length > 0));
}

function aggregationChange(stored: JsonObject, expected: JsonObject): JsonObject {
  if (expected['aggregationRule'] === undefined) return isJsonObject(stored['aggregationRule'] ?? null) ? { aggregationRule: null } : {};
  const there = objectsAt(recordAt(stored, 'aggregationRule'), 'clusterRoleSelectors');
  const missing = objectsAt(recordAt(expected, 'aggregationRule'), 'clusterRoleSelectors').filter(
    (selector) => !there.some((other) => sameJson(other, selector)),
  );
  return missing.length === 0 ? {} : { aggregationRule: { clusterRoleSelectors: [...there, ...missing] } };
}

function subjectsChange(stored: JsonObject, expected: JsonObject): JsonObject {
  const there = objectsAt(stored, 'subjects');
  const missing = objectsAt(expected, 'subjects').filter((subject) => !there.some((other) => sameJson(other, subject)));
  return missing.length === 0 ? {} : { subjects: [...there, ...missing] };
}
