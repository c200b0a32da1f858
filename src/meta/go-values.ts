import { isJsonObject, type Json, type JsonObject, setMember } from './json.ts';
import { sortedNamesInSteps } from './sort-in-steps.ts';
import { finish } from './steps.ts';

/** How Go shows what it has read of JSON: whole numbers are int64 as far as those go, all others float64. */
const limit = 2 ** 63;

function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isInteger(value) && Math.abs(value) < limit;
}

/** A number with %v, or with %#v, where floats take an exponent later. An exponent has two digits at least. */
export function goNumber(value: number | bigint, exponentFrom: 6 | 21 = 6): string {
  if (isInt64(value)) return String(value);
  const float = Number(value);
  const exponent = Math.floor(Math.log10(Math.abs(float)));
  if (exponent >= -4 && exponent < exponentFrom) return String(float);
  return float.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** A value with %v: `map[a:1 b:[x y]]`, members in order of name, `<nil>`. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const names = Object.keys(value).sort();
  return `map[${names.map((name) => `${name}:${goText(value[name])}`).join(' ')}]`;
}

/** A value with %#v. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value, 21);
  if (!isJsonObject(value)) return String(value);
  const names = Object.keys(value).sort();
  return `map[string]interface {}{${names.map((name) => `${JSON.stringify(name)}:${goSyntax(value[name])}`).join(', ')}}`;
}

/** A value's type with %T. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number' || typeof value === 'bigint') return isInt64(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** Deeper values are copied without recursion. */
const maxRecursion = 200;

/** How many members are put into order in one step: some milliseconds. */
const membersInStep = 10_000;

/** How much of the present step is left. */
interface Step {
  members: number;
}

/**
 * Members in order of their names, all the way down: what is unstructured in Go has no other order. Parts whose members are in
 * order are shared with the value, so that sorting again costs no copies.
 */
export function sortedMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return finish(sortedMembersInSteps(value));
}

/** `sortedMembers` in steps, between which others can have their turns. */
export function sortedMembersInSteps(value: unknown): Generator<void, unknown> {
  return sortedShared(value, 0, { members: membersInStep });
}

function* sortedShared(value: unknown, depth: number, step: Step): Generator<void, unknown> {
  if (depth === maxRecursion) return yield* sortedCopy(value, step);
  if (Array.isArray(value)) return yield* withSortedItems(value, depth, step);
  return isJsonObject(value) ? yield* withSortedMembers(value, depth, step) : value;
}

function* withSortedItems(list: readonly unknown[], depth: number, step: Step): Generator<void, readonly unknown[]> {
  let items: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    if (isOver(step)) yield;
    const item: unknown = list[index];
    if (typeof item !== 'object' || item === null) continue;
    const sorted = yield* sortedShared(item, depth + 1, step);
    if (sorted === item) continue;
    items ??= [...list];
    items[index] = sorted;
  }
  return items ?? list;
}

function* withSortedMembers(object: JsonObject, depth: number, step: Step): Generator<void, JsonObject> {
  const names = Object.keys(object);
  // Of many members the names alone take a step.
  if (names.length > membersInStep) yield;
  const isInOrder = names.every((name, index) => object[name] !== undefined && (index === 0 || (names[index - 1] ?? '') <= name));
  let out: Record<string, Json | undefined> | undefined = isInOrder ? undefined : {};
  for (const name of isInOrder ? names : yield* sortedNamesInSteps(names)) {
    if (isOver(step)) yield;
    const member = object[name];
    if (member === undefined) continue;
    const isScalar = typeof member !== 'object' || member === null;
    const part = isScalar ? member : ((yield* sortedShared(member, depth + 1, step)) as Json);
    if (!out && part !== member) out = { ...object };
    if (out) setMember(out, name, part);
  }
  return out ?? object;
}

/** Counts a member; whether the step is over with it. */
function isOver(step: Step): boolean {
  if (--step.members > 0) return false;
  step.members = membersInStep;
  return true;
}

function* sortedCopy(value: unknown, step: Step): Generator<void, unknown> {
  const root: unknown[] = [];
  const open: { readonly from: unknown; readonly put: (sorted: unknown) => void }[] = [{ from: value, put: (sorted) => root.push(sorted) }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { from, put } = next;
    if (Array.isArray(from)) {
      const items: unknown[] = new Array(from.length);
      put(items);
      for (const [index, item] of from.entries()) {
        if (isOver(step)) yield;
        if (typeof item !== 'object' || item === null) items[index] = item;
        else
          open.push({
            from: item,
            put: (sorted) => {
              items[index] = sorted;
            },
          });
      }
    } else if (isJsonObject(from)) {
      const members: Record<string, Json> = {};
      put(members);
      for (const name of yield* sortedNamesInSteps(Object.keys(from))) {
        if (isOver(step)) yield;
        const member = from[name];
        if (member === undefined) continue;
        // Set at once, for its place among the others.
        setMember(members, name, member);
        if (typeof member === 'object' && member !== null) {
          open.push({ from: member, put: (sorted) => setMember(members, name, sorted as Json) });
        }
      }
    } else put(from);
  }
  return root[0];
}
