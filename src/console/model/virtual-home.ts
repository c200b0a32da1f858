import { createMemoryFiles, type FileSystem } from '../../kubectl/index.ts';
import type { Keep } from './keep.ts';

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

export const homeDirectory = '/home/me';
export const kubeconfigPath: string = `${homeDirectory}/.kube/config`;

export async function openVirtualHome(
  keep: Keep,
  defaults: () => Promise<Readonly<Record<string, string>>>,
  tell: (change: HomeChange) => void,
): Promise<VirtualHome> {
  const decoder = new TextDecoder();
  const kept = (await keep.entries(filePrefix)).flatMap(([key, value]): [string, Uint8Array][] =>
    value instanceof Uint8Array ? [[key.slice(filePrefix.length), value]] : [],
  );
  const initial: Record<string, string> = kept.length > 0 ? {} : { ...(await defaults()) };
  const paths = new Set<string>(Object.keys(initial));
  const listeners = new Set<(path: string) => void>();
  let hearing = false;
  const changed = (path: string, content: Uint8Array | undefined): void => {
    if (content === undefined) paths.delete(path);
    else paths.add(path);
    if (!hearing) {
      void (content === undefined ? keep.delete(filePrefix + path) : keep.set(filePrefix + path, content));
      tell({ path, content });
    }
    for (const listener of listeners) listener(path);
  };
  const files = createMemoryFiles(initial, changed);
  const put = async (path: string, content: Uint8Array): Promise<void> => {
    await files.makeDirectory(path.slice(0, path.lastIndexOf('/')) || '/');
    await files.write(path, content);
  };
  /** Takes a change without telling it again. */
  const take = async ({ path, content }: HomeChange): Promise<void> => {
    hearing = true;
    try {
      await (content === undefined ? files.remove(path) : put(path, content));
    } finally {
      hearing = false;
    }
  };
  for (const [path, content] of kept) await take({ path, content });
  return {
    files,
    paths: () => [...paths].sort(),
    readText: async (path) => decoder.decode(await files.read(path)),
    writeText: (path, text) => put(path, new TextEncoder().encode(text)),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hear: take,
  };
}
