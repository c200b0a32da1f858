import type { GoConstant, GoField, GoPackage, Markers } from './go-source.ts';

/** Go packages by the catalog's name (`core/v1`), and those names by import path. */
export interface GoPackages {
  get(name: string): GoPackage | undefined;
  nameOf(importPath: string): string | undefined;
  /** Whether the real server's OpenAPI has the values of an enumerated type: not where another package has an alias of it. */
  listsValues(type: string): boolean;
}

/** Types of Go with a notation of their own, by import path and name. */
const specialTypes: Readonly<Record<string, string>> = {
  'k8s.io/apimachinery/pkg/api/resource.Quantity': 'Quantity',
  'k8s.io/apimachinery/pkg/util/intstr.IntOrString': 'IntOrString',
  'k8s.io/apimachinery/pkg/runtime.RawExtension': 'RawExtension',
  'k8s.io/apimachinery/pkg/runtime.Object': 'RawExtension',
  'k8s.io/apimachinery/pkg/runtime.Unknown': 'RawExtension',
  'k8s.io/apimachinery/pkg/types.UID': 'string',
  'k8s.io/apimachinery/pkg/types.NodeName': 'string',
};
const builtinTypes: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'bool',
  int: 'int64',
  int32: 'int32',
  int64: 'int64',
  float64: 'double',
  '[]byte': 'bytes',
  'interface{}': 'any',
};
/** Types of these packages with a custom JSON form. */
const customTypes: Readonly<Record<string, ReadonlySet<string>>> = {
  'meta/v1': new Set(['Time', 'MicroTime', 'Duration', 'FieldsV1']),
  'apiextensions/v1': new Set(['JSON', 'JSONSchemaPropsOrArray', 'JSONSchemaPropsOrBool', 'JSONSchemaPropsOrStringArray']),
};
const shortPackages: Readonly<Record<string, string>> = { 'meta/v1': 'meta', 'core/v1': 'core' };
const listTypes: Readonly<Record<string, string>> = { atomic: '@a', set: '@s' };
const patchStrategies: Readonly<Record<string, string>> = { merge: 'm', replace: 'r', retainKeys: 'k' };

/** A Go type as the catalog writes it. */
interface ResolvedType {
  readonly notation: string;
  /** The pointer of Go's field. */
  readonly pointer: boolean;
  /** Comment tags of the named types that it goes through. */
  readonly markers: Markers;
  /** Values of the enumerated string in it. */
  readonly values: readonly string[];
  /** Full names of the structs in it: `core/v1.Pod`. */
  readonly structs: readonly string[];
}

const noMarkers: Markers = new Map();
const plain = (notation: string): ResolvedType => ({ notation, pointer: false, markers: noMarkers, values: [], structs: [] });

/** Writes the field lines of the catalog (docs/how-it-works/catalog-format.md) for the structs of Go packages. */
export class FieldLineWriter {
  readonly #packages: GoPackages;

  constructor(packages: GoPackages) {
    this.#packages = packages;
  }

  /** Whether there is a struct of this full name. */
  has(type: string): boolean {
    const cut = type.lastIndexOf('.');
    return this.#packages.get(type.slice(0, cut))?.structs.has(type.slice(cut + 1)) ?? false;
  }

  /** The lines of a type, head first, and the full names of the structs in it. @throws Error for an unknown type */
  linesOf(inPackage: string, name: string): { readonly lines: readonly string[]; readonly structs: readonly string[] } {
    const source = this.#packages.get(inPackage);
    const named = source?.named.get(name);
    // `type A b.B` has the fields of B.
    if (named?.type.includes('.')) return this.linesOf(...this.#ownerOf(named.type, inPackage));
    const struct = source?.structs.get(name);
    if (!struct) throw new Error(`the Go package ${inPackage} has no struct ${name}`);
    const fields = struct.fields.filter((field) => !isTypeMeta(field) && jsonNameOf(field) !== '-');
    const typeMeta = struct.fields.some(isTypeMeta) ? '*' : '';
    const atomic = struct.markers.get('structType')?.[0] === 'atomic' ? '@a' : '';
    const structs: string[] = [];
    let number = 0;
    const lines = fields.map((field) => {
      const resolved = this.#resolve(field.type, inPackage);
      structs.push(...resolved.structs);
      const given = Number(field.tags.get('protobuf')?.split(',')[1] ?? 0);
      const numbered = given === number + 1 ? '' : `#${given}`;
      if (given > 0) number = given;
      return this.#lineOf(field, resolved, numbered, inPackage);
    });
    return { lines: [`${typeMeta}${atomic}${struct.markers.has('union') ? unionOf(fields) : ''}`, ...lines], structs };
  }

  #lineOf(field: GoField, resolved: ResolvedType, numbered: string, inPackage: string): string {
    const name = jsonNameOf(field);
    if (name === '') return `*${numbered} ${resolved.notation}`;
    const markers = markersOf(field, resolved, this.#defaultOf(field, resolved, inPackage));
    return [`${name}${flagsOf(field, resolved)}${numbered}`, resolved.notation, ...markers].join(' ');
  }

  #resolve(type: string, inPackage: string): ResolvedType {
    const builtin = builtinTypes[type];
    if (builtin !== undefined) return plain(builtin);
    if (type.startsWith('*')) return { ...this.#resolve(type.slice(1), inPackage), pointer: true };
    const [, map, list] = /^(?:map\[[\w.]+\](.*)|\[\](.*))$/.exec(type) ?? [];
    const item = map ?? list;
    if (item !== undefined) {
      const { notation, values, structs } = this.#resolve(item, inPackage);
      return { ...plain(`${map === undefined ? '[]' : '{}'}${notation}`), values, structs };
    }
    return this.#resolveNamed(type, inPackage);
  }

  #resolveNamed(type: string, inPackage: string): ResolvedType {
    const special = specialTypes[this.#pathOf(type, inPackage)];
    if (special !== undefined) return plain(special);
    const [owner, name] = this.#ownerOf(type, inPackage);
    if (customTypes[owner]?.has(name)) return plain(name);
    const source = this.#packages.get(owner);
    const named = source?.named.get(name);
    const resolved = named && this.#resolve(named.type, owner);
    // `type A b.B` is a struct with the fields of B.
    const isStruct = !named || (!named.isAlias && resolved?.structs.length === 1 && /^\w/.test(resolved.notation));
    if (isStruct)
      return { ...plain(owner === inPackage ? name : `${shortPackages[owner] ?? owner}.${name}`), structs: [`${owner}.${name}`] };
    if (!source || !resolved) throw new Error(`${inPackage}: no Go type ${type}`);
    return {
      ...resolved,
      notation: named.markers.has('protobuf.nullable') ? `<${resolved.notation}>` : resolved.notation,
      markers: new Map([...resolved.markers, ...named.markers]),
      values: named.markers.has('enum') && this.#packages.listsValues(`${owner}.${name}`) ? this.#enumValues(owner, name) : resolved.values,
    };
  }

  /** The import path and name of a type: `k8s.io/api/core/v1.Pod`. */
  #pathOf(type: string, inPackage: string): string {
    const [alias = '', name] = type.split('.');
    return name === undefined ? alias : `${this.#packages.get(inPackage)?.imports.get(alias)}.${name}`;
  }

  /** The package and name of a type or constant. @throws Error for one of an unknown package */
  #ownerOf(type: string, inPackage: string): readonly [owner: string, name: string] {
    const path = this.#pathOf(type, inPackage);
    const cut = path.lastIndexOf('.');
    if (cut < 0) return [inPackage, path];
    const owner = this.#packages.nameOf(path.slice(0, cut));
    if (owner === undefined) throw new Error(`${inPackage}: the package of ${type} is none of the catalog: ${path}`);
    return [owner, path.slice(cut + 1)];
  }

  #enumValues(inPackage: string, type: string): readonly string[] {
    const constants = this.#packages.get(inPackage)?.constants.filter((constant) => constant.type === type) ?? [];
    return [...new Set(constants.map(({ value }) => this.#valueOf(value, inPackage)))].sort();
  }

  #valueOf(value: GoConstant['value'], inPackage: string): string {
    if (typeof value === 'string') return value;
    const [owner, name] = this.#ownerOf(value.of, inPackage);
    const constant = this.#packages.get(owner)?.constants.find((known) => known.name === name);
    if (!constant) throw new Error(`${inPackage}: no constant ${value.of}`);
    return this.#valueOf(constant.value, owner);
  }

  /** The declared default as JSON; a `ref(Name)` is the value of a constant. */
  #defaultOf(field: GoField, { markers }: ResolvedType, inPackage: string): string | undefined {
    const [text] = field.markers.get('default') ?? markers.get('default') ?? [];
    const [, path, name] = /^ref\((?:(.*)\.)?(\w+)\)$/.exec(text ?? '') ?? [];
    if (text === undefined || name === undefined) return text === undefined ? undefined : JSON.stringify(JSON.parse(text));
    const owner = path === undefined ? inPackage : this.#packages.nameOf(path);
    const constant = this.#packages.get(owner ?? '')?.constants.find((known) => known.name === name);
    if (!constant) throw new Error(`${inPackage}: the default of ${field.name} is no known constant: ${text}`);
    return JSON.stringify(this.#valueOf(constant.value, owner ?? ''));
  }
}

function isTypeMeta({ name, type }: GoField): boolean {
  return name === '' && /(?:^|\.)TypeMeta$/.test(type);
}

/** Empty for an inlined struct. */
function jsonNameOf({ tags }: GoField): string {
  return tags.get('json')?.split(',')[0] ?? '';
}

function unionOf(fields: readonly GoField[]): string {
  const discriminator = fields.find(({ markers }) => markers.has('unionDiscriminator'));
  const members = fields.filter((field) => field !== discriminator).map((field) => `${jsonNameOf(field)}:${field.name}`);
  return discriminator ? `%${jsonNameOf(discriminator)}(${members.sort().join(',')})` : '';
}

function flagsOf({ tags, markers }: GoField, { pointer, structs, notation }: ResolvedType): string {
  const options = tags.get('json')?.split(',').slice(1) ?? [];
  const omitEmpty = options.includes('omitempty');
  const required = markers.has('required') || !(markers.has('optional') || omitEmpty);
  return [
    pointer ? '?' : '',
    required ? '!' : '',
    required && omitEmpty ? '~' : '',
    !required && !omitEmpty ? '+' : '',
    options.includes('omitzero') ? '%' : '',
    markers.has('undocumented') && pointer && (structs.length > 0 || notation.startsWith('JSON')) ? '_' : '',
  ].join('');
}

function markersOf({ tags, markers }: GoField, resolved: ResolvedType, defaultValue: string | undefined): readonly string[] {
  const strategies = tags
    .get('patchStrategy')
    ?.split(',')
    .map((name) => patchStrategies[name] ?? name);
  const mergeKey = tags.get('patchMergeKey');
  return [
    ...topologyOf(new Map([...resolved.markers, ...markers]), resolved.notation),
    ...(defaultValue === undefined ? [] : [`=${defaultValue}`]),
    ...(strategies ? [`^${strategies.join()}${mergeKey === undefined ? '' : `(${mergeKey})`}`] : []),
    ...(resolved.values.length > 0 ? [`{${resolved.values.join('|')}}`] : []),
  ];
}

function topologyOf(markers: Markers, notation: string): readonly string[] {
  const list = markers.get('listType')?.[0];
  if (list === 'map') return [`@m(${markers.get('listMapKey')?.join()})`];
  if (list !== undefined) return [listTypes[list] ?? `@${list}`];
  const map = markers.get('mapType')?.[0] ?? markers.get('structType')?.[0];
  if (map === 'granular') return ['@g'];
  if (map === 'atomic') return [notation.startsWith('{}') ? '@A' : '@a'];
  return [];
}
