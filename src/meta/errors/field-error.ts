import { goQuote } from '../json/go-quote.ts';
import { stringifyJson } from '../json/json-encoder.ts';

/** The kind of a field error (the `reason` of a Status cause). */
export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueDuplicate'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** One validation error. Validation functions return them; only their caller throws. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** `spec.containers[0].name`, `metadata.labels`. */
  readonly field: string;
  /** The message without the field: `Required value: name or generateName is required`. */
  readonly message: string;
}

/** The errors with their fields. */
export function fieldErrorTexts(errors: readonly FieldError[]): readonly string[] {
  return errors.map(({ field, message }) => `${field}: ${message}`);
}

/**
 * Limit on the total text of listed errors, in characters: the real server has no limit and builds answers of gigabytes. Validation may
 * stop at the limit.
 */
export const maxErrorTextLength: number = 2 * 1024 * 1024;

/** Collects the errors of each item, up to the limit of a response. */
export function collectErrors<Item>(items: Iterable<Item>, validate: (item: Item, index: number) => readonly FieldError[]): FieldError[] {
  const errors: FieldError[] = [];
  let [length, index] = [0, 0];
  for (const item of items) {
    for (const error of validate(item, index++)) {
      errors.push(error);
      length += error.field.length + error.message.length;
    }
    if (length > maxErrorTextLength) break;
  }
  return errors;
}

export function required(field: string, detail: string): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) };
}

/** `value` is shown as Go does: texts quoted, other values as JSON. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: withDetail(`Invalid value: ${formatValue(value)}`, detail) };
}

export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueTypeInvalid', field, message: withDetail(`Invalid value: ${formatValue(value)}`, detail) };
}

/** Lists `supported` sorted and quoted, as the real server lists the values of a set. */
export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  return notListed(field, value, [...supported].sort());
}

/** Like `notSupported`, with `supported` in the given order. */
export function notListed(field: string, value: unknown, supported: readonly string[]): FieldError {
  const list = supported.map(goQuote);
  const detail = list.length > 0 ? `supported values: ${list.join(', ')}` : '';
  return { reason: 'FieldValueNotSupported', field, message: withDetail(`Unsupported value: ${formatValue(value)}`, detail) };
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: withDetail('Forbidden', detail) };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${formatValue(value)}` };
}

export function notFoundField(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${formatValue(value)}` };
}

/** With `maxBytes` below zero the message has no limit. */
export function tooLong(field: string, maxBytes: number): FieldError {
  const detail = maxBytes >= 0 ? `may not be more than ${maxBytes} ${maxBytes === 1 ? 'byte' : 'bytes'}` : 'value is too long';
  return { reason: 'FieldValueTooLong', field, message: withDetail('Too long', detail) };
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  const detail = max >= 0 ? `must have at most ${max} ${max === 1 ? 'item' : 'items'}` : 'has too many items';
  return { reason: 'FieldValueTooMany', field, message: withDetail(`Too many: ${actual}`, detail) };
}

function withDetail(text: string, detail: string): string {
  return detail === '' ? text : `${text}: ${detail}`;
}

function formatValue(value: unknown): string {
  if (value === undefined) return 'null';
  if (typeof value === 'string') return goQuote(value);
  return stringifyJson(value);
}
