import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt, sortMembers } from '../../meta/index.ts';
import type { FileSystem } from '../../shell/index.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { readPlainYaml } from '../yaml/plain-yaml.ts';
import { loadYamlPrinter, readYaml } from '../yaml/read-yaml.ts';

/** The kubeconfig: a file of the shell's file system, read and written by `kubectl config`. */
export interface ConfigAccess {
  /** The file that changes are written to, as it was named. */
  readonly file: string;
  /** The loaded files, in order. */
  readonly loaded: readonly { readonly name: string; readonly config: JsonObject }[];
  /** Resolves a typed path to an absolute one. */
  path(path: string): string;
  /** For `kubectl config`, which treats a missing file as empty. @throws KubectlError */
  load(): Promise<JsonObject>;
  /** For requests: a file named by flag must exist. @throws KubectlError */
  loadPresent(): Promise<JsonObject>;
  save(config: JsonObject): Promise<void>;
}

const emptyConfig: JsonObject = {
  apiVersion: 'v1',
  clusters: null,
  contexts: null,
  'current-context': '',
  kind: 'Config',
  users: null,
};

export interface ConfigLocations {
  readonly files: FileSystem;
  readonly path: (path: string) => string;
  /** `--kubeconfig`; must exist. */
  readonly named: string;
  /** KUBECONFIG: files separated by colons; the first definition of a name wins. */
  readonly variable: string | undefined;
  readonly home: string;
}

export function createConfigAccess({ files, path, named, variable, home }: ConfigLocations): ConfigAccess {
  const names = named !== '' ? [named] : (variable ?? '').split(':').filter((one) => one !== '');
  if (names.length === 0) names.push(`${home}/.kube/config`);
  const file = names.at(0) ?? '';
  const read = async (name: string): Promise<JsonObject | undefined> => {
    const content = path(name) === '/dev/null' ? new Uint8Array() : await files.read(path(name));
    if (!content) return undefined;
    try {
      const text = new TextDecoder().decode(content);
      const value = readPlainYaml(text) ?? (await readYaml(text));
      return isJsonObject(value) ? value : emptyConfig;
    } catch (error) {
      throw new KubectlError(`error loading config file ${JSON.stringify(name)}: ${messageOf(error)}`);
    }
  };
  const loaded: { readonly name: string; readonly config: JsonObject }[] = [];
  const access: ConfigAccess = {
    file,
    path,
    loaded,
    async loadPresent() {
      const config = await access.load();
      if (named !== '' && loaded.length === 0) throw new KubectlError(`stat ${named}: no such file or directory`);
      return config;
    },
    async load() {
      let merged = emptyConfig;
      loaded.length = 0;
      for (const name of names) {
        const one = await read(name);
        if (!one) continue;
        loaded.push({ name, config: one });
        merged = mergeConfigs(merged, one);
      }
      return merged;
    },
    async save(config) {
      const [printYaml, { normalizeConfig }] = await Promise.all([loadYamlPrinter(), import('./normalize.ts')]);
      const target = path(file);
      await files.makeDirectory(target.slice(0, target.lastIndexOf('/')) || '/');
      await files.write(target, new TextEncoder().encode(printYaml(sortMembers(normalizeConfig(config)) as JsonObject)));
    },
  };
  return access;
}

function mergeConfigs(first: JsonObject, second: JsonObject): JsonObject {
  const merged: Record<string, Json | undefined> = {
    ...emptyConfig,
    ...second,
    ...Object.fromEntries(Object.entries(first).filter(([, value]) => value !== null && value !== '')),
  };
  for (const section of ['clusters', 'contexts', 'users'] as const) {
    const before = entriesOf(first, section);
    const names = new Set(before.map(({ name }) => name));
    const all = [...before, ...entriesOf(second, section).filter(({ name }) => !names.has(name))];
    merged[section] = all.length > 0 ? all : (second[section] ?? null);
  }
  return merged;
}

export type ConfigSection = 'clusters' | 'contexts' | 'users';

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
