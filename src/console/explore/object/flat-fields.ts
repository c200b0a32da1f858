import { msg } from '@lit/localize';
import { isJsonObject, type Json } from '../../../meta/index.ts';

/** Limit of lines in one section. The YAML tab has the rest. */
const linesMax = 120;

/** Flattens a value into lines of path and text: `containers[web] image` → `nginx`. Lists of scalars are one line. */
export function flatFields(value: Json): readonly (readonly [path: string, text: string])[] {
  const lines: [string, string][] = [];
  const visit = (one: Json, path: string): void => {
    if (lines.length > linesMax) return;
    const parts = partsOf(one, path);
    if (!parts) lines.push([path, Array.isArray(one) ? one.join(', ') : String(one)]);
    else if (parts.length === 0 && path !== '') lines.push([path, '{}']);
    for (const [at, part] of parts ?? []) visit(part, at);
  };
  visit(value, '');
  return lines.length > linesMax ? [...lines.slice(0, linesMax), ['…', msg('more in the YAML')]] : lines;
}

/** The parts of a list or object with their paths; undefined for scalars and lists of them. */
function partsOf(value: Json, path: string): [path: string, part: Json][] | undefined {
  if (Array.isArray(value)) {
    const isLine = value.every((item) => typeof item !== 'object');
    return isLine ? undefined : value.map((item, at) => [`${path}[${nameOf(item) ?? at}]`, item]);
  }
  if (!isJsonObject(value)) return undefined;
  const prefix = path === '' ? '' : `${path} `;
  return Object.entries(value).flatMap(([name, member]): [string, Json][] => (member === undefined ? [] : [[prefix + name, member]]));
}

function nameOf(item: Json): string | undefined {
  return isJsonObject(item) && typeof item['name'] === 'string' ? item['name'] : undefined;
}
