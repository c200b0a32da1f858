import { msg } from '@lit/localize';
import { isJsonObject, type Json } from '../../../meta/index.ts';

/** Limit of lines in one section. The YAML tab has the rest. */
const linesMax = 120;

/** Flattens a value into lines of path and text: `containers[web] image` → `nginx`. Lists of scalars are one line. */
export function flatFields(value: Json): readonly (readonly [path: string, text: string])[] {
  const lines: [string, string][] = [];
  const visit = (one: Json, path: string): void => {
    if (lines.length > linesMax) return;
    if (Array.isArray(one)) {
      if (one.every((item) => typeof item !== 'object')) lines.push([path, one.join(', ')]);
      else for (const [at, item] of one.entries()) visit(item, `${path}[${nameOf(item) ?? at}]`);
    } else if (isJsonObject(one)) {
      for (const [name, member] of Object.entries(one)) if (member !== undefined) visit(member, path === '' ? name : `${path} ${name}`);
      if (Object.keys(one).length === 0 && path !== '') lines.push([path, '{}']);
    } else lines.push([path, String(one)]);
  };
  visit(value, '');
  return lines.length > linesMax ? [...lines.slice(0, linesMax), ['…', msg('more in the YAML')]] : lines;
}

function nameOf(item: Json): string | undefined {
  return isJsonObject(item) && typeof item['name'] === 'string' ? item['name'] : undefined;
}
