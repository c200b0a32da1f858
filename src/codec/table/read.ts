import { isJsonObject } from '../../meta/index.ts';

/**
 * Accessors for objects with a validated shape, in which any field may be absent:
 * each returns Go's zero value then.
 */

/** The value at a dotted path, undefined when a part is missing: `valueAt(pod, 'spec.nodeName')`. */
export function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split('.')) {
    if (!isJsonObject(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

export function textAt(value: unknown, path: string): string {
  const at = valueAt(value, path);
  return at === undefined || at === null ? '' : String(at);
}

export function numberAt(value: unknown, path: string): number | bigint {
  const at = valueAt(value, path);
  return typeof at === 'number' || typeof at === 'bigint' ? at : 0;
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  const at = valueAt(value, path);
  return Array.isArray(at) ? at : [];
}

/** The entries of a map, sorted by name. */
export function entriesAt(value: unknown, path: string): readonly (readonly [name: string, value: unknown])[] {
  const at = valueAt(value, path);
  if (!isJsonObject(at)) return [];
  return Object.entries(at).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** A label or annotation, whose name contains dots. */
export function memberAt(value: unknown, path: string, name: string): string {
  const at = valueAt(value, path);
  if (!isJsonObject(at) || !Object.hasOwn(at, name)) return '';
  const member = at[name];
  return typeof member === 'string' ? member : '';
}

export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The first condition of this type. */
export function conditionOf(value: unknown, type: string, path = 'status.conditions'): unknown {
  return listAt(value, path).find((condition) => textAt(condition, 'type') === type);
}

export function hasTrueCondition(value: unknown, type: string): boolean {
  return listAt(value, 'status.conditions').some(
    (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True',
  );
}
