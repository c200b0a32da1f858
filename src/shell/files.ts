/** The file system of the shell, implemented by the host. Paths are absolute and normalized (`/home/me/a.yaml`). */
export interface FileSystem {
  /** The type of the file; undefined when the path does not exist. */
  kind(path: string): Promise<'file' | 'directory' | undefined>;
  /** Undefined when there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Creates or replaces a file. @throws FileError when its directory is missing or the path is a directory */
  write(path: string, content: Uint8Array): Promise<void>;
  /** Evaluates a file operator of `test`, such as `-x`; absent: files have no permissions and links. */
  readonly test?: (operator: string, path: string) => boolean;
  /** Opens a file whose content other processes see while it is written; absent: redirections write it as a whole. @throws FileError */
  readonly open?: (path: string, append: boolean) => (chunk: string | Uint8Array) => void;
  /** Names in a directory, sorted. */
  list(path: string): Promise<readonly string[]>;
  /** Also creates parent directories. */
  makeDirectory(path: string): Promise<void>;
  /** Removes a file, or a directory recursively. */
  remove(path: string): Promise<void>;
}

export class FileError extends Error {
  readonly code: 'not-found' | 'is-directory' | 'not-directory' | 'refused' | 'no-space' | 'read-only' | 'other';

  constructor(code: FileError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Texts of strerror. */
export const fileMessages: Readonly<Record<FileError['code'], string>> = {
  'not-found': 'No such file or directory',
  'is-directory': 'Is a directory',
  'not-directory': 'Not a directory',
  refused: 'Permission denied',
  'no-space': 'No space left on device',
  'read-only': 'Read-only file system',
  other: 'Input/output error',
};

/** Resolves `path` relative to `directory`; removes `.`, `..` and repeated slashes. */
export function resolvePath(directory: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${directory}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function baseName(path: string): string {
  const trimmed = path.replace(/(?<!\/)\/+$/, '');
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** An in-memory file system, for tests and for hosts that persist it themselves (`onChange`). */
export function createMemoryFiles(
  initial: Readonly<Record<string, string>> = {},
  onChange: (path: string, content: Uint8Array | undefined) => void = () => {},
): FileSystem {
  const files = new Map<string, Uint8Array>();
  const directories = new Set<string>(['/', '/tmp']);
  const addDirectory = (path: string): void => {
    if (files.has(path)) throw new FileError('not-directory', path);
    if (directories.has(path)) return;
    addDirectory(parentOf(path));
    directories.add(path);
  };
  for (const [path, text] of Object.entries(initial)) {
    addDirectory(parentOf(path));
    files.set(path, new TextEncoder().encode(text));
  }
  const below = (path: string): string => (path === '/' ? '/' : `${path}/`);
  return {
    kind: (path) => Promise.resolve(files.has(path) ? 'file' : directories.has(path) ? 'directory' : undefined),
    read: (path) => Promise.resolve(files.get(path)),
    async write(path, content) {
      if (directories.has(path)) throw new FileError('is-directory', path);
      if (!directories.has(parentOf(path))) throw new FileError('not-found', path);
      files.set(path, content);
      onChange(path, content);
    },
    list(path) {
      const prefix = below(path);
      const names = new Set<string>();
      for (const other of [...files.keys(), ...directories]) {
        if (other.startsWith(prefix) && other !== prefix) names.add(other.slice(prefix.length).split('/', 1)[0] ?? '');
      }
      return Promise.resolve([...names].sort());
    },
    async makeDirectory(path) {
      addDirectory(path);
    },
    async remove(path) {
      const removedPaths = [...files.keys()].filter((other) => other === path || other.startsWith(below(path)));
      for (const file of removedPaths) {
        files.delete(file);
        onChange(file, undefined);
      }
      for (const other of [...directories]) if (other === path || other.startsWith(below(path))) directories.delete(other);
    },
  };
}
