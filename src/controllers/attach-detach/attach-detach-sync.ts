import type { ApiClient, EventRecorder } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import { bytesToHex, goQuote, sameJson } from '../../meta/index.ts';
import { corev1Nodes, type storagev1, storagev1VolumeAttachments } from '../../schema/api/index.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { nodeCondition } from '../nodes/index.ts';
import { attachedName, type ClusterVolumes, type DesiredAttachment, desiredAttachments, isMultiAttachAllowed } from './plan-attachments.ts';

/** Time after which a volume is detached from an unhealthy node that still uses it (upstream ReconcilerMaxWaitForUnmountDuration). */
const maxUnmountMs = 360_000;

export interface AttachDetachOptions {
  readonly client: ApiClient;
  readonly recorder: Pick<EventRecorder, 'event'>;
  readonly cluster: ClusterVolumes;
  readonly attachments: readonly storagev1.VolumeAttachment[];
  readonly pluginPrefix: string;
  readonly outOfServiceTaint: string;
  /** Its time waits for digests, which the platform computes in other threads. */
  readonly clock: Clock;
  readonly nowMs: number;
  /** Since when attachments are unused, by name. */
  readonly unusedSince: Map<string, number>;
  /** Names of attachments and pods whose result was reported. */
  readonly reported: Set<string>;
}

/** Brings attachments and the status of nodes to the desired state. Cf. pkg/controller/volume/attachdetach/reconciler. */
export class AttachDetachSync {
  readonly #options: AttachDetachOptions;
  readonly #byName: ReadonlyMap<string, storagev1.VolumeAttachment>;
  /** Volumes that this reconciliation attaches to their only node, which the cache does not show yet. */
  readonly #attaching = new Set<string>();
  /** Names of the attachments that this reconciliation deleted. */
  readonly #detached = new Set<string>();

  constructor(options: AttachDetachOptions) {
    this.#options = options;
    this.#byName = new Map(options.attachments.map((attachment) => [attachment.metadata.name ?? '', attachment]));
  }

  /** Returns whether an attachment waits to be removed. */
  async run(): Promise<boolean> {
    const { clock, cluster } = this.#options;
    const named = Promise.all(desiredAttachments(cluster).map(async (one) => ({ ...one, name: await attachmentName(one) })));
    const desired = await clock.hostWork(named);
    const names = new Set(desired.map(({ name }) => name));
    const unused = this.#options.attachments.filter(({ metadata }) => isOwnName(metadata.name) && !names.has(metadata.name ?? ''));
    for (const name of names) this.#options.unusedSince.delete(name);
    for (const attachment of unused) await this.#detach(attachment);
    for (const one of desired) await this.#attach(one, one.name);
    await this.#reportAttached();
    return unused.length > 0;
  }

  async #attach(desired: DesiredAttachment, name: string): Promise<void> {
    const { attachments, client } = this.#options;
    const existing = this.#byName.get(name);
    if (existing) {
      this.#reportResult(desired, existing);
      return;
    }
    const volume = desired.volume.metadata.name ?? '';
    const others = attachments.filter(({ spec }) => spec.source.persistentVolumeName === volume && spec.nodeName !== desired.nodeName);
    if (!isMultiAttachAllowed(desired.volume)) {
      if (others.length > 0) this.#reportMultiAttach(desired, others);
      if (others.length > 0 || this.#attaching.has(volume)) return;
      this.#attaching.add(volume);
    }
    const spec = { attacher: desired.driver, nodeName: desired.nodeName, source: { persistentVolumeName: volume } };
    await ignoreStaleWrite(client.resource(storagev1VolumeAttachments).create({ metadata: { name }, spec }));
  }

  #reportMultiAttach({ volume, pods }: DesiredAttachment, others: readonly storagev1.VolumeAttachment[]): void {
    const { cluster, recorder } = this.#options;
    const name = volume.metadata.name ?? '';
    const nodes = new Set(others.map(({ spec }) => spec.nodeName));
    const users = desiredAttachments(cluster).filter((one) => nodes.has(one.nodeName) && one.volume.metadata.name === name);
    for (const pod of pods) {
      if (!this.#isNew(`multi ${name} ${pod.metadata.uid}`)) continue;
      const own = users.flatMap((one) => one.pods).filter(({ metadata }) => metadata.namespace === pod.metadata.namespace);
      const list = own.map(({ metadata }) => metadata.name).join(', ');
      const text =
        list === ''
          ? "Volume is already exclusively attached to one node and can't be attached to another"
          : `Volume is already used by pod(s) ${list}`;
      recorder.event(pod, 'Warning', 'FailedAttachVolume', `Multi-Attach error for volume ${goQuote(name)} ${text}`);
    }
  }

  #reportResult({ volume, pods }: DesiredAttachment, { metadata, status }: storagev1.VolumeAttachment): void {
    const { recorder } = this.#options;
    const name = goQuote(volume.metadata.name ?? '');
    const error = status?.attachError;
    for (const pod of pods) {
      const key = `${metadata.uid} ${pod.metadata.uid}`;
      if (status?.attached && this.#isNew(key)) {
        recorder.event(pod, 'Normal', 'SuccessfulAttachVolume', `AttachVolume.Attach succeeded for volume ${name} `);
      } else if (error && !status?.attached && this.#isNew(`${key} ${error.time}`)) {
        recorder.event(pod, 'Warning', 'FailedAttachVolume', `AttachVolume.Attach failed for volume ${name} : ${error.message ?? ''}`);
      }
    }
  }

  #isNew(key: string): boolean {
    if (this.#options.reported.has(key)) return false;
    this.#options.reported.add(key);
    return true;
  }

  /** The status of nodes names the volumes that pods can mount. */
  async #reportAttached(): Promise<void> {
    const { attachments, cluster } = this.#options;
    const byNode = new Map<string, string[]>(cluster.nodesWithAttached.map(({ metadata: { name = '' } }) => [name, []]));
    for (const { metadata, spec, status } of attachments) {
      const names = byNode.get(spec.nodeName) ?? [];
      byNode.set(spec.nodeName, names);
      const name = this.#volumeNameOf(spec);
      const isDetaching = this.#detached.has(metadata.name ?? '') || metadata.deletionTimestamp !== undefined;
      if (status?.attached && !isDetaching && name !== undefined) names.push(name);
    }
    for (const [nodeName, names] of byNode) await this.#setAttached(nodeName, names);
  }

  #volumeNameOf({ source }: storagev1.VolumeAttachmentSpec): string | undefined {
    const csi = this.#options.cluster.volume(source.persistentVolumeName ?? '')?.spec.csi;
    return csi && attachedName({ driver: csi.driver, handle: csi.volumeHandle }, this.#options.pluginPrefix);
  }

  async #setAttached(nodeName: string, names: readonly string[]): Promise<void> {
    const { client, cluster, pluginPrefix } = this.#options;
    const current = cluster.node(nodeName)?.status.volumesAttached ?? [];
    const others = current.filter(({ name }) => !name.startsWith(`${pluginPrefix}csi/`));
    const wanted = [...others, ...names.map((name) => ({ name, devicePath: '' }))];
    if (!cluster.node(nodeName) || sameJson(wanted as never, current as never)) return;
    const patch = { status: { volumesAttached: wanted.length === 0 ? null : wanted } };
    await ignoreStaleWrite(client.resource(corev1Nodes).patch({ name: nodeName }, 'merge', patch, { subresource: 'status' }));
  }

  /** A volume that the node still uses is detached only when the node is unhealthy for long, or out of service. */
  async #detach({ metadata, spec }: storagev1.VolumeAttachment): Promise<void> {
    const { client, cluster, nowMs, outOfServiceTaint, unusedSince } = this.#options;
    const name = metadata.name ?? '';
    if (metadata.deletionTimestamp !== undefined) return;
    const sinceMs = unusedSince.get(name) ?? nowMs;
    unusedSince.set(name, sinceMs);
    const node = cluster.node(spec.nodeName);
    const volumeName = this.#volumeNameOf(spec);
    const isMounted = volumeName !== undefined && node?.status.volumesInUse?.includes(volumeName) === true;
    const isOutOfService = node?.spec.taints?.some(({ key }) => key === outOfServiceTaint) === true;
    const isReady = node !== undefined && nodeCondition(node, 'Ready')?.status === 'True';
    const isForced = !isReady && nowMs - sinceMs > maxUnmountMs;
    if (isMounted && !isOutOfService && !isForced) return;
    if (node && volumeName !== undefined) {
      const remaining = (node.status.volumesAttached ?? []).filter((one) => one.name !== volumeName).map((one) => one.name);
      await this.#setAttached(spec.nodeName, remaining);
    }
    await ignoreStaleWrite(client.resource(storagev1VolumeAttachments).delete({ name }));
    unusedSince.delete(name);
    this.#detached.add(name);
  }
}

function isOwnName(name = ''): boolean {
  return /^csi-[0-9a-f]{64}$/.test(name);
}

/** Cf. pkg/volume/csi getAttachmentName. */
async function attachmentName({ handle, driver, nodeName }: Pick<DesiredAttachment, 'handle' | 'driver' | 'nodeName'>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(handle + driver + nodeName)));
  return `csi-${bytesToHex(hash)}`;
}
