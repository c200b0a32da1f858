import type { corev1 } from '../../schema/api/index.ts';
import { expand, referencesIn } from '../environment/expand.ts';
import { SystemError } from '../files/file-error.ts';
import { createDirectory, type Inode } from '../files/inode.ts';
import { type Mount, MountTable } from '../files/mount-table.ts';
import { type Credentials, walk } from '../files/walk.ts';
import type { PodVolume, PodVolumes } from '../volumes/pod-volumes.ts';

/** Why a container cannot be configured. */
export class ContainerConfigError extends Error {
  override readonly name = 'ContainerConfigError';
}

const root: Credentials = { uid: 0, gid: 0, groups: [] };

/** Where the volumes of a container are mounted. @throws ContainerConfigError for invalid paths in a volume */
export function volumeMounts(container: corev1.Container, volumes: PodVolumes, environment: ReadonlyMap<string, string>): readonly Mount[] {
  const mounts: Mount[] = [];
  for (const mount of container.volumeMounts ?? []) {
    const volume = volumes.get(mount.name);
    if (!volume) continue;
    const subPath = subPathOf(mount, environment);
    mounts.push({
      path: normalize(mount.mountPath),
      root: subPath === '' ? volume.root : subPathRoot(volume, subPath, mount, container),
      isReadOnly: volume.isReadOnly || mount.readOnly === true,
      store: volume.store,
    });
  }
  // A mount is below those whose path it begins with.
  return mounts.sort((a, b) => a.path.length - b.path.length);
}

const normalize = (path: string): string =>
  `/${path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')}`;

/** Cf. pkg/kubelet makeMounts. */
function subPathOf({ subPath = '', subPathExpr }: corev1.VolumeMount, environment: ReadonlyMap<string, string>): string {
  let path = subPath;
  if (subPathExpr) {
    const missing = referencesIn(subPathExpr).find((name) => !environment.has(name));
    if (missing !== undefined) throw new ContainerConfigError(`missing value for ${JSON.stringify(missing)}`);
    path = expand(subPathExpr, (name) => environment.get(name));
  }
  if (path.startsWith('/')) throw new ContainerConfigError(`error SubPath \`${path}\` must not be an absolute path`);
  if (path.split('/').includes('..')) throw new ContainerConfigError(`unable to provision SubPath \`${path}\`: must not contain '..'`);
  return path;
}

/** The file or folder at a path of a volume, which is created as a folder if it is missing. */
function subPathRoot(volume: PodVolume, path: string, { name }: corev1.VolumeMount, container: corev1.Container): Inode {
  const mounts = new MountTable({ path: '/', root: volume.root, isReadOnly: false, store: volume.store });
  const fail = (): never => {
    throw new ContainerConfigError(
      `failed to prepare subPath for volumeMount ${JSON.stringify(name)} of container ${JSON.stringify(container.name)}`,
    );
  };
  try {
    const place = walk(`/${path}`, mounts, root);
    if (place.inode) return place.inode;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (error.code !== 'ENOENT') fail();
  }
  let folder: Inode = volume.root;
  for (const part of path.split('/').filter((one) => one !== '' && one !== '.')) {
    if (folder.type !== 'directory') return fail();
    const child: Inode = folder.entries.get(part) ?? createDirectory({ mode: volume.root.mode, gid: volume.root.gid });
    folder.entries.set(part, child);
    folder = child;
  }
  return folder;
}
