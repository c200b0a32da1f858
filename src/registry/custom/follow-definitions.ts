import type { Log } from '../../env/index.ts';
import type { ApiObject, Product } from '../../meta/index.ts';
import { type Catalog, formatGroupVersion, type Resource } from '../../schema/index.ts';
import type { Entry } from '../../storage/index.ts';
import { type EntryUpdate, watchEntries } from '../follow-entries.ts';
import { readableEntry } from '../follow-objects.ts';
import { keyPrefix } from '../object-keys.ts';
import type { ObjectStore } from '../object-store.ts';
import { servedResources, servingText } from './custom-resources.ts';
import { isTrue } from './definition.ts';

/** What the definitions in the store come to at one time. Never changes: a new one takes its place. */
export interface Served {
  /** The built-in resources and the custom ones. */
  readonly catalog: Catalog;
  /** By name. */
  readonly definitions: ReadonlyMap<string, ApiObject>;
  /** Definitions whose objects are on their way out: there may be no new ones. */
  readonly terminating: ReadonlySet<string>;
}

/** The definitions of a store, followed: every server on the store has the same. */
export interface Definitions {
  served(): Served;
  /** Called after each change, with the names of the changed definitions. */
  onChange(listener: (names: readonly string[]) => void): () => void;
  stop(): void;
}

interface Followed {
  readonly definition: ApiObject;
  readonly text: string;
  readonly resources: readonly Resource[];
}

export interface FollowOptions {
  /** The built-in resources that are served. */
  readonly catalog: Catalog;
  /** All built-in resources. */
  readonly known: Catalog;
  readonly product: Product;
  readonly log: Log;
}

/** Reads what is there, then hears every change before whoever made it goes on. */
export async function watchDefinitions(store: ObjectStore, { catalog: builtIn, known, product, log }: FollowOptions): Promise<Definitions> {
  const resource = known.resource(product.rename('"apiextensions.k8s.io/v1"').slice(1, -1), 'customresourcedefinitions');
  if (!resource) throw new Error('the catalog has no definitions');
  const prefix = keyPrefix(resource);
  const followed = new Map<string, Followed>();
  const listeners = new Set<(names: readonly string[]) => void>();
  const lists = new Map<string, readonly Resource[]>();

  const hear = (key: string, entry: Entry | undefined): string => {
    const name = key.slice(prefix.length);
    const definition = entry && readableEntry(store, entry, log);
    if (!definition) followed.delete(name);
    else {
      const before = followed.get(name);
      const text = servingText(definition);
      const same = before && before.text === text && before.definition.metadata.uid === definition.metadata.uid;
      followed.set(name, { definition, text, resources: same ? before.resources : servedResources(definition, builtIn, product) });
    }
    return name;
  };

  let served = servedBy(followed, builtIn, lists, builtIn);
  const deliver = (entries: readonly EntryUpdate[]): void => {
    const names = entries.map(({ key, entry }) => hear(key, entry));
    served = servedBy(followed, builtIn, lists, served.catalog);
    for (const listener of listeners) listener(names);
  };
  const stop = await watchEntries(store.keySpace, prefix, deliver, log);
  return {
    served: () => served,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop,
  };
}

/** `lists`: resources of each group version as they were last; kept where they are the same, so that documents made of them are too. */
function servedBy(
  followed: ReadonlyMap<string, Followed>,
  builtIn: Catalog,
  lists: Map<string, readonly Resource[]>,
  before: Catalog,
): Served {
  const byVersion = new Map<string, Resource[]>();
  for (const name of [...followed.keys()].sort()) {
    for (const resource of followed.get(name)?.resources ?? []) {
      const groupVersion = formatGroupVersion(resource);
      byVersion.set(groupVersion, [...(byVersion.get(groupVersion) ?? []), resource]);
    }
  }
  const further = new Map<string, readonly Resource[]>();
  for (const [groupVersion, resources] of byVersion) further.set(groupVersion, sameList(lists.get(groupVersion), resources));
  const same = further.size === lists.size && [...further].every(([groupVersion, resources]) => lists.get(groupVersion) === resources);
  lists.clear();
  for (const [groupVersion, resources] of further) lists.set(groupVersion, resources);
  const definitions = new Map([...followed].map(([name, { definition }]) => [name, definition]));
  const terminating = new Set([...definitions].filter(([, definition]) => isTrue(definition, 'Terminating')).map(([name]) => name));
  return { catalog: same ? before : builtIn.withResources(further), definitions, terminating };
}

function sameList(before: readonly Resource[] | undefined, now: readonly Resource[]): readonly Resource[] {
  return before && before.length === now.length && before.every((resource, at) => resource === now[at]) ? before : now;
}
