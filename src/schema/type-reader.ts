import {
  type Field,
  type ListTopology,
  type PatchStrategy,
  plainField,
  type ScalarType,
  type Schema,
  type StructSchema,
  type Union,
} from './schema.ts';

/**
 * Parses the compact type lines of `data/types*.json` into schemas:
 *
 * { "core/v1": { "PodSpec": ["", "volumes []Volume @m(name) ^m,k(name)", "containers!#2 []Container ^m(name)", …] } }
 *
 * Types are parsed on first use and refer to each other lazily, since some are recursive (JSONSchemaProps).
 */
export type TypeLines = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const scalars: ReadonlyMap<string, ScalarType> = new Map(
  (['string', 'bool', 'int32', 'int64', 'double', 'bytes', 'Time', 'MicroTime', 'Duration', 'Quantity', 'IntOrString'] as const).map(
    (name) => [name, name],
  ),
);
const untyped: ReadonlySet<string> = new Set([
  'RawExtension',
  'FieldsV1',
  'JSON',
  'JSONSchemaPropsOrArray',
  'JSONSchemaPropsOrBool',
  'JSONSchemaPropsOrStringArray',
  'any',
]);
const packageAliases: Readonly<Record<string, string>> = { core: 'core/v1', meta: 'meta/v1' };
const strategies: Readonly<Record<string, PatchStrategy>> = { m: 'merge', r: 'replace', k: 'retainKeys' };

/** Name, flags, `#number`, type, and markers. */
const fieldLine = /^(\*|[^\s?!~+%#_][-.\w$]*)((?:[?!~+%][?!~+%_]*)?)(?:#(\d+))? (\S+)((?: .*)?)$/;

interface Markers {
  readonly topology: 'atomic' | 'set' | 'map' | 'granular' | undefined;
  readonly extension: 'list-type' | 'map-type';
  readonly keys: readonly string[];
  readonly strategies: readonly PatchStrategy[];
  readonly mergeKey: string | undefined;
  readonly default: unknown;
  readonly implicitDefault: boolean;
  readonly enum: readonly string[] | undefined;
}

export class TypeReader {
  readonly #lines: TypeLines;
  readonly #read = new Map<string, StructSchema>();

  constructor(lines: TypeLines) {
    this.#lines = lines;
  }

  has(name: string): boolean {
    return this.#linesOf(name) !== undefined;
  }

  /** Full names of all types: `core/v1.Pod`. */
  names(): string[] {
    return Object.entries(this.#lines).flatMap(([group, types]) => Object.keys(types).map((name) => `${group}.${name}`));
  }

  /** @throws Error for an unknown type: names come from the catalog itself */
  struct(name: string): StructSchema {
    const known = this.#read.get(name);
    if (known) return known;
    const lines = this.#linesOf(name);
    if (!lines) throw new Error(`the catalog has no type ${name}`);
    const struct = this.#readStruct(name, lines);
    this.#read.set(name, struct);
    return struct;
  }

  #linesOf(name: string): readonly string[] | undefined {
    const cut = name.lastIndexOf('.');
    const types = this.#lines[name.slice(0, cut)];
    const short = name.slice(cut + 1);
    return types && Object.hasOwn(types, short) ? types[short] : undefined;
  }

  #readStruct(name: string, [head = '', ...lines]: readonly string[]): StructSchema {
    const inPackage = name.slice(0, name.lastIndexOf('.'));
    let number = 0;
    const messageFields = lines.map((line) => {
      const field = this.#readField(line, inPackage, number + 1);
      if (field.number) number = field.number;
      return field;
    });
    const typeMeta = head.includes('*');
    const struct: StructSchema = {
      form: 'struct',
      name,
      topology: head.includes('@a') ? 'atomic' : 'granular',
      typeMeta,
      messageFields,
      ...readUnion(head),
      get fields() {
        const fields = [...(typeMeta ? typeMetaFields : []), ...messageFields.flatMap(flattenField)];
        Object.defineProperty(struct, 'fields', { value: fields });
        return fields;
      },
      get byName() {
        const byName = new Map(struct.fields.map((field) => [field.name, field]));
        Object.defineProperty(struct, 'byName', { value: byName });
        return byName;
      },
    };
    return struct;
  }

  #readField(line: string, inPackage: string, nextNumber: number): Field {
    const match = fieldLine.exec(line);
    if (!match) throw new Error(`not a field line of the catalog: ${line}`);
    const [, name = '', flags = '', number, type = '', rest = ''] = match;
    const markers = readMarkers(rest.trim());
    const pointer = flags.includes('?');
    const required = flags.includes('!');
    const always = (required && !flags.includes('~')) || flags.includes('+');
    const readSchema = (): Schema => this.#readType(type, inPackage, markers);
    const field: Field = {
      name: name === '*' ? '' : name,
      pointer,
      required,
      always,
      omitZero: flags.includes('%'),
      number: number === undefined ? nextNumber : Number(number),
      inlined: name === '*',
      get default() {
        const value = markers.default ?? (markers.implicitDefault && !pointer ? implicitDefault(field.schema, always) : undefined);
        Object.defineProperty(field, 'default', { value });
        return value;
      },
      ...(markers.topology ? { declared: { extension: markers.extension, topology: markers.topology } } : {}),
      patchStrategies: markers.strategies,
      patchMergeKey: markers.mergeKey,
      plainRef: flags.includes('_'),
      get schema() {
        const schema = readSchema();
        Object.defineProperty(field, 'schema', { value: schema });
        return schema;
      },
    };
    return field;
  }

  #readType(type: string, inPackage: string, markers: Markers): Schema {
    if (type.startsWith('[]')) return this.#readList(type.slice(2), inPackage, markers, false);
    if (type.startsWith('<[]')) return this.#readList(type.slice(3, -1), inPackage, markers, true);
    if (type.startsWith('{}')) {
      const values = this.#readType(type.slice(2), inPackage, { ...markers, topology: undefined });
      return { form: 'map', values, topology: markers.topology === 'atomic' ? 'atomic' : 'granular' };
    }
    const scalar = scalars.get(type);
    if (scalar) return { form: 'scalar', type: scalar, ...(markers.enum ? { enum: markers.enum } : {}) };
    if (untyped.has(type)) return { form: 'untyped', topology: 'atomic', type };
    const struct = this.struct(qualifyTypeName(type, inPackage));
    if (markers.topology !== 'atomic' && markers.topology !== 'granular') return struct;
    if (markers.topology === struct.topology) return struct;
    // The field's marker overrides its type's.
    return Object.create(struct, { topology: { value: markers.topology, enumerable: true } }) as StructSchema;
  }

  #readList(type: string, inPackage: string, markers: Markers, wrapped: boolean): Schema {
    const items = this.#readType(type, inPackage, { ...markers, topology: undefined, keys: [] });
    // Without a list type, a merge strategy makes the list associative (part 4.6 rule 10).
    const merges = markers.topology === undefined && markers.strategies.includes('merge');
    const keys = markers.keys.length > 0 ? markers.keys : merges && markers.mergeKey ? [markers.mergeKey] : [];
    const topology: ListTopology = keys.length > 0 ? 'map' : markers.topology === 'set' || merges ? 'set' : 'atomic';
    return { form: 'list', items, topology, keys, wrapped };
  }
}

function qualifyTypeName(type: string, inPackage: string): string {
  const cut = type.lastIndexOf('.');
  if (cut < 0) return `${inPackage}.${type}`;
  const group = type.slice(0, cut);
  return `${packageAliases[group] ?? group}.${type.slice(cut + 1)}`;
}

function flattenField(field: Field): readonly Field[] {
  if (!field.inlined) return [field];
  if (field.schema.form !== 'struct') throw new Error('only structs are inlined');
  return field.schema.fields;
}

function typeMetaField(name: string): Field {
  return { ...plainField(name, { form: 'scalar', type: 'string' }), pointer: false };
}
const typeMetaFields: readonly Field[] = [typeMetaField('kind'), typeMetaField('apiVersion')];

function implicitDefault(schema: Schema, always: boolean): unknown {
  if (schema.form === 'struct') return {};
  if (schema.form !== 'scalar') return undefined;
  switch (schema.type) {
    case 'string':
      return always ? '' : undefined;
    case 'bool':
      return always ? false : undefined;
    case 'int32':
    case 'int64':
    case 'double':
      return always ? 0 : undefined;
    default:
      return undefined;
  }
}

function readUnion(head: string): { union?: Union } {
  const match = /%(\w+)\((.*)\)/.exec(head);
  if (!match) return {};
  const [, discriminator = '', fields = ''] = match;
  return { union: { discriminator, fields: Object.fromEntries(fields.split(',').map((pair) => pair.split(':'))) } };
}

function readMarkers(text: string): Markers {
  const { rest, values } = splitEnum(text);
  const markers: Writable<Markers> = {
    topology: undefined,
    extension: /(^| )@[Ag]( |$)/.test(rest) ? 'map-type' : 'list-type',
    keys: [],
    strategies: [],
    mergeKey: undefined,
    default: undefined,
    implicitDefault: true,
    enum: values,
  };
  for (const part of rest ? rest.split(' ') : []) readMarker(part, markers);
  return markers;
}

/** Splits the values of an enumeration, `{a|b}`, from the markers before it. */
function splitEnum(text: string): { readonly rest: string; readonly values: readonly string[] | undefined } {
  const brace = text.indexOf('{');
  const isEnum = brace >= 0 && (brace === 0 || text[brace - 1] === ' ') && !text.startsWith('={');
  if (!isEnum) return { rest: text, values: undefined };
  return { rest: text.slice(0, brace).trim(), values: text.slice(brace + 1, -1).split('|') };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const topologies: Readonly<Record<string, Markers['topology']>> = { '@a': 'atomic', '@A': 'atomic', '@g': 'granular', '@s': 'set' };

function readMarker(part: string, markers: Writable<Markers>): void {
  const topology = topologies[part];
  if (topology !== undefined) markers.topology = topology;
  else if (part.startsWith('@m(')) {
    markers.topology = 'map';
    markers.keys = part.slice(3, -1).split(',');
  } else if (part.startsWith('^')) {
    const match = /^\^([mrk,]*)(?:\((.*)\))?$/.exec(part);
    markers.strategies = (match?.[1] ? match[1].split(',') : []).flatMap((letter) => strategies[letter] ?? []);
    markers.mergeKey = match?.[2];
  } else if (part === '=-') markers.implicitDefault = false;
  else if (part.startsWith('=')) markers.default = JSON.parse(part.slice(1));
  else throw new Error(`not a marker of the catalog: ${part}`);
}
