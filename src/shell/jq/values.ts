import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { FilterError } from './syntax.ts';

/** A key, an index, or a slice: the elements of a path. */
export type PathStep = Json;

export function typeOf(value: Json): 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'boolean' | 'number' | 'string' | 'object';
}

export function isTrue(value: Json): boolean {
  return value !== null && value !== false;
}

const typeOrder = ['null', 'false', 'true', 'number', 'string', 'array', 'object'];

/** The order of all values: by type, then by content. */
export function compareValues(a: Json, b: Json): number {
  const byType = orderOf(a) - orderOf(b);
  if (byType !== 0) return byType;
  if (typeof a === 'number') return a - Number(b);
  if (typeof a === 'string') return compareTexts(a, String(b));
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isJsonObject(a) && isJsonObject(b)) return compareObjects(a, b);
  return 0;
}

function orderOf(value: Json): number {
  return typeOrder.indexOf(typeof value === 'boolean' ? String(value) : typeOf(value));
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareLists(a: readonly Json[], b: readonly Json[]): number {
  for (const [at, item] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order = compareValues(item, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareObjects(a: JsonObject, b: JsonObject): number {
  const [keys, others] = [sortedKeys(a), sortedKeys(b)];
  const order = compareLists(keys, others);
  return order === 0
    ? compareLists(
        keys.map((key) => a[key] ?? null),
        others.map((key) => b[key] ?? null),
      )
    : order;
}

export function sortedKeys(value: JsonObject): string[] {
  return Object.keys(value).sort(compareTexts);
}

/** A value for an error message, shortened as jq does. */
export function describe(value: Json): string {
  const text = JSON.stringify(value);
  return `${typeOf(value)} (${text.length > 11 ? `${text.slice(0, 10)}...` : text})`;
}

/** `.[key]`. */
export function getStep(value: Json, step: PathStep): Json {
  if (value === null && (step === null || typeof step !== 'boolean')) return null;
  if (isJsonObject(value) && typeof step === 'string') return Object.hasOwn(value, step) ? (value[step] ?? null) : null;
  if (Array.isArray(value) && typeof step === 'number') {
    const at = Math.floor(step);
    return value[at < 0 ? at + value.length : at] ?? null;
  }
  if (Array.isArray(value) && isJsonObject(step)) return value.slice(...sliceBounds(value.length, step));
  if (typeof value === 'string' && isJsonObject(step)) return [...value].slice(...sliceBounds([...value].length, step)).join('');
  if (Array.isArray(value) && Array.isArray(step)) return indicesOf(value, step);
  throw indexError(value, step);
}

function indexError(value: Json, step: PathStep): FilterError {
  return new FilterError(
    `Cannot index ${typeOf(value)} with ${typeof step === 'string' ? `string ${JSON.stringify(step)}` : typeOf(step)}`,
  );
}

function sliceBounds(length: number, { start, end }: JsonObject): [from: number, to: number] {
  const bound = (at: Json | undefined, without: number, round: (of: number) => number): number => {
    if (at === undefined || at === null) return without;
    if (typeof at !== 'number') throw new FilterError('Start and end indices of an array slice must be numbers');
    const whole = round(at);
    return Math.min(Math.max(whole < 0 ? whole + length : whole, 0), length);
  };
  return [bound(start, 0, Math.floor), bound(end, length, Math.ceil)];
}

export function indicesOf(value: Json, part: Json): Json {
  if (value === null) return null;
  if (typeof value === 'string' && typeof part === 'string') {
    const found: number[] = [];
    for (let at = value.indexOf(part); at >= 0 && part !== ''; at = value.indexOf(part, at + 1)) found.push(at);
    return found.length === 0 ? null : found;
  }
  if (!Array.isArray(value)) throw indexError(value, part);
  const wanted = Array.isArray(part) ? part : [part];
  const starts = wanted.length === 0 ? [] : value.map((_, at) => at);
  return starts.filter((at) =>
    wanted.every((item, offset) => at + offset < value.length && compareValues(value[at + offset] ?? null, item) === 0),
  );
}

/** The value with another one at the path. */
export function setPath(value: Json, path: readonly PathStep[], change: (old: Json) => Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  return setStep(value, step, setPath(getStep(value, step), rest, change));
}

function setStep(value: Json, step: PathStep, content: Json): Json {
  if (typeof step === 'string' && (value === null || isJsonObject(value))) return { ...value, [step]: content };
  if (typeof step === 'number' && (value === null || Array.isArray(value))) return setItem(value ?? [], Math.floor(step), content);
  if (isJsonObject(step) && (value === null || Array.isArray(value))) {
    if (!Array.isArray(content)) throw new FilterError('A slice of an array can only be assigned another array');
    const items = value ?? [];
    const [from, to] = sliceBounds(items.length, step);
    return [...items.slice(0, from), ...content, ...items.slice(Math.max(from, to))];
  }
  throw indexError(value, step);
}

/** Larger indices are refused, as in jq, and more than memory has. */
const indexMax = 536_870_911;

function setItem(items: readonly Json[], index: number, content: Json): Json {
  const at = index < 0 ? index + items.length : index;
  if (at < 0) throw new FilterError('Out of bounds negative array index');
  if (at > Math.min(indexMax, items.length + 1_000_000)) throw new FilterError('Array index too large');
  const copy = [...items];
  while (copy.length < at) copy.push(null);
  copy[at] = content;
  return copy;
}

/** Deletes all paths, the last one first, so that earlier ones stay valid. */
export function deletePaths(value: Json, paths: readonly (readonly PathStep[])[]): Json {
  const ordered = paths.map((path) => [...path]).sort((a, b) => compareLists(b, a));
  return ordered.reduce<Json>((rest, path) => deletePath(rest, path), value);
}

function deletePath(value: Json, [step, ...rest]: readonly PathStep[]): Json {
  if (step === undefined || value === null) return null;
  if (rest.length > 0) {
    const inner = getStep(value, step);
    return inner === null ? value : setStep(value, step, deletePath(inner, rest));
  }
  if (isJsonObject(value) && typeof step === 'string') return Object.fromEntries(Object.entries(value).filter(([key]) => key !== step));
  if (Array.isArray(value) && typeof step === 'number') {
    const at = step < 0 ? step + value.length : step;
    return value.filter((_, index) => index !== at);
  }
  if (Array.isArray(value) && isJsonObject(step)) {
    const [from, to] = sliceBounds(value.length, step);
    return value.filter((_, index) => index < from || index >= to);
  }
  throw new FilterError(
    isJsonObject(value)
      ? `Cannot delete field at object index of ${typeOf(step)}`
      : Array.isArray(value)
        ? `Cannot delete field at array index of ${typeOf(step)}`
        : `Cannot delete fields from ${typeOf(value)}`,
  );
}

/** `+ - * / %` and the comparisons. */
export function applyOperator(operator: string, a: Json, b: Json): Json {
  switch (operator) {
    case '+':
      return add(a, b);
    case '-':
      if (typeof a === 'number' && typeof b === 'number') return a - b;
      if (Array.isArray(a) && Array.isArray(b)) return a.filter((item) => b.every((other) => compareValues(item, other) !== 0));
      throw operatorError(a, b, 'subtracted');
    case '*':
      return multiply(a, b);
    case '/':
      return divide(a, b);
    case '%':
      return remainder(a, b);
    default:
      return compare(operator, compareValues(a, b));
  }
}

function compare(operator: string, order: number): boolean {
  if (operator === '==') return order === 0;
  if (operator === '!=') return order !== 0;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

function operatorError(a: Json, b: Json, verb: string): FilterError {
  return new FilterError(`${describe(a)} and ${describe(b)} cannot be ${verb}`);
}

function add(a: Json, b: Json): Json {
  if (a === null) return b;
  if (b === null) return a;
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  if (isJsonObject(a) && isJsonObject(b)) return { ...a, ...b };
  throw operatorError(a, b, 'added');
}

function multiply(a: Json, b: Json): Json {
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  if (typeof a === 'number' && typeof b === 'string') return multiply(b, a);
  if (typeof a === 'string' && typeof b === 'number') {
    if (a.length * b > 100_000_000) throw new FilterError('Repeat string result too long');
    return b > 0 ? a.repeat(Math.max(1, Math.floor(b))) : null;
  }
  if (isJsonObject(a) && isJsonObject(b)) return mergeDeep(a, b);
  throw operatorError(a, b, 'multiplied');
}

function mergeDeep(a: JsonObject, b: JsonObject): JsonObject {
  const merged: Record<string, Json | undefined> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const old = merged[key];
    merged[key] = isJsonObject(old) && isJsonObject(value) ? mergeDeep(old, value) : value;
  }
  return merged;
}

function divide(a: Json, b: Json): Json {
  if (typeof a === 'string' && typeof b === 'string') return a === '' ? [] : a.split(b);
  if (typeof a !== 'number' || typeof b !== 'number') throw operatorError(a, b, 'divided');
  if (b === 0) throw operatorError(a, b, 'divided because the divisor is zero');
  return a / b;
}

function remainder(a: Json, b: Json): Json {
  if (typeof a !== 'number' || typeof b !== 'number') throw operatorError(a, b, 'divided');
  if (Math.trunc(b) === 0) throw operatorError(a, b, 'divided (remainder) because the divisor is zero');
  return Math.trunc(a) % Math.abs(Math.trunc(b));
}
