import { FieldLineWriter, type GoPackages } from './field-line.ts';
import { type GoPackage, parseGo } from './go-source.ts';

/** packages.json: where the Go types of the catalog are, and which of them are no resources. */
export interface PackageTable {
  /** The release of the Go modules. */
  readonly release: string;
  /** Import paths by the first part of a package name (`meta` of `meta/v1`), without the version; `*`: parent folder of all others. */
  readonly packages: Readonly<Record<string, string>>;
  /** Enumerated types whose values the real server's OpenAPI does not list. */
  readonly withoutValues: readonly string[];
  /** Types by package that no resource refers to. Each stands for the types that it refers to, too. */
  readonly types: NamesByPackage;
  readonly auxiliaryTypes: NamesByPackage;
}

type NamesByPackage = Readonly<Record<string, readonly string[]>>;

/** Lines by package and type: the format of types.json. */
export type TypeLines = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** resources.json, as far as types depend on it. */
interface Resources {
  readonly resources: Readonly<Record<string, Readonly<Record<string, Kind & { readonly sub?: Readonly<Record<string, Kind>> }>>>>;
}

interface Kind {
  readonly kind: string;
  readonly gv?: string;
}

/** Packages whose name is not the first label of the group. */
const packageOfGroup: Readonly<Record<string, string>> = { '': 'core', 'internal.apiserver.k8s.io': 'apiserverinternal' };
/** Options of CONNECT requests are query parameters, no objects. */
const connectOptions = /(?:Attach|Exec|PortForward|Proxy)Options$/;

/** The import path of a package of the catalog. */
export function importPathOf(name: string, { packages }: PackageTable): string {
  const [group = '', version] = name.split('/');
  return `${packages[group] ?? `${packages['*']}/${group}`}/${version}`;
}

/** The packages of the resources and of the other types. */
export function packagesOf({ resources }: Resources, table: PackageTable): readonly string[] {
  const ofResources = Object.entries(resources).flatMap(([groupVersion, byName]) => kindsOf(groupVersion, Object.values(byName)));
  const names = [...ofResources, ...furtherTypesOf(table)].map(packageOfType);
  return [...new Set(names)].sort();
}

/** Creates types.json and types-aux.json. `sourceOf` returns the condensed Go source of a package. */
export function generateTypes(
  { resources }: Resources,
  table: PackageTable,
  names: readonly string[],
  sourceOf: (name: string) => string,
): { readonly types: TypeLines; readonly auxiliary: TypeLines } {
  const writer = new FieldLineWriter(readPackages(table, names, sourceOf));
  const main = new Map<string, readonly string[]>();
  const auxiliary = new Map<string, readonly string[]>();
  const add = (to: Map<string, readonly string[]>, type: string): void => {
    if (main.has(type) || to.has(type)) return;
    const { lines, structs } = writer.linesOf(packageOfType(type), nameOfType(type));
    to.set(type, lines);
    for (const struct of structs) add(to, struct);
  };
  const isAuxiliary = (type: string): boolean => Object.hasOwn(table.auxiliaryTypes, packageOfType(type));
  const kinds = Object.entries(resources).flatMap(([groupVersion, byName]) => kindsOf(groupVersion, Object.values(byName)));
  for (const type of kinds) {
    if (isAuxiliary(type)) continue;
    add(main, type);
    if (writer.has(`${type}List`)) add(main, `${type}List`);
  }
  for (const type of fullNames(table.types)) add(main, type);
  for (const type of fullNames(table.auxiliaryTypes)) add(auxiliary, type);
  return { types: byPackage(main), auxiliary: byPackage(auxiliary) };
}

function readPackages(table: PackageTable, names: readonly string[], sourceOf: (name: string) => string): GoPackages {
  const byPath = new Map(names.map((name) => [importPathOf(name, table), name]));
  const parsed = new Map<string, GoPackage>(names.map((name) => [name, parseGo(sourceOf(name))]));
  return {
    get: (name) => parsed.get(name),
    nameOf: (path) => byPath.get(path),
    listsValues: (type) => !table.withoutValues.includes(type),
  };
}

function kindsOf(groupVersion: string, resources: readonly Resources['resources'][string][string][]): readonly string[] {
  return resources.flatMap(({ kind, sub = {} }) => [
    `${packageOf(groupVersion)}.${kind}`,
    ...Object.values(sub)
      .filter((subresource) => !connectOptions.test(subresource.kind))
      .map((subresource) => `${packageOf(subresource.gv ?? groupVersion)}.${subresource.kind}`),
  ]);
}

function packageOf(groupVersion: string): string {
  const [group = '', version] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
  return `${packageOfGroup[group] ?? group.split('.')[0]}/${version}`;
}

function fullNames(names: NamesByPackage): readonly string[] {
  return Object.entries(names).flatMap(([name, types]) => types.map((type) => `${name}.${type}`));
}

/** `core/v1` of `core/v1.Pod`. */
function packageOfType(type: string): string {
  return type.slice(0, type.lastIndexOf('.'));
}

function nameOfType(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1);
}

/** The types of the table, by full names. */
export function furtherTypesOf({ types, auxiliaryTypes }: PackageTable): readonly string[] {
  return [...fullNames(types), ...fullNames(auxiliaryTypes)];
}

/** Sorted by package and name. */
function byPackage(lines: ReadonlyMap<string, readonly string[]>): TypeLines {
  const sorted: Record<string, Record<string, readonly string[]>> = {};
  for (const type of [...lines.keys()].sort()) {
    const types = sorted[packageOfType(type)] ?? {};
    types[nameOfType(type)] = lines.get(type) ?? [];
    sorted[packageOfType(type)] = types;
  }
  return sorted;
}
