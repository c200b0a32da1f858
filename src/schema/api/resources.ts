// Generated from the catalog by `npm run generate:types`. Do not edit.
import { type ApiResource, clusterResource, namespacedResource } from '../api-resource.ts';
import type * as admissionregistrationv1 from './admissionregistration/v1.ts';
import type * as admissionregistrationv1alpha1 from './admissionregistration/v1alpha1.ts';
import type * as admissionregistrationv1beta1 from './admissionregistration/v1beta1.ts';
import type * as apiextensionsv1 from './apiextensions/v1.ts';
import type * as apiregistrationv1 from './apiregistration/v1.ts';
import type * as apiserverinternalv1alpha1 from './apiserverinternal/v1alpha1.ts';
import type * as appsv1 from './apps/v1.ts';
import type * as authenticationv1 from './authentication/v1.ts';
import type * as authorizationv1 from './authorization/v1.ts';
import type * as autoscalingv1 from './autoscaling/v1.ts';
import type * as autoscalingv2 from './autoscaling/v2.ts';
import type * as batchv1 from './batch/v1.ts';
import type * as certificatesv1 from './certificates/v1.ts';
import type * as certificatesv1alpha1 from './certificates/v1alpha1.ts';
import type * as certificatesv1beta1 from './certificates/v1beta1.ts';
import type * as coordinationv1 from './coordination/v1.ts';
import type * as coordinationv1alpha2 from './coordination/v1alpha2.ts';
import type * as coordinationv1beta1 from './coordination/v1beta1.ts';
import type * as corev1 from './core/v1.ts';
import type * as discoveryv1 from './discovery/v1.ts';
import type * as eventsv1 from './events/v1.ts';
import type * as flowcontrolv1 from './flowcontrol/v1.ts';
import type * as metricsv1beta1 from './metrics/v1beta1.ts';
import type * as networkingv1 from './networking/v1.ts';
import type * as networkingv1beta1 from './networking/v1beta1.ts';
import type * as nodev1 from './node/v1.ts';
import type * as policyv1 from './policy/v1.ts';
import type * as rbacv1 from './rbac/v1.ts';
import type * as resourcev1 from './resource/v1.ts';
import type * as resourcev1alpha3 from './resource/v1alpha3.ts';
import type * as resourcev1beta1 from './resource/v1beta1.ts';
import type * as resourcev1beta2 from './resource/v1beta2.ts';
import type * as schedulingv1 from './scheduling/v1.ts';
import type * as storagev1 from './storage/v1.ts';
import type * as storagev1alpha1 from './storage/v1alpha1.ts';
import type * as storagev1beta1 from './storage/v1beta1.ts';
import type * as storagemigrationv1alpha1 from './storagemigration/v1alpha1.ts';

export const admissionregistrationv1MutatingWebhookConfigurations: ApiResource<admissionregistrationv1.MutatingWebhookConfiguration> =
  /* @__PURE__ */ clusterResource('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration');
export const admissionregistrationv1ValidatingAdmissionPolicies: ApiResource<admissionregistrationv1.ValidatingAdmissionPolicy> =
  /* @__PURE__ */ clusterResource('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies');
export const admissionregistrationv1ValidatingAdmissionPolicyBindings: ApiResource<admissionregistrationv1.ValidatingAdmissionPolicyBinding> =
  /* @__PURE__ */ clusterResource('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding');
export const admissionregistrationv1ValidatingWebhookConfigurations: ApiResource<admissionregistrationv1.ValidatingWebhookConfiguration> =
  /* @__PURE__ */ clusterResource('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration');
export const admissionregistrationv1alpha1MutatingAdmissionPolicies: ApiResource<admissionregistrationv1alpha1.MutatingAdmissionPolicy> =
  /* @__PURE__ */ clusterResource('admissionregistration.k8s.io/v1alpha1', 'MutatingAdmissionPolicy', 'mutatingadmissionpolicies');
export const admissionregistrationv1alpha1MutatingAdmissionPolicyBindings: ApiResource<admissionregistrationv1alpha1.MutatingAdmissionPolicyBinding> =
  /* @__PURE__ */ clusterResource('admissionregistration.k8s.io/v1alpha1', 'MutatingAdmissionPolicyBinding');
export const admissionregistrationv1beta1MutatingAdmissionPolicies: ApiResource<admissionregistrationv1beta1.MutatingAdmissionPolicy> =
  /* @__PURE__ */ clusterResource('admissionregistration.k8s.io/v1beta1', 'MutatingAdmissionPolicy', 'mutatingadmissionpolicies');
export const admissionregistrationv1beta1MutatingAdmissionPolicyBindings: ApiResource<admissionregistrationv1beta1.MutatingAdmissionPolicyBinding> =
  /* @__PURE__ */ clusterResource('admissionregistration.k8s.io/v1beta1', 'MutatingAdmissionPolicyBinding');
export const apiextensionsv1CustomResourceDefinitions: ApiResource<apiextensionsv1.CustomResourceDefinition> =
  /* @__PURE__ */ clusterResource('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
export const apiregistrationv1APIServices: ApiResource<apiregistrationv1.APIService> = /* @__PURE__ */ clusterResource(
  'apiregistration.k8s.io/v1',
  'APIService',
);
export const apiserverinternalv1alpha1StorageVersions: ApiResource<apiserverinternalv1alpha1.StorageVersion> =
  /* @__PURE__ */ clusterResource('internal.apiserver.k8s.io/v1alpha1', 'StorageVersion');
export const appsv1ControllerRevisions: ApiResource<appsv1.ControllerRevision> = /* @__PURE__ */ namespacedResource(
  'apps/v1',
  'ControllerRevision',
);
export const appsv1DaemonSets: ApiResource<appsv1.DaemonSet> = /* @__PURE__ */ namespacedResource('apps/v1', 'DaemonSet');
export const appsv1Deployments: ApiResource<appsv1.Deployment> = /* @__PURE__ */ namespacedResource('apps/v1', 'Deployment');
export const appsv1ReplicaSets: ApiResource<appsv1.ReplicaSet> = /* @__PURE__ */ namespacedResource('apps/v1', 'ReplicaSet');
export const appsv1StatefulSets: ApiResource<appsv1.StatefulSet> = /* @__PURE__ */ namespacedResource('apps/v1', 'StatefulSet');
export const authenticationv1SelfSubjectReviews: ApiResource<authenticationv1.SelfSubjectReview> = /* @__PURE__ */ clusterResource(
  'authentication.k8s.io/v1',
  'SelfSubjectReview',
);
export const authenticationv1TokenReviews: ApiResource<authenticationv1.TokenReview> = /* @__PURE__ */ clusterResource(
  'authentication.k8s.io/v1',
  'TokenReview',
);
export const authorizationv1LocalSubjectAccessReviews: ApiResource<authorizationv1.LocalSubjectAccessReview> =
  /* @__PURE__ */ namespacedResource('authorization.k8s.io/v1', 'LocalSubjectAccessReview');
export const authorizationv1SelfSubjectAccessReviews: ApiResource<authorizationv1.SelfSubjectAccessReview> =
  /* @__PURE__ */ clusterResource('authorization.k8s.io/v1', 'SelfSubjectAccessReview');
export const authorizationv1SelfSubjectRulesReviews: ApiResource<authorizationv1.SelfSubjectRulesReview> = /* @__PURE__ */ clusterResource(
  'authorization.k8s.io/v1',
  'SelfSubjectRulesReview',
);
export const authorizationv1SubjectAccessReviews: ApiResource<authorizationv1.SubjectAccessReview> = /* @__PURE__ */ clusterResource(
  'authorization.k8s.io/v1',
  'SubjectAccessReview',
);
export const autoscalingv1HorizontalPodAutoscalers: ApiResource<autoscalingv1.HorizontalPodAutoscaler> = /* @__PURE__ */ namespacedResource(
  'autoscaling/v1',
  'HorizontalPodAutoscaler',
);
export const autoscalingv2HorizontalPodAutoscalers: ApiResource<autoscalingv2.HorizontalPodAutoscaler> = /* @__PURE__ */ namespacedResource(
  'autoscaling/v2',
  'HorizontalPodAutoscaler',
);
export const batchv1CronJobs: ApiResource<batchv1.CronJob> = /* @__PURE__ */ namespacedResource('batch/v1', 'CronJob');
export const batchv1Jobs: ApiResource<batchv1.Job> = /* @__PURE__ */ namespacedResource('batch/v1', 'Job');
export const certificatesv1CertificateSigningRequests: ApiResource<certificatesv1.CertificateSigningRequest> =
  /* @__PURE__ */ clusterResource('certificates.k8s.io/v1', 'CertificateSigningRequest');
export const certificatesv1alpha1ClusterTrustBundles: ApiResource<certificatesv1alpha1.ClusterTrustBundle> =
  /* @__PURE__ */ clusterResource('certificates.k8s.io/v1alpha1', 'ClusterTrustBundle');
export const certificatesv1alpha1PodCertificateRequests: ApiResource<certificatesv1alpha1.PodCertificateRequest> =
  /* @__PURE__ */ namespacedResource('certificates.k8s.io/v1alpha1', 'PodCertificateRequest');
export const certificatesv1beta1ClusterTrustBundles: ApiResource<certificatesv1beta1.ClusterTrustBundle> = /* @__PURE__ */ clusterResource(
  'certificates.k8s.io/v1beta1',
  'ClusterTrustBundle',
);
export const coordinationv1Leases: ApiResource<coordinationv1.Lease> = /* @__PURE__ */ namespacedResource(
  'coordination.k8s.io/v1',
  'Lease',
);
export const coordinationv1alpha2LeaseCandidates: ApiResource<coordinationv1alpha2.LeaseCandidate> = /* @__PURE__ */ namespacedResource(
  'coordination.k8s.io/v1alpha2',
  'LeaseCandidate',
);
export const coordinationv1beta1LeaseCandidates: ApiResource<coordinationv1beta1.LeaseCandidate> = /* @__PURE__ */ namespacedResource(
  'coordination.k8s.io/v1beta1',
  'LeaseCandidate',
);
export const corev1Bindings: ApiResource<corev1.Binding> = /* @__PURE__ */ namespacedResource('v1', 'Binding');
export const corev1ComponentStatuses: ApiResource<corev1.ComponentStatus> = /* @__PURE__ */ clusterResource(
  'v1',
  'ComponentStatus',
  'componentstatuses',
);
export const corev1ConfigMaps: ApiResource<corev1.ConfigMap> = /* @__PURE__ */ namespacedResource('v1', 'ConfigMap');
export const corev1Endpoints: ApiResource<corev1.Endpoints> = /* @__PURE__ */ namespacedResource('v1', 'Endpoints', 'endpoints');
export const corev1Events: ApiResource<corev1.Event> = /* @__PURE__ */ namespacedResource('v1', 'Event');
export const corev1LimitRanges: ApiResource<corev1.LimitRange> = /* @__PURE__ */ namespacedResource('v1', 'LimitRange');
export const corev1Namespaces: ApiResource<corev1.Namespace> = /* @__PURE__ */ clusterResource('v1', 'Namespace');
export const corev1Nodes: ApiResource<corev1.Node> = /* @__PURE__ */ clusterResource('v1', 'Node');
export const corev1PersistentVolumeClaims: ApiResource<corev1.PersistentVolumeClaim> = /* @__PURE__ */ namespacedResource(
  'v1',
  'PersistentVolumeClaim',
);
export const corev1PersistentVolumes: ApiResource<corev1.PersistentVolume> = /* @__PURE__ */ clusterResource('v1', 'PersistentVolume');
export const corev1PodTemplates: ApiResource<corev1.PodTemplate> = /* @__PURE__ */ namespacedResource('v1', 'PodTemplate');
export const corev1Pods: ApiResource<corev1.Pod> = /* @__PURE__ */ namespacedResource('v1', 'Pod');
export const corev1ReplicationControllers: ApiResource<corev1.ReplicationController> = /* @__PURE__ */ namespacedResource(
  'v1',
  'ReplicationController',
);
export const corev1ResourceQuotas: ApiResource<corev1.ResourceQuota> = /* @__PURE__ */ namespacedResource('v1', 'ResourceQuota');
export const corev1Secrets: ApiResource<corev1.Secret> = /* @__PURE__ */ namespacedResource('v1', 'Secret');
export const corev1ServiceAccounts: ApiResource<corev1.ServiceAccount> = /* @__PURE__ */ namespacedResource('v1', 'ServiceAccount');
export const corev1Services: ApiResource<corev1.Service> = /* @__PURE__ */ namespacedResource('v1', 'Service');
export const discoveryv1EndpointSlices: ApiResource<discoveryv1.EndpointSlice> = /* @__PURE__ */ namespacedResource(
  'discovery.k8s.io/v1',
  'EndpointSlice',
);
export const eventsv1Events: ApiResource<eventsv1.Event> = /* @__PURE__ */ namespacedResource('events.k8s.io/v1', 'Event');
export const flowcontrolv1FlowSchemas: ApiResource<flowcontrolv1.FlowSchema> = /* @__PURE__ */ clusterResource(
  'flowcontrol.apiserver.k8s.io/v1',
  'FlowSchema',
);
export const flowcontrolv1PriorityLevelConfigurations: ApiResource<flowcontrolv1.PriorityLevelConfiguration> =
  /* @__PURE__ */ clusterResource('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration');
export const metricsv1beta1Nodes: ApiResource<metricsv1beta1.NodeMetrics> = /* @__PURE__ */ clusterResource(
  'metrics.k8s.io/v1beta1',
  'NodeMetrics',
  'nodes',
);
export const metricsv1beta1Pods: ApiResource<metricsv1beta1.PodMetrics> = /* @__PURE__ */ namespacedResource(
  'metrics.k8s.io/v1beta1',
  'PodMetrics',
  'pods',
);
export const networkingv1IPAddresses: ApiResource<networkingv1.IPAddress> = /* @__PURE__ */ clusterResource(
  'networking.k8s.io/v1',
  'IPAddress',
  'ipaddresses',
);
export const networkingv1IngressClasses: ApiResource<networkingv1.IngressClass> = /* @__PURE__ */ clusterResource(
  'networking.k8s.io/v1',
  'IngressClass',
  'ingressclasses',
);
export const networkingv1Ingresses: ApiResource<networkingv1.Ingress> = /* @__PURE__ */ namespacedResource(
  'networking.k8s.io/v1',
  'Ingress',
  'ingresses',
);
export const networkingv1NetworkPolicies: ApiResource<networkingv1.NetworkPolicy> = /* @__PURE__ */ namespacedResource(
  'networking.k8s.io/v1',
  'NetworkPolicy',
  'networkpolicies',
);
export const networkingv1ServiceCIDRs: ApiResource<networkingv1.ServiceCIDR> = /* @__PURE__ */ clusterResource(
  'networking.k8s.io/v1',
  'ServiceCIDR',
);
export const networkingv1beta1IPAddresses: ApiResource<networkingv1beta1.IPAddress> = /* @__PURE__ */ clusterResource(
  'networking.k8s.io/v1beta1',
  'IPAddress',
  'ipaddresses',
);
export const networkingv1beta1ServiceCIDRs: ApiResource<networkingv1beta1.ServiceCIDR> = /* @__PURE__ */ clusterResource(
  'networking.k8s.io/v1beta1',
  'ServiceCIDR',
);
export const nodev1RuntimeClasses: ApiResource<nodev1.RuntimeClass> = /* @__PURE__ */ clusterResource(
  'node.k8s.io/v1',
  'RuntimeClass',
  'runtimeclasses',
);
export const policyv1PodDisruptionBudgets: ApiResource<policyv1.PodDisruptionBudget> = /* @__PURE__ */ namespacedResource(
  'policy/v1',
  'PodDisruptionBudget',
);
export const rbacv1ClusterRoleBindings: ApiResource<rbacv1.ClusterRoleBinding> = /* @__PURE__ */ clusterResource(
  'rbac.authorization.k8s.io/v1',
  'ClusterRoleBinding',
);
export const rbacv1ClusterRoles: ApiResource<rbacv1.ClusterRole> = /* @__PURE__ */ clusterResource(
  'rbac.authorization.k8s.io/v1',
  'ClusterRole',
);
export const rbacv1RoleBindings: ApiResource<rbacv1.RoleBinding> = /* @__PURE__ */ namespacedResource(
  'rbac.authorization.k8s.io/v1',
  'RoleBinding',
);
export const rbacv1Roles: ApiResource<rbacv1.Role> = /* @__PURE__ */ namespacedResource('rbac.authorization.k8s.io/v1', 'Role');
export const resourcev1DeviceClasses: ApiResource<resourcev1.DeviceClass> = /* @__PURE__ */ clusterResource(
  'resource.k8s.io/v1',
  'DeviceClass',
  'deviceclasses',
);
export const resourcev1ResourceClaimTemplates: ApiResource<resourcev1.ResourceClaimTemplate> = /* @__PURE__ */ namespacedResource(
  'resource.k8s.io/v1',
  'ResourceClaimTemplate',
);
export const resourcev1ResourceClaims: ApiResource<resourcev1.ResourceClaim> = /* @__PURE__ */ namespacedResource(
  'resource.k8s.io/v1',
  'ResourceClaim',
);
export const resourcev1ResourceSlices: ApiResource<resourcev1.ResourceSlice> = /* @__PURE__ */ clusterResource(
  'resource.k8s.io/v1',
  'ResourceSlice',
);
export const resourcev1alpha3DeviceTaintRules: ApiResource<resourcev1alpha3.DeviceTaintRule> = /* @__PURE__ */ clusterResource(
  'resource.k8s.io/v1alpha3',
  'DeviceTaintRule',
);
export const resourcev1beta1DeviceClasses: ApiResource<resourcev1beta1.DeviceClass> = /* @__PURE__ */ clusterResource(
  'resource.k8s.io/v1beta1',
  'DeviceClass',
  'deviceclasses',
);
export const resourcev1beta1ResourceClaimTemplates: ApiResource<resourcev1beta1.ResourceClaimTemplate> = /* @__PURE__ */ namespacedResource(
  'resource.k8s.io/v1beta1',
  'ResourceClaimTemplate',
);
export const resourcev1beta1ResourceClaims: ApiResource<resourcev1beta1.ResourceClaim> = /* @__PURE__ */ namespacedResource(
  'resource.k8s.io/v1beta1',
  'ResourceClaim',
);
export const resourcev1beta1ResourceSlices: ApiResource<resourcev1beta1.ResourceSlice> = /* @__PURE__ */ clusterResource(
  'resource.k8s.io/v1beta1',
  'ResourceSlice',
);
export const resourcev1beta2DeviceClasses: ApiResource<resourcev1beta2.DeviceClass> = /* @__PURE__ */ clusterResource(
  'resource.k8s.io/v1beta2',
  'DeviceClass',
  'deviceclasses',
);
export const resourcev1beta2ResourceClaimTemplates: ApiResource<resourcev1beta2.ResourceClaimTemplate> = /* @__PURE__ */ namespacedResource(
  'resource.k8s.io/v1beta2',
  'ResourceClaimTemplate',
);
export const resourcev1beta2ResourceClaims: ApiResource<resourcev1beta2.ResourceClaim> = /* @__PURE__ */ namespacedResource(
  'resource.k8s.io/v1beta2',
  'ResourceClaim',
);
export const resourcev1beta2ResourceSlices: ApiResource<resourcev1beta2.ResourceSlice> = /* @__PURE__ */ clusterResource(
  'resource.k8s.io/v1beta2',
  'ResourceSlice',
);
export const schedulingv1PriorityClasses: ApiResource<schedulingv1.PriorityClass> = /* @__PURE__ */ clusterResource(
  'scheduling.k8s.io/v1',
  'PriorityClass',
  'priorityclasses',
);
export const storagemigrationv1alpha1StorageVersionMigrations: ApiResource<storagemigrationv1alpha1.StorageVersionMigration> =
  /* @__PURE__ */ clusterResource('storagemigration.k8s.io/v1alpha1', 'StorageVersionMigration');
export const storagev1CSIDrivers: ApiResource<storagev1.CSIDriver> = /* @__PURE__ */ clusterResource('storage.k8s.io/v1', 'CSIDriver');
export const storagev1CSINodes: ApiResource<storagev1.CSINode> = /* @__PURE__ */ clusterResource('storage.k8s.io/v1', 'CSINode');
export const storagev1CSIStorageCapacities: ApiResource<storagev1.CSIStorageCapacity> = /* @__PURE__ */ namespacedResource(
  'storage.k8s.io/v1',
  'CSIStorageCapacity',
  'csistoragecapacities',
);
export const storagev1StorageClasses: ApiResource<storagev1.StorageClass> = /* @__PURE__ */ clusterResource(
  'storage.k8s.io/v1',
  'StorageClass',
  'storageclasses',
);
export const storagev1VolumeAttachments: ApiResource<storagev1.VolumeAttachment> = /* @__PURE__ */ clusterResource(
  'storage.k8s.io/v1',
  'VolumeAttachment',
);
export const storagev1VolumeAttributesClasses: ApiResource<storagev1.VolumeAttributesClass> = /* @__PURE__ */ clusterResource(
  'storage.k8s.io/v1',
  'VolumeAttributesClass',
  'volumeattributesclasses',
);
export const storagev1alpha1VolumeAttributesClasses: ApiResource<storagev1alpha1.VolumeAttributesClass> = /* @__PURE__ */ clusterResource(
  'storage.k8s.io/v1alpha1',
  'VolumeAttributesClass',
  'volumeattributesclasses',
);
export const storagev1beta1VolumeAttributesClasses: ApiResource<storagev1beta1.VolumeAttributesClass> = /* @__PURE__ */ clusterResource(
  'storage.k8s.io/v1beta1',
  'VolumeAttributesClass',
  'volumeattributesclasses',
);
