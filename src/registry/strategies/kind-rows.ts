import { isSystemPriorityClass, kindTypeOf, type StructSchema } from '../../schema/index.ts';
import { withoutRoundTripAnnotations } from '../conversion/autoscaler.ts';
import { daemonSet } from './apps/daemon-set.ts';
import { job } from './batch/job.ts';
import { limitRange } from './core/limit-range.ts';
import { namespace } from './core/namespace.ts';
import { node } from './core/node.ts';
import { persistentVolume, persistentVolumeClaim } from './core/persistent-volume.ts';
import { pod } from './core/pod.ts';
import { secret, serviceAccount } from './core/secret.ts';
import { service } from './core/service.ts';
import { gatedClaimFields, gatedPodStatusFields, gatedSliceFields, gatedTemplateFields } from './gated-fields.ts';
import type { KindRow } from './kind-row.ts';
import { apiService } from './others/api-service.ts';
import { certificateSigningRequest } from './others/certificate-signing-request.ts';
import { customResourceDefinition } from './others/custom-resource-definition.ts';
import { checkSelectors } from './others/device-selectors.ts';
import { endpointSlice } from './others/endpoint-slice.ts';
import { policyErrors, webhookErrors } from './others/policy-expressions.ts';
import { withoutDeallocated } from './others/resource-claim.ts';
import {
  balancerWarnings,
  endpointSliceWarnings,
  endpointsWarnings,
  networkPolicyWarnings,
  nodeWarnings,
  serviceWarnings,
} from './warnings/addresses.ts';
import { runtimeClassWarnings, storageCapacityWarnings, storageClassWarnings } from './warnings/node-labels.ts';
import { ingressWarnings, persistentVolumeClaimWarnings, persistentVolumeWarnings } from './warnings/others.ts';
import { podStatusWarnings } from './warnings/pods.ts';
import {
  cronJobWarnings,
  daemonSetWarnings,
  jobWarnings,
  newPodWarnings,
  podTemplateWarnings,
  replicationControllerWarnings,
  statefulSetWarnings,
  workloadWarnings,
} from './warnings/workloads.ts';

const defaultRow: KindRow = {};
const webhooks: KindRow = {
  generation: ['webhooks'],
  generationCountsEmptyLists: true,
  conditionalUpdate: true,
  validateLast: webhookErrors,
};
const specGeneration: KindRow = { generation: ['spec'] };
/** Members of metadata that a status update does not change (upstream ResetObjectMetaForStatus). */
const statusMetadata = ['deletionTimestamp', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const;
/** A status update neither changes nor owns metadata. */
const statusOnly: KindRow = { statusUpdateRetains: statusMetadata, statusResets: [['metadata']] };
/** A status update changes no metadata at all. */
const flowControl: KindRow = {
  ...specGeneration,
  ...statusOnly,
  statusUpdateRetains: [...statusMetadata, 'generateName', 'creationTimestamp', 'deletionGracePeriodSeconds'],
};
const template = ['spec', 'template', 'spec'];
const createdByUpdate: KindRow = { createOnUpdate: true };
const terminatingReplicas = [{ gate: 'DeploymentReplicaSetTerminatingReplicas', paths: ['status.terminatingReplicas'] }];
const attachmentErrorCodes = [
  { gate: 'MutableCSINodeAllocatableCount', paths: ['status.attachError.errorCode', 'status.detachError.errorCode'] },
];
const conditional: KindRow = { conditionalUpdate: true };

/** Rows by type name without version. Cf. upstream pkg/registry, one strategy.go per kind. */
const rows: Readonly<Record<string, KindRow>> = {
  'core.Namespace': namespace,
  'core.Pod': {
    ...pod,
    podSpecPath: ['spec'],
    warnings: newPodWarnings,
    statusWarnings: podStatusWarnings,
    gatedFields: gatedPodStatusFields,
  },
  'core.PodTemplate': { generation: ['template'], podSpecPath: ['template', 'spec'], warnings: podTemplateWarnings },
  'core.ReplicationController': {
    ...specGeneration,
    orphansByDefault: true,
    podSpecPath: template,
    warnings: replicationControllerWarnings,
  },
  'core.Service': { ...service, warnings: serviceWarnings, statusWarnings: balancerWarnings },
  'core.Endpoints': { createOnUpdate: true, warnings: endpointsWarnings },
  'core.Event': { ...createdByUpdate, garbageCollected: false },
  'core.LimitRange': limitRange,
  'core.Node': { ...node, warnings: nodeWarnings },
  'core.PersistentVolume': { ...persistentVolume, warnings: persistentVolumeWarnings },
  'core.PersistentVolumeClaim': { ...persistentVolumeClaim, warnings: persistentVolumeClaimWarnings },
  'core.Secret': secret,
  'core.ServiceAccount': serviceAccount,
  'events.Event': { ...createdByUpdate, garbageCollected: false },

  'apps.DaemonSet': { ...daemonSet, podSpecPath: template, warnings: daemonSetWarnings },
  'apps.Deployment': {
    generation: ['spec', 'annotations'],
    statusUpdateRetains: ['labels'],
    statusResets: [['metadata', 'labels']],
    podSpecPath: template,
    warnings: workloadWarnings,
    gatedFields: terminatingReplicas,
  },
  'apps.ReplicaSet': { ...specGeneration, podSpecPath: template, warnings: workloadWarnings, gatedFields: terminatingReplicas },
  'apps.StatefulSet': {
    ...specGeneration,
    podSpecPath: template,
    warnings: statefulSetWarnings,
    gatedFields: [{ gate: 'MaxUnavailableStatefulSet', paths: ['spec.updateStrategy.rollingUpdate.maxUnavailable'] }],
  },

  'batch.CronJob': { ...specGeneration, podSpecPath: ['spec', 'jobTemplate', ...template], warnings: cronJobWarnings },
  'batch.Job': { ...job, podSpecPath: template, warnings: jobWarnings },

  'autoscaling.HorizontalPodAutoscaler': {
    normalize: withoutRoundTripAnnotations,
    gatedFields: [{ gate: 'HPAConfigurableTolerance', paths: ['spec.behavior.scaleUp.tolerance', 'spec.behavior.scaleDown.tolerance'] }],
  },
  'policy.PodDisruptionBudget': { ...specGeneration, conditionalUpdate: true },

  'networking.Ingress': { ...specGeneration, warnings: ingressWarnings, statusWarnings: balancerWarnings },
  'networking.IngressClass': specGeneration,
  // Upstream names the group of its reset fields wrongly, so nothing is reset.
  'networking.ServiceCIDR': { statusUpdateRetains: statusMetadata, resets: { '': [], status: [] } },
  'networking.NetworkPolicy': { ...specGeneration, generationCountsEmptyLists: true, warnings: networkPolicyWarnings },
  'discovery.EndpointSlice': { ...endpointSlice, warnings: endpointSliceWarnings },
  'coordination.Lease': {
    createOnUpdate: true,
    conditionalUpdate: true,
    gatedFields: [{ gate: 'CoordinatedLeaderElection', paths: ['spec.strategy', 'spec.preferredHolder'] }],
  },
  'coordination.LeaseCandidate': conditional,

  'rbac.Role': createdByUpdate,
  'rbac.ClusterRole': createdByUpdate,
  'rbac.RoleBinding': createdByUpdate,
  'rbac.ClusterRoleBinding': createdByUpdate,

  'storage.CSIDriver': {
    ...specGeneration,
    startsWithoutGeneration: true,
    conditionalUpdate: true,
    gatedFields: [{ gate: 'MutableCSINodeAllocatableCount', paths: ['spec.nodeAllocatableUpdatePeriodSeconds'] }],
  },
  'storage.CSINode': conditional,
  'storage.CSIStorageCapacity': { ...conditional, warnings: storageCapacityWarnings },
  'storage.StorageClass': { warnings: storageClassWarnings },
  'storage.VolumeAttachment': { conditionalUpdate: true, ...statusOnly, gatedFields: attachmentErrorCodes },
  'node.RuntimeClass': { ...conditional, warnings: runtimeClassWarnings },
  'scheduling.PriorityClass': {
    // The generation is set, and no mutable member increments it.
    generation: [],
    refusesDeletion: (name) => (isSystemPriorityClass(name) ? 'this is a system priority class and cannot be deleted' : undefined),
  },

  'admissionregistration.MutatingWebhookConfiguration': webhooks,
  'admissionregistration.ValidatingWebhookConfiguration': webhooks,
  'admissionregistration.ValidatingAdmissionPolicy': {
    ...specGeneration,
    ...statusOnly,
    conditionalUpdate: true,
    validateLast: policyErrors,
  },
  'admissionregistration.ValidatingAdmissionPolicyBinding': { ...specGeneration, conditionalUpdate: true },
  'admissionregistration.MutatingAdmissionPolicy': { ...specGeneration, conditionalUpdate: true, validateLast: policyErrors },
  'admissionregistration.MutatingAdmissionPolicyBinding': { ...specGeneration, conditionalUpdate: true },

  'apiextensions.CustomResourceDefinition': customResourceDefinition,
  'apiregistration.APIService': apiService,
  'certificates.CertificateSigningRequest': certificateSigningRequest,
  'certificates.ClusterTrustBundle': conditional,
  'certificates.PodCertificateRequest': statusOnly,
  'apiserverinternal.StorageVersion': { statusUpdateRetains: statusMetadata, conditionalUpdate: true },
  'storagemigration.StorageVersionMigration': { ...statusOnly, conditionalUpdate: true },

  'flowcontrol.FlowSchema': flowControl,
  'flowcontrol.PriorityLevelConfiguration': flowControl,
  'resource.DeviceClass': {
    ...specGeneration,
    prepareValidation: checkSelectors,
    gatedFields: [{ gate: 'DRAExtendedResource', paths: ['spec.extendedResourceName'] }],
  },
  'resource.DeviceTaintRule': specGeneration,
  'resource.ResourceClaim': {
    prepareValidation: checkSelectors,
    gatedFields: gatedClaimFields,
    updateStatus: withoutDeallocated,
    statusUpdateRetains: statusMetadata,
  },
  'resource.ResourceClaimTemplate': { prepareValidation: checkSelectors, gatedFields: gatedTemplateFields },
  'resource.ResourceSlice': { ...specGeneration, gatedFields: gatedSliceFields, countsGatedFields: true },
};

export function rowOf(schema: StructSchema): KindRow {
  return rows[kindTypeOf(schema)] ?? defaultRow;
}
