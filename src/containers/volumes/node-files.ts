import type { Clock } from '../../env/index.ts';
import { getOrAdd } from '../../meta/index.ts';
import { SystemError } from '../files/file-error.ts';
import { type FileStatus, FileTree } from '../files/file-tree.ts';
import { copyInode, createDevice, createDirectory, createFile, type Directory, type Inode } from '../files/inode.ts';
import { MountTable } from '../files/mount-table.ts';
import { VolumeStore } from '../files/volume-store.ts';
import { executables, folderOf, userFiles } from '../images/root-files.ts';
import { makeParents } from '../process/shell-files.ts';
import { busyboxPrograms } from '../programs/applets.ts';

/** The disk of a node. */
const diskBytes = 1024 * 1024 * 1024;

/** A volume that outlives pods. */
export interface DurableVolume {
  readonly root: Inode;
  readonly store: VolumeStore;
}

const superuser = { uid: 0, gid: 0, groups: [], umask: 0o022 };

/** The files of nodes and the content of persistent volumes. */
export class NodeFiles {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #nodes = new Map<string, FileTree>();
  readonly #volumes = new Map<string, DurableVolume>();

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  /** The file at a path of a node, through links; undefined: there is none and it is not created. */
  hostPath(node: string, path: string, create: 'directory' | 'file' | undefined): DurableVolume | undefined {
    const files = getOrAdd(this.#nodes, node, () => this.#filesOfNode());
    const found = files.find(path, superuser) ?? (create && createFound(path, create, files));
    return found && { root: found.inode, store: found.mount.store };
  }

  #filesOfNode(): FileTree {
    const root = { path: '/', root: nodeRoot(), isReadOnly: false, store: new VolumeStore('ext4', diskBytes) };
    return new FileTree(new MountTable(root), this.#clock);
  }

  /** The content of a persistent volume by its name. */
  persistentVolume(name: string): DurableVolume {
    const known = this.#volumes.get(name) ?? { root: createDirectory({ mode: 0o777 }), store: new VolumeStore('ext4', diskBytes) };
    this.#volumes.set(name, known);
    return known;
  }
}

/** Creates a file or directory with its parents; undefined: a parent is no directory. */
function createFound(path: string, type: 'directory' | 'file', files: FileTree): FileStatus | undefined {
  try {
    makeParents(type === 'directory' ? path : path.slice(0, path.lastIndexOf('/')), (one) => {
      if (!files.find(one, superuser)) files.makeDirectory(one, superuser);
    });
    if (type === 'file') files.write(path, '', superuser);
    return files.find(path, superuser);
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

/** The programs of a node are those of BusyBox, for `chroot`. */
const nodeRoot = (): Directory =>
  createDirectory({}, [
    ['bin', copyInode(folderOf(executables(busyboxPrograms)))],
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
