import { type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';

export const emptyConfig: JsonObject = {
  apiVersion: 'v1',
  clusters: null,
  contexts: null,
  'current-context': '',
  kind: 'Config',
  users: null,
};

export type ConfigSection = 'clusters' | 'contexts' | 'users';

export const configSections: readonly ConfigSection[] = ['clusters', 'contexts', 'users'];

const bodyNames: Readonly<Record<ConfigSection, string>> = { clusters: 'cluster', contexts: 'context', users: 'user' };

/** The named entries of a section: `{ name, cluster: {…} }`. */
export function entriesOf(config: JsonObject, section: ConfigSection): readonly JsonObject[] {
  return objectsAt(config, section);
}

/** The body of a named entry. */
export function entryOf(config: JsonObject, section: ConfigSection, name: string): JsonObject | undefined {
  const entry = entriesOf(config, section).find((one) => one['name'] === name);
  return entry && recordAt(entry, bodyNames[section]);
}

/** Returns a copy with an entry changed, added (sorted by name) or, with undefined, removed. */
export function setEntry(config: JsonObject, section: ConfigSection, name: string, body: JsonObject | undefined): JsonObject {
  const others = entriesOf(config, section).filter((one) => one['name'] !== name);
  const all = body === undefined ? others : [...others, { [bodyNames[section]]: body, name }];
  const sorted = all.sort((left, right) => (String(left['name']) < String(right['name']) ? -1 : 1));
  return { ...config, [section]: sorted.length > 0 ? sorted : null };
}
