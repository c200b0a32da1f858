import { equal } from '../values/equality.ts';
import { requireLength } from '../values/evaluation-ended.ts';
import { ListValue } from '../values/list.ts';
import { Failure, type Result, type Value } from '../values/value.ts';
import { formatText } from './format-text.ts';
import type { Functions } from './functions.ts';

export const strings: Functions = {
  charAt: (text: string, index: bigint): Result => {
    const chars = [...text];
    if (index < 0n || index > BigInt(chars.length)) return outOfRange(index);
    return chars[Number(index)] ?? '';
  },
  contains: (text: string, part: string): Result => text.includes(part),
  endsWith: (text: string, part: string): Result => text.endsWith(part),
  startsWith: (text: string, part: string): Result => text.startsWith(part),
  format: (text: string, args: ListValue): Result => formatText(text, args.values),
  indexOf: (within: string | ListValue, what: Value, from?: bigint): Result =>
    within instanceof ListValue
      ? BigInt(within.values.findIndex((one) => equal(one, what) === true))
      : indexOf(within, what as string, from ?? 0n),
  lastIndexOf: (within: string | ListValue, what: Value, from?: bigint): Result =>
    within instanceof ListValue
      ? BigInt(within.values.findLastIndex((one) => equal(one, what) === true))
      : lastIndexOf(within, what as string, from),
  join: (list: ListValue, separator = ''): Result => {
    const wrong = list.values.find((one) => typeof one !== 'string');
    if (wrong !== undefined) return new Failure(`join: invalid input: ${String(wrong)}`);
    return boundedJoin(list.values as readonly string[], separator);
  },
  lowerAscii: (text: string): Result => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  upperAscii: (text: string): Result => text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
  replace,
  split,
  'strings.quote': (text: string): Result => `"${Array.from(text.toWellFormed(), (char) => quoted[char] ?? char).join('')}"`,
  substring,
  trim: (text: string): Result => text.replace(blankEnds, ''),
};

/** Go's unicode.IsSpace. */
const blank = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
/** The lookbehind makes matching linear: blanks are tried only from the first one. */
const blankEnds = new RegExp(`^${blank}+|(?<!${blank})${blank}+$`, 'g');

const quoted: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function outOfRange(index: bigint): Failure {
  return new Failure(`index out of range: ${index}`);
}

function indexOf(text: string, part: string, from: bigint): Result {
  if (part === '') return from;
  if (from < 0n) return outOfRange(from);
  const chars = [...text];
  const rest = chars.slice(Number(from)).join('');
  const at = rest.indexOf(part);
  return at < 0 ? -1n : from + BigInt([...rest.slice(0, at)].length);
}

function lastIndexOf(text: string, part: string, from: bigint | undefined): Result {
  const chars = [...text];
  const wanted = [...part];
  if (wanted.length === 0) return from ?? BigInt(chars.length);
  if (from === undefined && chars.length < wanted.length) return -1n;
  const start = from ?? BigInt(chars.length - 1);
  if (start < 0n) return outOfRange(start);
  if (start >= BigInt(chars.length)) return -1n;
  for (let i = Math.min(Number(start), chars.length - wanted.length); i >= 0; i -= 1) {
    if (wanted.every((char, j) => chars[i + j] === char)) return BigInt(i);
  }
  return -1n;
}

/** @throws EvaluationEnded */
function boundedJoin(parts: readonly string[], separator: string): string {
  requireLength(parts.reduce((length, part) => length + part.length, separator.length * Math.max(0, parts.length - 1)));
  return parts.join(separator);
}

function replace(text: string, old: string, by: string, limit = -1n): Result {
  if (old === '') return insertBetween([...text], by, limit);
  const pieces = text.split(old);
  if (limit < 0n || limit >= BigInt(pieces.length)) return boundedJoin(pieces, by);
  const count = Number(limit);
  return boundedJoin([...pieces.slice(0, count), pieces.slice(count).join(old)], by);
}

/** An empty text matches before every character and at the end. */
function insertBetween(chars: readonly string[], by: string, limit: bigint): string {
  let left = limit < 0n ? chars.length + 1 : Number(limit);
  requireLength(Math.min(left, chars.length + 1) * by.length + chars.length);
  let text = '';
  for (const char of [...chars, '']) {
    if (left > 0) text += by;
    left -= 1;
    text += char;
  }
  return text;
}

function split(text: string, separator: string, limit = -1n): Result {
  if (limit === 0n) return ListValue.ofTexts([]);
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0n || limit >= BigInt(parts.length)) return ListValue.ofTexts(parts);
  const splits = Number(limit) - 1;
  return ListValue.ofTexts([...parts.slice(0, splits), parts.slice(splits).join(separator)]);
}

function substring(text: string, start: bigint, end?: bigint): Result {
  const chars = [...text];
  const length = BigInt(chars.length);
  if (end !== undefined && start > end) return new Failure(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > length) return outOfRange(start);
  if (end !== undefined && (end < 0n || end > length)) return outOfRange(end);
  return chars.slice(Number(start), end === undefined ? undefined : Number(end)).join('');
}
