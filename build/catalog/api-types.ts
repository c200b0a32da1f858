import { createFeatureGates, type JsonObject, productByName } from '../../src/meta/index.ts';
import { descriptionData } from '../../src/schema/description-data.ts';
import {
  type Catalog,
  createCatalog,
  createDescribeType,
  createTypedDecoder,
  type Field,
  formatGroupVersion,
  type Resource,
  type ScalarType,
  type Schema,
  type StructSchema,
} from '../../src/schema/index.ts';
import { furtherTypesOf, type PackageTable } from './generate-catalog.ts';

/** Types of scalars in JSON. */
const scalarTypes: Readonly<Record<ScalarType, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  double: 'number',
  bytes: 'string',
  Time: 'string',
  MicroTime: 'string',
  Duration: 'string',
  Quantity: 'string',
  IntOrString: 'number | string',
  any: 'Json',
};

/** Untyped values that are objects. */
const objectTypes: ReadonlySet<string> = new Set(['FieldsV1', 'RawExtension']);

const describeType = createDescribeType(descriptionData, productByName('kubernetes'));

const decodeTyped = createTypedDecoder();

const listType = `/** A list of objects, as in responses: \`List<corev1.Pod>\`. */
export interface List<T> {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ListMeta;
  readonly items: readonly T[];
}
`;

const header = '// Generated from the catalog by `npm run generate:types`. Do not edit.\n';

/** The catalog with all built-in API versions, under the names of Kubernetes. */
export function createAllServedCatalog(): Catalog {
  return createCatalog(productByName('kubernetes'), {
    runtimeConfig: new Map([['api/all', 'true']]),
    featureGates: createFeatureGates('AllAlpha=true,AllBeta=true'),
  });
}

/**
 * TypeScript interfaces of all kinds of a catalog and a table, and of the types of their fields, as Kubernetes writes them: one file per API
 * package (`core/v1.ts`), and an `index.ts` that exports each package under its Go import name (`corev1`). By path, with the content.
 */
export function generateApiTypes(catalog: Catalog, table: PackageTable): ReadonlyMap<string, string> {
  const packages = groupByPackage(collectStructs(catalog, furtherTypesOf(table)));
  const files = new Map([...packages].map(([name, structs]) => [`${name}.ts`, printPackage(name, structs)]));
  files.set('resources.ts', printResources(servableResources(catalog)));
  files.set('index.ts', printIndex([...packages.keys()]));
  return files;
}

/** The resources of the catalog, and those of the API services that a cluster may serve beside its own. */
function servableResources(catalog: Catalog): readonly Resource[] {
  const own = catalog.groups.flatMap(({ name: group, versions }) =>
    versions.flatMap((version) => catalog.resourcesOf(formatGroupVersion({ group, version }))),
  );
  return [...own, ...[...catalog.aggregated.values()].flat()];
}

function collectStructs(catalog: Catalog, furtherTypes: readonly string[]): ReadonlyMap<string, StructSchema> {
  const structs = new Map<string, StructSchema>();
  const visit = (schema: Schema): void => {
    if (schema.form === 'list') visit(schema.items);
    if (schema.form === 'map') visit(schema.values);
    if (schema.form !== 'struct' || structs.has(schema.name)) return;
    structs.set(schema.name, schema);
    for (const field of schema.fields) visit(field.schema);
  };
  for (const { schema, subresources } of servableResources(catalog)) {
    visit(schema);
    for (const { groupVersion, kind } of subresources.values()) {
      const subresource = catalog.kind(groupVersion, kind);
      if (subresource) visit(subresource);
    }
  }
  for (const name of furtherTypes) visit(catalog.type(name));
  return structs;
}

function groupByPackage(structs: ReadonlyMap<string, StructSchema>): ReadonlyMap<string, readonly StructSchema[]> {
  const packages = new Map<string, StructSchema[]>();
  for (const name of [...structs.keys()].sort()) {
    const struct = structs.get(name);
    const inPackage = packages.get(packageOf(name)) ?? [];
    packages.set(packageOf(name), inPackage);
    if (struct) inPackage.push(struct);
  }
  return packages;
}

/** `core/v1.PodSpec` → `core/v1` */
function packageOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

/** `core/v1.PodSpec` → `PodSpec` */
function typeNameOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).replace(/\W/g, '_');
}

/** `core/v1` → `corev1`, the usual import name in Go. */
function importNameOf(name: string): string {
  return name.replace('/', '');
}

function printIndex(packages: readonly string[]): string {
  const exports = [
    ...packages.map((name) => [`./${name}.ts`, `type * as ${importNameOf(name)}`]),
    ['./resources.ts', '*'],
    ['../api-resource.ts', 'type { ApiResource }'],
  ].sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const lines = exports.map(([path, what]) => `export ${what} from '${path}';\n`);
  return [header, "import type * as metav1 from './meta/v1.ts';\n\n", ...lines, '\n', listType].join('');
}

/** One constant for each resource, such as `corev1Pods`. */
function printResources(resources: readonly Resource[]): string {
  const packages = new Set(resources.map(({ schema }) => packageOf(schema.name)));
  const imports = [...packages].sort().map((name) => `import type * as ${importNameOf(name)} from './${name}.ts';\n`);
  const constants = resources
    .map(({ group, version, kind, name, namespaced, schema }) => {
      const from = importNameOf(packageOf(schema.name));
      const plural = name === `${kind.toLowerCase()}s` ? '' : `, '${name}'`;
      const call = `${namespaced ? 'namespacedResource' : 'clusterResource'}('${formatGroupVersion({ group, version })}', '${kind}'${plural})`;
      // Bundlers drop constants that are not used.
      return `export const ${from}${pluralKind(kind, name)}: ApiResource<${from}.${typeNameOf(schema.name)}> = /* @__PURE__ */ ${call};\n`;
    })
    .sort();
  return [
    header,
    "import { type ApiResource, clusterResource, namespacedResource } from '../api-resource.ts';\n",
    ...imports,
    '\n',
    ...constants,
  ].join('');
}

/** The plural of a kind in camel case: `NetworkPolicies` for NetworkPolicy and `networkpolicies`. */
function pluralKind(kind: string, plural: string): string {
  const shared = [...plural].findIndex((letter, index) => letter !== kind.charAt(index).toLowerCase());
  return shared < 0 ? kind.slice(0, plural.length) : kind.slice(0, shared) + plural.slice(shared);
}

function printPackage(name: string, structs: readonly StructSchema[]): string {
  const printer = new PackagePrinter(name);
  const interfaces = structs.map((struct) => printer.interfaceOf(struct));
  return [header, ...printer.imports(), '\n', interfaces.join('\n')].join('');
}

class PackagePrinter {
  readonly #name: string;
  readonly #imported = new Set<string>();
  #usesJson = false;
  #usesJsonObject = false;

  constructor(name: string) {
    this.#name = name;
  }

  imports(): readonly string[] {
    const json = [...(this.#usesJson ? ['Json'] : []), ...(this.#usesJsonObject ? ['JsonObject'] : [])];
    const packages = [...this.#imported].sort().map((name) => `import type * as ${importNameOf(name)} from '../${name}.ts';\n`);
    return [...(json.length > 0 ? [`import type { ${json.join(', ')} } from '../../../meta/index.ts';\n`] : []), ...packages];
  }

  interfaceOf(struct: StructSchema): string {
    if (struct.fields.length === 0) return `export type ${typeNameOf(struct.name)} = Readonly<Record<string, never>>;\n`;
    const zero = decodeTyped(struct, {});
    const fields = struct.fields.map((field) => printFieldComment(struct, field) + this.#printField(struct, field, zero));
    return `${printComment(describeType(struct.name), '')}export interface ${typeNameOf(struct.name)} {\n${fields.join('')}}\n`;
  }

  /** `zero`: the encoding of an empty struct, which has the fields that are always written. */
  #printField(struct: StructSchema, field: Field, zero: JsonObject): string {
    const isPresent = isTypeMeta(struct, field) || Object.hasOwn(zero, field.name);
    const isNullable = zero[field.name] === null;
    const name = /^[A-Za-z$]\w*$/.test(field.name) ? field.name : `'${field.name}'`;
    return `  readonly ${name}${isPresent ? '' : '?'}: ${this.#typeOf(field.schema)}${isNullable ? ' | null' : ''};\n`;
  }

  #typeOf(schema: Schema): string {
    switch (schema.form) {
      case 'scalar':
        this.#usesJson ||= schema.type === 'any';
        return scalarTypes[schema.type];
      case 'list':
        return `readonly ${this.#elementTypeOf(schema.items)}[]`;
      case 'map':
        return `Readonly<Record<string, ${this.#typeOf(schema.values)}>>`;
      case 'struct':
        return this.#structTypeOf(schema.name);
      case 'untyped':
        return this.#untypedTypeOf(schema.type);
    }
  }

  #elementTypeOf(schema: Schema): string {
    const type = this.#typeOf(schema);
    return /[ |]/.test(type) ? `(${type})` : type;
  }

  #structTypeOf(name: string): string {
    const from = packageOf(name);
    if (from === this.#name) return typeNameOf(name);
    this.#imported.add(from);
    return `${importNameOf(from)}.${typeNameOf(name)}`;
  }

  #untypedTypeOf(type: string): string {
    if (objectTypes.has(type)) {
      this.#usesJsonObject = true;
      return 'JsonObject';
    }
    this.#usesJson = true;
    return 'Json';
  }
}

/** Whether a field is the kind or the API version of an object. */
function isTypeMeta({ typeMeta }: StructSchema, { name }: Field): boolean {
  return typeMeta && (name === 'kind' || name === 'apiVersion');
}

/** Members that all objects have need no comments. */
function printFieldComment(struct: StructSchema, { name }: Field): string {
  const isCommon = struct.typeMeta && ['kind', 'apiVersion', 'metadata', 'spec', 'status'].includes(name);
  return isCommon ? '' : printComment(describeType(struct.name, name), '  ');
}

function printComment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`;
}
