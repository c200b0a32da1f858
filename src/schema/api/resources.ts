// Generated from the catalog by `npm run generate:types`. Do not edit.
import type { ApiResource } from '../api-resource.ts';
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

export const admissionregistrationv1MutatingWebhookConfigurations: ApiResource<admissionregistrationv1.MutatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  resource: 'mutatingwebhookconfigurations',
  namespaced: false,
};
export const admissionregistrationv1ValidatingAdmissionPolicies: ApiResource<admissionregistrationv1.ValidatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicy',
  resource: 'validatingadmissionpolicies',
  namespaced: false,
};
export const admissionregistrationv1ValidatingAdmissionPolicyBindings: ApiResource<admissionregistrationv1.ValidatingAdmissionPolicyBinding> =
  {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    resource: 'validatingadmissionpolicybindings',
    namespaced: false,
  };
export const admissionregistrationv1ValidatingWebhookConfigurations: ApiResource<admissionregistrationv1.ValidatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  resource: 'validatingwebhookconfigurations',
  namespaced: false,
};
export const admissionregistrationv1alpha1MutatingAdmissionPolicies: ApiResource<admissionregistrationv1alpha1.MutatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1alpha1',
  kind: 'MutatingAdmissionPolicy',
  resource: 'mutatingadmissionpolicies',
  namespaced: false,
};
export const admissionregistrationv1alpha1MutatingAdmissionPolicyBindings: ApiResource<admissionregistrationv1alpha1.MutatingAdmissionPolicyBinding> =
  {
    group: 'admissionregistration.k8s.io',
    version: 'v1alpha1',
    kind: 'MutatingAdmissionPolicyBinding',
    resource: 'mutatingadmissionpolicybindings',
    namespaced: false,
  };
export const admissionregistrationv1beta1MutatingAdmissionPolicies: ApiResource<admissionregistrationv1beta1.MutatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1beta1',
  kind: 'MutatingAdmissionPolicy',
  resource: 'mutatingadmissionpolicies',
  namespaced: false,
};
export const admissionregistrationv1beta1MutatingAdmissionPolicyBindings: ApiResource<admissionregistrationv1beta1.MutatingAdmissionPolicyBinding> =
  {
    group: 'admissionregistration.k8s.io',
    version: 'v1beta1',
    kind: 'MutatingAdmissionPolicyBinding',
    resource: 'mutatingadmissionpolicybindings',
    namespaced: false,
  };
export const apiextensionsv1CustomResourceDefinitions: ApiResource<apiextensionsv1.CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
  namespaced: false,
};
export const apiregistrationv1APIServices: ApiResource<apiregistrationv1.APIService> = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  resource: 'apiservices',
  namespaced: false,
};
export const apiserverinternalv1alpha1StorageVersions: ApiResource<apiserverinternalv1alpha1.StorageVersion> = {
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  kind: 'StorageVersion',
  resource: 'storageversions',
  namespaced: false,
};
export const appsv1ControllerRevisions: ApiResource<appsv1.ControllerRevision> = {
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  resource: 'controllerrevisions',
  namespaced: true,
};
export const appsv1DaemonSets: ApiResource<appsv1.DaemonSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  resource: 'daemonsets',
  namespaced: true,
};
export const appsv1Deployments: ApiResource<appsv1.Deployment> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  resource: 'deployments',
  namespaced: true,
};
export const appsv1ReplicaSets: ApiResource<appsv1.ReplicaSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  resource: 'replicasets',
  namespaced: true,
};
export const appsv1StatefulSets: ApiResource<appsv1.StatefulSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  resource: 'statefulsets',
  namespaced: true,
};
export const authenticationv1SelfSubjectReviews: ApiResource<authenticationv1.SelfSubjectReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  resource: 'selfsubjectreviews',
  namespaced: false,
};
export const authenticationv1TokenReviews: ApiResource<authenticationv1.TokenReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  resource: 'tokenreviews',
  namespaced: false,
};
export const authorizationv1LocalSubjectAccessReviews: ApiResource<authorizationv1.LocalSubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'LocalSubjectAccessReview',
  resource: 'localsubjectaccessreviews',
  namespaced: true,
};
export const authorizationv1SelfSubjectAccessReviews: ApiResource<authorizationv1.SelfSubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  resource: 'selfsubjectaccessreviews',
  namespaced: false,
};
export const authorizationv1SelfSubjectRulesReviews: ApiResource<authorizationv1.SelfSubjectRulesReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectRulesReview',
  resource: 'selfsubjectrulesreviews',
  namespaced: false,
};
export const authorizationv1SubjectAccessReviews: ApiResource<authorizationv1.SubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  resource: 'subjectaccessreviews',
  namespaced: false,
};
export const autoscalingv1HorizontalPodAutoscalers: ApiResource<autoscalingv1.HorizontalPodAutoscaler> = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'HorizontalPodAutoscaler',
  resource: 'horizontalpodautoscalers',
  namespaced: true,
};
export const autoscalingv2HorizontalPodAutoscalers: ApiResource<autoscalingv2.HorizontalPodAutoscaler> = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  resource: 'horizontalpodautoscalers',
  namespaced: true,
};
export const batchv1CronJobs: ApiResource<batchv1.CronJob> = {
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  resource: 'cronjobs',
  namespaced: true,
};
export const batchv1Jobs: ApiResource<batchv1.Job> = { group: 'batch', version: 'v1', kind: 'Job', resource: 'jobs', namespaced: true };
export const certificatesv1CertificateSigningRequests: ApiResource<certificatesv1.CertificateSigningRequest> = {
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  resource: 'certificatesigningrequests',
  namespaced: false,
};
export const certificatesv1alpha1ClusterTrustBundles: ApiResource<certificatesv1alpha1.ClusterTrustBundle> = {
  group: 'certificates.k8s.io',
  version: 'v1alpha1',
  kind: 'ClusterTrustBundle',
  resource: 'clustertrustbundles',
  namespaced: false,
};
export const certificatesv1alpha1PodCertificateRequests: ApiResource<certificatesv1alpha1.PodCertificateRequest> = {
  group: 'certificates.k8s.io',
  version: 'v1alpha1',
  kind: 'PodCertificateRequest',
  resource: 'podcertificaterequests',
  namespaced: true,
};
export const certificatesv1beta1ClusterTrustBundles: ApiResource<certificatesv1beta1.ClusterTrustBundle> = {
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  kind: 'ClusterTrustBundle',
  resource: 'clustertrustbundles',
  namespaced: false,
};
export const coordinationv1Leases: ApiResource<coordinationv1.Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  resource: 'leases',
  namespaced: true,
};
export const coordinationv1alpha2LeaseCandidates: ApiResource<coordinationv1alpha2.LeaseCandidate> = {
  group: 'coordination.k8s.io',
  version: 'v1alpha2',
  kind: 'LeaseCandidate',
  resource: 'leasecandidates',
  namespaced: true,
};
export const coordinationv1beta1LeaseCandidates: ApiResource<coordinationv1beta1.LeaseCandidate> = {
  group: 'coordination.k8s.io',
  version: 'v1beta1',
  kind: 'LeaseCandidate',
  resource: 'leasecandidates',
  namespaced: true,
};
export const corev1Bindings: ApiResource<corev1.Binding> = {
  group: '',
  version: 'v1',
  kind: 'Binding',
  resource: 'bindings',
  namespaced: true,
};
export const corev1ComponentStatuses: ApiResource<corev1.ComponentStatus> = {
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  resource: 'componentstatuses',
  namespaced: false,
};
export const corev1ConfigMaps: ApiResource<corev1.ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespaced: true,
};
export const corev1Endpoints: ApiResource<corev1.Endpoints> = {
  group: '',
  version: 'v1',
  kind: 'Endpoints',
  resource: 'endpoints',
  namespaced: true,
};
export const corev1Events: ApiResource<corev1.Event> = { group: '', version: 'v1', kind: 'Event', resource: 'events', namespaced: true };
export const corev1LimitRanges: ApiResource<corev1.LimitRange> = {
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  resource: 'limitranges',
  namespaced: true,
};
export const corev1Namespaces: ApiResource<corev1.Namespace> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  resource: 'namespaces',
  namespaced: false,
};
export const corev1Nodes: ApiResource<corev1.Node> = { group: '', version: 'v1', kind: 'Node', resource: 'nodes', namespaced: false };
export const corev1PersistentVolumeClaims: ApiResource<corev1.PersistentVolumeClaim> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  resource: 'persistentvolumeclaims',
  namespaced: true,
};
export const corev1PersistentVolumes: ApiResource<corev1.PersistentVolume> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  resource: 'persistentvolumes',
  namespaced: false,
};
export const corev1PodTemplates: ApiResource<corev1.PodTemplate> = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  resource: 'podtemplates',
  namespaced: true,
};
export const corev1Pods: ApiResource<corev1.Pod> = { group: '', version: 'v1', kind: 'Pod', resource: 'pods', namespaced: true };
export const corev1ReplicationControllers: ApiResource<corev1.ReplicationController> = {
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  resource: 'replicationcontrollers',
  namespaced: true,
};
export const corev1ResourceQuotas: ApiResource<corev1.ResourceQuota> = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  resource: 'resourcequotas',
  namespaced: true,
};
export const corev1Secrets: ApiResource<corev1.Secret> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  resource: 'secrets',
  namespaced: true,
};
export const corev1ServiceAccounts: ApiResource<corev1.ServiceAccount> = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  resource: 'serviceaccounts',
  namespaced: true,
};
export const corev1Services: ApiResource<corev1.Service> = {
  group: '',
  version: 'v1',
  kind: 'Service',
  resource: 'services',
  namespaced: true,
};
export const discoveryv1EndpointSlices: ApiResource<discoveryv1.EndpointSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  resource: 'endpointslices',
  namespaced: true,
};
export const eventsv1Events: ApiResource<eventsv1.Event> = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  resource: 'events',
  namespaced: true,
};
export const flowcontrolv1FlowSchemas: ApiResource<flowcontrolv1.FlowSchema> = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'FlowSchema',
  resource: 'flowschemas',
  namespaced: false,
};
export const flowcontrolv1PriorityLevelConfigurations: ApiResource<flowcontrolv1.PriorityLevelConfiguration> = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'PriorityLevelConfiguration',
  resource: 'prioritylevelconfigurations',
  namespaced: false,
};
export const networkingv1IPAddresses: ApiResource<networkingv1.IPAddress> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IPAddress',
  resource: 'ipaddresses',
  namespaced: false,
};
export const networkingv1IngressClasses: ApiResource<networkingv1.IngressClass> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  resource: 'ingressclasses',
  namespaced: false,
};
export const networkingv1Ingresses: ApiResource<networkingv1.Ingress> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  resource: 'ingresses',
  namespaced: true,
};
export const networkingv1NetworkPolicies: ApiResource<networkingv1.NetworkPolicy> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  resource: 'networkpolicies',
  namespaced: true,
};
export const networkingv1ServiceCIDRs: ApiResource<networkingv1.ServiceCIDR> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'ServiceCIDR',
  resource: 'servicecidrs',
  namespaced: false,
};
export const networkingv1beta1IPAddresses: ApiResource<networkingv1beta1.IPAddress> = {
  group: 'networking.k8s.io',
  version: 'v1beta1',
  kind: 'IPAddress',
  resource: 'ipaddresses',
  namespaced: false,
};
export const networkingv1beta1ServiceCIDRs: ApiResource<networkingv1beta1.ServiceCIDR> = {
  group: 'networking.k8s.io',
  version: 'v1beta1',
  kind: 'ServiceCIDR',
  resource: 'servicecidrs',
  namespaced: false,
};
export const nodev1RuntimeClasses: ApiResource<nodev1.RuntimeClass> = {
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  resource: 'runtimeclasses',
  namespaced: false,
};
export const policyv1PodDisruptionBudgets: ApiResource<policyv1.PodDisruptionBudget> = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  resource: 'poddisruptionbudgets',
  namespaced: true,
};
export const rbacv1ClusterRoleBindings: ApiResource<rbacv1.ClusterRoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  resource: 'clusterrolebindings',
  namespaced: false,
};
export const rbacv1ClusterRoles: ApiResource<rbacv1.ClusterRole> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  resource: 'clusterroles',
  namespaced: false,
};
export const rbacv1RoleBindings: ApiResource<rbacv1.RoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  resource: 'rolebindings',
  namespaced: true,
};
export const rbacv1Roles: ApiResource<rbacv1.Role> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  resource: 'roles',
  namespaced: true,
};
export const resourcev1DeviceClasses: ApiResource<resourcev1.DeviceClass> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'DeviceClass',
  resource: 'deviceclasses',
  namespaced: false,
};
export const resourcev1ResourceClaimTemplates: ApiResource<resourcev1.ResourceClaimTemplate> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaimTemplate',
  resource: 'resourceclaimtemplates',
  namespaced: true,
};
export const resourcev1ResourceClaims: ApiResource<resourcev1.ResourceClaim> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaim',
  resource: 'resourceclaims',
  namespaced: true,
};
export const resourcev1ResourceSlices: ApiResource<resourcev1.ResourceSlice> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceSlice',
  resource: 'resourceslices',
  namespaced: false,
};
export const resourcev1alpha3DeviceTaintRules: ApiResource<resourcev1alpha3.DeviceTaintRule> = {
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  kind: 'DeviceTaintRule',
  resource: 'devicetaintrules',
  namespaced: false,
};
export const resourcev1beta1DeviceClasses: ApiResource<resourcev1beta1.DeviceClass> = {
  group: 'resource.k8s.io',
  version: 'v1beta1',
  kind: 'DeviceClass',
  resource: 'deviceclasses',
  namespaced: false,
};
export const resourcev1beta1ResourceClaimTemplates: ApiResource<resourcev1beta1.ResourceClaimTemplate> = {
  group: 'resource.k8s.io',
  version: 'v1beta1',
  kind: 'ResourceClaimTemplate',
  resource: 'resourceclaimtemplates',
  namespaced: true,
};
export const resourcev1beta1ResourceClaims: ApiResource<resourcev1beta1.ResourceClaim> = {
  group: 'resource.k8s.io',
  version: 'v1beta1',
  kind: 'ResourceClaim',
  resource: 'resourceclaims',
  namespaced: true,
};
export const resourcev1beta1ResourceSlices: ApiResource<resourcev1beta1.ResourceSlice> = {
  group: 'resource.k8s.io',
  version: 'v1beta1',
  kind: 'ResourceSlice',
  resource: 'resourceslices',
  namespaced: false,
};
export const resourcev1beta2DeviceClasses: ApiResource<resourcev1beta2.DeviceClass> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'DeviceClass',
  resource: 'deviceclasses',
  namespaced: false,
};
export const resourcev1beta2ResourceClaimTemplates: ApiResource<resourcev1beta2.ResourceClaimTemplate> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceClaimTemplate',
  resource: 'resourceclaimtemplates',
  namespaced: true,
};
export const resourcev1beta2ResourceClaims: ApiResource<resourcev1beta2.ResourceClaim> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceClaim',
  resource: 'resourceclaims',
  namespaced: true,
};
export const resourcev1beta2ResourceSlices: ApiResource<resourcev1beta2.ResourceSlice> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceSlice',
  resource: 'resourceslices',
  namespaced: false,
};
export const schedulingv1PriorityClasses: ApiResource<schedulingv1.PriorityClass> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  resource: 'priorityclasses',
  namespaced: false,
};
export const storagemigrationv1alpha1StorageVersionMigrations: ApiResource<storagemigrationv1alpha1.StorageVersionMigration> = {
  group: 'storagemigration.k8s.io',
  version: 'v1alpha1',
  kind: 'StorageVersionMigration',
  resource: 'storageversionmigrations',
  namespaced: false,
};
export const storagev1CSIDrivers: ApiResource<storagev1.CSIDriver> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  resource: 'csidrivers',
  namespaced: false,
};
export const storagev1CSINodes: ApiResource<storagev1.CSINode> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  resource: 'csinodes',
  namespaced: false,
};
export const storagev1CSIStorageCapacities: ApiResource<storagev1.CSIStorageCapacity> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  resource: 'csistoragecapacities',
  namespaced: true,
};
export const storagev1StorageClasses: ApiResource<storagev1.StorageClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  resource: 'storageclasses',
  namespaced: false,
};
export const storagev1VolumeAttachments: ApiResource<storagev1.VolumeAttachment> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  resource: 'volumeattachments',
  namespaced: false,
};
export const storagev1VolumeAttributesClasses: ApiResource<storagev1.VolumeAttributesClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttributesClass',
  resource: 'volumeattributesclasses',
  namespaced: false,
};
export const storagev1alpha1VolumeAttributesClasses: ApiResource<storagev1alpha1.VolumeAttributesClass> = {
  group: 'storage.k8s.io',
  version: 'v1alpha1',
  kind: 'VolumeAttributesClass',
  resource: 'volumeattributesclasses',
  namespaced: false,
};
export const storagev1beta1VolumeAttributesClasses: ApiResource<storagev1beta1.VolumeAttributesClass> = {
  group: 'storage.k8s.io',
  version: 'v1beta1',
  kind: 'VolumeAttributesClass',
  resource: 'volumeattributesclasses',
  namespaced: false,
};
