import {
  Base64Error,
  base64ToBytes,
  formatGoValue,
  goQuote,
  isJsonObject,
  isPrintable,
  normalizeBase64,
  sortMembers,
} from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';

/** Empty values are false. */
export function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : true;
}

export type GoFunction = (...args: readonly unknown[]) => unknown;

const compare =
  (test: (order: number) => boolean): GoFunction =>
  (left, right) => {
    const [a, b] = typeof left === 'number' && typeof right === 'number' ? [left, right] : [String(left), String(right)];
    return test(a < b ? -1 : a > b ? 1 : 0);
  };

/** The functions of text/template, and those that kubectl adds. */
const functions: Readonly<Record<string, GoFunction>> = {
  and: (...args) => args.find((arg) => !isTruthy(arg)) ?? args.at(-1),
  or: (...args) => args.find(isTruthy) ?? args.at(-1),
  not: (arg) => !isTruthy(arg),
  eq: (first, ...others) => others.some((other) => formatGoValue(first) === formatGoValue(other)),
  ne: (left, right) => formatGoValue(left) !== formatGoValue(right),
  lt: compare((order) => order < 0),
  le: compare((order) => order <= 0),
  gt: compare((order) => order > 0),
  ge: compare((order) => order >= 0),
  len: lengthOf,
  index: (from, ...keys) =>
    keys.reduce<unknown>((at, key) => {
      if (Array.isArray(at)) {
        if (typeof key !== 'number' || key < 0 || key >= at.length)
          throw new KubectlError(`error calling index: index out of range: ${formatGoValue(key)}`);
        return at[key];
      }
      return isJsonObject(at) ? at[String(key)] : undefined;
    }, from),
  slice: sliceOf,
  print,
  println: (...args) => `${args.map(formatGoValue).join(' ')}\n`,
  printf: (format, ...args) => formatText(String(format), [...args]),
  html: (...args) => print(...args).replace(/[&<>"'\0]/g, (character) => htmlEntities[character] ?? character),
  urlquery: (...args) => escapeQuery(print(...args)),
  js: (...args) => escapeJs(print(...args)),
  exists: (from, ...keys) =>
    keys.reduce<unknown>((at, key) => (isJsonObject(at) ? at[String(key)] : Array.isArray(at) ? at[Number(key)] : undefined), from) !==
    undefined,
  base64decode: (arg) => {
    try {
      return new TextDecoder().decode(base64ToBytes(normalizeBase64(String(arg))));
    } catch (error) {
      if (error instanceof Base64Error) throw new KubectlError(`error calling base64decode: base64 decode failed: ${error.message}`);
      throw error;
    }
  },
};

/** @throws KubectlError for an unknown function; reported before any output */
export function findFunction(name: string): GoFunction {
  const found = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!found) throw new KubectlError(`template: output:1: function ${JSON.stringify(name)} not defined`);
  return found;
}

function formatText(format: string, args: unknown[]): string {
  return format.replace(
    /%([-0]?)(\d*)(?:\.(\d+))?([sdvqtf%])/g,
    (_, flag: string, width: string, precision: string | undefined, verb: string) => {
      if (verb === '%') return '%';
      const value = args.shift();
      let shown = verb === 'q' ? goQuote(formatGoValue(value)) : formatGoValue(value);
      if (verb === 'f') shown = Number(value).toFixed(Number(precision ?? 6));
      else if (verb === 'v' && typeof value === 'object') shown = formatGoValue(sortMembers(value));
      return flag === '-' ? shown.padEnd(Number(width)) : shown.padStart(Number(width), flag === '0' ? '0' : ' ');
    },
  );
}

/** Cf. Go's fmt.Sprint: a space separates two operands when neither is a string. */
function print(...args: readonly unknown[]): string {
  return args
    .map((arg, at) => (at > 0 && isNotString(arg) && isNotString(args[at - 1]) ? ` ${formatGoValue(arg)}` : formatGoValue(arg)))
    .join('');
}

function isNotString(value: unknown): boolean {
  return typeof value !== 'string';
}

/** The length of a text is that of its UTF-8 bytes. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return new TextEncoder().encode(value).length;
  return Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
}

/** A slice of a text counts UTF-8 bytes. */
function sliceOf(value: unknown, start: unknown = 0, end?: unknown): unknown {
  const range = [Number(start), end === undefined ? undefined : Number(end)] as const;
  if (typeof value === 'string') return new TextDecoder().decode(new TextEncoder().encode(value).subarray(...range));
  return Array.isArray(value) ? value.slice(...range) : value;
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
