import type { Json } from '../meta/index.ts';

/** What an unquoted word of YAML means, by go-yaml's rules (resolve.go): a mixture of YAML 1.1 and 1.2 that no package has. */
const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
]);

const floatPattern = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const notFinite = /^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/;

export type PlainValue = Json | { readonly notFinite: string };

/** Infinite and undefined numbers come back as such: JSON has no word for them. */
export function resolvePlain(text: string): PlainValue {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.\d]/.test(text)) return text;
  if (notFinite.test(text)) return { notFinite: /nan/i.test(text) ? 'NaN' : text.startsWith('-') ? '-Inf' : '+Inf' };
  const plain = text.split('_').join('');
  return integerOf(plain) ?? (floatPattern.test(plain) ? (floatOf(plain) ?? text) : text);
}

/** Undefined beyond 64 bits too: there Go takes what looks like a float for one, and the rest for a text. */
function integerOf(text: string): Json | undefined {
  const match = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|[1-9]\d*|0)$/.exec(text);
  if (!match) return undefined;
  const [, sign = '', digits = ''] = match;
  const octal = /^0[oO]?([0-7]+)$/.exec(digits);
  // Beyond 64 bits in any base: the exact number would take quadratic time.
  if (digits.replace(/^0[xXbBoO]?0*/, '').length > 64) return undefined;
  const magnitude = BigInt(octal ? `0o${octal[1]}` : digits);
  const value = sign === '-' ? -magnitude : magnitude;
  if (value > 18446744073709551615n || value < -9223372036854775808n) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Undefined beyond what a float can hold. */
function floatOf(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Times are quoted when printed, though they are read back as texts; so are sexagesimal numbers. */
const timestamp = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\s*\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\s*(?:Z|[-+]\d{1,2}(?::?\d{2})?)?)?$/;
const sexagesimal = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

/** Whether the word, printed without quotes, is read back as the same text. */
export function isPlainText(text: string): boolean {
  return resolvePlain(text) === text && !timestamp.test(text) && !sexagesimal.test(text);
}
