import type { Json } from '../../meta/index.ts';
import { CompileError, FilterError } from './syntax.ts';
import { describe } from './values.ts';

const formats: Readonly<Record<string, (value: Json) => string>> = {
  '@text': toText,
  '@json': (value) => JSON.stringify(value),
  '@csv': (value) => formatRow(value, 'csv', ',', (text) => `"${text.replaceAll('"', '""')}"`),
  '@tsv': (value) => formatRow(value, 'tsv', '\t', escapeTabs),
  '@html': (value) => toText(value).replace(/[<>&'"]/g, (char) => `&${htmlNames[char] ?? ''};`),
  '@uri': (value) => encodeURIComponent(toText(value)).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
  '@sh': (value) => (Array.isArray(value) ? value : [value]).map(quoteForShell).join(' '),
  '@base64': (value) => btoa(String.fromCharCode(...new TextEncoder().encode(toText(value)))),
  '@base64d': decodeBase64,
};

const htmlNames: Readonly<Record<string, string>> = { '<': 'lt', '>': 'gt', '&': 'amp', "'": '#39', '"': 'quot' };

/** Formats a value as `@name` does. */
export function formatValue(name: string, value: Json): string {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format === undefined) throw new CompileError(`${name.slice(1)} is not a valid format`);
  return format(value);
}

/** Texts as they are, other values as JSON. */
export function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function formatRow(value: Json, format: string, separator: string, quote: (text: string) => string): string {
  if (!Array.isArray(value)) throw new FilterError(`${describe(value)} cannot be ${format}-formatted, only an array can be`);
  return value
    .map((item) => {
      if (typeof item === 'string') return quote(item);
      if (typeof item === 'object' && item !== null) throw new FilterError(`${describe(item)} is not valid in a csv row`);
      return item === null ? '' : String(item);
    })
    .join(separator);
}

function escapeTabs(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

function quoteForShell(value: Json): string {
  if (typeof value === 'object' && value !== null) throw new FilterError(`${describe(value)} can not be escaped for shell`);
  return typeof value === 'string' ? `'${value.replaceAll("'", "'\\''")}'` : String(value);
}

function decodeBase64(value: Json): string {
  const text = toText(value);
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text.replace(/=+$/, '')), (char) => char.charCodeAt(0)));
  } catch {
    throw new FilterError(`${describe(value)} is not valid base64 data`);
  }
}
