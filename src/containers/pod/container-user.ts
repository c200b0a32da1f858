import type { corev1 } from '../../schema/api/index.ts';
import type { FileUser } from '../files/file-tree.ts';

/** The user of a container's processes. Cf. containerd's WithUser, WithSupplementalGroups. */
export function userOf({ spec }: corev1.Pod, { securityContext }: corev1.Container, imageUser: string): FileUser {
  const pod = spec.securityContext ?? {};
  const [imageUid = 0, imageGid] = imageUser === '' ? [] : imageUser.split(':').map(Number);
  const runAsUser = securityContext?.runAsUser ?? pod.runAsUser;
  const gid = securityContext?.runAsGroup ?? pod.runAsGroup ?? (runAsUser === undefined ? (imageGid ?? 0) : 0);
  const groups = [...(pod.supplementalGroups ?? []), ...(pod.fsGroup === undefined ? [] : [pod.fsGroup])];
  return { uid: runAsUser ?? imageUid, gid, groups, umask: 0o022 };
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
