import { isJsonObject, type Json } from '../../meta/index.ts';
import type { NativeFunction } from './evaluate.ts';
import { toText } from './formats.ts';
import { FilterError } from './syntax.ts';
import { compareValues, describe, indicesOf, isTrue, setPath, sortedKeys, typeOf } from './values.ts';

/** Functions by name and number of parameters, with the values of their arguments. */
export function createNativeFunctions(
  nowSeconds: () => number,
  environment: ReadonlyMap<string, string>,
): ReadonlyMap<string, NativeFunction> {
  return new Map(
    Object.entries({
      ...core,
      ...texts,
      ...collections,
      ...numbers,
      'now/0': () => nowSeconds(),
      'env/0': () => Object.fromEntries(environment),
    }),
  );
}

const core: Readonly<Record<string, NativeFunction>> = {
  'not/0': (input) => !isTrue(input),
  'null/0': () => null,
  'true/0': () => true,
  'false/0': () => false,
  'type/0': typeOf,
  'tostring/0': toText,
  'tojson/0': (input) => JSON.stringify(input),
  'fromjson/0': (input) => {
    try {
      return JSON.parse(textOf(input, 'parsed as JSON'));
    } catch {
      throw new FilterError(`${toText(input)} (while parsing '${toText(input)}')`);
    }
  },
  'tonumber/0': toNumber,
  'length/0': lengthOf,
  'utf8bytelength/0': (input) => new TextEncoder().encode(textOf(input, 'measured in UTF-8 bytes')).length,
  'setpath/2': (input, [path, value]) => setPath(input, listOf(path), () => value ?? null),
  'halt/0': () => {
    throw new HaltSignal(0, '');
  },
  'halt_error/1': (input, [code]) => {
    const text = typeof input === 'string' ? input : `${JSON.stringify(input)}\n`;
    throw new HaltSignal(Number(code), input === null ? '' : text);
  },
};

/** Ends the program. */
export class HaltSignal extends Error {
  readonly code: number;
  /** For standard error. */
  readonly text: string;

  constructor(code: number, text: string) {
    super('halt');
    this.code = code;
    this.text = text;
  }
}

const texts: Readonly<Record<string, NativeFunction>> = {
  'ascii_downcase/0': (input) => textOf(input, 'lowercased').replace(/[A-Z]/g, (char) => char.toLowerCase()),
  'ascii_upcase/0': (input) => textOf(input, 'uppercased').replace(/[a-z]/g, (char) => char.toUpperCase()),
  'startswith/1': (input, [part]) => bothTexts(input, part, 'startswith').every(([text, start]) => text.startsWith(start)),
  'endswith/1': (input, [part]) => bothTexts(input, part, 'endswith').every(([text, end]) => text.endsWith(end)),
  'ltrimstr/1': (input, [part]) =>
    typeof input === 'string' && typeof part === 'string' && input.startsWith(part) ? input.slice(part.length) : input,
  'rtrimstr/1': (input, [part]) =>
    typeof input === 'string' && typeof part === 'string' && part !== '' && input.endsWith(part) ? input.slice(0, -part.length) : input,
  'trim/0': (input) => textOf(input, 'trimmed').trim(),
  'ltrim/0': (input) => textOf(input, 'trimmed').trimStart(),
  'rtrim/0': (input) => textOf(input, 'trimmed').trimEnd(),
  'split/1': (input, [separator]) => {
    if (typeof input !== 'string' || typeof separator !== 'string') throw new FilterError('split input and separator must be strings');
    return input === '' ? [] : input.split(separator);
  },
  'explode/0': (input) => [...textOf(input, 'exploded')].map((char) => char.codePointAt(0) ?? 0),
  'implode/0': (input) =>
    listOf(input)
      .map((code) => String.fromCodePoint(Number(code)))
      .join(''),
  'ascii/0': (input) => String.fromCharCode(Number(input)),
  'join/1': (input, [separator]) => joinTexts(listOf(input), separator ?? null),
  '_match/3': (input, [pattern, flags, isTest]) => matchText(input, pattern ?? null, flags ?? null, isTest === true),
  'todate/0': (input) => new Date(numberOf(input) * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
  'fromdate/0': (input) => {
    const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(toText(input)) ? Date.parse(toText(input)) : Number.NaN;
    if (Number.isNaN(ms)) throw new FilterError(`date ${JSON.stringify(input)} does not match format "%Y-%m-%dT%H:%M:%SZ"`);
    return ms / 1000;
  },
};

const collections: Readonly<Record<string, NativeFunction>> = {
  'keys/0': (input) => keysOf(input, sortedKeys),
  'keys_unsorted/0': (input) => keysOf(input, Object.keys),
  'has/1': hasKey,
  'contains/1': (input, [part]) => contains(input, part ?? null),
  'reverse/0': (input) => (typeof input === 'string' ? [...input].reverse().join('') : [...listOf(input ?? [])].reverse()),
  'sort/0': (input) => sorted(input).map(({ item }) => item),
  '_sort_by/1': (input, [keys]) => sorted(input, keys).map(({ item }) => item),
  '_group_by/1': (input, [keys]) => groups(input, keys).map((group) => group.map(({ item }) => item)),
  '_unique_by/1': (input, [keys]) => groups(input, keys).map(([first]) => first?.item ?? null),
  '_min_by/1': (input, [keys]) => sorted(input, keys)[0]?.item ?? null,
  '_max_by/1': (input, [keys]) => sorted(input, keys).at(-1)?.item ?? null,
  'flatten/1': (input, [depth]) => {
    if (Number(depth) < 0) throw new FilterError('flatten depth must not be negative');
    return flatten(listOf(input), Number(depth));
  },
  'indices/1': (input, [part]) => indicesOf(input, part ?? null),
  'transpose/0': (input) => {
    const rows = listOf(input).map(listOf);
    return Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, at) => rows.map((row) => row[at] ?? null));
  },
  '_range/3': (_, [from, to, by]) => range(numberOf(from ?? null), numberOf(to ?? null), numberOf(by ?? null)),
};

const numbers: Readonly<Record<string, NativeFunction>> = {
  ...Object.fromEntries(
    (['floor', 'ceil', 'round', 'sqrt', 'log', 'log2', 'log10', 'exp', 'trunc', 'sin', 'cos', 'tan'] as const).map((name) => [
      `${name}/0`,
      (input: Json) => Math[name](numberOf(input)),
    ]),
  ),
  'fabs/0': (input) => Math.abs(numberOf(input)),
  'abs/0': (input) => Math.abs(numberOf(input)),
  'exp10/0': (input) => 10 ** numberOf(input),
  'exp2/0': (input) => 2 ** numberOf(input),
  'pow/2': (_, [base, power]) => numberOf(base ?? null) ** numberOf(power ?? null),
  'infinite/0': () => Number.POSITIVE_INFINITY,
  'nan/0': () => Number.NaN,
  'isnan/0': (input) => Number.isNaN(numberOf(input)),
  'isinfinite/0': (input) => Math.abs(numberOf(input)) === Number.POSITIVE_INFINITY,
};

function textOf(value: Json, verb: string): string {
  if (typeof value !== 'string') throw new FilterError(`${describe(value)} cannot be ${verb}`);
  return value;
}

function numberOf(value: Json): number {
  if (typeof value !== 'number') throw new FilterError(`${describe(value)} number required`);
  return value;
}

function listOf(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new FilterError(`${describe(value ?? null)} is not an array`);
  return value;
}

function bothTexts(input: Json, part: Json | undefined, name: string): readonly (readonly [string, string])[] {
  if (typeof input !== 'string' || typeof part !== 'string') throw new FilterError(`${name}() requires string inputs`);
  return [[input, part]];
}

function toNumber(input: Json): Json {
  if (typeof input === 'number') return input;
  if (typeof input !== 'string') throw new FilterError(`${describe(input)} cannot be parsed as a number`);
  const number = /^\s*-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(input) ? Number(input) : Number.NaN;
  if (Number.isNaN(number))
    throw new FilterError(`Invalid numeric literal at EOF at line 1, column ${input.length} (while parsing '${input}')`);
  return number;
}

function lengthOf(input: Json): Json {
  if (input === null) return 0;
  if (typeof input === 'number') return Math.abs(input);
  if (typeof input === 'string') return [...input].length;
  if (Array.isArray(input)) return input.length;
  if (isJsonObject(input)) return Object.keys(input).length;
  throw new FilterError(`${describe(input)} has no length`);
}

function joinTexts(items: readonly Json[], separator: Json): string {
  return items
    .map((item) => {
      if (typeof item === 'object' && item !== null) throw new FilterError(`${describe(separator)} and ${describe(item)} cannot be added`);
      return item === null ? '' : String(item);
    })
    .join(textOf(separator, 'added'));
}

function keysOf(input: Json, names: (object: { readonly [name: string]: Json | undefined }) => string[]): Json {
  if (Array.isArray(input)) return input.map((_, at) => at);
  if (isJsonObject(input)) return names(input);
  throw new FilterError(`${describe(input)} has no keys`);
}

function hasKey(input: Json, [key = null]: readonly Json[]): Json {
  if (isJsonObject(input) && typeof key === 'string') return Object.hasOwn(input, key);
  if (Array.isArray(input) && typeof key === 'number') return key >= 0 && key < input.length;
  throw new FilterError(`Cannot check whether ${typeOf(input)} has a ${typeof key === 'string' ? 'string' : typeOf(key)} key`);
}

function contains(whole: Json, part: Json): boolean {
  if (isJsonObject(whole) && isJsonObject(part))
    return Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && contains(whole[key] ?? null, value ?? null));
  if (Array.isArray(whole) && Array.isArray(part)) return part.every((item) => whole.some((one) => contains(one, item)));
  if (typeof whole === 'string' && typeof part === 'string') return whole.includes(part);
  if (typeOf(whole) !== typeOf(part))
    throw new FilterError(`${describe(whole)} and ${describe(part)} cannot have their containment checked`);
  return compareValues(whole, part) === 0;
}

interface Keyed {
  readonly item: Json;
  readonly key: Json;
}

/** The items of an array in the order of their keys, which are the items themselves by default. */
function sorted(input: Json, keys?: Json): readonly Keyed[] {
  if (!Array.isArray(input)) throw new FilterError(`${describe(input)} cannot be sorted, as it is not an array`);
  const all = keys === undefined ? input : listOf(keys);
  return input.map((item, at) => ({ item, key: all[at] ?? null })).sort((a, b) => compareValues(a.key, b.key));
}

function groups(input: Json, keys: Json | undefined): readonly (readonly Keyed[])[] {
  const found: Keyed[][] = [];
  for (const keyed of sorted(input, keys)) {
    const last = found.at(-1);
    if (last?.[0] !== undefined && compareValues(last[0].key, keyed.key) === 0) last.push(keyed);
    else found.push([keyed]);
  }
  return found;
}

function flatten(items: readonly Json[], depth: number): Json[] {
  return items.flatMap((item) => (Array.isArray(item) && depth > 0 ? flatten(item, depth - 1) : [item]));
}

const rangeMax = 100_000;

function range(from: number, to: number, by: number): Json {
  const count = by === 0 ? 0 : Math.max(0, Math.ceil((to - from) / by));
  if (count > rangeMax) throw new FilterError('the range is too long');
  return Array.from({ length: count }, (_, at) => from + at * by);
}

/** All matches as jq describes them, or whether there is one. */
function matchText(input: Json, pattern: Json, flags: Json, isTest: boolean): Json {
  if (typeof input !== 'string') throw new FilterError(`${describe(input)} cannot be matched, as it is not a string`);
  if (typeof pattern !== 'string') throw new FilterError(`${describe(pattern)} cannot be matched, as it is not a string`);
  const letters = flags === null ? '' : textOf(flags, 'a string');
  const expression = compileExpression(pattern, letters);
  if (isTest) return expression.test(input);
  const found = [...input.matchAll(expression)];
  return (letters.includes('g') ? found : found.slice(0, 1)).map(describeMatch);
}

function compileExpression(pattern: string, letters: string): RegExp {
  const unknown = letters.replace(/[gimnpsxl]/g, '');
  if (unknown !== '') throw new FilterError(`${letters} is not a valid modifier string`);
  const source = letters.includes('x') ? pattern.replace(/\s+/g, '') : pattern;
  try {
    return new RegExp(source, `gdu${letters.includes('i') ? 'i' : ''}${/[sp]/.test(letters) ? 's' : ''}`);
  } catch {
    throw new FilterError(`${pattern} (at offset 0) is not a valid regex`);
  }
}

function describeMatch(match: RegExpMatchArray & { readonly indices?: readonly ([number, number] | undefined)[] }): Json {
  const names = Object.keys(match.groups ?? {});
  const whole = match.input ?? '';
  const place = (at: number): { offset: number; length: number; string: Json } => {
    const text = match[at];
    const [start = -1] = match.indices?.[at] ?? [];
    return { offset: start < 0 ? -1 : [...whole.slice(0, start)].length, length: [...(text ?? '')].length, string: text ?? null };
  };
  const captures = match.slice(1).map((text, at) => {
    const name = names.find((one) => match.groups?.[one] === text && groupNumber(match, one) === at + 1);
    return { ...place(at + 1), name: name ?? null };
  });
  return { ...place(0), captures };
}

/** The number of a named group: named groups are in the order of their numbers. */
function groupNumber(match: RegExpMatchArray & { readonly indices?: readonly ([number, number] | undefined)[] }, name: string): number {
  const named = (match.indices as { readonly groups?: Readonly<Record<string, [number, number] | undefined>> } | undefined)?.groups?.[name];
  return match.findIndex((_, at) => at > 0 && match.indices?.[at]?.join() === named?.join());
}
