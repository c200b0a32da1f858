import { isJsonObject, type Json, type JsonObject, sameJson } from '../../../meta/index.ts';
import type { FieldPath } from '../object/managed-fields.ts';

/** A changed, added (no `before`) or removed (no `after`) field. */
export interface Change {
  readonly path: FieldPath;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Compares two objects deeply: lists of equal length by item, others as a whole. */
export function diffObjects(before: JsonObject, after: JsonObject): readonly Change[] {
  const changes: Change[] = [];
  const visit = (left: Json | undefined, right: Json | undefined, path: FieldPath): void => {
    if (left === right || (left !== undefined && right !== undefined && sameJson(left, right))) return;
    if (isJsonObject(left) && isJsonObject(right)) {
      for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) visit(left[name], right[name], [...path, name]);
    } else if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
      for (const [at, item] of left.entries()) visit(item, right[at], [...path, at]);
    } else changes.push({ path, before: left, after: right });
  };
  visit(before, after, []);
  return changes;
}

interface PatchStep {
  readonly op: 'test' | 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: Json;
}

/** The changes as a JSON Patch, with tests of the previous values and of the names of enclosing items. */
export function toJsonPatch(changes: readonly Change[], base: JsonObject): readonly PatchStep[] {
  const steps: PatchStep[] = [];
  const tested = new Set<string>();
  const test = (path: string, value: Json): void => {
    if (!tested.has(path)) steps.push({ op: 'test', path, value });
    tested.add(path);
  };
  for (const { path, before, after } of changes) {
    for (const { at, name } of enclosingItems(base, path)) test(`${toJsonPointer(at)}/name`, name);
    const to = toJsonPointer(path);
    if (before !== undefined) test(to, before);
    if (after === undefined) steps.push({ op: 'remove', path: to });
    else steps.push({ op: before === undefined ? 'add' : 'replace', path: to, value: after });
  }
  return steps;
}

/** The enclosing list items by index, with their names. */
function enclosingItems(base: JsonObject, path: FieldPath): { readonly at: FieldPath; readonly name: string }[] {
  return path.slice(0, -1).flatMap((step, depth) => {
    if (typeof step !== 'number') return [];
    const at = path.slice(0, depth + 1);
    const item = valueAt(base, at);
    return isJsonObject(item) && typeof item['name'] === 'string' ? [{ at, name: item['name'] }] : [];
  });
}

function valueAt(object: Json | undefined, path: FieldPath): Json | undefined {
  let value = object;
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isJsonObject(value) ? value[step] : undefined;
  }
  return value;
}

function toJsonPointer(path: FieldPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** `spec.template.containers[0].image`, for display. */
export function pathText(path: FieldPath): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('');
}
