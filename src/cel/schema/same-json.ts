import { isJsonObject } from '../../meta/index.ts';

/** Whether two JSON values are the same, whatever the order of members; numbers compare by value. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, i) => sameJson(one, b[i]));
  if (isJsonObject(a)) return isJsonObject(b) && sameMembers(a, b);
  // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint with a number exactly
  if (isNumber(a) && isNumber(b)) return a == b;
  return a === b;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function sameMembers(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]));
}
