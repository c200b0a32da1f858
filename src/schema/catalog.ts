import { createFeatureGates, type FeatureGates, type Product } from '../meta/index.ts';
import resourcesText from './data/resources.json?raw';
import typesText from './data/types.json?raw';
import auxiliaryText from './data/types-aux.json?raw';
import { createIsRegistered } from './registered-kinds.ts';
import {
  formatGroupVersion,
  type Group,
  type Lifecycle,
  parseGroupVersion,
  type Resource,
  type ResourceVerb,
  type Subresource,
} from './resources.ts';
import { createIsServed, type RuntimeConfig, type ServableGroup } from './runtime-config.ts';
import type { StructSchema } from './schema.ts';
import { type TypeLines, TypeReader } from './type-reader.ts';
import { compareVersionPriority } from './version-priority.ts';

/** Lookup of all served resources and kinds. Immutable: `withResources` returns a new catalog with custom resources. */
export interface Catalog {
  /** In discovery order, the core group first. */
  readonly groups: readonly Group[];
  /** The resources of a `group/version`, in discovery order; empty when it is not served. */
  resourcesOf(groupVersion: string): readonly Resource[];
  resource(groupVersion: string, name: string): Resource | undefined;
  /** The resource of a kind. */
  resourceOfKind(groupVersion: string, kind: string): Resource | undefined;
  /** The schema of a kind, also of kinds without a resource (Scale, DeleteOptions, Status). */
  kind(groupVersion: string, kind: string): StructSchema | undefined;
  /** Whether the real server's scheme has the kind, served or not. */
  isRegistered(groupVersion: string, kind: string): boolean;
  /** The schema of a catalog type: `core/v1.PodSpec`. @throws Error for an unknown type */
  type(name: string): StructSchema;
  /** The catalog's package for a group version: `apps/v1`, `core/v1`, `rbac/v1`. */
  packageOf(groupVersion: string): string;
  /** The resources of API services that a cluster may serve beside its own: metrics.k8s.io/v1beta1. */
  readonly aggregated: ReadonlyMap<string, readonly Resource[]>;
  /** Returns a catalog with additional resources; their groups come last, their versions are sorted by version priority. */
  withResources(further: ReadonlyMap<string, readonly Resource[]>): Catalog;
}

/** A resource that every catalog has. @throws Error when the catalog lacks it */
export function requireResource(catalog: Pick<Catalog, 'resource'>, groupVersion: string, name: string): Resource {
  const resource = catalog.resource(groupVersion, name);
  if (!resource) throw new Error(`the catalog has no ${name} in ${groupVersion}`);
  return resource;
}

interface ResourceData {
  readonly kind: string;
  readonly singular: string;
  readonly ns: boolean;
  readonly verbs: string;
  readonly short?: readonly string[];
  readonly cat?: readonly string[];
  readonly hash?: string;
  readonly storage?: string;
  readonly fieldSelectors?: readonly string[];
  readonly nsSelector?: boolean;
  readonly delObj?: boolean;
  readonly life?: Lifecycle;
  readonly sub?: Readonly<Record<string, SubresourceData>>;
}

interface SubresourceData {
  readonly kind: string;
  readonly verbs: string;
  readonly gv?: string;
}

interface CatalogData {
  readonly verbCodes: Readonly<Record<string, ResourceVerb>>;
  readonly groups: readonly ServableGroup[];
  readonly resources: Readonly<Record<string, Readonly<Record<string, ResourceData>>>>;
}

/** Packages whose name differs from the group's first label. */
const packageNames: Readonly<Record<string, string>> = {
  '': 'core',
  'rbac.authorization.k8s.io': 'rbac',
  'flowcontrol.apiserver.k8s.io': 'flowcontrol',
  'internal.apiserver.k8s.io': 'apiserverinternal',
};

/** Settings that decide which built-in kinds are served. */
export interface CatalogOptions {
  readonly runtimeConfig: RuntimeConfig;
  readonly featureGates: FeatureGates;
}

const defaultOptions = (): CatalogOptions => ({ runtimeConfig: new Map(), featureGates: createFeatureGates() });

/** Creates the catalog of built-in kinds, with the product's names. @throws RuntimeConfigError */
export function createCatalog(product: Product, options: CatalogOptions = defaultOptions()): Catalog {
  const data: CatalogData = JSON.parse(product.rename(resourcesText));
  const lines = mergeTypes(JSON.parse(product.rename(typesText)), JSON.parse(product.rename(auxiliaryText)));
  const types = new TypeReader(lines);
  // Package names contain no product name, so they come from the table before renaming.
  const packageByGroup = new Map(Object.entries(packageNames).map(([group, name]) => [product.rename(`"${group}"`).slice(1, -1), name]));
  const suffix = product.rename('"x.k8s.io"').slice(2, -1);
  const packageOf = (groupVersion: string): string => {
    const { group, version } = parseGroupVersion(groupVersion);
    const name = packageByGroup.get(group) ?? (group.endsWith(suffix) ? group.slice(0, -suffix.length) : group);
    return `${name}/${version}`;
  };

  const isServed = createIsServed(data.groups, product, options);
  const verbSet = (codes: string): ReadonlySet<ResourceVerb> => new Set([...codes].flatMap((code) => data.verbCodes[code] ?? []));
  const readSubresource = (groupVersion: string, name: string, sub: SubresourceData): Subresource => ({
    name,
    kind: sub.kind,
    groupVersion: sub.gv ?? groupVersion,
    verbs: verbSet(sub.verbs),
  });
  const readResource = (groupVersion: string, name: string, from: ResourceData): Resource => ({
    ...parseGroupVersion(groupVersion),
    name,
    singular: from.singular,
    kind: from.kind,
    namespaced: from.ns,
    verbs: verbSet(from.verbs),
    shortNames: from.short ?? [],
    categories: from.cat ?? [],
    storageVersionHash: from.hash,
    storageVersion: from.storage ?? groupVersion,
    fieldSelectors: from.fieldSelectors ?? [],
    namespaceSelector: from.ns !== (from.nsSelector ?? false),
    deleteReturnsObject: from.delObj ?? false,
    subresources: new Map(
      Object.entries(from.sub ?? {})
        .filter(([sub]) => isServed(groupVersion, name, sub))
        .map(([sub, value]) => [sub, readSubresource(groupVersion, sub, value)]),
    ),
    // Read lazily: most clusters use only some of the kinds.
    get schema() {
      const schema = types.struct(`${packageOf(groupVersion)}.${from.kind}`);
      Object.defineProperty(this, 'schema', { value: schema });
      return schema;
    },
    lifecycle: from.life ?? {},
    listKind: `${from.kind}List`,
    custom: undefined,
  });

  const groups: Group[] = [];
  const byVersion = new Map<string, readonly Resource[]>();
  for (const group of data.groups) {
    const versions: string[] = [];
    for (const version of group.versions) {
      const groupVersion = formatGroupVersion({ group: group.name, version });
      const resources = Object.entries(data.resources[groupVersion] ?? {}).filter(([name]) => isServed(groupVersion, name));
      // A version without resources is not served.
      if (resources.length === 0) continue;
      versions.push(version);
      byVersion.set(
        groupVersion,
        resources.map(([name, resource]) => readResource(groupVersion, name, resource)),
      );
    }
    if (versions.length > 0) groups.push({ name: group.name, versions });
  }
  const isOwn = new Set(data.groups.map(({ name }) => name));
  const aggregated = new Map(
    Object.entries(data.resources)
      .filter(([groupVersion]) => !isOwn.has(parseGroupVersion(groupVersion).group))
      .map(([groupVersion, resources]) => [
        groupVersion,
        Object.entries(resources).map(([name, resource]) => readResource(groupVersion, name, resource)),
      ]),
  );
  const hasShape = (groupVersion: string, kind: string): boolean => types.has(`${packageOf(groupVersion)}.${kind}`);
  const isRegistered = createIsRegistered(product, hasShape, (groupVersion) => byVersion.has(groupVersion));
  return catalogFromParts({ groups, byVersion, aggregated, types, packageOf, isRegistered });
}

/** Merges types by package, since some packages have types in both. */
function mergeTypes(types: TypeLines, auxiliary: TypeLines): TypeLines {
  const packages = Object.entries(auxiliary).map(([name, lines]) => [name, { ...lines, ...types[name] }]);
  return { ...types, ...Object.fromEntries(packages) };
}

interface CatalogParts {
  readonly groups: readonly Group[];
  readonly byVersion: ReadonlyMap<string, readonly Resource[]>;
  readonly aggregated: Catalog['aggregated'];
  readonly types: TypeReader;
  readonly packageOf: (groupVersion: string) => string;
  readonly isRegistered: Catalog['isRegistered'];
}

function catalogFromParts(parts: CatalogParts): Catalog {
  const { groups, byVersion, aggregated, types, packageOf, isRegistered } = parts;
  const byName = new Map<string, Resource>();
  const byKind = new Map<string, Resource>();
  for (const [groupVersion, resources] of byVersion) {
    for (const resource of resources) {
      byName.set(`${groupVersion}/${resource.name}`, resource);
      byKind.set(`${groupVersion}/${resource.kind}`, resource);
    }
  }
  return {
    groups,
    aggregated,
    packageOf,
    isRegistered,
    resourcesOf: (groupVersion) => byVersion.get(groupVersion) ?? [],
    resource: (groupVersion, name) => byName.get(`${groupVersion}/${name}`),
    resourceOfKind: (groupVersion, kind) => byKind.get(`${groupVersion}/${kind}`),
    kind(groupVersion, kind) {
      const name = `${packageOf(groupVersion)}.${kind}`;
      return byKind.get(`${groupVersion}/${kind}`)?.schema ?? (types.has(name) ? types.struct(name) : undefined);
    },
    type: (name) => types.struct(name),
    withResources: (further) =>
      catalogFromParts({ ...parts, groups: addGroups(groups, further), byVersion: addVersions(byVersion, further) }),
  };
}

function addVersions(
  known: ReadonlyMap<string, readonly Resource[]>,
  further: ReadonlyMap<string, readonly Resource[]>,
): ReadonlyMap<string, readonly Resource[]> {
  const all = new Map(known);
  for (const [groupVersion, resources] of further) {
    const own = known.get(groupVersion);
    all.set(groupVersion, own ? [...own, ...resources] : resources);
  }
  return all;
}

function addGroups(groups: readonly Group[], further: ReadonlyMap<string, readonly Resource[]>): readonly Group[] {
  const versionsOf = (name: string): string[] =>
    [...further.keys()].flatMap((groupVersion) => {
      const { group, version } = parseGroupVersion(groupVersion);
      return group === name ? [version] : [];
    });
  const extended = groups.map(({ name, versions }) => ({
    name,
    versions: [...new Set([...versions, ...versionsOf(name).sort(compareVersionPriority)])],
  }));
  const known = new Set(groups.map(({ name }) => name));
  const names = new Set(
    [...further.keys()].map((groupVersion) => parseGroupVersion(groupVersion).group).filter((name) => !known.has(name)),
  );
  return [...extended, ...[...names].sort().map((name) => ({ name, versions: versionsOf(name).sort(compareVersionPriority) }))];
}
