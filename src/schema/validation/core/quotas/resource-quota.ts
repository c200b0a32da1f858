import { collectErrors, invalid, type JsonObject, required } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { isSemanticallyEqual, recordAt } from '../../accessors.ts';
import { type Errors, none } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { KindValidators, ValidationContext } from '../../kind-validator.ts';
import { validateObjectMetaUpdate } from '../../update-validators.ts';
import { isStandardQuotaResource, validateQuotaResourceName, validateResourceAmount } from './resource-names.ts';

const simpleScopes: ReadonlySet<string> = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'CrossNamespacePodAffinity',
]);
const scopes: ReadonlySet<string> = new Set([...simpleScopes, 'PriorityClass', 'VolumeAttributesClass']);
const ofPods: ReadonlySet<string> = new Set(['pods', ...['cpu', 'memory'].flatMap((name) => [name, `limits.${name}`, `requests.${name}`])]);
const ofClaims: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'requests.storage']);
const conflicting = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

export function resourceQuotaValidators(context: ValidationContext): KindValidators {
  const validate = (object: Decoded<corev1.ResourceQuota>): Errors => validateQuotaSpec(object.spec ?? {}, context);
  return {
    'core.ResourceQuota': {
      create: validate,
      update(next, old) {
        const [now, before] = [next.spec?.scopes ?? [], old.spec?.scopes ?? []];
        const changed = isSemanticallyEqual([...new Set(now)].sort(), [...new Set(before)].sort())
          ? none
          : [invalid('spec.scopes', next.spec?.scopes, 'field is immutable')];
        return [...validateObjectMetaUpdate(next, old), ...validate(next), ...changed];
      },
      updateStatus: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...['hard', 'used'].flatMap((part) => validateQuotaAmounts(recordAt(next.status ?? {}, part), `status.${part}`, context)),
      ],
    },
  };
}

function validateQuotaSpec(spec: Decoded<corev1.ResourceQuotaSpec>, context: ValidationContext): Errors {
  const hard = spec.hard ?? {};
  return [
    ...validateQuotaAmounts(hard, 'spec.hard', context),
    ...validateQuotaScopes(spec.scopes ?? [], Object.keys(hard)),
    ...validateScopeSelector(spec, Object.keys(hard), context),
  ];
}

function validateQuotaAmounts(amounts: JsonObject, path: string, context: ValidationContext): Errors {
  return collectErrors(Object.keys(amounts), (name) => [
    ...validateQuotaResourceName(name, `${path}[${name}]`),
    ...validateResourceAmount(name, String(amounts[name]), `${path}[${name}]`, context),
  ]);
}

function validateQuotaScopes(given: readonly string[], hard: readonly string[]): Errors {
  const path = 'spec.scopes';
  return [
    ...collectErrors(given, (scope) => [
      ...(scopes.has(scope) ? none : [invalid(path, given, 'unsupported scope')]),
      ...unsupportedResources(scope, hard).map(() => invalid(path, given, 'unsupported scope applied to resource')),
    ]),
    ...conflictsAmong(given).map(() => invalid(path, given, 'conflicting scopes')),
  ];
}

function conflictsAmong(given: readonly string[]): readonly (readonly string[])[] {
  return conflicting.filter((pair) => pair.every((scope) => given.includes(scope)));
}

/** Resources that a scope does not apply to. */
function unsupportedResources(scope: string, hard: readonly string[]): readonly string[] {
  if (!scopes.has(scope)) return [];
  const applies = (name: string): boolean => {
    if (scope === 'BestEffort') return name === 'pods';
    return scope === 'VolumeAttributesClass' ? ofClaims.has(name) : ofPods.has(name);
  };
  return [...hard].sort().filter((name) => isStandardQuotaResource(name) && !applies(name));
}

function validateScopeSelector(
  { scopes: plainScopes, scopeSelector: selector }: Decoded<corev1.ResourceQuotaSpec>,
  hard: readonly string[],
  { internal }: ValidationContext,
): Errors {
  const path = 'spec.scopeSelector.matchExpressions';
  const shown = selector ? internal.value(selector, 'core/v1.ScopeSelector') : null;
  const requirements = selector?.matchExpressions ?? [];
  const errors = collectErrors(requirements, (requirement) => {
    const [scope, operator, values] = [requirement.scopeName ?? '', requirement.operator ?? '', requirement.values ?? []];
    return [
      ...(scopes.has(scope) ? none : [invalid(`${path}.scopeName`, scope, 'unsupported scope')]),
      ...unsupportedResources(scope, hard).map(() => invalid(path, shown, 'unsupported scope applied to resource')),
      ...(simpleScopes.has(scope) && operator !== 'Exists' ? [invalid(`${path}.operator`, operator, existsOnlyScopes)] : none),
      ...validateScopeValues(operator, values, path),
    ];
  });
  const conflicts = conflictsAmong(requirements.map(({ scopeName = '' }) => scopeName));
  // Upstream shows the other list.
  return [...errors, ...conflicts.map(() => invalid(path, plainScopes ?? null, 'conflicting scopes'))];
}

const existsOnlyScopes =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function validateScopeValues(operator: string, values: readonly string[], path: string): Errors {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? none
        : [required(`${path}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? none
        : [invalid(`${path}.values`, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}
