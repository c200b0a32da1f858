import { attachDetach } from '../attach-detach/index.ts';
import { certificateApproving } from '../certificates/certificate-approving.ts';
import { certificateCleaner } from '../certificates/certificate-cleaner.ts';
import { certificateSigning } from '../certificates/certificate-signing.ts';
import { cronJobs } from '../cronjob/index.ts';
import { daemonSetController } from '../daemon/daemon-set-controller.ts';
import { deployments } from '../deployment/index.ts';
import { disruptionController } from '../disruption/disruption-controller.ts';
import { endpoints } from '../endpoints/endpoints-controller.ts';
import { endpointSlices } from '../endpointslice/index.ts';
import { endpointSliceMirroring } from '../endpointslice-mirroring/endpoint-slice-mirroring-controller.ts';
import { ephemeralVolumes } from '../ephemeral-volume/index.ts';
import { garbageCollector } from '../garbage-collector/garbage-collector.ts';
import { horizontalPodAutoscalers } from '../horizontal-pod-autoscaler/index.ts';
import type { Controller } from '../index.ts';
import { jobs } from '../job/index.ts';
import { legacyTokenCleaner } from '../legacy-token-cleaner/index.ts';
import { nodeIpam } from '../node-ipam/node-ipam-controller.ts';
import { nodeLifecycle } from '../node-lifecycle/node-lifecycle-controller.ts';
import { persistentVolumeBinder } from '../persistent-volume-binder/index.ts';
import { persistentVolumeExpander } from '../persistent-volume-expander/index.ts';
import { podGarbageCollector } from '../pod-garbage-collector/pod-garbage-collector.ts';
import { replicaSets, replicationControllers } from '../replicaset/index.ts';
import { resourceClaims } from '../resource-claim/index.ts';
import { resourceQuotas } from '../resource-quota/resource-quota-controller.ts';
import { statefulSetController } from '../statefulset/stateful-set-controller.ts';
import { taintEviction } from '../taint-eviction/taint-eviction-controller.ts';
import { ttl } from '../ttl/ttl-controller.ts';
import { ttlAfterFinished } from '../ttl-after-finished/index.ts';
import { volumeAttributesClassProtection } from '../volume-attributes-class-protection/index.ts';

/**
 * The controllers besides the base ones, by their names in the real controller manager. Absent are those that it does not start by default: of cloud providers, and of alpha and
 * beta features that are off (device taints, trust bundles, storage versions and their migration).
 */
export const furtherControllers: Readonly<Record<string, Controller>> = {
  'certificatesigningrequest-approving-controller': certificateApproving,
  'certificatesigningrequest-cleaner-controller': certificateCleaner,
  'certificatesigningrequest-signing-controller': certificateSigning,
  'cronjob-controller': cronJobs,
  'daemonset-controller': daemonSetController,
  'deployment-controller': deployments,
  'disruption-controller': disruptionController,
  'endpoints-controller': endpoints,
  'endpointslice-controller': endpointSlices,
  'endpointslice-mirroring-controller': endpointSliceMirroring,
  'ephemeral-volume-controller': ephemeralVolumes,
  'garbage-collector-controller': garbageCollector,
  'horizontal-pod-autoscaler-controller': horizontalPodAutoscalers,
  'job-controller': jobs,
  'legacy-serviceaccount-token-cleaner-controller': legacyTokenCleaner,
  'node-ipam-controller': nodeIpam,
  'node-lifecycle-controller': nodeLifecycle,
  'persistentvolume-attach-detach-controller': attachDetach,
  'persistentvolume-binder-controller': persistentVolumeBinder,
  'persistentvolume-expander-controller': persistentVolumeExpander,
  'pod-garbage-collector-controller': podGarbageCollector,
  'replicaset-controller': replicaSets,
  'replicationcontroller-controller': replicationControllers,
  'resourceclaim-controller': resourceClaims,
  'resourcequota-controller': resourceQuotas,
  'statefulset-controller': statefulSetController,
  'taint-eviction-controller': taintEviction,
  'ttl-after-finished-controller': ttlAfterFinished,
  'ttl-controller': ttl,
  'volumeattributesclass-protection-controller': volumeAttributesClassProtection,
};
