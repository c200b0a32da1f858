import { goQuote, sameJson } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Binder } from './binder.ts';
import { withAnnotation } from './bound-objects.ts';
import { classOf, defaultClassOf, findVolume, hasClass, isBoundTo, mismatchOf } from './volume-matching.ts';
import { migratedDriver, provisioningOf } from './volume-plugins.ts';

type Claim = corev1.PersistentVolumeClaim;
type Volume = corev1.PersistentVolume;

const noClass = 'no persistent volumes available for this claim and no storage class is set';

/** Cf. pkg/controller/volume/persistentvolume/pv_controller.go syncClaim. */
export async function syncClaim(given: Claim, binder: Binder): Promise<void> {
  const claim = await annotateMigration(given, binder);
  const isBound = claim.metadata.annotations?.[binder.options.names.bindCompleted] !== undefined;
  if (isBound) await syncBoundClaim(claim, binder);
  else if (claim.spec.volumeName) await syncPreboundClaim(claim, claim.spec.volumeName, binder);
  else await syncUnboundClaim(claim, binder);
}

/** Cf. updateClaimMigrationAnnotations. */
async function annotateMigration(claim: Claim, binder: Binder): Promise<Claim> {
  const { names } = binder.options;
  const annotations = claim.metadata.annotations ?? {};
  const provisioner = annotations[names.provisioner] ?? annotations[names.betaProvisioner];
  if (provisioner === undefined) return claim;
  const { [names.migratedTo]: _, ...others } = annotations;
  const driver = migratedDriver(provisioner, names);
  const wanted = driver === undefined ? others : { ...others, [names.migratedTo]: driver };
  if (sameJson(wanted, annotations)) return claim;
  return binder.writeClaim({ ...claim, metadata: { ...claim.metadata, annotations: wanted } });
}

async function syncUnboundClaim(claim: Claim, binder: Binder): Promise<void> {
  const { classes, names, recorder } = binder.options;
  const className = classOf(claim, names);
  const isDelayed = className !== '' && classes.get(className)?.volumeBindingMode === 'WaitForFirstConsumer';
  const volume = findVolume(binder.volumes.list(), claim, isDelayed, names);
  if (volume) return binder.bind(volume, claim);
  const defaultClass = hasClass(claim, names) ? undefined : defaultClassOf(classes.list(), names)?.metadata.name;
  if (defaultClass !== undefined) {
    await binder.writeClaim({ ...claim, spec: { ...claim.spec, storageClassName: defaultClass } });
    return;
  }
  const isNodeSelected = claim.metadata.annotations?.[names.selectedNode] !== undefined;
  if (isDelayed && !isNodeSelected) recordWaiting(claim, binder);
  else if (className !== '') return provision(claim, className, binder);
  else recorder.event(claim, 'Normal', 'FailedBinding', noClass);
  await binder.setClaimStatus(claim, 'Pending');
}

/** Cf. emitEventForUnboundDelayBindingClaim. */
function recordWaiting(claim: Claim, binder: Binder): void {
  const { metadata } = claim;
  const waiting = binder.activePodsOf(`${metadata.namespace}/${metadata.name}`).filter(({ spec }) => !spec.nodeName);
  const { recorder } = binder.options;
  if (waiting.length === 0) {
    recorder.event(claim, 'Normal', 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
    return;
  }
  const pods = waiting.map((pod) => pod.metadata.name).join(',');
  recorder.event(claim, 'Normal', 'WaitForPodScheduled', `waiting for pod${waiting.length > 1 ? 's' : ''} ${pods} to be scheduled`);
}

/** Requests a volume from an external provisioner. Cf. provisionClaim, provisionClaimOperationExternal. */
async function provision(claim: Claim, className: string, binder: Binder): Promise<void> {
  const { classes, client, names, recorder } = binder.options;
  const storageClass = classes.get(className);
  if (!storageClass) {
    const group = client.options.product.rename('storage.k8s.io');
    recorder.event(claim, 'Warning', 'ProvisioningFailed', `storageclass.${group} ${goQuote(className)} not found`);
    return;
  }
  const { provisioner, error = '' } = provisioningOf(storageClass, names);
  if (provisioner === undefined) {
    recorder.event(claim, 'Warning', 'ProvisioningFailed', error);
    return;
  }
  const isRequested = claim.metadata.annotations?.[names.provisioner] === provisioner;
  const metadata = withAnnotation(withAnnotation(claim.metadata, names.betaProvisioner, provisioner), names.provisioner, provisioner);
  const requested = isRequested ? claim : await binder.writeClaim({ ...claim, metadata });
  const message =
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. ` +
    'If volume creation is delayed, please verify that the provisioner is running and correctly registered.';
  recorder.event(requested, 'Normal', 'ExternalProvisioning', message);
}

/** The claim names its volume. */
async function syncPreboundClaim(claim: Claim, volumeName: string, binder: Binder): Promise<void> {
  const { names, recorder } = binder.options;
  const volume = binder.volumes.get(volumeName);
  if (volume && isBoundTo(volume, claim)) return binder.bind(volume, claim);
  const problem = volume && problemOf(volume, claim, binder);
  if (volume && !problem) return binder.bind(volume, claim);
  if (problem) recorder.event(claim, 'Warning', problem.reason, problem.message);
  const isControllers = claim.metadata.annotations?.[names.boundByController] !== undefined;
  if (problem?.reason === 'FailedBinding' && isControllers) return;
  await binder.setClaimStatus(claim, 'Pending');
}

function problemOf(volume: Volume, claim: Claim, binder: Binder): { readonly reason: string; readonly message: string } | undefined {
  const name = goQuote(volume.metadata.name ?? '');
  if (volume.spec.claimRef) return { reason: 'FailedBinding', message: `volume ${name} already bound to a different claim.` };
  const mismatch = mismatchOf(volume, claim, binder.options.names);
  return mismatch === undefined ? undefined : { reason: 'VolumeMismatch', message: `Cannot bind to requested volume ${name}: ${mismatch}` };
}

/** The claim was bound before. */
async function syncBoundClaim(claim: Claim, binder: Binder): Promise<void> {
  const { volumeName = '' } = claim.spec;
  const lost = 'Data on the volume is lost!';
  if (volumeName === '') return binder.loseClaim(claim, 'ClaimLost', `Bound claim has lost reference to PersistentVolume. ${lost}`);
  const volume = binder.volumes.get(volumeName);
  if (!volume) return binder.loseClaim(claim, 'ClaimLost', `Bound claim has lost its PersistentVolume. ${lost}`);
  const { claimRef } = volume.spec;
  if (!claimRef || claimRef.uid === claim.metadata.uid) return binder.bind(volume, claim);
  await binder.loseClaim(claim, 'ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
}
