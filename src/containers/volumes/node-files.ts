import { createDevice, createDirectory, createFile, type Directory, type Inode } from '../files/inode.ts';
import { VolumeStore } from '../files/volume-store.ts';
import { executables, folderOf, userFiles } from '../images/root-files.ts';
import { busyboxPrograms } from '../programs/applets.ts';

/** The disk of a node. */
const diskBytes = 1024 * 1024 * 1024;

/** A volume that outlives pods. */
export interface DurableVolume {
  readonly root: Inode;
  readonly store: VolumeStore;
}

/** The files of nodes and the content of persistent volumes. */
export class NodeFiles {
  readonly #nodes = new Map<string, { readonly root: Directory; readonly store: VolumeStore }>();
  readonly #volumes = new Map<string, DurableVolume>();

  /** The file at a path of a node; undefined: there is none and it is not created. */
  hostPath(node: string, path: string, create: 'directory' | 'file' | undefined): DurableVolume | undefined {
    const known = this.#nodes.get(node) ?? { root: nodeRoot(), store: new VolumeStore('ext4', diskBytes) };
    this.#nodes.set(node, known);
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    let inode: Inode = known.root;
    for (const [at, name] of parts.entries()) {
      if (inode.type !== 'directory') return undefined;
      let child = inode.entries.get(name);
      if (!child) {
        if (create === undefined) return undefined;
        child = create === 'file' && at === parts.length - 1 ? createFile('') : createDirectory();
        inode.entries.set(name, child);
      }
      inode = child;
    }
    return { root: inode, store: known.store };
  }

  /** The content of a persistent volume by its name. */
  persistentVolume(name: string): DurableVolume {
    const known = this.#volumes.get(name) ?? { root: createDirectory({ mode: 0o777 }), store: new VolumeStore('ext4', diskBytes) };
    this.#volumes.set(name, known);
    return known;
  }
}

/** The programs of a node are those of BusyBox, for `chroot`. */
const nodeRoot = (): Directory =>
  createDirectory({}, [
    ['bin', folderOf(executables(busyboxPrograms))],
    ['dev', createDirectory({}, [['null', createDevice({ read: () => new Uint8Array(), write: () => {} })]])],
    ['proc', folderOf({ 1: { ns: { mnt: '' } } })],
    ['root', createDirectory({ mode: 0o700 })],
    [
      'etc',
      createDirectory({}, [
        ['hosts', createFile('127.0.0.1\tlocalhost\n')],
        ['hostname', createFile('')],
        ['passwd', createFile(userFiles.passwd)],
        ['group', createFile(userFiles.group)],
      ]),
    ],
    ['tmp', createDirectory({ mode: 0o1777 })],
    [
      'var',
      createDirectory({}, [
        ['lib', createDirectory()],
        ['log', createDirectory()],
      ]),
    ],
    ['run', createDirectory()],
    ['home', createDirectory()],
    ['mnt', createDirectory()],
    ['opt', createDirectory()],
  ]);
