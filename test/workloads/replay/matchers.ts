import { isJsonObject, type Json, type JsonObject } from '../../../src/meta/index.ts';
import { sortedJson } from './json.ts';
import type { Matches } from './scenario.ts';

/** The value at a pointer. */
export function pointer(document: Json | undefined, path: string): Json | undefined {
  const parts = path.split(/\/(?![^[]*\])/).slice(1);
  return parts.reduce(step, document);
}

function step(value: Json | undefined, part: string): Json | undefined {
  const [, key = '', choice] = /^([^[]*)(?:\[(.*)\])?$/.exec(part) ?? [];
  const member = key.replaceAll('~1', '/').replaceAll('~0', '~');
  const found = (value as JsonObject | null | undefined)?.[member];
  if (choice === undefined) return found;
  const [name = '', wanted = ''] = choice.split(/=(.*)/s);
  return Array.isArray(found) ? found.find((item: Json) => isJsonObject(item) && String(item[name]) === wanted) : undefined;
}

const comparisons: Readonly<Record<string, (value: Json | undefined, wanted: Json) => boolean>> = {
  min: (value, wanted) => Number(value ?? 0) >= Number(wanted),
  max: (value, wanted) => Number(value ?? 0) <= Number(wanted),
  not: (value, wanted) => !fits(value, wanted),
  re: (value, wanted) => new RegExp(String(wanted)).test(String(value ?? '')),
};

/** Whether a value fits a matcher: a literal, `<present>`, `<absent>`, or `{ min, max, not, re }`. */
export function fits(value: Json | undefined, wanted: Json): boolean {
  const isAbsent = value === undefined || value === null;
  if (wanted === '<present>') return !isAbsent;
  if (wanted === '<absent>') return isAbsent;
  if (isJsonObject(wanted)) {
    const rules = Object.entries(wanted);
    if (rules.length > 0 && rules.every(([name]) => Object.hasOwn(comparisons, name)))
      return rules.every(([name, limit]) => comparisons[name]?.(value, limit ?? null));
  }
  return sortedJson(value) === sortedJson(wanted);
}

export function fitsAll(object: Json | undefined, wanted: Matches = {}): boolean {
  return Object.entries(wanted).every(([path, matcher]) => fits(pointer(object, path), matcher));
}
