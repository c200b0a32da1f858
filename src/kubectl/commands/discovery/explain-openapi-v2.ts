import { isJsonObject, type JsonObject, recordAt } from '../../../meta/index.ts';
import { type ApiResource, formatGroupVersion } from '../../api/discovery.ts';
import { readSchema, type SchemaV2 } from '../../api/open-api-v2.ts';

const wrapAt = 80;
const [fieldIndent, descriptionIndent, fieldDescriptionIndent, levelIndent] = [3, 5, 2, 3];

/** Writes schemas as `kubectl explain --output plaintext-openapiv2` does. Cf. k8s.io/kubectl/pkg/explain. */
export class ExplainOpenApiV2 {
  readonly #schemas: JsonObject;
  readonly #recursive: boolean;
  readonly #resource: ApiResource;

  constructor(document: JsonObject, recursive: boolean, resource: ApiResource) {
    this.#schemas = recordAt(recordAt(document, 'components'), 'schemas');
    this.#recursive = recursive;
    this.#resource = resource;
  }

  /** The text about the schema, or about the field at the path below it. `missing` is called with a field that does not exist. */
  output(schema: JsonObject, path: readonly string[], missing: (field: string) => never): string {
    const found = this.#lookup(schema, path, missing);
    return this.#model(found, path.at(-1) ?? '', '', []);
  }

  #lookup(given: JsonObject, path: readonly string[], missing: (field: string) => never): JsonObject {
    const [first] = path;
    if (first === undefined) return given;
    const schema = readSchema(given);
    switch (schema.form) {
      case 'reference':
        return this.#lookup(this.#resolve(schema.name), path, missing);
      case 'array':
      case 'map':
        return this.#lookup(schema.items, path, missing);
      case 'kind': {
        const field = Object.hasOwn(schema.fields, first) ? schema.fields[first] : undefined;
        return isJsonObject(field) ? this.#lookup(field, path.slice(1), missing) : missing(first);
      }
      default:
        // A value without fields ends the path.
        return given;
    }
  }

  #model(given: JsonObject, name: string, typeName: string, descriptions: readonly string[]): string {
    const schema = readSchema(given);
    const type = typeName || this.#typeName(given);
    const all = [...descriptions, schema.description];
    switch (schema.form) {
      case 'reference':
        return this.#model(this.#resolve(schema.name), name, typeName, all);
      case 'array':
      case 'map':
        return this.#model(schema.items, name, type, all);
      case 'kind': {
        const heading = name === '' ? '' : `RESOURCE: ${name} <${type}>\n\n`;
        const fields = this.#recursive ? this.#tree(given, fieldIndent, new Set()) : this.#fieldList(schema);
        return `${this.#heading()}${heading}${describe(all)}\nFIELDS:\n${fields}`;
      }
      case 'primitive':
        return `${this.#heading()}FIELD:    ${name} <${type}>\n\n${describe(all)}`;
      case 'arbitrary':
        return `${this.#heading()}${describe(all)}`;
    }
  }

  #heading(): string {
    return `KIND:     ${this.#resource.kind}\nVERSION:  ${formatGroupVersion(this.#resource)}\n\n`;
  }

  #fieldList({ fields, required }: Extract<SchemaV2, { readonly form: 'kind' }>): string {
    return sorted(fields)
      .map(([name, field]) => {
        const marker = required.includes(name) ? ' -required-' : '';
        const description = wrapped(readSchema(field).description, fieldIndent + fieldDescriptionIndent);
        return `${' '.repeat(fieldIndent)}${name}\t<${this.#typeName(field)}>${marker}\n${description}\n`;
      })
      .join('');
  }

  /** A recursive type is expanded once. */
  #tree(given: JsonObject, indent: number, expanded: ReadonlySet<string>): string {
    const schema = readSchema(given);
    switch (schema.form) {
      case 'reference':
        if (expanded.has(schema.name)) return '';
        return this.#tree(this.#resolve(schema.name), indent, new Set([...expanded, schema.name]));
      case 'array':
      case 'map':
        return this.#tree(schema.items, indent, expanded);
      case 'kind':
        return sorted(schema.fields)
          .map(([name, field]) => {
            const line = `${' '.repeat(indent)}${name}\t<${this.#typeName(field)}>\n`;
            return line + this.#tree(field, indent + levelIndent, expanded);
          })
          .join('');
      default:
        return '';
    }
  }

  #typeName(given: JsonObject): string {
    const schema = readSchema(given);
    switch (schema.form) {
      case 'reference':
        return this.#typeName(this.#resolve(schema.name));
      case 'array':
        return `[]${this.#typeName(schema.items)}`;
      case 'map':
        return `map[string]${this.#typeName(schema.items)}`;
      case 'kind':
        return 'Object';
      case 'primitive':
        return schema.type;
      case 'arbitrary':
        return '';
    }
  }

  #resolve(name: string): JsonObject {
    return recordAt(this.#schemas, name);
  }
}

const sorted = (fields: JsonObject): readonly (readonly [string, JsonObject])[] =>
  Object.entries(fields)
    .flatMap(([name, field]): (readonly [string, JsonObject])[] => (isJsonObject(field) ? [[name, field]] : []))
    .sort(([a], [b]) => (a < b ? -1 : 1));

function describe(descriptions: readonly string[]): string {
  const paragraphs = descriptions.map((text, index) => (text === '' ? '' : (index === 0 ? '' : '\n') + wrapped(text, descriptionIndent)));
  return `DESCRIPTION:\n${paragraphs.join('') || `${' '.repeat(descriptionIndent)}<empty>\n`}`;
}

/** Lines that are wrapped and indented; empty lines are not indented. Cf. formatter.go wrapString. */
function wrapped(text: string, indent: number): string {
  return wrapLines(text, wrapAt - indent)
    .map((line) => (line === '' ? '\n' : `${' '.repeat(indent)}${line}\n`))
    .join('');
}

function wrapLines(text: string, limit: number): readonly string[] {
  const lines: string[] = [];
  let words: string[] = [];
  let lastWord = '';
  const flush = (): void => {
    if (words.length === 0) return;
    lastWord = '';
    lines.push(words.join(' '));
    words = [];
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('    ')) {
      flush();
      lines.push(line);
      continue;
    }
    if (lines.length > 0 && line.trim() === '') {
      flush();
      lines.push('');
      continue;
    }
    if (startsNewLine(lastWord, line)) flush();
    for (const word of line.split(/\s+/).filter((part) => part !== '')) {
      lastWord = word;
      if (words.length > 0 && [...words, word].join(' ').length > limit) flush();
      words.push(word);
    }
  }
  flush();
  return lines;
}

/** Lines after a colon, empty ones and items of lists are not joined with the line before. */
function startsNewLine(lastWord: string, line: string): boolean {
  const text = line.trim();
  return lastWord.endsWith(':') || text === '' || /^(?:\d+\.?|-|\*)\s/.test(text);
}
