import { isJsonObject, type Json } from '../../meta/index.ts';
import type { JqOptions } from './options.ts';
import { sortedKeys } from './values.ts';

type PrintOptions = Pick<JqOptions, 'indent' | 'isAscii' | 'isJoined' | 'isRawOutput' | 'isSorted'>;

/** One output with its newline. */
export function printOutput(value: Json, options: PrintOptions): string {
  const ordered = options.isSorted ? sortKeys(value) : value;
  const text = options.isRawOutput && typeof ordered === 'string' ? ordered : printJson(ordered, options.indent, '');
  const escaped = options.isAscii
    ? text.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text;
  return options.isJoined ? escaped : `${escaped}\n`;
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(sortedKeys(value).map((key) => [key, sortKeys(value[key] ?? null)]));
}

function printJson(value: Json, indent: string, outer: string): string {
  if (typeof value === 'number') return printNumber(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = outer + indent;
  const items = Array.isArray(value)
    ? value.map((item) => printJson(item, indent, inner))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}:${indent === '' ? '' : ' '}${printJson(item ?? null, indent, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  return indent === ''
    ? `${open}${items.join(',')}${close}`
    : `${open}\n${items.map((item) => inner + item).join(',\n')}\n${outer}${close}`;
}

/** As `%.17g` of C, with the fewest digits. Infinite numbers are printed as the largest ones, and those that are none as null. */
function printNumber(value: number): string {
  if (Number.isNaN(value)) return 'null';
  const finite = Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
  const scientific = finite.toExponential();
  const exponent = Number(scientific.split('e')[1]);
  return exponent < -4 || exponent >= 17 ? scientific.replace(/e([+-])(\d)$/, 'e$10$2') : String(finite);
}
