import { isJsonObject, type Json } from '../../meta/index.ts';
import { isJsonArray, member, memberNames } from '../json-value.ts';

/** A value as Go's %v prints it: `map[a:1 b:[x y]]`, members in order of name. */
export function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (isJsonArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (isJsonObject(value)) {
    const names = memberNames(value).sort();
    return `map[${names.map((name) => `${name}:${goText(member(value, name) ?? null)}`).join(' ')}]`;
  }
  return typeof value === 'number' ? goNumber(value) : String(value);
}

/** Floats beyond 1e21 or below 1e-4 take an exponent of two digits at least. */
export function goNumber(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e21) return String(value);
  const [digits = '', exponent] = (size < 1e-4 || size >= 1e21 ? value.toExponential() : String(value)).split('e');
  if (exponent === undefined) return digits;
  const [sign, power] = exponent.startsWith('-') ? ['-', exponent.slice(1)] : ['+', exponent.replace('+', '')];
  return `${digits}e${sign}${power.padStart(2, '0')}`;
}

/** The Go type that a decoded JSON value has. */
export function goType(value: Json | undefined): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (isJsonArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'int64' : 'string';
}
