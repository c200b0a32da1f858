import { type corev1, corev1PersistentVolumeClaims, corev1PersistentVolumes } from '../../schema/api/index.ts';
import type { Handle } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { allowsNode } from './find-volume.ts';
import { claimKey, type NodeVolumes, type VolumeBinder } from './volume-binder.ts';

/** How often the claims are checked. Cf. volumebinding BindPodVolumes. */
const pollMs = 1_000;

/** The volume with the reference to its claim. Cf. volume GetBindVolumeToClaim. */
export function reservedVolume(
  volume: corev1.PersistentVolume,
  { metadata: { name = '', namespace = '', uid = '', resourceVersion = '' } }: corev1.PersistentVolumeClaim,
  boundByController: string,
): corev1.PersistentVolume {
  const claimRef = { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
  // A volume that a user reserved for the claim does not become available again by the controller.
  const isOwn = volume.spec.claimRef !== undefined;
  const annotations = isOwn ? volume.metadata.annotations : { ...volume.metadata.annotations, [boundByController]: 'yes' };
  return {
    ...volume,
    metadata: annotations ? { ...volume.metadata, annotations } : volume.metadata,
    spec: { ...volume.spec, claimRef },
  };
}

/** Writes the bindings and the selected nodes. Cf. bindAPIUpdate. */
export async function writeVolumes({ client }: Handle, { bindings, provisions }: NodeVolumes): Promise<void> {
  for (const { volume } of bindings) await client.resource(corev1PersistentVolumes).update(volume);
  for (const claim of provisions) await client.resource(corev1PersistentVolumeClaims).update(claim);
}

export interface AwaitedVolumes {
  readonly pod: PodInfo;
  readonly volumes: NodeVolumes;
  readonly node: string;
  readonly timeoutMs: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/** Waits until the controller or a provisioner has bound all claims. @throws Error when the pod has to be scheduled again */
export async function awaitBinding(handle: Handle, binder: VolumeBinder, awaited: AwaitedVolumes): Promise<void> {
  const { clock } = handle;
  const endMs = clock.monotonicMs() + awaited.timeoutMs;
  while (!isComplete(handle, binder, awaited)) {
    if (clock.monotonicMs() >= endMs) throw new Error('binding volumes: context deadline exceeded');
    await clock.sleep(pollMs, awaited.signal);
  }
}

/** Cf. checkBindings. */
function isComplete(
  { snapshot, pods }: Handle,
  binder: VolumeBinder,
  { pod, volumes: { bindings, provisions }, node: name }: AwaitedVolumes,
): boolean {
  const node = snapshot.get(name);
  if (!node) throw new Error(`binding volumes: failed to get node "${name}": node "${name}" not found`);
  if (!pods.get(pod.key)) throw new Error(`binding volumes: pod does not exist any more: pod "${pod.pod.metadata.name}" not found`);
  const isBound = (claim: corev1.PersistentVolumeClaim): boolean => {
    const current = binder.claims.get(claimKey(claim));
    if (!current) throw new Error(`binding volumes: persistentvolumeclaim "${claim.metadata.name}" not found`);
    return binder.isBound(current);
  };
  const requireNode = (volume: corev1.PersistentVolume | undefined): void => {
    if (!volume || allowsNode(volume, node.labels)) return;
    throw new Error(
      `binding volumes: pv "${volume.metadata.name}" node affinity doesn't match node "${name}": no matching NodeSelectorTerms`,
    );
  };
  for (const { claim, volume } of bindings) {
    const current = binder.volumes.get(volume.metadata.name ?? '');
    requireNode(current);
    if (!current?.spec.claimRef?.uid) throw new Error(`binding volumes: ClaimRef got reset for pv "${volume.metadata.name}"`);
    if (!isBound(claim)) return false;
  }
  for (const claim of provisions) {
    const current = binder.claims.get(claimKey(claim));
    const selected = current?.metadata.annotations?.[binder.names.selectedNode] ?? '';
    if (current && selected !== name) {
      throw new Error(`binding volumes: selectedNode annotation value "${selected}" not set to scheduled node "${name}"`);
    }
    if (current?.spec.volumeName) requireNode(binder.volumes.get(current.spec.volumeName));
    if (!isBound(claim)) return false;
  }
  return true;
}
