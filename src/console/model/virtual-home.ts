import { createMemoryFiles, FileError, type FileSystem } from '../../shell/index.ts';
import { kubeconfigPath } from './identities.ts';
import type { KeyValueStore } from './key-value-store.ts';
import { newKubeconfig } from './new-kubeconfig.ts';

const filePrefix = 'file:';

export interface HomeChange {
  readonly path: string;
  /** Undefined when the file was deleted. */
  readonly content: Uint8Array | undefined;
}

/** The user's files: in memory for the shell, persisted in the browser, synchronized between tabs. */
export interface VirtualHome {
  readonly files: FileSystem;
  /** All files, sorted. */
  paths(): readonly string[];
  readText(path: string): Promise<string>;
  writeText(path: string, text: string): Promise<void>;
  onChange(listener: (path: string) => void): () => void;
  /** Applies a change from another tab. */
  applyChange(change: HomeChange): Promise<void>;
}

/** Tombstone of a default file that the user deleted. */
const deleted = null;

/**
 * The files of a home are its defaults (the kubeconfig, and those of `loadFiles`), overlaid with the stored entries: written files,
 * and marks of deleted defaults. Defaults themselves are never stored, so a home from before there were marks has them again, and so has a later release
 * that brings new ones.
 */
export async function openVirtualHome(
  store: KeyValueStore,
  loadFiles: () => Promise<Readonly<Record<string, string>>>,
  broadcast: (change: HomeChange) => void,
): Promise<VirtualHome> {
  const [samples, entries] = await Promise.all([loadFiles(), store.entries(filePrefix)]);
  const defaults: Readonly<Record<string, string>> = { [kubeconfigPath]: newKubeconfig(), ...samples };
  const stored = new Map(entries.map(([key, value]) => [key.slice(filePrefix.length), value]));
  const paths = new Set<string>();
  const listeners = new Set<(path: string) => void>();
  let changes: HomeChange[] = [];
  const memory = createMemoryFiles({}, (path, content) => {
    changes.push({ path, content });
    if (content === undefined) paths.delete(path);
    else paths.add(path);
    for (const listener of listeners) listener(path);
  });
  const writeFile = async (files: FileSystem, path: string, content: Uint8Array): Promise<void> => {
    await files.makeDirectory(path.slice(0, path.lastIndexOf('/')) || '/');
    await files.write(path, content);
  };
  const persist = async ({ path, content }: HomeChange): Promise<void> => {
    const key = filePrefix + path;
    try {
      await (content ? store.set(key, content) : path in defaults ? store.set(key, deleted) : store.delete(key));
    } catch (error) {
      throw error instanceof DOMException && error.name === 'QuotaExceededError' ? new FileError('no-space', path) : error;
    }
    broadcast({ path, content });
  };
  /** Runs a synchronous change in memory and stores the result. */
  const change = async (work: () => Promise<void>): Promise<void> => {
    changes = [];
    const done = work();
    const made = changes;
    // Another tab's change may arrive during the await.
    changes = [];
    await done;
    await Promise.all(made.map(persist));
  };
  const files: FileSystem = {
    ...memory,
    async write(path, content) {
      const before = await memory.read(path);
      try {
        await change(() => memory.write(path, content));
      } catch (error) {
        // Reverts, so that the user does not see unsaved content.
        if (paths.has(path)) await (before ? memory.write(path, before) : memory.remove(path));
        throw error;
      }
    },
    remove: (path) => change(() => memory.remove(path)),
  };
  for (const [path, content] of stored) if (content instanceof Uint8Array) await writeFile(memory, path, content);
  for (const [path, text] of Object.entries(defaults)) {
    // Skips the default when a user's file exists where it needs a directory.
    if (!stored.has(path)) await writeFile(memory, path, new TextEncoder().encode(text)).catch(() => undefined);
  }
  return {
    files,
    paths: () => [...paths].sort(),
    readText: async (path) => new TextDecoder().decode(await files.read(path)),
    writeText: (path, text) => writeFile(files, path, new TextEncoder().encode(text)),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    applyChange: ({ path, content }) => (content ? writeFile(memory, path, content) : memory.remove(path)),
  };
}
