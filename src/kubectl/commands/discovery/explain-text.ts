import { formatGoValue, isJsonObject, type Json, type JsonObject, recordAt } from '../../../meta/index.ts';
import { wrapWords } from './wrap-words.ts';

/**
 * Writes schemas of an OpenAPI document as `kubectl explain` does. Cf. k8s.io/kubectl/pkg/explain/v2/templates/plaintext.tmpl, whose
 * templates have the same names as the methods.
 */
export class ExplainText {
  readonly #schemas: JsonObject;
  readonly #recursive: boolean;

  constructor(document: JsonObject, recursive: boolean) {
    this.#schemas = recordAt(recordAt(document, 'components'), 'schemas');
    this.#recursive = recursive;
  }

  /** The text about the schema, or about the field at the path below it; empty when there is no such field. */
  output(schema: JsonObject, path: readonly string[], history: ReadonlySet<string> = new Set()): string {
    const resolved = this.#resolve(schema);
    const [first] = path;
    if (first === undefined) return this.#about(resolved);
    const reference = referenceOf(schema);
    if (history.has(reference)) return '';
    const property = memberAt(resolved, 'properties')?.[first];
    if (isJsonObject(property)) {
      const heading = path.length === 1 ? `FIELD: ${first} <${this.#typeGuess(property)}>\n${longEnum(property)}\n\n` : '';
      return heading + this.output(property, path.slice(1));
    }
    const inside = reference === '' ? history : new Set([...history, reference]);
    const inner = memberAt(resolved, 'items') ?? memberAt(resolved, 'additionalProperties');
    if (inner) return this.output(inner, path, inside);
    for (const each of allOf(resolved)) {
      const text = this.output(each, path, inside);
      if (text !== '') return text;
    }
    return '';
  }

  #about(resolved: JsonObject): string {
    const description = this.#description(resolved) || '<empty>';
    const fields = this.#fieldList(resolved, 1, new Set());
    return `DESCRIPTION:\n${indent(4, wrapWords(description, 76))}\n${fields === '' ? '' : `FIELDS:\n${fields}`}`;
  }

  #fieldList(schema: JsonObject, level: number, history: ReadonlySet<string>): string {
    const reference = referenceOf(schema);
    // A recursive type is expanded once.
    if (history.has(reference)) return '';
    const inside = reference === '' ? history : new Set([...history, reference]);
    const resolved = this.#resolve(schema);
    const properties = Object.entries(memberAt(resolved, 'properties') ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    const own = properties.map(([name, property]) => {
      if (!isJsonObject(property)) return '';
      const below = this.#recursive ? this.#fieldList(property, level + 1, inside) : '';
      return this.#fieldDetail(resolved, name, property, level) + below;
    });
    const inner = [...allOf(resolved), memberAt(resolved, 'items'), memberAt(resolved, 'additionalProperties')];
    return [...own, ...inner.map((each) => (each ? this.#fieldList(each, level, inside) : ''))].join('');
  }

  #fieldDetail(schema: JsonObject, name: string, property: JsonObject, level: number): string {
    const margin = level * 2;
    const required = schema['required'];
    const marker = Array.isArray(required) && required.includes(name) ? ' -required-' : '';
    const line = `${indent(margin, name)}\t<${this.#typeGuess(property)}>${marker}${shortEnum(property, margin)}\n`;
    if (this.#recursive) return line;
    const description = textAt(property, 'description') || '<no description>';
    return `${line}${indent(margin + 2, wrapWords(description, 78 - margin))}\n\n`;
  }

  /** The description of the schema and of all that it consists of, a line each. */
  #description(schema: JsonObject): string {
    const resolved = this.#resolve(schema);
    const own = textAt(resolved, 'description');
    const inner = [...allOf(resolved), memberAt(resolved, 'items'), memberAt(resolved, 'additionalProperties')];
    return (own === '' ? '' : `${own}\n`) + inner.map((each) => (each ? this.#description(each) : '')).join('');
  }

  #typeGuess(schema: JsonObject): string {
    const items = memberAt(schema, 'items');
    if (items) return `[]${this.#typeGuess(items)}`;
    const values = memberAt(schema, 'additionalProperties');
    if (values) return `map[string]${this.#typeGuess(values)}`;
    const [only, ...others] = allOf(schema);
    if (only && others.length === 0 && !memberAt(schema, 'properties')) return this.#typeGuess(only);
    const reference = referenceOf(schema);
    const type = textAt(reference === '' ? schema : this.#resolve(schema), 'type');
    if (type !== '' && type !== 'object') return type;
    return reference.split('/').at(-1)?.split('.').at(-1) || 'Object';
  }

  #resolve(schema: JsonObject): JsonObject {
    return memberAt(this.#schemas, referenceOf(schema).split('/').at(-1) ?? '') ?? schema;
  }
}

/** Empty without a reference. */
function referenceOf(schema: JsonObject): string {
  return textAt(schema, '$ref');
}

function textAt(schema: JsonObject, name: string): string {
  const value = schema[name];
  return typeof value === 'string' ? value : '';
}

function memberAt(schema: JsonObject, name: string): JsonObject | undefined {
  const value = Object.hasOwn(schema, name) ? schema[name] : undefined;
  return isJsonObject(value) ? value : undefined;
}

function allOf(schema: JsonObject): readonly JsonObject[] {
  const all = schema['allOf'];
  return Array.isArray(all) ? all.filter(isJsonObject) : [];
}

function enumOf(schema: JsonObject): readonly string[] {
  const values = schema['enum'];
  return Array.isArray(values) ? values.map(formatEnumValue) : [];
}

function formatEnumValue(value: Json): string {
  return value === '' ? '""' : formatGoValue(value);
}

function longEnum(schema: JsonObject): string {
  const values = enumOf(schema);
  return values.length === 0 ? '' : `ENUM:${values.map((value) => `\n    ${value}`).join('')}`;
}

const shortEnumLength = 4;

function shortEnum(schema: JsonObject, margin: number): string {
  const values = enumOf(schema);
  if (values.length === 0) return '';
  return `\n${indent(margin, '')}enum: ${values.slice(0, shortEnumLength).join(', ')}${values.length > shortEnumLength ? ', ....' : ''}`;
}

function indent(by: number, text: string): string {
  const margin = ' '.repeat(by);
  return margin + text.replaceAll('\n', `\n${margin}`);
}
