import { type JsonObject, objectsAt, recordAt, sameJson } from '../../../meta/index.ts';
import { compactJson } from '../../printers/json.ts';
import { metadataOf, setMetadata, textsOf } from '../../resources/info.ts';
import { formatRule, rulesOf, uncoveredRules } from './rules.ts';

type Operation = 'none' | 'create' | 'update' | 'recreate';

/** The request that makes a live object match the wanted one. Cf. component-helpers rbac/reconciliation. */
export interface Plan {
  readonly operation: Operation;
  readonly object: JsonObject;
  /** The live object must not be changed (annotation `autoupdate: "false"`). */
  readonly isProtected: boolean;
  /** What is added and removed, as printed. */
  readonly missingSubjects: readonly string[];
  readonly extraSubjects: readonly string[];
  readonly missingRules: readonly string[];
  readonly extraRules: readonly string[];
}

const nothing = { isProtected: false, missingSubjects: [], extraSubjects: [], missingRules: [], extraRules: [] };

export function planCreation(wanted: JsonObject): Plan {
  const missingRules = rulesOf(wanted).map(formatRule);
  return {
    ...nothing,
    operation: 'create',
    object: wanted,
    missingRules,
    missingSubjects: objectsAt(wanted, 'subjects').map(formatSubject),
  };
}

interface PlanOptions {
  /** The annotation that protects an object. */
  readonly protection: string;
  readonly removeExtra: boolean;
}

export function planRole(live: JsonObject, wanted: JsonObject, { protection, removeExtra }: PlanOptions): Plan {
  const merged = mergeMetadata(live, wanted);
  const [held, needed] = [rulesOf(live), rulesOf(wanted)];
  const aggregated = wanted['aggregationRule'] !== undefined && live['aggregationRule'] !== undefined;
  const missing = uncoveredRules(held, needed);
  const extra = aggregated ? [] : uncoveredRules(needed, held);
  const changesRules = missing.length > 0 || (removeExtra && extra.length > 0);
  const rules = removeExtra ? (wanted['rules'] ?? []) : [...objectsAt(live, 'rules'), ...missing.map((rule) => withoutEmptyLists(rule))];
  const withRules = changesRules ? { ...merged, rules } : merged;
  const object = reconcileAggregation(withRules, live, wanted, removeExtra);
  return {
    ...nothing,
    object,
    operation: sameJson(object, live) ? 'none' : 'update',
    isProtected: isProtected(live, protection),
    missingRules: missing.map(formatRule),
    extraRules: extra.map(formatRule),
  };
}

function withoutEmptyLists(rule: object): JsonObject {
  return Object.fromEntries(Object.entries(rule).filter(([, values]) => (values as readonly string[]).length > 0));
}

function reconcileAggregation(object: JsonObject, live: JsonObject, wanted: JsonObject, removeExtra: boolean): JsonObject {
  const { aggregationRule: _, ...plain } = object;
  if (wanted['aggregationRule'] === undefined) return live['aggregationRule'] === undefined ? object : plain;
  const [held, needed] = [live, wanted].map((role) => objectsAt(recordAt(role, 'aggregationRule'), 'clusterRoleSelectors'));
  const known = new Set((held ?? []).map(compactJson));
  const missing = (needed ?? []).filter((selector) => !known.has(compactJson(selector)));
  const extra = (held?.length ?? 0) + missing.length > (needed?.length ?? 0);
  if (removeExtra && (missing.length > 0 || extra)) return { ...object, aggregationRule: wanted['aggregationRule'] };
  if (missing.length === 0) return object;
  return { ...object, aggregationRule: { clusterRoleSelectors: [...(held ?? []), ...missing] } };
}

export function planBinding(live: JsonObject, wanted: JsonObject, { protection, removeExtra }: PlanOptions): Plan {
  const guarded = { isProtected: isProtected(live, protection) };
  // The reference to the role of a binding cannot be updated.
  if (!sameJson(live['roleRef'], wanted['roleRef'])) return { ...nothing, ...guarded, operation: 'recreate', object: wanted };
  const [held, needed] = [objectsAt(live, 'subjects'), objectsAt(wanted, 'subjects')];
  const missing = difference(needed, held);
  const extra = difference(held, needed);
  const changes = missing.length > 0 || (removeExtra && extra.length > 0);
  const merged = mergeMetadata(live, wanted);
  const object = changes ? { ...merged, subjects: removeExtra ? needed : [...held, ...missing] } : merged;
  return {
    ...nothing,
    ...guarded,
    object,
    operation: sameJson(object, live) ? 'none' : 'update',
    missingSubjects: missing.map(formatSubject),
    extraSubjects: extra.map(formatSubject),
  };
}

function difference(of: readonly JsonObject[], without: readonly JsonObject[]): readonly JsonObject[] {
  const known = new Set(without.map(formatSubject));
  return of.filter(
    (one, index) => !known.has(formatSubject(one)) && of.findIndex((other) => formatSubject(other) === formatSubject(one)) === index,
  );
}

/** As Go prints the subject with its field names. */
function formatSubject(subject: JsonObject): string {
  const text = (member: string): string => String(subject[member] ?? '');
  const isAccount = text('kind') === 'ServiceAccount';
  const group = subject['apiGroup'] ?? (isAccount ? '' : 'rbac.authorization.k8s.io');
  return `{Kind:${text('kind')} APIGroup:${String(group)} Name:${text('name')} Namespace:${text('namespace')}}`;
}

function isProtected(live: JsonObject, annotation: string): boolean {
  return textsOf(metadataOf(live)['annotations'])[annotation] === 'false';
}

/** Adds labels and annotations; those of the live object have precedence. */
function mergeMetadata(live: JsonObject, wanted: JsonObject): JsonObject {
  const merged = (member: string): object | undefined => {
    const [own, more] = [metadataOf(live)[member], metadataOf(wanted)[member]];
    return own === undefined && more === undefined ? undefined : { ...textsOf(more), ...textsOf(own) };
  };
  return setMetadata(live, { annotations: merged('annotations'), labels: merged('labels') });
}
