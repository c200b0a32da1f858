import type { Log } from '../../env/index.ts';
import type { ApiObject, Product } from '../../meta/index.ts';
import { type Catalog, formatGroupVersion, type Resource, requireResource } from '../../schema/index.ts';
import type { Entry } from '../../storage/index.ts';
import { keyPrefix } from '../object-keys.ts';
import type { ObjectStore } from '../object-store.ts';
import { type EntryUpdate, watchEntries } from '../watch-entries.ts';
import { tryDecodeEntry } from '../watch-objects.ts';
import { servedResources, servingText } from './custom-resources.ts';
import { isTrue } from './definition.ts';

/** Immutable state of all definitions at one time. */
export interface DefinitionSnapshot {
  /** The built-in and the custom resources. */
  readonly catalog: Catalog;
  /** By name. */
  readonly definitions: ReadonlyMap<string, ApiObject>;
  /** Terminating definitions: their objects are being deleted, and new ones are refused. */
  readonly terminating: ReadonlySet<string>;
}

/** Watches the definitions in the store: all servers on one store have the same. */
export interface DefinitionInformer {
  snapshot(): DefinitionSnapshot;
  /** The revision at which a definition was created; 0 for unknown names. */
  createRevisionOf(name: string): number;
  /** Called after each change, with the names of the changed definitions. */
  onChange(listener: (names: readonly string[]) => void): () => void;
  stop(): void;
}

interface CachedDefinition {
  readonly createRevision: number;
  readonly definition: ApiObject;
  readonly text: string;
  readonly resources: readonly Resource[];
}

export interface DefinitionInformerOptions {
  /** The served built-in resources. */
  readonly catalog: Catalog;
  /** All built-in resources. */
  readonly known: Catalog;
  readonly product: Product;
  readonly log: Log;
}

/** Lists the definitions, then processes every change before the write returns to its caller. */
export async function startDefinitionInformer(
  store: ObjectStore,
  { catalog: builtIn, known, product, log }: DefinitionInformerOptions,
): Promise<DefinitionInformer> {
  const resource = requireResource(known, product.rename('"apiextensions.k8s.io/v1"').slice(1, -1), 'customresourcedefinitions');
  const prefix = keyPrefix(resource);
  const cached = new Map<string, CachedDefinition>();
  const listeners = new Set<(names: readonly string[]) => void>();
  const lists = new Map<string, readonly Resource[]>();

  const updateCache = (key: string, entry: Entry | undefined): string => {
    const name = key.slice(prefix.length);
    const definition = entry && tryDecodeEntry(store, entry, log);
    if (!definition) cached.delete(name);
    else {
      const before = cached.get(name);
      const text = servingText(definition);
      const same = before && before.text === text && before.definition.metadata.uid === definition.metadata.uid;
      cached.set(name, {
        createRevision: entry.createRevision,
        definition,
        text,
        resources: same ? before.resources : servedResources(definition, builtIn, product),
      });
    }
    return name;
  };

  let snapshot = createSnapshot(cached, builtIn, lists, builtIn);
  const deliver = (entries: readonly EntryUpdate[]): void => {
    const names = entries.map(({ key, entry }) => updateCache(key, entry));
    snapshot = createSnapshot(cached, builtIn, lists, snapshot.catalog);
    for (const listener of listeners) listener(names);
  };
  const stop = await watchEntries(store.keySpace, prefix, deliver, log);
  return {
    snapshot: () => snapshot,
    createRevisionOf: (name) => cached.get(name)?.createRevision ?? 0,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop,
  };
}

/** `lists`: the previous resources of each group version, reused when they are equal, so that documents generated from them are reused too. */
function createSnapshot(
  cached: ReadonlyMap<string, CachedDefinition>,
  builtIn: Catalog,
  lists: Map<string, readonly Resource[]>,
  before: Catalog,
): DefinitionSnapshot {
  const byVersion = new Map<string, Resource[]>();
  for (const name of [...cached.keys()].sort()) {
    for (const resource of cached.get(name)?.resources ?? []) {
      const groupVersion = formatGroupVersion(resource);
      byVersion.set(groupVersion, [...(byVersion.get(groupVersion) ?? []), resource]);
    }
  }
  const further = new Map<string, readonly Resource[]>();
  for (const [groupVersion, resources] of byVersion) further.set(groupVersion, reuseList(lists.get(groupVersion), resources));
  const same = further.size === lists.size && [...further].every(([groupVersion, resources]) => lists.get(groupVersion) === resources);
  lists.clear();
  for (const [groupVersion, resources] of further) lists.set(groupVersion, resources);
  const definitions = new Map([...cached].map(([name, { definition }]) => [name, definition]));
  const terminating = new Set([...definitions].filter(([, definition]) => isTrue(definition, 'Terminating')).map(([name]) => name));
  return { catalog: same ? before : builtIn.withResources(further), definitions, terminating };
}

function reuseList(before: readonly Resource[] | undefined, now: readonly Resource[]): readonly Resource[] {
  return before && before.length === now.length && before.every((resource, at) => resource === now[at]) ? before : now;
}
