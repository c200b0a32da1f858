import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { mapItems, mapMembers } from './members.ts';
import type { SchemaNode } from './schema-node.ts';

/** Members that every object has, whatever its schema. */
export const metaMembers: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

export type OnPrunedPath = (path: string) => void;

/**
 * Removes members that the schema does not declare, and reports their paths. Members of `metadata` are handled elsewhere. Cf. upstream
 * schema/pruning.
 */
export function pruneObject(object: JsonObject, node: SchemaNode | undefined, unknown: OnPrunedPath): JsonObject {
  const paths: string[] = [];
  const pruned = new Pruner((path) => paths.push(path)).root(object, node);
  for (const path of paths.sort()) unknown(path);
  return pruned;
}

/** Prunes a value that is not a whole object, such as a default. */
export function pruneValue(value: Json, node: SchemaNode): Json {
  return new Pruner(() => undefined).value(value, node, false, '');
}

class Pruner {
  readonly #unknown: OnPrunedPath;

  constructor(unknown: OnPrunedPath) {
    this.#unknown = unknown;
  }

  root(object: JsonObject, node: SchemaNode | undefined): JsonObject {
    return this.#object(object, node, { embedded: true, preserves: node?.preservesUnknown ?? false }, '');
  }

  /** `preserves`: an enclosing schema preserves unknown fields. */
  value(value: Json, node: SchemaNode | undefined, preserves: boolean, path: string): Json {
    const preserved = preserves || (node?.preservesUnknown ?? false);
    if (Array.isArray(value)) {
      if (preserved && !node?.items) return value;
      return mapItems(value, (item, at) => (typeof item === 'object' ? this.value(item, node?.items, preserved, `${path}[${at}]`) : item));
    }
    return isJsonObject(value) ? this.#object(value, node, { embedded: node?.embedded ?? false, preserves: preserved }, path) : value;
  }

  #object(
    object: JsonObject,
    node: SchemaNode | undefined,
    { embedded, preserves }: { readonly embedded: boolean; readonly preserves: boolean },
    path: string,
  ): JsonObject {
    return mapMembers(object, (name, value) => {
      if (embedded && metaMembers.has(name)) return value;
      const own = node?.properties.get(name) ?? node?.additional;
      if (own !== undefined) {
        // Paths are built only for values that may have members.
        return typeof value === 'object'
          ? this.value(value, typeof own === 'object' ? own : undefined, false, joinPath(path, name))
          : value;
      }
      if (preserves) return value;
      if (!metaMembers.has(name) || path !== '') this.#unknown(joinPath(path, name));
      return undefined;
    });
  }
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
