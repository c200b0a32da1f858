import type { Json } from '../meta/index.ts';

/** Resolves a plain scalar by go-yaml's rules (resolve.go): a mixture of YAML 1.1 and 1.2 that no package implements. */
const plainValues: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
]);

const floatPattern = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const notFinite = /^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/;

export type PlainValue = Json | { readonly notFinite: string };

/** Infinity and NaN are returned as such: JSON cannot express them. */
export function resolvePlain(text: string): PlainValue {
  const word = plainValues.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.\d]/.test(text)) return text;
  if (notFinite.test(text)) return { notFinite: /nan/i.test(text) ? 'NaN' : text.startsWith('-') ? '-Inf' : '+Inf' };
  const plain = text.split('_').join('');
  return integerOf(plain) ?? (floatPattern.test(plain) ? (floatOf(plain) ?? text) : text);
}

/** Undefined also beyond 64 bits: there Go parses numbers in float syntax as floats, and others as strings. */
function integerOf(text: string): Json | undefined {
  const match = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|[1-9]\d*|0)$/.exec(text);
  if (!match) return undefined;
  const [, sign = '', digits = ''] = match;
  const octal = /^0[oO]?([0-7]+)$/.exec(digits);
  // More than 64 digits overflow in any base: the exact value would take quadratic time.
  if (digits.replace(/^0[xXbBoO]?0*/, '').length > 64) return undefined;
  const magnitude = BigInt(octal ? `0o${octal[1]}` : digits);
  const value = sign === '-' ? -magnitude : magnitude;
  if (value > 18446744073709551615n || value < -9223372036854775808n) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Undefined when it overflows. */
function floatOf(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Timestamps are quoted in output, though they are parsed as strings; so are sexagesimal numbers. */
const timestamp = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\s*\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\s*(?:Z|[-+]\d{1,2}(?::?\d{2})?)?)?$/;
const sexagesimal = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

/** Whether the text, printed without quotes, is parsed as the same string. */
export function isPlainText(text: string): boolean {
  return resolvePlain(text) === text && !timestamp.test(text) && !sexagesimal.test(text);
}
