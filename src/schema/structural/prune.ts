import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { mapItems, mapMembers } from './members.ts';
import type { SchemaNode } from './schema-node.ts';

/** Members that every object has, whatever its schema says. */
export const metaMembers: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

export type ToldPath = (path: string) => void;

/**
 * A whole object without the members that its schema does not declare; each is told by its path. Members of `metadata` are left to
 * others. Cf. upstream schema/pruning.
 */
export function pruneObject(object: JsonObject, node: SchemaNode | undefined, unknown: ToldPath): JsonObject {
  const told: string[] = [];
  const pruned = new Pruning((path) => told.push(path)).root(object, node);
  for (const path of told.sort()) unknown(path);
  return pruned;
}

/** A value that is no object of its own, such as a default. */
export function pruneValue(value: Json, node: SchemaNode): Json {
  return new Pruning(() => undefined).value(value, node, false, '');
}

class Pruning {
  readonly #unknown: ToldPath;

  constructor(unknown: ToldPath) {
    this.#unknown = unknown;
  }

  root(object: JsonObject, node: SchemaNode | undefined): JsonObject {
    return this.#object(object, node, { embedded: true, keeps: node?.preservesUnknown ?? false }, '');
  }

  /** `keeps`: what is unknown stays although the schema of this very value does not say so. */
  value(value: Json, node: SchemaNode | undefined, keeps: boolean, path: string): Json {
    const kept = keeps || (node?.preservesUnknown ?? false);
    if (Array.isArray(value)) {
      if (kept && !node?.items) return value;
      return mapItems(value, (item, at) => (typeof item === 'object' ? this.value(item, node?.items, kept, `${path}[${at}]`) : item));
    }
    return isJsonObject(value) ? this.#object(value, node, { embedded: node?.embedded ?? false, keeps: kept }, path) : value;
  }

  #object(
    object: JsonObject,
    node: SchemaNode | undefined,
    { embedded, keeps }: { readonly embedded: boolean; readonly keeps: boolean },
    path: string,
  ): JsonObject {
    return mapMembers(object, (name, value) => {
      if (embedded && metaMembers.has(name)) return value;
      const own = node?.properties.get(name) ?? node?.additional;
      if (own !== undefined) {
        // Paths are made only for what may have members.
        return typeof value === 'object' ? this.value(value, typeof own === 'object' ? own : undefined, false, below(path, name)) : value;
      }
      if (keeps) return value;
      if (!metaMembers.has(name) || path !== '') this.#unknown(below(path, name));
      return undefined;
    });
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
