/** Attaches the volumes of pods to their nodes. */

import {
  corev1Nodes,
  corev1PersistentVolumeClaims,
  corev1PersistentVolumes,
  corev1Pods,
  storagev1CSIDrivers,
  storagev1VolumeAttachments,
} from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { startWorkers } from '../start-workers.ts';
import { claimNamesOf } from '../volume-protection/persistent-volume-claim-protection.ts';
import { AttachDetachSync } from './attach-detach-sync.ts';

/** Upstream ReconcilerLoopPeriod: changes within it are reconciled together. */
const periodMs = 100;
/** Period after which attachments that are in use by their nodes are checked again. */
const recheckMs = 60_000;
const all = 'all';
/** Indexes of the pods that use claims, and of the nodes whose status has attached volumes: few of all, of which many change. */
const withClaims = 'withClaims';
const withAttached = 'withAttached';

/** Cf. pkg/controller/volume/attachdetach. */
export const attachDetach: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const pods = informers.informer(corev1Pods);
  const nodes = informers.informer(corev1Nodes);
  const claims = informers.informer(corev1PersistentVolumeClaims);
  const volumes = informers.informer(corev1PersistentVolumes);
  const drivers = informers.informer(storagev1CSIDrivers);
  const attachments = informers.informer(storagev1VolumeAttachments);
  const recorder = createEventRecorder(context, 'attachdetach-controller');
  pods.store.addIndex(withClaims, (pod) => (claimNamesOf(pod).length > 0 ? [all] : []));
  nodes.store.addIndex(withAttached, ({ status }) => (status.volumesAttached?.length ? [all] : []));
  const unusedSince = new Map<string, number>();
  const reported = new Set<string>();

  const reconcile = async (): Promise<void> => {
    if (attachments.store.size === 0) reported.clear();
    const sync = new AttachDetachSync({
      client,
      recorder,
      cluster: {
        pods: pods.store.byIndex(withClaims, all),
        nodesWithAttached: nodes.store.byIndex(withAttached, all),
        node: (name) => nodes.store.get(name),
        claim: (key) => claims.store.get(key),
        volume: (name) => volumes.store.get(name),
        driver: (name) => drivers.store.get(name),
        claimNamesOf,
        managedAnnotation: product.rename('volumes.kubernetes.io/controller-managed-attach-detach'),
      },
      attachments: attachments.store.list(),
      pluginPrefix: product.rename('kubernetes.io/'),
      outOfServiceTaint: product.rename('node.kubernetes.io/out-of-service'),
      clock,
      nowMs: clock.nowMs(),
      unusedSince,
      reported,
    });
    if (await sync.run()) queue.addAfter(all, recheckMs);
  };
  const watched = [pods, nodes, claims, volumes, drivers, attachments];
  const name = 'persistentvolume-attach-detach-controller';
  const queue = startWorkers({ name, informers: watched, reconcile, workers: 1 }, context);
  const enqueue = (): void => queue.addAfter(all, periodMs);
  for (const informer of watched) informer.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
};
