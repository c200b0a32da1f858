import { createMemoryFiles, FileError, type FileSystem } from '../../kubectl/index.ts';
import { kubeconfigPath } from './identities.ts';
import type { Keep } from './keep.ts';
import { newKubeconfig } from './new-kubeconfig.ts';

const filePrefix = 'file:';

export interface HomeChange {
  readonly path: string;
  /** Undefined when the file is gone. */
  readonly content: Uint8Array | undefined;
}

/** The user's files: in memory for the shell, kept in the browser, the same in all tabs. */
export interface VirtualHome {
  readonly files: FileSystem;
  /** All files, sorted. */
  paths(): readonly string[];
  readText(path: string): Promise<string>;
  writeText(path: string, text: string): Promise<void>;
  onChange(listener: (path: string) => void): () => void;
  /** What another tab did. */
  hear(change: HomeChange): Promise<void>;
}

/** Stored in place of a default file that the user has deleted. */
const deleted = null;

/**
 * The files of a home are its defaults (the kubeconfig, and those of `loadFiles`) and, over them, what is stored: the files that were written, and marks of the defaults that were
 * deleted. Defaults themselves are never stored, so a home from before there were marks has them again, and so has a later release
 * that brings new ones.
 */
export async function openVirtualHome(
  keep: Keep,
  loadFiles: () => Promise<Readonly<Record<string, string>>>,
  tell: (change: HomeChange) => void,
): Promise<VirtualHome> {
  const [samples, entries] = await Promise.all([loadFiles(), keep.entries(filePrefix)]);
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
  const put = async (files: FileSystem, path: string, content: Uint8Array): Promise<void> => {
    await files.makeDirectory(path.slice(0, path.lastIndexOf('/')) || '/');
    await files.write(path, content);
  };
  const store = async ({ path, content }: HomeChange): Promise<void> => {
    const key = filePrefix + path;
    try {
      await (content ? keep.set(key, content) : path in defaults ? keep.set(key, deleted) : keep.delete(key));
    } catch (error) {
      throw error instanceof DOMException && error.name === 'QuotaExceededError' ? new FileError('no-space', path) : error;
    }
    tell({ path, content });
  };
  /** Does a change in memory, which takes no turn, and stores what it did. */
  const change = async (work: () => Promise<void>): Promise<void> => {
    changes = [];
    const done = work();
    const made = changes;
    // Another tab's change may arrive meanwhile.
    changes = [];
    await done;
    await Promise.all(made.map(store));
  };
  const files: FileSystem = {
    ...memory,
    async write(path, content) {
      const before = await memory.read(path);
      try {
        await change(() => memory.write(path, content));
      } catch (error) {
        // Not stored: the user must not see what the next visit does not have.
        if (paths.has(path)) await (before ? memory.write(path, before) : memory.remove(path));
        throw error;
      }
    },
    remove: (path) => change(() => memory.remove(path)),
  };
  for (const [path, content] of stored) if (content instanceof Uint8Array) await put(memory, path, content);
  for (const [path, text] of Object.entries(defaults)) {
    // A file of the user's may stand where a default needs a directory: then there is no place for the default.
    if (!stored.has(path)) await put(memory, path, new TextEncoder().encode(text)).catch(() => undefined);
  }
  return {
    files,
    paths: () => [...paths].sort(),
    readText: async (path) => new TextDecoder().decode(await files.read(path)),
    writeText: (path, text) => put(files, path, new TextEncoder().encode(text)),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hear: ({ path, content }) => (content ? put(memory, path, content) : memory.remove(path)),
  };
}
