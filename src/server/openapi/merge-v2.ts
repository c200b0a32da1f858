import { isJsonObject, type Json, type JsonObject, recordAt, sameJson } from '../../meta/index.ts';

/** A document of version 2 of an aggregated API server. */
export interface ServiceSpec {
  readonly group: string;
  readonly version: string;
  readonly document: JsonObject;
  /** Whether the server has no documents of version 3: this one is converted. */
  readonly isConverted: boolean;
}

type Section = 'definitions' | 'parameters';

/**
 * Adds the paths of other servers' API versions, with the definitions and parameters that they use. Different ones with the same name are
 * renamed to NAME_v2. Cf. kube-openapi aggregator.go, MergeSpecsIgnorePathConflictRenamingDefinitionsAndParameters.
 */
export function mergeSpecs(own: JsonObject, services: readonly ServiceSpec[], gvkKey: string): JsonObject {
  return services.reduce((merged, { group, version, document }) => mergeSpec(merged, pathsOf(document, group, version), gvkKey), own);
}

/** The part of a document below `/apis/GROUP/VERSION/`. */
function pathsOf(document: JsonObject, group: string, version: string): JsonObject {
  const prefix = `/apis/${group}/${version}/`;
  return withPaths(document, (path) => path.startsWith(prefix));
}

/** Drops other paths, and the definitions that only they use. */
function withPaths(document: JsonObject, retains: (path: string) => boolean): JsonObject {
  const used = referencesOf(document);
  const paths = Object.fromEntries(Object.entries(recordAt(document, 'paths')).filter(([path]) => retains(path)));
  const usedNow = referencesOf({ ...document, paths });
  const definitions = Object.entries(recordAt(document, 'definitions')).filter(([name]) => usedNow.has(name) || !used.has(name));
  return { ...document, paths, definitions: Object.fromEntries(definitions) };
}

const prefixOf = (section: Section): string => `#/${section}/`;

/** The names of the definitions that a document refers to. */
function referencesOf(document: JsonObject): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (value: Json | undefined): void => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (isJsonObject(value)) {
      const reference = value['$ref'];
      if (typeof reference === 'string' && reference.startsWith(prefixOf('definitions')))
        names.add(reference.slice(prefixOf('definitions').length));
      Object.values(value).forEach(collect);
    }
  };
  collect(document);
  return names;
}

function mergeSpec(own: JsonObject, all: JsonObject, gvkKey: string): JsonObject {
  const ownPaths = recordAt(own, 'paths');
  const isNew = (path: string): boolean => !Object.hasOwn(ownPaths, path);
  const paths = Object.keys(recordAt(all, 'paths'));
  if (!paths.some(isNew)) return own;
  const filtered = paths.every(isNew) ? all : withPaths(all, isNew);
  const isSameDefinition = (a: Json | undefined, b: Json | undefined): boolean => sameJson(without(a, gvkKey), without(b, gvkKey));
  const renamed = renameConflicts(own, renameConflicts(own, filtered, 'definitions', isSameDefinition), 'parameters', sameJson);
  const definitions = { ...recordAt(renamed, 'definitions'), ...recordAt(own, 'definitions') };
  for (const [name, definition] of Object.entries(recordAt(own, 'definitions'))) {
    const other = recordAt(renamed, 'definitions')[name];
    if (isJsonObject(definition) && isJsonObject(other)) definitions[name] = withKinds(definition, other, gvkKey);
  }
  return {
    ...own,
    paths: sorted({ ...recordAt(renamed, 'paths'), ...ownPaths }),
    definitions: sorted(definitions),
    parameters: sorted({ ...recordAt(renamed, 'parameters'), ...recordAt(own, 'parameters') }),
  };
}

function without(value: Json | undefined, key: string): Json | undefined {
  if (!isJsonObject(value)) return value;
  const { [key]: _, ...others } = value;
  return others;
}

/** Gives new names to entries of `other` that differ from those of `own` with the same name. */
function renameConflicts(
  own: JsonObject,
  other: JsonObject,
  section: Section,
  isSame: (a: Json | undefined, b: Json | undefined) => boolean,
): JsonObject {
  const [ownEntries, entries] = [recordAt(own, section), recordAt(other, section)];
  const renames = new Map<string, string>();
  const taken = new Set([...Object.keys(ownEntries), ...Object.keys(entries)]);
  for (const [name, value] of Object.entries(entries)) {
    if (!Object.hasOwn(ownEntries, name) || isSame(ownEntries[name], value)) continue;
    let next = `${name}_v2`;
    for (let index = 3; taken.has(next) && !isSame(ownEntries[next], value); index++) next = `${name}_v${index}`;
    taken.add(next);
    renames.set(name, next);
  }
  if (renames.size === 0) return other;
  const prefix = prefixOf(section);
  const replaced = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(replaced);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => {
        const name =
          key === '$ref' && typeof child === 'string' && child.startsWith(prefix) ? renames.get(child.slice(prefix.length)) : undefined;
        return [key, name === undefined ? replaced(child ?? null) : `${prefix}${name}`];
      }),
    );
  };
  const document = replaced(other) as JsonObject;
  const moved = Object.entries(recordAt(document, section)).map(([name, value]) => [renames.get(name) ?? name, value] as const);
  return { ...document, [section]: Object.fromEntries(moved) };
}

/** A definition with the kinds of an equal one. */
function withKinds(definition: JsonObject, other: JsonObject, gvkKey: string): JsonObject {
  const kindsOf = (value: JsonObject): readonly JsonObject[] => (Array.isArray(value[gvkKey]) ? value[gvkKey].filter(isJsonObject) : []);
  const keyOf = ({ group, version, kind }: JsonObject): string => `${String(group)}/${String(version)}.${String(kind)}`;
  const kinds = kindsOf(definition);
  const known = new Set(kinds.map(keyOf));
  const further = kindsOf(other).filter((kind) => !known.has(keyOf(kind)));
  if (further.length === 0) return definition;
  return { ...definition, [gvkKey]: [...kinds, ...further].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
}

function sorted(entries: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}
