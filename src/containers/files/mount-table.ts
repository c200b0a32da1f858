import type { Inode } from './inode.ts';
import type { VolumeStore } from './volume-store.ts';

/** A directory or file that is attached at a path. */
export interface Mount {
  /** Absolute and normalized. */
  readonly path: string;
  /** Replaced when a shared root is copied. */
  root: Inode;
  readonly isReadOnly: boolean;
  readonly store: VolumeStore;
}

/** The mounts of a container, by path; the first is the root. */
export class MountTable {
  readonly root: Mount;
  readonly #byPath: Map<string, Mount>;

  constructor(root: Mount, mounts: readonly Mount[] = []) {
    this.root = root;
    this.#byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  }

  at(path: string): Mount | undefined {
    return this.#byPath.get(path);
  }

  add(mount: Mount): void {
    this.#byPath.set(mount.path, mount);
  }

  /** Names of mount points in a directory. */
  namesIn(directory: string): readonly string[] {
    const prefix = directory === '/' ? '/' : `${directory}/`;
    return [...this.#byPath.keys()]
      .filter((path) => path.startsWith(prefix) && !path.slice(prefix.length).includes('/'))
      .map((path) => path.slice(prefix.length));
  }

  get all(): readonly Mount[] {
    return [this.root, ...this.#byPath.values()];
  }
}
