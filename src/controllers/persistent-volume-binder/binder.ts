import { type ApiClient, type EventRecorder, type Indexer, keyOf, type ResourceClient } from '../../client/index.ts';
import { type corev1, corev1PersistentVolumeClaims, corev1PersistentVolumes, corev1Pods, type storagev1 } from '../../schema/api/index.ts';
import { isPodTerminal } from '../pods/index.ts';
import { boundClaim, boundVolume, claimStatus, unboundVolume } from './bound-objects.ts';
import { VersionedCache } from './versioned-cache.ts';
import type { VolumeNames } from './volume-names.ts';

type Claim = corev1.PersistentVolumeClaim;
type Volume = corev1.PersistentVolume;

export interface BinderOptions {
  readonly client: ApiClient;
  readonly names: VolumeNames;
  readonly recorder: Pick<EventRecorder, 'event'>;
  readonly classes: Pick<Indexer<storagev1.StorageClass>, 'get' | 'list'>;
  /** The pods that use a claim, by its key. */
  readonly podsOf: (claimKey: string) => readonly corev1.Pod[];
  readonly enqueueClaim: (key: string) => void;
}

/** The writes of the controller and its caches. Cf. pkg/controller/volume/persistentvolume/pv_controller.go. */
export class Binder {
  readonly options: BinderOptions;
  readonly claims: VersionedCache<Claim> = new VersionedCache();
  readonly volumes: VersionedCache<Volume> = new VersionedCache();

  constructor(options: BinderOptions) {
    this.options = options;
  }

  /** Refers volume and claim to each other, the volume first. Cf. bind. */
  async bind(volume: Volume, claim: Claim): Promise<void> {
    const { names } = this.options;
    const referring = boundVolume(volume, claim, names);
    const bound = await this.setPhase(referring ? await this.writeVolume(referring) : volume, 'Bound');
    const named = boundClaim(claim, bound, names);
    await this.setClaimStatus(named ? await this.writeClaim(named) : claim, 'Bound', bound);
  }

  /** Cf. unbindVolume. */
  async unbind(volume: Volume): Promise<void> {
    await this.setPhase(await this.writeVolume(unboundVolume(volume, this.options.names)), 'Available');
  }

  async writeVolume(volume: Volume): Promise<Volume> {
    const written = await this.options.client.resource(corev1PersistentVolumes).update(volume);
    this.volumes.store(written);
    return written;
  }

  async writeClaim(claim: Claim): Promise<Claim> {
    const written = await this.options.client.resource(corev1PersistentVolumeClaims).update(claim);
    this.claims.store(written);
    return written;
  }

  /** Cf. updateVolumePhase. */
  async setPhase(volume: Volume, phase: string, message = ''): Promise<Volume> {
    if (volume.status.phase === phase) return volume;
    const { message: _, ...status } = volume.status;
    const changed = { ...volume, status: { ...status, phase, ...(message === '' ? {} : { message }) } };
    const written = await this.options.client.resource(corev1PersistentVolumes).updateStatus(changed);
    this.volumes.store(written);
    return written;
  }

  /** With an event when the phase changes. Cf. updateVolumePhaseWithEvent. */
  async fail(volume: Volume, reason: string, message: string): Promise<void> {
    if (volume.status.phase === 'Failed') return;
    this.options.recorder.event(await this.setPhase(volume, 'Failed', message), 'Warning', reason, message);
  }

  /** Cf. updateClaimStatus. */
  async setClaimStatus(claim: Claim, phase: string, volume?: Volume): Promise<Claim> {
    const status = claimStatus(claim, phase, volume, this.options.names);
    if (!status) return claim;
    const written = await this.options.client.resource(corev1PersistentVolumeClaims).updateStatus({ ...claim, status });
    this.claims.store(written);
    return written;
  }

  /** With an event when the phase changes. Cf. updateClaimStatusWithEvent. */
  async loseClaim(claim: Claim, reason: string, message: string): Promise<void> {
    if (claim.status.phase === 'Lost') return;
    this.options.recorder.event(await this.setClaimStatus(claim, 'Lost'), 'Warning', reason, message);
  }

  /** The pods that use the claim and are not terminal. */
  activePodsOf(claimKey: string): readonly corev1.Pod[] {
    return this.options.podsOf(claimKey).filter((pod) => !isPodTerminal(pod));
  }

  async readVolume(volume: Volume): Promise<Volume | undefined> {
    return this.options.client.resource(corev1PersistentVolumes).getIfExists(keyOf(volume));
  }

  async deleteVolume(volume: Volume): Promise<void> {
    await this.options.client.resource(corev1PersistentVolumes).delete(keyOf(volume));
  }

  get pods(): ResourceClient<corev1.Pod> {
    return this.options.client.resource(corev1Pods);
  }
}
