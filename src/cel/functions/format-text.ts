import { bytesToHex } from '../../meta/index.ts';
import type { Type } from '../language/types.ts';
import { requireLength } from '../values/evaluation-ended.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { Duration, Failure, type Result, Timestamp, TypeValue, Uint, type Value } from '../values/value.ts';
import { toText } from './conversions.ts';
import { typeNameOf } from './type-of.ts';

/** `"%s has %d".format([…])`. */
export function formatText(text: string, args: readonly Value[]): Result {
  return interpolate(text, args.length, (clause, index, precision) => (clauses[clause] as Clause)(args[index] as Value, precision));
}

/** Replaces every clause by the result of `piece`; the first failure ends it. */
export function interpolate(
  text: string,
  count: number,
  piece: (clause: string, index: number, precision: number) => string | Failure,
): string | Failure {
  let next = 0;
  let failure: Failure | undefined;
  let length = text.length;
  const formatted = text.replace(/%(?:(%)|(\.\d*)?(.?))/gsu, (_, percent, precision, clause) => {
    if (percent !== undefined || failure) return '%';
    const read = next < count ? clauseProblem(precision, clause) : new Failure(`index ${next} out of range`);
    const made = read ?? piece(clause, next, precision === undefined ? 6 : Number(precision.slice(1)));
    next += 1;
    if (typeof made === 'string') {
      length += made.length;
      requireLength(length);
      return made;
    }
    failure = read ? made : new Failure(`error during formatting: ${made.message}`);
    return '';
  });
  return failure ?? formatted;
}

function clauseProblem(precision: string | undefined, clause: string): Failure | undefined {
  if (clause === '' && precision === undefined) return new Failure('unexpected end of string');
  if (clause === '') {
    return new Failure('could not parse formatting clause: error while parsing precision: could not find end of precision specifier');
  }
  if (precision === '.') {
    const why = 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
    return new Failure(`could not parse formatting clause: error while parsing precision: ${why}`);
  }
  if (Object.hasOwn(clauses, clause)) return undefined;
  return new Failure(`could not parse formatting clause: unrecognized formatting clause "${clause}"`);
}

const textClause = 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';
const decimalClause = 'decimal clause can only be used on integers';
const binaryClause = 'only integers and bools can be formatted as binary';
const octalClause = 'octal clause can only be used on integers';
const hexClause = 'only integers, byte buffers, and strings can be formatted as hex';

type Clause = (value: Value, precision: number) => string | Failure;

const clauses: Readonly<Record<string, Clause>> = {
  s: asText,
  d: asDecimal,
  f: (value, precision) => asDouble(value, 'fixed-point', (number) => groupDigits(number, precision)),
  e: (value, width) => padTo(asDouble(value, 'scientific', scientific), width),
  b: (value) => (typeof value === 'boolean' ? (value ? '1' : '0') : (inBase(value, 2) ?? clauseFailure(binaryClause, value))),
  o: (value) => inBase(value, 8) ?? clauseFailure(octalClause, value),
  x: (value) => asHex(value),
  X: (value) => {
    const text = asHex(value);
    return typeof text === 'string' ? text.toUpperCase() : text;
  },
};

function clauseFailure(what: string, value: Value): Failure {
  return clauseTypeFailure(what, typeNameOf(value));
}

function clauseTypeFailure(what: string, typeName: string): Failure {
  return new Failure(`${what}, was given ${typeName}`);
}

/** The error of a clause that cannot take values of a type, as far as the type is known. */
export function clauseTypeError(clause: string, type: Type): Failure | undefined {
  const [what, kinds] = taken[clause.toLowerCase()] ?? ['', ''];
  return `${kinds} dyn param error`.split(' ').includes(type.kind) ? undefined : clauseTypeFailure(what, type.name);
}

const taken: Readonly<Record<string, readonly [what: string, kinds: string]>> = {
  s: [textClause, 'string bool bytes int uint double map list type duration timestamp null'],
  d: [decimalClause, 'int uint'],
  f: ['fixed-point clause can only be used on doubles', 'double string'],
  e: ['scientific clause can only be used on doubles', 'double string'],
  b: [binaryClause, 'int uint bool'],
  x: [hexClause, 'int uint string bytes'],
  o: [octalClause, 'int uint'],
};

function asText(value: Value): string | Failure {
  if (value === null) return 'null';
  if (value instanceof ListValue) return joinBracketed('[', value.values.map(literal), ']');
  if (value instanceof MapValue) return formatMap(value);
  const known = typeof value !== 'object' || [Uint, Timestamp, Duration, TypeValue, Uint8Array].some((type) => value instanceof type);
  const text = known ? toText(value) : clauseFailure(textClause, value);
  return typeof text === 'string' ? text : (text as Failure);
}

function formatMap(map: MapValue): string | Failure {
  const entries = map.keys.map((key) => {
    const [name, value] = [literal(key), literal(map.find(key) as Value)];
    return typeof name === 'string' && typeof value === 'string' ? `${name}:${value}` : typeof name === 'string' ? value : name;
  });
  return joinBracketed('{', entries.sort(), '}');
}

function joinBracketed(open: string, parts: readonly (string | Failure)[], close: string): string | Failure {
  const failure = parts.find((part): part is Failure => part instanceof Failure);
  return failure ?? `${open}${parts.join(', ')}${close}`;
}

/** Values inside lists and maps are formatted as literals. */
function literal(value: Value): string | Failure {
  if (typeof value === 'number') return Number.isFinite(value) ? value.toFixed(6) : JSON.stringify(infinite(value));
  const text = asText(value);
  if (typeof text !== 'string') return new Failure(`no formatting function for ${typeNameOf(value)}`);
  if (typeof value === 'string') return JSON.stringify(text);
  if (value instanceof Uint8Array) return `b${JSON.stringify(text)}`;
  if (value instanceof Timestamp) return `timestamp(${JSON.stringify(text)})`;
  return value instanceof Duration ? `duration(${JSON.stringify(text)})` : text;
}

function exponentialText(value: number): string {
  const [rounded = '', exponent = ''] = value.toExponential(6).split('e');
  const [exact = '', exactExponent] = value.toExponential(100).split('e');
  return `${exponent === exactExponent ? halfToEven(rounded, exact, 6) : rounded}e${exponent}`;
}

function infinite(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function asDecimal(value: Value): string | Failure {
  return inBase(value, 10) ?? clauseFailure(decimalClause, value);
}

function inBase(value: Value, base: number): string | undefined {
  if (typeof value === 'bigint') return value.toString(base);
  return value instanceof Uint ? value.value.toString(base) : undefined;
}

function asHex(value: Value): string | Failure {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  if (bytes instanceof Uint8Array) return bytesToHex(bytes);
  return inBase(value, 16) ?? clauseFailure(hexClause, value);
}

const named: Readonly<Record<string, string>> = { NaN: 'NaN', Infinity: '∞', '-Infinity': '-∞' };

function asDouble(value: Value, clause: string, format: (number: number) => string): string | Failure {
  if (typeof value === 'string' && Object.hasOwn(named, value)) return named[value] ?? value;
  if (typeof value !== 'number') return clauseFailure(`${clause} clause can only be used on doubles`, value);
  return Number.isFinite(value) ? format(value) : (named[String(value)] ?? '');
}

function groupDigits(value: number, precision: number): string {
  const [whole = '', fraction] = formatFixed(value, Math.min(precision, 100)).split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3).match(/.{3}/g) ?? [];
  const text = sign + groups.join(',').trimStart();
  return fraction === undefined ? text : `${text}.${fraction}`;
}

/** Rounds half to even; values without decimals are written in full. */
function formatFixed(value: number, decimals: number): string {
  if (Math.abs(value) >= 1e21) return decimals === 0 ? `${BigInt(value)}` : `${BigInt(value)}.${'0'.repeat(decimals)}`;
  return halfToEven(value.toFixed(decimals), value.toFixed(100), decimals);
}

/** Corrects a result that was rounded up from exactly half of an even digit. */
function halfToEven(rounded: string, exact: string, decimals: number): string {
  const cut = exact.indexOf('.') + 1 + decimals;
  const truncated = exact.slice(0, decimals === 0 ? cut - 1 : cut);
  const isHalf = /^50*$/.test(exact.slice(cut));
  return isHalf && '02468'.includes(truncated.at(-1) ?? '') ? truncated : rounded;
}

/** For these clauses the precision is a width. */
function padTo(text: string | Failure, width: number): string | Failure {
  requireLength(width);
  return typeof text === 'string' ? text.padStart(width) : text;
}

/** `1.500000×10⁰³`: the format of Go's English locale, with six decimals. */
function scientific(value: number): string {
  const [mantissa = '', exponent = '+0'] = exponentialText(value).split('e');
  const digits = exponent.replace(/^[+-]/, '').padStart(2, '0');
  const raised = Array.from(digits, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${raised}`;
}
