import { isJsonObject, type Json, type JsonObject, setMember } from './json.ts';

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

/**
 * Members in order of their names, all the way down: what is unstructured in Go has no other order. Parts whose members are in
 * order are shared with the value, so that sorting again costs no copies.
 */
export function sortedMembers(value: unknown): unknown {
  return sortedShared(value, 0);
}

function sortedShared(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxRecursion) return sortedCopy(value);
  if (Array.isArray(value)) {
    let items: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      const sorted = sortedShared(item, depth + 1);
      if (sorted === item) continue;
      items ??= [...value];
      items[index] = sorted;
    }
    return items ?? value;
  }
  return isJsonObject(value) ? withSortedMembers(value, depth) : value;
}

function withSortedMembers(object: JsonObject, depth: number): JsonObject {
  const names = Object.keys(object);
  const isInOrder = names.every((name, index) => object[name] !== undefined && (index === 0 || (names[index - 1] ?? '') <= name));
  if (!isInOrder) names.sort();
  let out: Record<string, Json | undefined> | undefined = isInOrder ? undefined : {};
  for (const name of names) {
    const member = object[name];
    if (member === undefined) continue;
    const part = sortedShared(member, depth + 1) as Json;
    if (!out && part !== member) out = { ...object };
    if (out) setMember(out, name, part);
  }
  return out ?? object;
}

function sortedCopy(value: unknown): unknown {
  const root: unknown[] = [];
  const open: { readonly from: unknown; readonly put: (sorted: unknown) => void }[] = [{ from: value, put: (sorted) => root.push(sorted) }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { from, put } = next;
    if (Array.isArray(from)) {
      const items: unknown[] = new Array(from.length);
      put(items);
      for (const [index, item] of from.entries()) {
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
      for (const name of Object.keys(from).sort()) {
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
