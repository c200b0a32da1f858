import type { Env } from '../../env/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { SystemError } from '../files/file-error.ts';
import { FileTree } from '../files/file-tree.ts';
import { createFile, type Inode, type RegularFile } from '../files/inode.ts';
import { type Mount, MountTable } from '../files/mount-table.ts';
import { VolumeStore } from '../files/volume-store.ts';
import type { EmulatedImage } from '../images/images.ts';
import { cgroupFolder, deviceFolder, procFolder, type SystemFacts, sysFolder } from '../images/root-files.ts';
import { makeParents } from '../process/shell-files.ts';

/** Bytes that a container may write outside of volumes. */
const layerBytes = 256 * 1024 * 1024;

const superuser = { uid: 0, gid: 0, groups: [], umask: 0 };

export interface ContainerFilesOptions {
  readonly env: Env;
  readonly image: EmulatedImage;
  readonly container: corev1.Container;
  readonly volumes: readonly Mount[];
  readonly facts: Omit<SystemFacts, 'mounts'>;
  /** Files of the pod: /etc/hosts, /etc/resolv.conf, /etc/hostname. */
  readonly podFiles: ReadonlyMap<string, RegularFile>;
  readonly terminationPath: string;
  readonly terminationFile: RegularFile;
  /** The bytes outside of volumes have changed. */
  readonly onUsage: (usedBytes: number) => void;
}

/** The files of a container: a layer above those of its image, with everything that is mounted. */
export function createContainerFiles(options: ContainerFilesOptions): FileTree {
  const { env, image, container, volumes, facts, podFiles, terminationPath, terminationFile, onUsage } = options;
  const layer: Mount = { path: '/', root: image.root(), isReadOnly: false, store: new VolumeStore('overlay', layerBytes, onUsage) };
  const memory = (): VolumeStore => new VolumeStore('tmpfs', 64 * 1024 * 1024);
  const table: { files?: FileTree } = {};
  const mountLines = (): string =>
    (table.files?.mounts.all ?? [])
      .map(({ path, store, isReadOnly }) => `${store.type} ${path} ${store.type} ${isReadOnly ? 'ro' : 'rw'},relatime 0 0\n`)
      .join('');
  const system: Mount[] = [
    { path: '/dev', root: deviceFolder(env.random), isReadOnly: false, store: memory() },
    { path: '/proc', root: procFolder({ ...facts, mounts: mountLines }), isReadOnly: false, store: new VolumeStore('proc', 0) },
    { path: '/sys', root: sysFolder(), isReadOnly: true, store: new VolumeStore('sysfs', 0) },
    { path: '/sys/fs/cgroup', root: cgroupFolder(facts.resources), isReadOnly: true, store: new VolumeStore('cgroup2', 0) },
  ];
  const hostFiles = new VolumeStore('ext4', 1024 * 1024);
  const isMounted = (path: string): boolean => volumes.some((mount) => mount.path === path);
  const files: Mount[] = [...podFiles]
    .filter(([path]) => !isMounted(path))
    .map(([path, root]) => ({ path, root, isReadOnly: false, store: hostFiles }));
  if (!isMounted(terminationPath)) files.push({ path: terminationPath, root: terminationFile, isReadOnly: false, store: hostFiles });
  const mounts = [...system, ...files, ...volumes];
  const tree = new FileTree(new MountTable(layer), env.clock);
  const mounted = mounts.map((mount) => {
    createMountPoint(mount.path, mount.root, tree);
    // Links in the path are those of the image, such as /var/run.
    const resolved = { ...mount, path: tree.find(mount.path, superuser)?.path ?? mount.path };
    tree.mounts.add(resolved);
    return resolved;
  });
  const isReadOnly = container.securityContext?.readOnlyRootFilesystem === true;
  const result = isReadOnly ? new FileTree(new MountTable({ ...layer, isReadOnly }, mounted), env.clock) : tree;
  table.files = result;
  return result;
}

/** Creates what a mount covers, as runtimes do. */
function createMountPoint(path: string, root: Inode, files: FileTree): void {
  try {
    const parent = path.slice(0, path.lastIndexOf('/'));
    makeParents(root.type === 'directory' ? path : parent, (one) => {
      if (!files.find(one, superuser)) files.makeDirectory(one, superuser, 0o755);
    });
    if (root.type !== 'directory' && !files.find(path, superuser)) files.write(path, '', superuser, 0o644);
  } catch (error) {
    // In a volume that is read-only, the mount covers what is there.
    if (!(error instanceof SystemError)) throw error;
  }
}

export const createTerminationFile = (): RegularFile => createFile('', { mode: 0o666 });
