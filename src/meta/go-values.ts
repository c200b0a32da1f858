import { isJsonObject } from './json.ts';

/** Whole numbers are int64 in unstructured objects; others print as %v of a float64. */
export function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return String(value);
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -4 && exponent < 21) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Members in order of their names, all the way down: what is unstructured in Go has no other order. */
export function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.filter((name) => value[name] !== undefined).map((name) => [name, sortedMembers(value[name])]));
}
