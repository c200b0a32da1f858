import { goQuote, sameJson } from '../../meta/index.ts';
import { type corev1, corev1PersistentVolumeClaims } from '../../schema/api/index.ts';
import type { Binder } from './binder.ts';
import { reclaimVolume } from './reclaim-volume.ts';
import { hasDifferentMode } from './volume-matching.ts';
import type { VolumeNames } from './volume-names.ts';
import { migratedDriver } from './volume-plugins.ts';

type Claim = corev1.PersistentVolumeClaim;
type Volume = corev1.PersistentVolume;

/** Cf. pkg/controller/volume/persistentvolume/pv_controller.go syncVolume. */
export async function syncVolume(given: Volume, binder: Binder): Promise<void> {
  const { names, recorder } = binder.options;
  const migrated = withMigration(given, names);
  const volume = migrated ? await binder.writeVolume(migrated) : given;
  const { claimRef } = volume.spec;
  // Without UID the volume is reserved for a claim that the controller binds later.
  if (!claimRef?.uid) {
    await binder.setPhase(volume, 'Available');
    return;
  }
  const claim = await claimOf(volume, binder);
  if (!claim) return releaseVolume(volume, binder);
  const { volumeName } = claim.spec;
  if (volumeName === volume.metadata.name) await binder.setPhase(volume, 'Bound');
  else if (volumeName) await releaseFromOther(volume, binder);
  else if (hasDifferentMode(claim, volume)) {
    const reason = 'due to incompatible volumeMode.';
    const [claimName, name] = [goQuote(claim.metadata.name ?? ''), goQuote(volume.metadata.name ?? '')];
    recorder.event(
      volume,
      'Warning',
      'VolumeMismatch',
      `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${claimName} ${reason}`,
    );
    recorder.event(claim, 'Warning', 'VolumeMismatch', `Cannot bind PersistentVolume ${name} to requested PersistentVolumeClaim ${reason}`);
  } else binder.options.enqueueClaim(`${claimRef.namespace}/${claimRef.name}`);
}

/** The claim with the name and the UID of the reference. A cache may not show a new claim yet. */
async function claimOf({ spec, status }: Volume, binder: Binder): Promise<Claim | undefined> {
  const { name = '', namespace = '', uid } = spec.claimRef ?? {};
  const cached = binder.claims.get(`${namespace}/${name}`);
  if (cached?.metadata.uid === uid) return cached;
  if (!cached && (status.phase === 'Released' || status.phase === 'Failed')) return undefined;
  const claim = await binder.options.client.resource(corev1PersistentVolumeClaims).getIfExists({ name, namespace });
  return claim?.metadata.uid === uid ? claim : undefined;
}

async function releaseVolume(volume: Volume, binder: Binder): Promise<void> {
  const isReleased = volume.status.phase === 'Released' || volume.status.phase === 'Failed';
  await reclaimVolume(isReleased ? volume : await binder.setPhase(volume, 'Released'), binder);
}

/** The claim is bound to another volume. */
async function releaseFromOther(volume: Volume, binder: Binder): Promise<void> {
  const isProvisioned = volume.metadata.annotations?.[binder.options.names.provisionedBy] !== undefined;
  if (isProvisioned && volume.spec.persistentVolumeReclaimPolicy === 'Delete') return releaseVolume(volume, binder);
  await binder.unbind(volume);
}

/** The volume with the marks of migrated plug-ins; undefined when it has them. Cf. updateVolumeMigrationAnnotationsAndFinalizers. */
export function withMigration(volume: Volume, names: VolumeNames): Volume | undefined {
  const { annotations = {}, finalizers = [] } = volume.metadata;
  const provisioner = annotations[names.provisionedBy];
  if (provisioner === undefined) return undefined;
  const driver = migratedDriver(provisioner, names);
  const { [names.migratedTo]: _, ...others } = annotations;
  const wantedAnnotations = driver === undefined ? others : { ...others, [names.migratedTo]: driver };
  const wantedFinalizers = finalizersOf(volume, provisioner, driver !== undefined, names);
  if (sameJson(wantedAnnotations, annotations) && sameJson(wantedFinalizers, finalizers)) return undefined;
  return { ...volume, metadata: { ...volume.metadata, annotations: wantedAnnotations, finalizers: wantedFinalizers } };
}

/** Cf. modifyDeletionFinalizers. */
function finalizersOf({ metadata, spec }: Volume, provisioner: string, isMigrated: boolean, names: VolumeNames): readonly string[] {
  const { finalizers = [] } = metadata;
  const { deletionFinalizer, externalDeletionFinalizer, pluginPrefix } = names;
  if (isMigrated) return finalizers.filter((one) => one !== deletionFinalizer);
  if (!provisioner.startsWith(pluginPrefix)) return finalizers;
  const own = finalizers.filter((one) => one !== externalDeletionFinalizer);
  if (spec.persistentVolumeReclaimPolicy !== 'Delete') return own.filter((one) => one !== deletionFinalizer);
  return own.includes(deletionFinalizer) ? own : [...own, deletionFinalizer];
}
