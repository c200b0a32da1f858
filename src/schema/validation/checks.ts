import {
  type FieldError,
  invalid,
  isDns1123Label,
  isDns1123Subdomain,
  isJsonObject,
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
import type { ValidationContext } from './kind-validator.ts';
import { validateLabels } from './metadata.ts';
import { at, isSame, objectsAt, optionalTextAt, recordAt, textAt, textsAt, wholeAt, withoutEmpties } from './reading.ts';

/** Checks that many kinds share, in upstream's words. */
export type Errors = readonly FieldError[];

export const none: Errors = [];

export function named(rule: NameRule, value: string, path: string): Errors {
  return rule(value).map((text) => invalid(path, value, text));
}

export const dnsLabel = (value: string, path: string): Errors => named(isDns1123Label, value, path);
export const dnsSubdomain = (value: string, path: string): Errors => named(isDns1123Subdomain, value, path);
export const qualifiedName = (value: string, path: string): Errors => named(isQualifiedName, value, path);

export function nonNegative(value: number | bigint | undefined, path: string): Errors {
  return value !== undefined && value < 0 ? [invalid(path, value, 'must be greater than or equal to 0')] : none;
}

export function nonNegativeAt(object: JsonObject | undefined, field: string, path: string): Errors {
  return nonNegative(wholeAt(object, field), at(path, field));
}

export function positive(value: number | bigint | undefined, path: string): Errors {
  return value !== undefined && value <= 0 ? [invalid(path, value, 'must be greater than 0')] : none;
}

export function inRange(value: number | bigint, min: number, max: number, path: string): Errors {
  return value < min || value > max ? [invalid(path, value, `must be between ${min} and ${max}, inclusive`)] : none;
}

const maxPort = 65_535;

export function portNumber(value: number, path: string): Errors {
  return inRange(value, 1, maxPort, path);
}

/** A number of a port, or its name. */
export function portNumberOrName(value: Json | undefined, path: string): Errors {
  return typeof value === 'string' ? named(isPortName, value, path) : portNumber(Number(value ?? 0), path);
}

export function requiredText(object: JsonObject | undefined, field: string, path: string, why = ''): Errors {
  return textAt(object, field) === '' ? [required(at(path, field), why)] : none;
}

/** One of a fixed list, which is told in upstream's order (not always sorted); unset is let pass. */
export function oneOf(value: string | undefined, supported: readonly string[], path: string): Errors {
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

/** As `oneOf`, and it must be set. */
export function requiredOneOf(value: string, supported: readonly string[], path: string): Errors {
  return value === '' ? [required(path, '')] : oneOf(value, supported, path);
}

/** The same of a text that is set or not, where an empty one is just not supported. */
export function chosenOneOf(owner: JsonObject, field: string, supported: readonly string[], path: string): Errors {
  const chosen = optionalTextAt(owner, field);
  return chosen === undefined ? [required(`${path}.${field}`, '')] : oneOf(chosen, supported, `${path}.${field}`);
}

export function immutable(next: Json | undefined, old: Json | undefined, path: string): Errors {
  return isSame(next, old) ? none : [invalid(path, withoutEmpties(next), 'field is immutable')];
}

/** As `immutable`, of a struct, which is shown as upstream's own. */
export function immutableStruct(
  { internal }: ValidationContext,
  type: string,
): (next: Json | undefined, old: Json | undefined, path: string) => Errors {
  const shown = (value: Json | undefined): Json => (value === undefined || value === null ? null : internal.value(value, type));
  return (next, old, path) =>
    isSame(next, old) || isSame(shown(next), shown(old)) ? none : [invalid(path, shown(next), 'field is immutable')];
}

/** Several fields of two objects that must not differ. */
export function immutableFields(next: JsonObject, old: JsonObject, fields: readonly string[], path = ''): Errors {
  return fields.flatMap((field) => immutable(next[field], old[field], at(path, field)));
}

/** A label selector in a spec. Cf. upstream ValidateLabelSelector. */
export function labelSelector(selector: JsonObject | undefined, path: string): Errors {
  if (!selector) return none;
  return [
    ...validateLabels(recordAt(selector, 'matchLabels'), at(path, 'matchLabels')),
    ...objectsAt(selector, 'matchExpressions').flatMap((one, index) =>
      selectorRequirement(one, `${at(path, 'matchExpressions')}[${index}]`),
    ),
  ];
}

function selectorRequirement(requirement: JsonObject, path: string): Errors {
  return [
    ...selectorValues(requirement, path),
    ...named(isQualifiedName, textAt(requirement, 'key'), at(path, 'key')),
    ...valuesOfLabels(requirement, path),
  ];
}

function selectorValues(requirement: JsonObject, path: string): Errors {
  const [operator, values] = [textAt(requirement, 'operator'), textsAt(requirement, 'values')];
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? none : [required(at(path, 'values'), "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? none
        : [forbidden(at(path, 'values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(at(path, 'operator'), operator, 'not a valid selector operator')];
  }
}

function valuesOfLabels(requirement: JsonObject, path: string): Errors {
  return textsAt(requirement, 'values').flatMap((value, index) => validateLabels({ a: value }, `${at(path, 'values')}[${index}]`));
}

function forbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: `Forbidden: ${detail}` };
}

export function isEmptySelector(selector: JsonObject | undefined): boolean {
  return Object.keys(recordAt(selector, 'matchLabels')).length + objectsAt(selector, 'matchExpressions').length === 0;
}

/** Whether a selector takes these labels; one that cannot be understood takes none. */
export function selects(selector: JsonObject, labels: JsonObject): boolean {
  try {
    return matchesLabels(labelSelectorRequirements(selector), labels as Readonly<Record<string, string>>);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

/** Whole numbers not below zero, or percentages. Cf. upstream ValidatePositiveIntOrPercent. */
export function positiveIntOrPercent(value: Json | undefined, path: string): Errors {
  if (value === undefined || value === null) return none;
  return typeof value === 'string' ? named(isPercent, value, path) : nonNegative(Number(value), path);
}

/** Cf. upstream IsNotMoreThan100Percent. */
export function notMoreThan100Percent(value: Json | undefined, path: string): Errors {
  const percent = percentOf(value);
  return percent !== undefined && percent > 100 ? [invalid(path, value, 'must not be greater than 100%')] : none;
}

export function percentOf(value: Json | undefined): number | undefined {
  return typeof value === 'string' && /^\d+%$/.test(value) ? Number(value.slice(0, -1)) : undefined;
}

/** The number, or that of the percentage. */
export function intOrPercentValue(value: Json | undefined): number {
  return percentOf(value) ?? (typeof value === 'number' ? value : 0);
}

/** The fields of a union that are set. */
export function setFields(object: JsonObject, fields: readonly string[]): readonly string[] {
  return fields.filter((field) => object[field] !== undefined && object[field] !== null);
}

export function isStruct(value: Json | undefined): value is JsonObject {
  return isJsonObject(value);
}
