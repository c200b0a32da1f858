import { isJsonObject, type Json, setMember } from './json.ts';

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

/** Members in order of their names, all the way down: what is unstructured in Go has no other order. Without recursion, at any depth. */
export function sortedMembers(value: unknown): unknown {
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
