import type { corev1 } from '../../schema/api/index.ts';
import type { FileUser } from '../files/file-tree.ts';
import { contentOf, type Directory } from '../files/inode.ts';
import type { EmulatedImage } from '../images/images.ts';

/** The user of a container's processes. Cf. containerd's WithUserID, WithAdditionalGIDs, WithSupplementalGroups. */
export function userOf({ spec }: corev1.Pod, { securityContext }: corev1.Container, image: Pick<EmulatedImage, 'user' | 'root'>): FileUser {
  const pod = spec.securityContext ?? {};
  const [imageUid = 0, imageGid] = image.user === '' ? [] : image.user.split(':').map(Number);
  const runAsUser = securityContext?.runAsUser ?? pod.runAsUser;
  const uid = runAsUser ?? imageUid;
  const files = image.root();
  const account = linesOf(files, 'passwd').find(([, , id]) => id === String(uid));
  const gidInImage = (runAsUser === undefined ? imageGid : undefined) ?? Number(account?.[3] ?? 0);
  const gid = securityContext?.runAsGroup ?? pod.runAsGroup ?? gidInImage;
  const isStrict = pod.supplementalGroupsPolicy === 'Strict';
  const memberships = isStrict || !account ? [] : linesOf(files, 'group').filter(([, , , members = '']) => isMember(account, members));
  const groups = [
    ...memberships.map(([, , id]) => Number(id)),
    ...(pod.supplementalGroups ?? []),
    ...(pod.fsGroup === undefined ? [] : [pod.fsGroup]),
  ];
  return { uid, gid, groups: [...new Set(groups)].sort((a, b) => a - b), umask: 0o022 };
}

const isMember = ([name = '']: readonly string[], members: string): boolean => members.split(',').includes(name);

/** The fields of the lines of a file in /etc of an image. */
function linesOf(root: Directory, name: string): readonly (readonly string[])[] {
  const etc = root.entries.get('etc');
  const file = etc?.type === 'directory' ? etc.entries.get(name) : undefined;
  if (file?.type !== 'file') return [];
  return new TextDecoder()
    .decode(contentOf(file))
    .split('\n')
    .map((line) => line.split(':'));
}

/** Why a container may not run as its user; undefined: it may. Cf. pkg/kubelet/kuberuntime verifyRunAsNonRoot. */
export function rootError(pod: corev1.Pod, container: corev1.Container, { uid }: FileUser): string | undefined {
  const { securityContext = {} } = pod.spec;
  const nonRoot = container.securityContext?.runAsNonRoot ?? securityContext.runAsNonRoot;
  if (!nonRoot || uid !== 0) return undefined;
  const { name = '', namespace = '', uid: podUid = '' } = pod.metadata;
  const where = `(pod: "${name}_${namespace}(${podUid})", container: ${container.name})`;
  const isChosen = (container.securityContext?.runAsUser ?? securityContext.runAsUser) !== undefined;
  return isChosen
    ? `container's runAsUser breaks non-root policy ${where}`
    : `container has runAsNonRoot and image will run as root ${where}`;
}

/** Whether system calls are filtered. A privileged container is unconfined. Cf. pkg/kubelet/kuberuntime getSeccompProfile. */
export function isSeccompFiltered({ spec }: corev1.Pod, { securityContext }: corev1.Container): boolean {
  const type = (securityContext?.seccompProfile ?? spec.securityContext?.seccompProfile)?.type;
  return !securityContext?.privileged && (type === 'RuntimeDefault' || type === 'Localhost');
}
