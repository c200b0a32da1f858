import { formatGoValue, isJsonObject } from '../../../meta/index.ts';

/** An int of Go: a literal or a result, as opposed to the numbers of JSON, which are float64. */
export class GoInt {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** The type as Go names it. */
export function typeName(value: unknown): string {
  if (value instanceof GoInt) return 'int';
  if (Array.isArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  if (value === undefined || value === null) return '<nil>';
  return { string: 'string', number: 'float64', boolean: 'bool' }[typeof value as string] ?? typeof value;
}

/** Formats a value with `%v`. */
export function formatValue(value: unknown): string {
  return value instanceof GoInt ? String(value.value) : formatGoValue(value);
}

/** Empty values are false. */
export function isTruthy(value: unknown): boolean {
  if (value instanceof GoInt) return value.value !== 0;
  if (value === undefined || value === null || value === false || value === 0 || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : true;
}
