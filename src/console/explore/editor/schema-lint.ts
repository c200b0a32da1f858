import { msg, str } from '@lit/localize';
import type { Json } from '../../../meta/index.ts';
import { joinWithOr } from '../or-text.ts';
import { findNearest } from './nearest.ts';
import type { FieldSchema, KindSchema } from './schema-source.ts';
import { scalarAt, type YamlEntry, type YamlNode } from './yaml-nodes.ts';

/** A diagnostic with its range in the text. */
export interface Finding {
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly severity: 'error' | 'warning';
  /** The suggested replacement of the range. */
  readonly instead?: string;
}

/** Validates a document against its schema. The server's validation is authoritative. */
export function lintDocument(root: YamlNode, schema: KindSchema): readonly Finding[] {
  const findings: Finding[] = [];
  const visit = (node: YamlNode, field: FieldSchema): void => {
    const wrong = typeFinding(node, field) ?? enumFinding(node, field);
    if (wrong !== undefined) findings.push(wrong);
    else if (node.kind === 'map') visitMap(node, field);
    else if (node.kind === 'list') for (const item of node.items) visit(item, schema.read(field.items));
  };
  const visitMap = (node: Extract<YamlNode, { kind: 'map' }>, field: FieldSchema): void => {
    findings.push(...findDuplicates(node.entries), ...findMissing(node, field));
    for (const entry of node.entries) {
      const raw = field.properties[entry.name] ?? field.more;
      if (raw === undefined) findings.push(unknownFieldOf(entry, field));
      else if (entry.value !== undefined && raw !== true) visit(entry.value, schema.read(raw));
    }
  };
  visit(root, schema.root);
  return findings;
}

/** Kinds of files that clients read and no server has: kubeconfig and kustomization. */
const clientKinds = /^(?:Config|Kustomization)$/;

/** Validates a document without a schema. */
export function lintUnknown(root: YamlNode, kinds: readonly string[]): readonly Finding[] {
  const { from } = root;
  const [apiVersion, kind] = [scalarAt(root, 'apiVersion'), scalarAt(root, 'kind')];
  const entries = root.kind === 'map' ? root.entries : [];
  if (apiVersion === '' || kind === '') {
    const typos = entries.flatMap(({ name, from: at, to }): Finding[] => {
      const instead = findNearest(name, ['apiVersion', 'kind', 'metadata']);
      return instead === undefined || instead === name ? [] : [unknownFieldFinding({ name, from: at, to }, instead)];
    });
    const absent = apiVersion === '' ? 'apiVersion' : 'kind';
    return [...typos, { from, to: from + 1, severity: 'warning', message: msg(str`${absent} is missing`) }];
  }
  if (clientKinds.test(kind)) return [];
  const value = entries.find(({ name }) => name === 'kind')?.value ?? root;
  const instead = findNearest(kind, kinds);
  const finding: Finding = {
    from: value.from,
    to: value.to,
    severity: 'error',
    message:
      instead === undefined
        ? msg(str`the server has no kind ${kind} in ${apiVersion}`)
        : msg(str`the server has no kind ${kind} in ${apiVersion}: did you mean ${instead}?`),
  };
  return [instead === undefined ? finding : { ...finding, instead }];
}

function unknownFieldOf(entry: YamlEntry, { properties }: FieldSchema): Finding {
  return unknownFieldFinding(entry, findNearest(entry.name, Object.keys(properties)));
}

function unknownFieldFinding({ name, from, to }: Pick<YamlEntry, 'name' | 'from' | 'to'>, instead: string | undefined): Finding {
  if (instead === undefined) return { from, to, severity: 'error', message: msg(str`unknown field "${name}"`) };
  return { from, to, severity: 'error', message: msg(str`unknown field "${name}": did you mean ${instead}?`), instead };
}

function findDuplicates(entries: readonly YamlEntry[]): Finding[] {
  const names = new Set<string>();
  return entries.flatMap(({ name, from, to }): Finding[] => {
    if (!names.has(name)) {
      names.add(name);
      return [];
    }
    return [{ from, to, severity: 'error', message: msg(str`key "${name}" is already set in this map`) }];
  });
}

function findMissing(node: Extract<YamlNode, { kind: 'map' }>, { required }: FieldSchema): Finding[] {
  const names = new Set(node.entries.map(({ name }) => name));
  const [first] = node.entries;
  return required
    .filter((name) => !names.has(name))
    .map((name) => ({
      from: node.from,
      to: first?.to ?? node.to,
      severity: 'error',
      message: msg(str`required field "${name}" is missing`),
    }));
}

function typeFinding(node: YamlNode, { types }: FieldSchema): Finding | undefined {
  if (types.length === 0 || node.kind === 'other') return undefined;
  const type = typeOf(node);
  if (type === 'null' || types.includes(type) || (type === 'integer' && types.includes('number'))) return undefined;
  const { from, to } = node;
  const expected = joinWithOr(types);
  const vowel = type === 'integer' || type === 'object' || type === 'array';
  const message = vowel ? msg(str`${expected} expected, this is an ${type}`) : msg(str`${expected} expected, this is a ${type}`);
  return { from, to, severity: 'error', message };
}

function enumFinding(node: YamlNode, field: FieldSchema): Finding | undefined {
  if (field.enum.length === 0 || node.kind !== 'scalar' || field.enum.some((one) => String(one) === node.text)) return undefined;
  const values = field.enum.map((value: Json) => String(value)).filter((value) => value !== '');
  const instead = findNearest(node.text, values);
  const { from, to } = node;
  const some = values.join(', ');
  const finding: Finding = { from, to, severity: 'error', message: msg(str`one of ${some} expected`) };
  return instead === undefined ? finding : { ...finding, instead };
}

/** The type of a scalar as the server decodes it (YAML 1.1): `yes` and `on` are booleans. */
function typeOf(node: YamlNode): string {
  if (node.kind === 'map') return 'object';
  if (node.kind === 'list') return 'array';
  if (node.kind === 'other' || node.quoted) return 'string';
  if (/^(?:~|null|Null|NULL|)$/.test(node.text)) return 'null';
  if (/^(?:true|false|yes|no|on|off)$/i.test(node.text)) return 'boolean';
  if (/^[-+]?(?:\d[\d_]*|0x[\da-f]+|0o?[0-7]+)$/i.test(node.text)) return 'integer';
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(node.text) ? 'number' : 'string';
}
