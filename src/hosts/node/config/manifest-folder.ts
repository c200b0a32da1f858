import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StaticPodManifest, StaticPodSource } from '../../../cluster/index.ts';
import { parseYaml } from '../../../codec/index.ts';
import { type Env, errorMessage } from '../../../env/index.ts';
import { isJsonObject, type Json, recordAt, textAt } from '../../../meta/index.ts';
import { FlagError } from '../flags/flag-error.ts';

/** How often the folder is read. Cf. fileCheckFrequency. */
const checkMs = 20_000;

/** The source for nodes without a folder of their own. */
const everyNode = '';

/**
 * Reads the static pods of `--pod-manifest-path` now, and again every 20 seconds: files of the folder are for every node, those of a
 * folder in it for the node with its name. @throws FlagError when the folder cannot be read
 */
export async function openManifestFolder(path: string, { clock, log }: Env): Promise<StaticPodSource> {
  const listeners = new Set<() => void>();
  let manifests = await readFolder(path, log).catch((error: unknown) => {
    throw new FlagError(`--pod-manifest-path ${path}: ${errorMessage(error)}`);
  });
  const check = async (): Promise<void> => {
    try {
      const next = await readFolder(path, log);
      const hasChanged = JSON.stringify([...next]) !== JSON.stringify([...manifests]);
      manifests = next;
      if (hasChanged) for (const listener of listeners) listener();
    } catch (error) {
      log.error('the folder of static pods cannot be read', { path, error });
    }
  };
  const again = (): void => {
    clock.schedule(checkMs, () => {
      if (listeners.size > 0) void check();
      again();
    });
  };
  again();
  return {
    of: (node) => [...(manifests.get(everyNode) ?? []), ...(manifests.get(node) ?? [])],
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

type Manifests = ReadonlyMap<string, readonly StaticPodManifest[]>;

async function readFolder(path: string, log: Env['log']): Promise<Manifests> {
  const found = new Map<string, readonly StaticPodManifest[]>();
  const entries = await readdir(path, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))) {
    found.set(name, await readFiles(join(path, name), log));
  }
  return found.set(everyNode, await readFiles(path, log));
}

/** Files whose names start with dots are ignored. */
async function readFiles(folder: string, log: Env['log']): Promise<readonly StaticPodManifest[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
  const manifests: StaticPodManifest[] = [];
  for (const name of names.sort()) {
    try {
      manifests.push(readManifest(await readFile(join(folder, name), 'utf8')));
    } catch (error) {
      log.error('a static pod is ignored', { file: join(folder, name), error });
    }
  }
  return manifests;
}

/** @throws Error when the text is no pod */
export function readManifest(text: string): StaticPodManifest {
  const pod: Json = parseYaml(text).value;
  const metadata = isJsonObject(pod) ? recordAt(pod, 'metadata') : {};
  if (!isJsonObject(pod) || textAt(pod, 'kind') !== 'Pod') throw new Error('only objects of kind Pod are expected');
  const [name, namespace] = [textAt(metadata, 'name'), textAt(metadata, 'namespace')];
  if (name === '') throw new Error('the pod has no name');
  const { labels, annotations } = metadata;
  return {
    metadata: {
      name,
      ...(namespace === '' ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: recordAt(pod, 'spec'),
  } as unknown as StaticPodManifest;
}
