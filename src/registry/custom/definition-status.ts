import { type ApiObject, type Json, type JsonObject, type Product, sameJson } from '../../meta/index.ts';
import { getApprovalState, hasInvalidCaBundle } from '../../schema/index.ts';
import { withMembers } from '../strategies/kind-row.ts';
import {
  acceptedNames,
  conditionOf,
  type Definition,
  type DefinitionCondition,
  type DefinitionNames,
  groupOf,
  isTrue,
  specNames,
} from './definition.ts';

export type Condition = { readonly type: string; readonly status: string; readonly reason: string; readonly message: string };

/**
 * Sets the status as kube-apiserver's own controllers do; returns the same object when nothing changes.
 * `others`: all other definitions. Cf. upstream apiextensions controller/status, establish, apiapproval.
 */
export function withServedStatus(definition: ApiObject, others: readonly ApiObject[], product: Product, now: string): ApiObject {
  const named = withAcceptedNames(definition, others, now);
  const established =
    isTrue(named, 'NamesAccepted') && !isTrue(named, 'Established')
      ? withCondition(named, hasInvalidCaBundle(named) ? invalidCaBundle : establishedCondition('True', 'InitialNamesAccepted'), now)
      : named;
  const approval = approvalCondition(established, product);
  return approval ? withCondition(established, approval, now) : established;
}

const invalidCaBundle: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
};

function establishedCondition(status: string, reason: string): Condition {
  return { type: 'Established', status, reason, message: 'the initial names have been accepted' };
}

function withAcceptedNames(definition: ApiObject, others: readonly ApiObject[], now: string): ApiObject {
  const [requested, current] = [specNames(definition), acceptedNames(definition)];
  if (sameJson(requested, current) && conditionOf(definition, 'NamesAccepted')) return definition;
  const { names, conflict } = acceptNames(requested, current, namesOfGroup(definition, others));
  const condition: Condition = conflict
    ? { type: 'NamesAccepted', status: 'False', ...conflict }
    : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  const before = conditionOf(definition, 'NamesAccepted');
  if (sameJson(names, current) && before && isSameCondition(before, condition)) return definition;
  const status = withMembers((definition['status'] ?? {}) as JsonObject, { acceptedNames: encodeNames(names) });
  const updated = withCondition({ ...definition, status } as ApiObject, condition, now);
  if (isTrue(definition, 'Established')) return updated;
  const established: Condition = conflict
    ? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
    : establishedCondition('False', 'Installing');
  return conflict && conditionOf(definition, 'Established') ? updated : withCondition(updated, established, now);
}

interface NamesInUse {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function namesOfGroup(definition: ApiObject, others: readonly ApiObject[]): NamesInUse {
  const group = groupOf(definition);
  const names = [definition, ...others].filter((one) => groupOf(one) === group).map(acceptedNames);
  return {
    resources: new Set(names.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...shortNames])),
    kinds: new Set(names.flatMap(({ kind, listKind }) => [kind, listKind])),
  };
}

interface NameAcceptance {
  readonly names: DefinitionNames;
  /** The last name in use by another definition; the other names are still accepted. */
  readonly conflict: { readonly reason: string; readonly message: string } | undefined;
}

function acceptNames(requested: DefinitionNames, current: DefinitionNames, { resources, kinds }: NamesInUse): NameAcceptance {
  let conflict: NameAcceptance['conflict'];
  const one = (name: 'plural' | 'singular' | 'kind' | 'listKind', taken: ReadonlySet<string>): string => {
    if (requested[name] === current[name] || !taken.has(requested[name])) return requested[name];
    conflict = { reason: `${name.charAt(0).toUpperCase()}${name.slice(1)}Conflict`, message: inUseMessage(requested[name]) };
    return current[name];
  };
  const plural = one('plural', resources);
  const singular = one('singular', resources);
  const currentShortNames = new Set(current.shortNames);
  const clashes = requested.shortNames.filter((name) => !currentShortNames.has(name) && resources.has(name));
  if (clashes.length > 0) {
    const texts = [...new Set(clashes)].map(inUseMessage);
    conflict = { reason: 'ShortNamesConflict', message: texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]` };
  }
  const kind = one('kind', kinds);
  const listKind = one('listKind', kinds);
  const shortNames = clashes.length > 0 ? current.shortNames : requested.shortNames;
  return { names: { plural, singular, kind, listKind, shortNames, categories: requested.categories }, conflict };
}

function inUseMessage(name: string): string {
  return `${JSON.stringify(name)} is already in use`;
}

function encodeNames({ plural, singular, shortNames, kind, listKind, categories }: DefinitionNames): JsonObject {
  return {
    plural,
    ...(singular === '' ? {} : { singular }),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    kind,
    ...(listKind === '' ? {} : { listKind }),
    ...(categories.length > 0 ? { categories } : {}),
  };
}

const approvals = {
  invalid: ['False', 'InvalidAnnotation'],
  missing: ['False', 'MissingAnnotation'],
  approved: ['True', 'ApprovedAnnotation'],
  bypassed: ['False', 'UnapprovedAnnotation'],
} as const;

function approvalCondition(definition: ApiObject, product: Product): Condition | undefined {
  const approval = getApprovalState(definition, product);
  if (!approval) return undefined;
  const [status, reason] = approvals[approval.state];
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason, message: approval.reason };
}

function isSameCondition(before: DefinitionCondition, condition: Condition): boolean {
  return (Object.keys(condition) as (keyof Condition)[]).every((name) => before[name] === condition[name]);
}

/** `lastTransitionTime` is the time of the last change of the condition's status. */
export function withCondition(definition: ApiObject, condition: Condition, now: string): ApiObject {
  const { status = {} }: Definition = definition;
  const conditions = status.conditions ?? [];
  const at = conditions.findIndex((one) => one.type === condition.type);
  const before = conditions[at];
  if (before && isSameCondition(before, condition)) return definition;
  const since = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now;
  const { type, status: state, reason, message } = condition;
  const merged: JsonObject = { type, status: state, lastTransitionTime: since, reason, message };
  const next: Json = at < 0 ? [...conditions, merged] : conditions.map((one, index) => (index === at ? merged : one));
  return { ...definition, status: withMembers(status, { conditions: next }) } as ApiObject;
}
