import { type Completion, type CompletionContext, type CompletionResult, snippet } from '@codemirror/autocomplete';
import { msg, str } from '@lit/localize';
import { type ApiResource, formatGroupVersion } from '../../../kubectl/index.ts';
import { joinWithOr } from '../or-text.ts';
import { type CursorPlace, cursorPlace } from './cursor-place.ts';
import type { FieldSchema, KindSchema, SchemaSource } from './schema-source.ts';

/** Server data for completion and validation. */
export interface ServerKnowledge {
  readonly schemas: SchemaSource;
  types(): readonly ApiResource[];
}

/** Completes by the schema of the document's kind; in an empty document with object skeletons. */
export function createCompletionSource(knowledge: ServerKnowledge): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async (context) => {
    const place = cursorPlace(context.state.doc.toString(), context.pos);
    const { from } = place;
    const [apiVersion, kind] = [memberOf(place, 'apiVersion'), memberOf(place, 'kind')];
    const known = optionsWithoutSchema(place, knowledge, apiVersion, kind);
    if (known) return { from, options: known };
    if (!context.explicit && place.at === 'name' && context.pos === from) return null;
    const schema = await knowledge.schemas.findSchema(apiVersion, kind).catch(() => undefined);
    const field = schema === undefined ? undefined : fieldAt(schema, place.path);
    if (schema === undefined || field === undefined) return place.path.length === 0 ? { from, options: topNames(place) } : null;
    const options = place.at === 'name' ? names(schema, field, place) : values(schema.read(field.properties[place.name] ?? field.more));
    return { from, options, validFor: /^[\w./$-]*$/ };
  };
}

/** Skeletons in an empty document, and the values of `apiVersion` and `kind`. */
function optionsWithoutSchema(
  { document, siblings, path, at, name }: CursorPlace,
  knowledge: ServerKnowledge,
  apiVersion: string,
  kind: string,
): Completion[] | undefined {
  if (path.length > 0) return undefined;
  if (at === 'name') {
    const isEmpty = siblings.length === 0 && document.every((line) => line.trim() === '' || line === document[0]);
    return isEmpty ? skeletons(knowledge.types()) : undefined;
  }
  if (name === 'apiVersion') return apiVersions(knowledge.types(), kind);
  return name === 'kind' ? kinds(knowledge.types(), apiVersion) : undefined;
}

/** The schema of the field at a position, for its description. */
export async function readFieldAt(knowledge: ServerKnowledge, text: string, nameEnd: number): Promise<FieldSchema | undefined> {
  const place = cursorPlace(text, nameEnd);
  const schema = await knowledge.schemas.findSchema(memberOf(place, 'apiVersion'), memberOf(place, 'kind')).catch(() => undefined);
  const name = text.slice(place.from, nameEnd);
  const raw = schema === undefined ? undefined : fieldAt(schema, place.path)?.properties[name];
  return raw === undefined ? undefined : schema?.read(raw);
}

function fieldAt(schema: KindSchema, path: readonly string[]): FieldSchema | undefined {
  let field: FieldSchema | undefined = schema.root;
  for (const step of path) {
    const raw = step === '[]' ? field.items : (field.properties[step] ?? field.more);
    if (raw === undefined || raw === true) return undefined;
    field = schema.read(raw);
  }
  return field;
}

function memberOf({ document }: CursorPlace, name: string): string {
  const line = document.find((one) => one.startsWith(`${name}:`));
  return line === undefined
    ? ''
    : line
        .slice(name.length + 1)
        .replace(/\s+#.*$/, '')
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2');
}

function names(schema: KindSchema, field: FieldSchema, { siblings, column }: CursorPlace): Completion[] {
  const indent = ' '.repeat(column);
  return Object.entries(field.properties)
    .filter(([name]) => !siblings.includes(name))
    .map(([name, raw]) => {
      const { types, about } = schema.read(raw);
      const tail = types.includes('object') ? `:\n${indent}  ` : types.includes('array') ? `:\n${indent}- ` : ': ';
      const words = joinWithOr(types);
      const required = field.required.includes(name);
      return {
        label: name,
        apply: name + tail,
        detail: required ? msg(str`${words} · required`, { desc: 'of a field, after its type' }) : words,
        info: about,
        type: 'property',
        boost: required ? 5 : 0,
      };
    });
}

function values({ enum: some, types, about }: FieldSchema): Completion[] {
  const words = some.length > 0 ? some.map(String).filter((one) => one !== '') : types.includes('boolean') ? ['true', 'false'] : [];
  return words.map((label) => ({ label, info: about, type: 'constant' }));
}

function topNames({ siblings }: CursorPlace): Completion[] {
  return ['apiVersion', 'kind', 'metadata']
    .filter((name) => !siblings.includes(name))
    .map((label) => ({ label, apply: `${label}: `, type: 'property' }));
}

function apiVersions(types: readonly ApiResource[], kind: string): Completion[] {
  const fitting = types.filter((type) => kind === '' || type.kind === kind);
  const versions = [...new Set((fitting.length > 0 ? fitting : types).map(formatGroupVersion))];
  return versions.map((label) => ({ label, type: 'constant' }));
}

function kinds(types: readonly ApiResource[], apiVersion: string): Completion[] {
  const fitting = types.filter((type) => apiVersion === '' || formatGroupVersion(type) === apiVersion);
  return [
    ...new Map(
      fitting.map((type): [string, Completion] => [type.kind, { label: type.kind, detail: formatGroupVersion(type), type: 'class' }]),
    ).values(),
  ];
}

/** Skeletons of every kind that can be created. */
function skeletons(types: readonly ApiResource[]): Completion[] {
  return types
    .filter(({ verbs, preferred }) => preferred && verbs.includes('create') && verbs.includes('get'))
    .map((type) => {
      const body = (name: string): string => `apiVersion: ${formatGroupVersion(type)}\nkind: ${type.kind}\nmetadata:\n  name: ${name}\n`;
      return { label: type.kind, detail: formatGroupVersion(type), info: body('…'), apply: snippet(body(`\${name}`)), type: 'class' };
    });
}
