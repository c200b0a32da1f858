import { sortNamesInSteps } from '../collections/sort-in-steps.ts';
import { runSteps, StepCounter } from '../collections/steps.ts';
import { isJsonObject, type Json, type JsonObject, setMember } from './json.ts';
import { SortedCopy } from './sorted-copy.ts';

/** Go types of JSON numbers: integers within 64 bits are int64, all others float64. */
const limit = 2 ** 63;

function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isInteger(value) && Math.abs(value) < limit;
}

/** Formats a number with `%v`, or with `%#v`, where the exponent form starts later. Exponents have at least two digits. */
export function formatGoNumber(value: number | bigint, exponentFrom: 6 | 21 = 6): string {
  return isInt64(value) ? String(value) : formatGoFloat(Number(value), exponentFrom);
}

/** Formats a float64 in its shortest form (`%g`): `1.7953260074552662e+09`, `1e+06`, `5e-05`. */
export function formatGoFloat(value: number, exponentFrom: 6 | 21 = 6): string {
  const magnitude = Math.abs(value);
  if (value === 0 || (magnitude >= 1e-4 && magnitude < 10 ** exponentFrom)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Formats a value with `%v`: `map[a:1 b:[x y]]`, members sorted by name, `<nil>`. */
export function formatGoValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number' || typeof value === 'bigint') return formatGoNumber(value);
  if (Array.isArray(value)) return `[${value.map(formatGoValue).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const names = Object.keys(value).sort();
  return `map[${names.map((name) => `${name}:${formatGoValue(value[name])}`).join(' ')}]`;
}

/** Formats a value with `%#v`. */
export function formatGoSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(formatGoSyntax).join(', ')}}`;
  if (typeof value === 'number' || typeof value === 'bigint') return formatGoNumber(value, 21);
  if (!isJsonObject(value)) return String(value);
  const names = Object.keys(value).sort();
  return `map[string]interface {}{${names.map((name) => `${JSON.stringify(name)}:${formatGoSyntax(value[name])}`).join(', ')}}`;
}

/** The type of a value with `%T`. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number' || typeof value === 'bigint') return isInt64(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** Deeper values are copied without recursion, so that they cannot overflow the stack. */
const maxRecursion = 200;

/** Number of members to sort in one step: some milliseconds. */
const membersPerStep = 10_000;

/**
 * Sorts members by name at all levels, since unstructured values in Go have no other order. Parts that are sorted already are shared with
 * the value, so that sorting again does not copy.
 */
export function sortMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return runSteps(sortMembersInSteps(value));
}

/** `sortedMembers` in steps, between which other tasks can run. */
export function sortMembersInSteps(value: unknown): Generator<void, unknown> {
  return sortShared(value, 0, new StepCounter(membersPerStep));
}

function* sortShared(value: unknown, depth: number, step: StepCounter): Generator<void, unknown> {
  if (depth === maxRecursion) return yield* new SortedCopy(step).copy(value as Json);
  if (Array.isArray(value)) return yield* sortItems(value, depth, step);
  return isJsonObject(value) ? yield* sortObject(value, depth, step) : value;
}

function* sortItems(list: readonly unknown[], depth: number, step: StepCounter): Generator<void, readonly unknown[]> {
  let items: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    if (step.count()) yield;
    const item: unknown = list[index];
    if (typeof item !== 'object' || item === null) continue;
    const sorted = yield* sortShared(item, depth + 1, step);
    if (sorted === item) continue;
    items ??= [...list];
    items[index] = sorted;
  }
  return items ?? list;
}

function* sortObject(object: JsonObject, depth: number, step: StepCounter): Generator<void, JsonObject> {
  const names = Object.keys(object);
  // Many names take a step of their own.
  if (names.length > membersPerStep) yield;
  const isInOrder = names.every((name, index) => object[name] !== undefined && (index === 0 || (names[index - 1] ?? '') <= name));
  let out: Record<string, Json | undefined> | undefined = isInOrder ? undefined : {};
  for (const name of isInOrder ? names : yield* sortNamesInSteps(names)) {
    if (step.count()) yield;
    const member = object[name];
    if (member === undefined) continue;
    const isScalar = typeof member !== 'object' || member === null;
    const part = isScalar ? member : ((yield* sortShared(member, depth + 1, step)) as Json);
    if (!out && part !== member) out = { ...object };
    if (out) setMember(out, name, part);
  }
  return out ?? object;
}
