import { isJsonObject, type Json } from '../../../meta/index.ts';
import type { FieldPath } from './managed-fields.ts';

export interface YamlLine {
  readonly text: string;
  readonly path: FieldPath;
}

/** The lines of a value as YAML, each with the path of its field. `print` formats scalars. */
export function yamlLines(value: Json, print: (value: Json) => string): readonly YamlLine[] {
  const lines: YamlLine[] = [];
  const text = (label: string, one: Json, indent: string, path: FieldPath): void => {
    // The format of a scalar depends on its position, so it is printed as a member.
    const [first = '', ...more] = print({ x: one }).trimEnd().split('\n');
    lines.push({ text: `${indent}${label}${first.slice(2)}`.trimEnd(), path });
    for (const line of more) lines.push({ text: indent + line, path });
  };
  const node = (label: string, one: Json, indent: string, path: FieldPath): void => {
    const members = isJsonObject(one) ? sorted(one) : [];
    if (members.length > 0) {
      lines.push({ text: `${indent}${label}`, path });
      for (const [name, member] of members) node(`${name}:`, member, `${indent}  `, [...path, name]);
    } else if (Array.isArray(one) && one.length > 0) {
      lines.push({ text: `${indent}${label}`, path });
      for (const [at, item] of one.entries()) listItem(item, indent, [...path, at]);
    } else text(label, one, indent, path);
  };
  const listItem = (item: Json, indent: string, path: FieldPath): void => {
    const members = isJsonObject(item) ? sorted(item) : [];
    if (members.length === 0) node('-', item, indent, path);
    for (const [at, [name, member]] of members.entries()) {
      const from = lines.length;
      node(`${name}:`, member, `${indent}  `, [...path, name]);
      const line = lines[from];
      if (at === 0 && line !== undefined) lines[from] = { ...line, text: `${indent}- ${line.text.slice(indent.length + 2)}` };
    }
  };
  for (const [name, member] of isJsonObject(value) ? sorted(value) : []) node(`${name}:`, member, '', [name]);
  return lines;
}

function sorted(value: Readonly<Record<string, Json | undefined>>): [string, Json][] {
  return Object.entries(value)
    .flatMap(([name, member]): [string, Json][] => (member === undefined ? [] : [[name, member]]))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
