import {
  collectErrors,
  type FieldError,
  forbiddenField,
  invalid,
  isDns1123Label,
  isDns1123Subdomain,
  isLabelValue,
  isPercent,
  isPortName,
  isQualifiedName,
  type Json,
  type JsonObject,
  labelSelectorRequirements,
  matchesLabels,
  type NameRule,
  required,
  SelectorError,
} from '../../meta/index.ts';
import type { metav1 } from '../api/index.ts';
import { int64At, isSemanticallyEqual, joinPath, objectAt, omitEmpties, optionalTextAt, textAt } from './accessors.ts';
import type { Decoded } from './decoded.ts';
import type { ValidationContext } from './kind-validator.ts';
import { validateLabels } from './metadata.ts';

/** Checks shared by many kinds, with upstream's messages. */
export type Errors = readonly FieldError[];

export const none: Errors = [];

export function validateNameWith(rule: NameRule, value: string, path: string): Errors {
  return rule(value).map((text) => invalid(path, value, text));
}

export const validateDnsLabel = (value: string, path: string): Errors => validateNameWith(isDns1123Label, value, path);
export const validateDnsSubdomain = (value: string, path: string): Errors => validateNameWith(isDns1123Subdomain, value, path);
export const validateQualifiedName = (value: string, path: string): Errors => validateNameWith(isQualifiedName, value, path);

export function validateNonNegative(value: number | bigint | undefined, path: string): Errors {
  return value !== undefined && value < 0 ? [invalid(path, value, 'must be greater than or equal to 0')] : none;
}

export function validateNonNegativeField(object: JsonObject | undefined, field: string, path: string): Errors {
  return validateNonNegative(int64At(object, field), joinPath(path, field));
}

export function validatePositive(value: number | bigint | undefined, path: string): Errors {
  return value !== undefined && value <= 0 ? [invalid(path, value, 'must be greater than 0')] : none;
}

export function validateRange(value: number | bigint, min: number, max: number, path: string): Errors {
  return value < min || value > max ? [invalid(path, value, `must be between ${min} and ${max}, inclusive`)] : none;
}

const maxPort = 65_535;

export function validatePortNumber(value: number, path: string): Errors {
  return validateRange(value, 1, maxPort, path);
}

/** A port number or port name. */
export function validatePortNumberOrName(value: Json | undefined, path: string): Errors {
  return typeof value === 'string' ? validateNameWith(isPortName, value, path) : validatePortNumber(Number(value ?? 0), path);
}

export function validateRequiredText(object: JsonObject | undefined, field: string, path: string, why = ''): Errors {
  return textAt(object, field) === '' ? [required(joinPath(path, field), why)] : none;
}

/** Requires one of a fixed list, which errors show in upstream's order (not always sorted); absent values pass. */
export function validateOneOf(value: string | undefined, supported: readonly string[], path: string): Errors {
  return value === undefined || supported.includes(value) ? none : [unsupported(path, value, supported)];
}

export function unsupported(path: string, value: Json | undefined, supported: readonly string[]): FieldError {
  const list = supported.map((one) => JSON.stringify(one)).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    field: path,
    message: `Unsupported value: ${JSON.stringify(value ?? null)}: supported values: ${list}`,
  };
}

/** Like `oneOf`, for a required value. */
export function validateRequiredOneOf(value: string, supported: readonly string[], path: string): Errors {
  return value === '' ? [required(path, '')] : validateOneOf(value, supported, path);
}

/** Like `oneOf`, for a field of a struct; an empty text is an unsupported value. */
export function validateOptionalOneOf(owner: JsonObject, field: string, supported: readonly string[], path: string): Errors {
  const chosen = optionalTextAt(owner, field);
  return chosen === undefined ? [required(`${path}.${field}`, '')] : validateOneOf(chosen, supported, `${path}.${field}`);
}

export function validateImmutable(next: Json | undefined, old: Json | undefined, path: string): Errors {
  return isSemanticallyEqual(next, old) ? none : [invalid(path, omitEmpties(next), 'field is immutable')];
}

/** Like `immutable`, for a struct, which errors show in upstream's internal form. */
export function createStructImmutability(
  { internal }: ValidationContext,
  type: string,
): (next: Json | undefined, old: Json | undefined, path: string) => Errors {
  const shown = (value: Json | undefined): Json => (value === undefined || value === null ? null : internal.value(value, type));
  return (next, old, path) => (internal.isEqual(next, old, type) ? none : [invalid(path, shown(next), 'field is immutable')]);
}

/** Requires several fields to be unchanged. */
export function validateImmutableFields(next: JsonObject, old: JsonObject, fields: readonly string[], path = ''): Errors {
  return fields.flatMap((field) => validateImmutable(next[field], old[field], joinPath(path, field)));
}

type LabelSelector = Decoded<metav1.LabelSelector>;
type Requirement = Decoded<metav1.LabelSelectorRequirement>;

/** A label selector in a spec. Cf. upstream ValidateLabelSelector. */
export function validateLabelSelector(selector: LabelSelector | undefined, path: string): Errors {
  if (!selector) return none;
  return [
    ...validateLabels(selector.matchLabels ?? {}, joinPath(path, 'matchLabels')),
    ...collectErrors(selector.matchExpressions ?? [], (one, index) =>
      validateSelectorRequirement(one, `${joinPath(path, 'matchExpressions')}[${index}]`),
    ),
  ];
}

/** A requirement on labels. `ofValues`: the errors of its operator and the number of its values. */
export function validateSelectorRequirement(
  requirement: Requirement,
  path: string,
  ofValues: Errors = validateSelectorValues(requirement, path),
): Errors {
  return [
    ...ofValues,
    ...validateNameWith(isQualifiedName, requirement.key ?? '', joinPath(path, 'key')),
    ...validateLabelValues(requirement, path),
  ];
}

export function validateSelectorValues(requirement: Requirement, path: string): Errors {
  const { operator = '', values = [] } = requirement;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? none : [required(joinPath(path, 'values'), "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? none
        : [forbiddenField(joinPath(path, 'values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(joinPath(path, 'operator'), operator, 'not a valid selector operator')];
  }
}

function validateLabelValues(requirement: Requirement, path: string): Errors {
  const values = joinPath(path, 'values');
  return collectErrors(requirement.values ?? [], (value, index) => {
    const problems = isLabelValue(value);
    return problems.length === 0 ? none : problems.map((problem) => invalid(`${values}[${index}]`, value, problem));
  });
}

export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  for (const _ in matchLabels) return false;
  return matchExpressions.length === 0;
}

/** Whether a selector matches labels; an invalid one matches none. */
export function selectorMatches(selector: JsonObject, labels: JsonObject): boolean {
  const { matchLabels, ...others } = selector;
  if (matchLabels !== undefined && !hasLabels(labels, objectAt(matchLabels))) return false;
  try {
    return matchesLabels(labelSelectorRequirements(others), labels as Readonly<Record<string, string>>);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

/** Whether all wanted labels are valid and present. */
function hasLabels(labels: JsonObject, wanted: JsonObject): boolean {
  return Object.keys(wanted).every((key) => {
    const value = wanted[key];
    return Object.hasOwn(labels, key) && labels[key] === value && isQualifiedName(key).length + isLabelValue(String(value)).length === 0;
  });
}

/** Non-negative integers or percentages. Cf. upstream ValidatePositiveIntOrPercent. */
export function validatePositiveIntOrPercent(value: Json | undefined, path: string): Errors {
  if (value === undefined || value === null) return none;
  return typeof value === 'string' ? validateNameWith(isPercent, value, path) : validateNonNegative(Number(value), path);
}

/** Cf. upstream IsNotMoreThan100Percent. */
export function validateNotMoreThan100Percent(value: Json | undefined, path: string): Errors {
  const percent = parsePercent(value);
  return percent !== undefined && percent > 100 ? [invalid(path, value, 'must not be greater than 100%')] : none;
}

function parsePercent(value: Json | undefined): number | undefined {
  return typeof value === 'string' && /^\d+%$/.test(value) ? Number(value.slice(0, -1)) : undefined;
}

/** The integer, or the number of the percentage. */
export function intOrPercentValue(value: Json | undefined): number {
  if (typeof value === 'string' && /^[-+]?\d+$/.test(value)) return Number(value);
  return parsePercent(value) ?? (typeof value === 'number' ? value : 0);
}

/** The members of a union that are set. */
export function presentFields<Field extends string>(object: JsonObject, fields: readonly Field[]): readonly Field[] {
  return fields.filter((field) => object[field] !== undefined && object[field] !== null);
}
