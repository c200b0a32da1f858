import { compareTexts, escapeHtml, isJsonObject, itemsPerStep, type Json, type Steps, sortInSteps } from '../../../meta/index.ts';
import { isJsonArray, member, memberNames } from '../../json-value.ts';

/**
 * One element of a field path, encoded as in managedFields: `f:name` a member, `k:{"name":"x"}` a list item by its keys, `v:"x"` an item of
 * a set, `i:0` an index. Keys are sorted by name and values are in canonical JSON, so that two elements are equal exactly when their texts
 * are.
 */
export type PathElement = string;

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function valueElement(value: Json): PathElement {
  return `v:${encodeJson(value)}`;
}

/** `keys` are sorted by name. */
export function keyElement(keys: readonly (readonly [name: string, value: Json])[]): PathElement {
  let members = '';
  for (const [name, value] of keys) members += `${members === '' ? '' : ','}${encodeJson(name)}:${encodeJson(value)}`;
  return `k:{${members}}`;
}

export function isField(element: PathElement): boolean {
  return element.startsWith('f:');
}

export function fieldName(element: PathElement): string {
  return element.slice(2);
}

/**
 * Normalizes an element from a request. Undefined for an unknown kind of element, which is dropped.
 * @throws SyntaxError when it is malformed
 */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new SyntaxError('key must be 2 characters long:');
  if (text[1] !== ':') throw new SyntaxError(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return valueElement(JSON.parse(text.slice(2)));
    case 'k':
      return keyElement(sortMembers(JSON.parse(text.slice(2))));
    case 'i':
      return parseIndexElement(text.slice(2));
    default:
      return undefined;
  }
}

function parseIndexElement(digits: string): PathElement {
  if (!/^[+-]?\d+$/.test(digits)) throw new SyntaxError(`strconv.Atoi: parsing ${JSON.stringify(digits)}: invalid syntax`);
  return `i:${Number(digits)}`;
}

function sortMembers(value: unknown): readonly (readonly [string, Json])[] {
  if (!isJsonObject(value)) throw new SyntaxError('a key step holds an object');
  const names = memberNames(value).sort();
  return names.map((name) => [name, member(value, name) ?? null] as const);
}

/**
 * Sorts members first, then items by key, by value, by index (cf. structured-merge-diff PathElement.Compare). Keys and values are parsed
 * once for each element, not for each comparison.
 */
export function* sortElements(elements: Iterable<PathElement>): Steps<readonly PathElement[]> {
  const all: PathElement[] = [];
  const fields: PathElement[] = [];
  const keys: Keyed<Members>[] = [];
  const values: Keyed<Json>[] = [];
  const positions: Keyed<number>[] = [];
  let isPlain = true;
  for (const element of elements) {
    all.push(element);
    if (all.length % itemsPerStep === 0) yield;
    isPlain &&= plainTextValue.test(element);
  }
  if (isPlain) return yield* sortInSteps(all, compareTexts);
  for (const [index, element] of all.entries()) {
    if (index % itemsPerStep === 0 && index > 0) yield;
    const rest = element.slice(2);
    if (isField(element)) fields.push(element);
    else if (element.startsWith('k')) keys.push({ element, key: sortMembers(JSON.parse(rest)) });
    else if (element.startsWith('v')) values.push({ element, key: JSON.parse(rest) });
    else positions.push({ element, key: Number(rest) });
  }
  if (fields.length === all.length) return yield* sortInSteps(fields, compareTexts);
  return [
    ...(yield* sortInSteps(fields, compareTexts)),
    ...(yield* sortByKey(keys, compareMembers)),
    ...(yield* sortByKey(values, compareValues)),
    ...(yield* sortByKey(positions, (a, b) => a - b)),
  ];
}

/** Texts without escapes and without characters below the closing quotation mark sort like their encoding. */
const plainTextValue = /^v:"[#-[\]-~]*"$/;

interface Keyed<Key> {
  readonly element: PathElement;
  readonly key: Key;
}

function* sortByKey<Key>(keyed: Keyed<Key>[], compareKeys: (a: Key, b: Key) => number): Steps<readonly PathElement[]> {
  const sorted = yield* sortInSteps(keyed, (a, b) => compareKeys(a.key, b.key));
  return sorted.map(({ element }) => element);
}

type Members = readonly (readonly [name: string, value: Json])[];

function compareMembers(a: Members, b: Members): number {
  for (let index = 0; index < a.length; index++) {
    const [mine, other] = [a[index], b[index]];
    if (!mine || !other) return 1;
    const result = compareTexts(mine[0], other[0]) || compareValues(mine[1], other[1]);
    if (result !== 0) return result;
  }
  return a.length - b.length;
}

/** Numbers before texts, booleans, lists, objects and null. */
function compareValues(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  const kinds = valueRank(a) - valueRank(b);
  if (kinds !== 0) return kinds;
  if (isJsonArray(a) && isJsonArray(b)) return compareLists(a, b);
  if (isJsonObject(a) && isJsonObject(b)) return compareMembers(sortMembers(a), sortMembers(b));
  if (a === null || b === null || a === b) return 0;
  return a < b ? -1 : 1;
}

function compareLists(a: readonly Json[], b: readonly Json[]): number {
  for (const [index, item] of a.entries()) {
    if (index >= b.length) return 1;
    const result = compareValues(item, b[index] ?? null);
    if (result !== 0) return result;
  }
  return a.length - b.length;
}

function valueRank(value: Json): number {
  if (value === null) return 5;
  if (isJsonArray(value)) return 3;
  return ['number', 'string', 'boolean', '', 'object'].indexOf(typeof value === 'bigint' ? 'number' : typeof value);
}

/** The form in errors: `.name`, `[name="x"]`, `[="x"]`, `[0]`. */
export function formatElement(element: PathElement): string {
  const rest = element.slice(2);
  if (isField(element)) return `.${rest}`;
  if (element.startsWith('i:')) return `[${rest}]`;
  const value: Json = JSON.parse(rest);
  if (element.startsWith('v:')) return `[=${formatValue(value)}]`;
  return `[${sortMembers(value)
    .map(([name, part]) => `${name}=${formatValue(part)}`)
    .join(',')}]`;
}

export function formatPath(path: readonly PathElement[]): string {
  return path.map(formatElement).join('');
}

function formatValue(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(formatValue).join(',')}]`;
  if (!isJsonObject(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  // Upstream writes nothing between members. Cf. structured-merge-diff value.ToString.
  return sortMembers(value)
    .map(([name, part]) => `${name}=${formatValue(part)}`)
    .join('');
}

/** JSON as Go encodes it: `<`, `>`, `&` and the two line separators escaped. */
function encodeJson(value: Json): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return plainText.test(value) ? `"${value}"` : escapeHtml(JSON.stringify(value));
  if (isJsonArray(value)) return `[${value.map(encodeJson).join(',')}]`;
  return `{${sortMembers(value)
    .map(([name, part]) => `${encodeJson(name)}:${encodeJson(part)}`)
    .join(',')}}`;
}

/** Characters that need no escaping. */
const plainText = /^[\w./-]*$/;
