import type { Json, JsonObject } from '../../meta/index.ts';
import type { FileSystem } from '../../shell/index.ts';
import { KubectlError, messageOf, PlainError } from '../program/errors.ts';
import { readPlainYaml } from '../yaml/plain-yaml.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { configSections, emptyConfig, entriesOf } from './entries.ts';

/** The kubeconfig: a file of the shell's file system, read and written by `kubectl config`. */
export interface ConfigAccess {
  /** The file that new entries are written to, as it was named: the first one that exists, once they are loaded. */
  readonly file: string;
  /** The loaded files, in order. */
  readonly loaded: readonly { readonly name: string; readonly config: JsonObject }[];
  /** Resolves a typed path to an absolute one. */
  path(path: string): string;
  /** For `kubectl config`, which treats a missing file as empty. @throws KubectlError */
  load(): Promise<JsonObject>;
  /** For requests: a file named by flag must exist. @throws KubectlError */
  loadPresent(): Promise<JsonObject>;
  /** Writes the entries that differ from the loaded ones, with relative paths of files if `relative`. @throws KubectlError */
  save(config: JsonObject, paths?: 'relative'): Promise<void>;
}

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
  const names = named !== '' ? [named] : [...new Set((variable ?? '').split(':').filter((one) => one !== ''))];
  if (names.length === 0) names.push(`${home}/.kube/config`);
  const read = async (name: string): Promise<JsonObject | undefined> => {
    const content = path(name) === '/dev/null' ? new Uint8Array() : await files.read(path(name));
    if (!content) return undefined;
    try {
      const text = new TextDecoder().decode(content);
      const [{ decodeKubeconfig }, value] = await Promise.all([loadDecoder(), readPlainYaml(text) ?? readYaml(text)]);
      return decodeKubeconfig(value ?? {});
    } catch (error) {
      throw new KubectlError(`error loading config file ${JSON.stringify(name)}: ${messageOf(error)}`);
    }
  };
  const loaded: { readonly name: string; readonly config: JsonObject }[] = [];
  const access: ConfigAccess = {
    get file() {
      return loaded[0]?.name ?? names.at(-1) ?? '';
    },
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
      const errors: KubectlError[] = [];
      for (const name of names) {
        const one = await read(name).catch((error: unknown) => {
          if (!(error instanceof KubectlError)) throw error;
          errors.push(error);
          return undefined;
        });
        if (!one) continue;
        loaded.push({ name, config: one });
        merged = mergeConfigs(merged, one);
      }
      if (errors.length > 0) throw errors.length > 1 ? new PlainError(errors.map(({ message }) => message).join('\n')) : errors[0];
      return merged;
    },
    async save(config, paths) {
      const { modifyConfig } = await import('./modify-config.ts');
      const before = await access.load();
      await modifyConfig({ before, loaded, file: access.file, path, fileSystem: files, names, isExplicit: named !== '' }, config, paths);
    },
  };
  return access;
}

const loadDecoder = (): Promise<typeof import('../../client/kubeconfig/index.ts')> => import('../../client/kubeconfig/index.ts');

function mergeConfigs(first: JsonObject, second: JsonObject): JsonObject {
  const merged: Record<string, Json | undefined> = {
    ...emptyConfig,
    ...second,
    ...Object.fromEntries(Object.entries(first).filter(([, value]) => value !== null && value !== '')),
  };
  for (const section of configSections) {
    const before = entriesOf(first, section);
    const names = new Set(before.map(({ name }) => name));
    const all = [...before, ...entriesOf(second, section).filter(({ name }) => !names.has(name))];
    merged[section] = all.length > 0 ? all : (second[section] ?? null);
  }
  return merged;
}
