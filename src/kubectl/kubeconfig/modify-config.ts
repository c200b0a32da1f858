import { decodeKubeconfig } from '../../client/kubeconfig/index.ts';
import { type JsonObject, sameJson, sortMembers, textAt } from '../../meta/index.ts';
import type { FileSystem } from '../../shell/index.ts';
import { KubectlError } from '../program/errors.ts';
import { printYaml } from '../yaml/printer.ts';
import { type ConfigSection, configSections, emptyConfig, entriesOf, entryOf, setEntry } from './entries.ts';

/** The files of a configuration. */
export interface ConfigFiles {
  /** The merged configuration of all files. */
  readonly before: JsonObject;
  /** The files that exist, in order. */
  readonly loaded: readonly { readonly name: string; readonly config: JsonObject }[];
  /** The file that new entries are written to. */
  readonly file: string;
  readonly path: (name: string) => string;
  readonly fileSystem: FileSystem;
  /** All files, in order of precedence. */
  readonly names: readonly string[];
  /** Whether a flag named the file. */
  readonly isExplicit: boolean;
}

/** Members with paths of files. */
const fileMembers: readonly string[] = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/**
 * Writes what differs from the loaded configuration: entries to the files that define them, new ones to the default file. Other members than
 * entries, the current context and preferences are not written. Cf. client-go ModifyConfig. @throws KubectlError
 */
export async function modifyConfig(files: ConfigFiles, config: JsonObject, paths: 'relative' | undefined): Promise<void> {
  const { before, path } = files;
  const after = decodeKubeconfig({ ...config, kind: 'Config', apiVersion: 'v1' });
  const changed = new Map<string, JsonObject>();
  const update = (name: string, change: (config: JsonObject) => JsonObject): void => {
    changed.set(name, change(changed.get(name) ?? configOf(files, name)));
  };
  const context = textAt(after, 'current-context');
  if (context !== textAt(before, 'current-context')) update(contextFile(files, context), (one) => ({ ...one, 'current-context': context }));
  if (!sameJson(preferencesOf(after), preferencesOf(before)))
    update(preferencesFile(files, preferencesOf(after)), (one) => ({ ...one, preferences: preferencesOf(after) }));
  for (const section of configSections) {
    const names = new Set([...entriesOf(before, section), ...entriesOf(after, section)].map((entry) => textAt(entry, 'name')));
    for (const name of names) {
      const body = entryOf(after, section, name);
      const same = body !== undefined && sameJson(body, entryOf(before, section, name) ?? null);
      const file = originOf(files, section, name);
      if (!same) update(file, (one) => setEntry(one, section, name, paths && body ? withRelativePaths(body, path(file)) : body));
    }
  }
  for (const [name, one] of changed) {
    const target = path(name);
    await files.fileSystem.makeDirectory(target.slice(0, target.lastIndexOf('/')) || '/');
    await files.fileSystem.write(target, new TextEncoder().encode(printYaml(sortMembers(decodeKubeconfig(one)) as JsonObject)));
  }
}

const preferencesOf = (config: JsonObject): JsonObject => (config['preferences'] ?? {}) as JsonObject;

function configOf({ loaded }: ConfigFiles, name: string): JsonObject {
  return loaded.find((one) => one.name === name)?.config ?? emptyConfig;
}

/** The file that defines an entry; a new one is written to the default file. */
function originOf({ loaded, file }: ConfigFiles, section: ConfigSection, name: string): string {
  return loaded.find(({ config }) => entryOf(config, section, name))?.name ?? file;
}

/** The current context is written to the default file, and removed from the file that sets it. @throws KubectlError */
function contextFile({ loaded, file, isExplicit }: ConfigFiles, context: string): string {
  if (isExplicit || context !== '') return file;
  const setting = loaded.find(({ config }) => textAt(config, 'current-context') !== '');
  if (!setting) throw new KubectlError('no config found to write context');
  return setting.name;
}

/** @throws KubectlError */
function preferencesFile(files: ConfigFiles, preferences: JsonObject): string {
  if (files.isExplicit) return files.file;
  const other = files.names.find((name) => !sameJson(preferencesOf(configOf(files, name)), preferences));
  if (other === undefined) throw new KubectlError('no config found to write preferences');
  return other;
}

/** Paths below the folder of the file are written relative to it, others stay absolute. */
function withRelativePaths(body: JsonObject, file: string): JsonObject {
  const folder = file.replace(/[^/]*$/, '');
  const relative = fileMembers.flatMap((member) => {
    const path = textAt(body, member);
    return path.startsWith(folder) ? [[member, path.slice(folder.length)]] : [];
  });
  return { ...body, ...Object.fromEntries(relative) };
}
