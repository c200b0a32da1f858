import { Base64Error, base64ToBytes, goQuote, isJsonObject, isPrintable, normalizeBase64 } from '../../../meta/index.ts';
import { formatValue, GoInt, isTruthy, typeName } from './values.ts';

/** Failure of a function: the text after `error calling NAME: `. */
export class FunctionError extends Error {}

type GoFunction = (...args: readonly unknown[]) => unknown;

interface Signature {
  readonly run: GoFunction;
  /** The number of arguments, or the least number of a variadic function. */
  readonly arity: number;
  readonly variadic?: true;
  /** The first argument must be a string. */
  readonly text?: true;
}

/** The functions of text/template, and those that kubectl adds. `and` and `or` are evaluated by the caller. */
const functions: Readonly<Record<string, Signature>> = {
  and: { arity: 1, variadic: true, run: (...args) => args.at(-1) },
  or: { arity: 1, variadic: true, run: (...args) => args.at(-1) },
  not: { arity: 1, run: (arg) => !isTruthy(arg) },
  eq: { arity: 1, variadic: true, run: equal },
  ne: { arity: 2, run: (left, right) => !equal(left, right) },
  lt: { arity: 2, run: (left, right) => order(left, right) < 0 },
  le: { arity: 2, run: (left, right) => order(left, right) <= 0 },
  gt: { arity: 2, run: (left, right) => order(left, right) > 0 },
  ge: { arity: 2, run: (left, right) => order(left, right) >= 0 },
  call: { arity: 1, variadic: true, run: (arg) => fail(`non-function of type ${typeName(arg)}`) },
  len: { arity: 1, run: lengthOf },
  index: { arity: 1, variadic: true, run: indexOf },
  slice: { arity: 1, variadic: true, run: sliceOf },
  print: { arity: 0, variadic: true, run: print },
  println: { arity: 0, variadic: true, run: (...args) => `${args.map(formatValue).join(' ')}\n` },
  printf: { arity: 1, variadic: true, text: true, run: (format, ...args) => formatText(String(format), args) },
  html: {
    arity: 0,
    variadic: true,
    run: (...args) => print(...args).replace(/[&<>"'\0]/g, (character) => htmlEntities[character] ?? character),
  },
  urlquery: { arity: 0, variadic: true, run: (...args) => escapeQuery(print(...args)) },
  js: { arity: 0, variadic: true, run: (...args) => escapeJs(print(...args)) },
  exists: { arity: 1, variadic: true, run: exists },
  base64decode: { arity: 1, text: true, run: decodeBase64 },
};

export function isFunction(name: string): boolean {
  return Object.hasOwn(functions, name);
}

export function findFunction(name: string): Signature | undefined {
  return isFunction(name) ? functions[name] : undefined;
}

function fail(message: string): never {
  throw new FunctionError(message);
}

function basicKind(value: unknown): 'int' | 'float64' | 'string' | 'bool' | undefined {
  const name = typeName(value);
  return name === 'int' || name === 'float64' || name === 'string' || name === 'bool' ? name : undefined;
}

const plain = (value: unknown): unknown => (value instanceof GoInt ? value.value : value);

function equal(first: unknown, ...others: readonly unknown[]): boolean {
  if (others.length === 0) return fail('missing argument for comparison');
  return others.some((other) => {
    const [left, right] = [basicKind(first), basicKind(other)];
    if (left !== right && first !== undefined && other !== undefined) return failComparison(first, other);
    if (left === undefined && typeof first === 'object' && first !== null)
      return fail(`non-comparable type ${formatValue(first)}: ${typeName(first)}`);
    return plain(first) === plain(other);
  });
}

function failComparison(left: unknown, right: unknown): never {
  return fail(`incompatible types for comparison: ${typeName(left)} and ${typeName(right)}`);
}

function order(left: unknown, right: unknown): number {
  const [one, other] = [basicKind(left), basicKind(right)];
  if (one === undefined || other === undefined) return fail('invalid type for comparison');
  if (one !== other) return failComparison(left, right);
  if (one === 'bool') return fail('invalid type for comparison');
  const [a, b] = [plain(left) as string | number, plain(right) as string | number];
  return a < b ? -1 : a > b ? 1 : 0;
}

function indexOf(from: unknown, ...keys: readonly unknown[]): unknown {
  if (from === undefined || from === null) return fail('index of untyped nil');
  return keys.reduce<unknown>((at, key) => {
    if (Array.isArray(at) || typeof at === 'string') return itemAt(at, key);
    if (at === undefined || at === null) return fail('index of nil pointer');
    if (!isJsonObject(at)) return fail(`can't index item of type ${typeName(at)}`);
    if (typeof key !== 'string') return fail(`value has type ${typeName(key)}; should be string`);
    return Object.hasOwn(at, key) ? at[key] : undefined;
  }, from);
}

function itemAt(from: readonly unknown[] | string, key: unknown): unknown {
  const units = typeof from === 'string' ? new TextEncoder().encode(from) : from;
  const at = offsetOf(key, units.length);
  if (at === units.length) return fail(`reflect: ${typeof from === 'string' ? 'string' : 'slice'} index out of range`);
  const item = units[at];
  return typeof from === 'string' ? new GoInt(Number(item)) : item;
}

/** An index of at most `most`. */
function offsetOf(key: unknown, most: number): number {
  if (key === undefined || key === null) return fail('cannot index slice/array with nil');
  if (!(key instanceof GoInt)) return fail(`cannot index slice/array with type ${typeName(key)}`);
  return key.value < 0 || key.value > most ? fail(`index out of range: ${key.value}`) : key.value;
}

function exists(from: unknown, ...keys: readonly unknown[]): boolean {
  const member = (at: unknown, key: unknown): unknown => {
    if (isJsonObject(at)) return at[String(plain(key))];
    return Array.isArray(at) ? (at[Number(plain(key))] as unknown) : undefined;
  };
  return keys.reduce<unknown>(member, from) !== undefined;
}

function decodeBase64(arg: unknown): string {
  try {
    return new TextDecoder().decode(base64ToBytes(normalizeBase64(String(arg))));
  } catch (error) {
    if (error instanceof Base64Error) return fail(`base64 decode failed: ${error.message}`);
    throw error;
  }
}

const verbPattern = /%([-+# 0]*)(\d*)(?:\.(\d+))?(.)?/gu;

/** The types that each verb takes; `v` and `T` take all. */
const verbTypes: Readonly<Record<string, readonly string[]>> = {
  d: ['int'],
  x: ['int', 'string', 'float64'],
  s: ['string'],
  q: ['string', 'int'],
  t: ['bool'],
  f: ['float64'],
  g: ['float64'],
  e: ['float64'],
};

/** Cf. Go's fmt.Sprintf. */
function formatText(format: string, args: readonly unknown[]): string {
  let next = 0;
  const text = format.replace(verbPattern, (_, flags: string, width: string, precision: string | undefined, verb: string | undefined) => {
    if (verb === '%') return '%';
    if (verb === undefined) return '%!(NOVERB)';
    if (next >= args.length) return `%!${verb}(MISSING)`;
    const shown = formatVerb(verb, args[next++], precision);
    if (flags.includes('-')) return shown.padEnd(Number(width));
    return shown.padStart(Number(width), flags.includes('0') && !shown.startsWith('%!') ? '0' : ' ');
  });
  const extra = args.slice(next).map((arg) => `${typeName(arg)}=${formatValue(arg)}`);
  return extra.length === 0 ? text : `${text}%!(EXTRA ${extra.join(', ')})`;
}

function formatVerb(verb: string, value: unknown, precision: string | undefined): string {
  const type = typeName(value);
  if (verb === 'v') return formatValue(value);
  if (verb === 'T') return type;
  const isNested = typeof value === 'object' && value !== null && !(value instanceof GoInt);
  if (!verbTypes[verb]?.includes(type) && !(isNested && verb === 's')) return `%!${verb}(${type}=${formatValue(value)})`;
  if (verb === 'q') return goQuote(formatValue(value));
  if (verb === 'f') return Number(value).toFixed(Number(precision ?? 6));
  if (verb === 'x' && value instanceof GoInt) return value.value.toString(16);
  return precision === undefined || verb !== 's' ? formatValue(value) : formatValue(value).slice(0, Number(precision));
}

/** Cf. Go's fmt.Sprint: a space separates two operands when neither is a string. */
function print(...args: readonly unknown[]): string {
  return args
    .map((arg, at) => (at > 0 && isNotString(arg) && isNotString(args[at - 1]) ? ` ${formatValue(arg)}` : formatValue(arg)))
    .join('');
}

function isNotString(value: unknown): boolean {
  return typeof value !== 'string';
}

/** The length of a text is that of its UTF-8 bytes. */
function lengthOf(value: unknown): GoInt {
  if (typeof value === 'string') return new GoInt(new TextEncoder().encode(value).length);
  if (Array.isArray(value)) return new GoInt(value.length);
  if (isJsonObject(value)) return new GoInt(Object.keys(value).length);
  if (value === undefined) return fail('reflect: call of reflect.Value.Type on zero Value');
  return fail(value === null ? 'len of nil pointer' : `len of type ${typeName(value)}`);
}

/** A slice of a text counts UTF-8 bytes. */
function sliceOf(value: unknown, ...bounds: readonly unknown[]): unknown {
  if (value === undefined || value === null) return fail('slice of untyped nil');
  if (typeof value !== 'string' && !Array.isArray(value)) return fail(`can't slice item of type ${typeName(value)}`);
  if (bounds.length > 3) return fail(`too many slice indexes: ${bounds.length}`);
  if (bounds.length === 3 && typeof value === 'string') return fail('cannot 3-index slice a string');
  const units = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  const [start = 0, end = units.length] = bounds.map((bound) => offsetOf(bound, units.length));
  if (start > end) return fail(`invalid slice index: ${start} > ${end}`);
  return typeof value === 'string' ? new TextDecoder().decode((units as Uint8Array).subarray(start, end)) : value.slice(start, end);
}

/** Cf. Go's text/template HTMLEscape. */
const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '\0': '\ufffd',
};

/** Cf. Go's url.QueryEscape. */
function escapeQuery(text: string): string {
  const escaped = encodeURIComponent(text).replace(/[!*'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return escaped.replaceAll('%20', '+');
}

/** Cf. Go's text/template JSEscape. */
function escapeJs(text: string): string {
  return text.replace(/["'\\<>&=]|[^ -~]/gu, (character) => {
    if (character === '"' || character === "'" || character === '\\') return `\\${character}`;
    if (character > '~' && isPrintable(character)) return character;
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
}
