import type { ApiClient } from '../../client/index.ts';
import { amountOf } from '../../component-helpers/index.ts';
import type { Clock } from '../../env/index.ts';
import { type corev1, corev1PersistentVolumeClaims, corev1PersistentVolumes } from '../../schema/api/index.ts';
import { createDirectory, type Directory, type Inode } from '../files/inode.ts';
import { VolumeStore } from '../files/volume-store.ts';
import { writeAtomically } from './atomic-writer.ts';
import type { DurableVolume, NodeFiles } from './node-files.ts';
import { MissingSource, type PayloadContext, payloadOf } from './projected-payload.ts';

/** A volume that is ready to be mounted. */
export interface PodVolume {
  readonly root: Inode;
  readonly store: VolumeStore;
  /** Containers cannot write to it. */
  readonly isReadOnly: boolean;
}

export interface VolumeHost {
  readonly client: ApiClient;
  readonly nodeName: string;
  readonly clock: Clock;
  readonly nodeFiles: NodeFiles;
  /** The files of an image by its reference; undefined: it is not emulated. */
  imageRoot(reference: string): Directory | undefined;
  /** An emptyDir has exceeded its limit. */
  onExceeded(message: string): void;
}

/** Bytes of emptyDir volumes without a limit. */
const defaultLimitBytes = 256 * 1024 * 1024;

/** The volumes of a pod. */
export class PodVolumes {
  readonly #host: VolumeHost;
  readonly #volumes = new Map<string, PodVolume>();

  constructor(host: VolumeHost) {
    this.#host = host;
  }

  get(name: string): PodVolume | undefined {
    return this.#volumes.get(name);
  }

  /** Sets up new volumes and updates projected ones; returns why volumes cannot be mounted. */
  async prepare(pod: corev1.Pod, context: PayloadContext): Promise<readonly string[]> {
    const errors: string[] = [];
    for (const volume of pod.spec.volumes ?? []) {
      const error = await this.#prepareOne(volume, pod, context);
      if (error !== undefined) errors.push(`MountVolume.SetUp failed for volume ${JSON.stringify(volume.name)} : ${error}`);
    }
    return errors;
  }

  async #prepareOne(volume: corev1.Volume, pod: corev1.Pod, context: PayloadContext): Promise<string | undefined> {
    const known = this.#volumes.get(volume.name);
    try {
      const payload = await payloadOf(volume, context);
      if (payload) {
        const created = known ?? {
          root: createDirectory({ mode: 0o777 }),
          store: new VolumeStore('tmpfs', defaultLimitBytes),
          isReadOnly: true,
        };
        if (created.root.type === 'directory') writeAtomically(created.root, payload, groupOf(pod), this.#host.clock.nowMs());
        this.#volumes.set(volume.name, created);
        return undefined;
      }
    } catch (error) {
      // Missing objects are reported with the pod's references; a mounted volume stays as it is.
      if (error instanceof MissingSource) return undefined;
      throw error;
    }
    if (known) return undefined;
    const created = await this.#create(volume, pod);
    if (typeof created === 'string') return created;
    this.#volumes.set(volume.name, created);
    return undefined;
  }

  /** The volume, or why it cannot be mounted. */
  async #create(volume: corev1.Volume, pod: corev1.Pod): Promise<PodVolume | string> {
    const { emptyDir, hostPath, persistentVolumeClaim: claim, ephemeral, image } = volume;
    const { fsGroup } = groupOf(pod);
    if (hostPath) return this.#hostPath(hostPath);
    if (image) {
      const root = this.#host.imageRoot(image.reference ?? '');
      return { root: root ?? createDirectory(), store: new VolumeStore('overlay', 0), isReadOnly: true };
    }
    if (claim) return this.#claim(pod, claim.claimName, claim.readOnly ?? false);
    if (ephemeral) return this.#claim(pod, `${pod.metadata.name}-${volume.name}`, false);
    return this.#emptyDir(volume.name, emptyDir ?? {}, fsGroup);
  }

  #emptyDir(name: string, { medium, sizeLimit }: corev1.EmptyDirVolumeSource, fsGroup: number | undefined): PodVolume {
    const limit = amountOf('memory', sizeLimit ?? '0');
    const isMemory = medium?.startsWith('Memory') === true;
    const root = createDirectory({
      // The root of a tmpfs has the sticky bit.
      mode: 0o777 | (fsGroup === undefined ? 0 : 0o2000) | (isMemory ? 0o1000 : 0),
      mtimeMs: this.#host.clock.nowMs(),
      ...(fsGroup === undefined ? {} : { gid: fsGroup }),
    });
    if (isMemory) return { root, store: new VolumeStore('tmpfs', limit || defaultLimitBytes), isReadOnly: false };
    const onChange = (usedBytes: number): void => {
      if (limit && usedBytes > limit)
        this.#host.onExceeded(`Usage of EmptyDir volume ${JSON.stringify(name)} exceeds the limit ${JSON.stringify(sizeLimit)}. `);
    };
    return { root, store: new VolumeStore('ext4', defaultLimitBytes, onChange), isReadOnly: false };
  }

  #hostPath({ path, type = '' }: corev1.HostPathVolumeSource): PodVolume | string {
    const create = type === '' || type === 'DirectoryOrCreate' ? 'directory' : type === 'FileOrCreate' ? 'file' : undefined;
    const found = this.#host.nodeFiles.hostPath(this.#host.nodeName, path, create);
    const problem = hostPathProblem(path, type, found);
    return problem ?? { ...(found as DurableVolume), isReadOnly: false };
  }

  async #claim(pod: corev1.Pod, name: string, isReadOnly: boolean): Promise<PodVolume | string> {
    const { client, nodeFiles, nodeName } = this.#host;
    const { namespace = '' } = pod.metadata;
    const claim = await client.resource(corev1PersistentVolumeClaims).getIfExists({ namespace, name });
    const volumeName = claim?.spec.volumeName;
    if (!volumeName) return `PVC ${namespace}/${name} is not bound`;
    const volume = await client.resource(corev1PersistentVolumes).getIfExists({ name: volumeName });
    const path = volume?.spec.hostPath?.path ?? volume?.spec.local?.path;
    const found = path === undefined ? nodeFiles.persistentVolume(volumeName) : nodeFiles.hostPath(nodeName, path, 'directory');
    if (!found) return `path ${JSON.stringify(path)} does not exist`;
    const { fsGroup } = groupOf(pod);
    if (fsGroup !== undefined) takeOwnership(found.root, fsGroup);
    return { ...found, isReadOnly };
  }
}

const groupOf = ({ spec }: corev1.Pod): { readonly fsGroup: number | undefined } => ({ fsGroup: spec.securityContext?.fsGroup });

/** Cf. pkg/volume/hostpath checkType. */
function hostPathProblem(path: string, type: string, found: DurableVolume | undefined): string | undefined {
  const kind = found?.root.type;
  const problem = (what: string): string => `hostPath type check failed: ${path} is not a ${what}`;
  if ((type === 'Directory' || type === 'DirectoryOrCreate') && kind !== 'directory') return problem('directory');
  if ((type === 'File' || type === 'FileOrCreate') && kind !== 'file') return problem('file');
  if (type === 'Socket' || type === 'CharDevice' || type === 'BlockDevice') {
    return problem({ Socket: 'socket file', CharDevice: 'character device', BlockDevice: 'block device' }[type]);
  }
  return found ? undefined : `path ${JSON.stringify(path)} does not exist`;
}

/** Gives all files to a group. Cf. pkg/volume SetVolumeOwnership. */
function takeOwnership(inode: Inode, gid: number): void {
  inode.gid = gid;
  if (inode.type === 'link') return;
  inode.mode |= 0o660 | (inode.type === 'directory' ? 0o2110 : 0);
  if (inode.type === 'directory') for (const child of inode.entries.values()) takeOwnership(child, gid);
}
