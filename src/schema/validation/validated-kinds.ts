import type {
  admissionregistrationv1,
  admissionregistrationv1beta1,
  apiextensionsv1,
  apiregistrationv1,
  apiserverinternalv1alpha1,
  appsv1,
  autoscalingv2,
  batchv1,
  certificatesv1,
  certificatesv1alpha1,
  coordinationv1,
  coordinationv1beta1,
  corev1,
  discoveryv1,
  eventsv1,
  flowcontrolv1,
  networkingv1,
  nodev1,
  policyv1,
  rbacv1,
  resourcev1,
  resourcev1alpha3,
  schedulingv1,
  storagemigrationv1alpha1,
  storagev1,
} from '../api/index.ts';

/** The types of the kinds with validators: of the version with the most fields, since all versions of a kind share its validation. */
export interface ValidatedKinds {
  readonly 'admissionregistration.MutatingAdmissionPolicy': admissionregistrationv1beta1.MutatingAdmissionPolicy;
  readonly 'admissionregistration.MutatingAdmissionPolicyBinding': admissionregistrationv1beta1.MutatingAdmissionPolicyBinding;
  readonly 'admissionregistration.MutatingWebhookConfiguration': admissionregistrationv1.MutatingWebhookConfiguration;
  readonly 'admissionregistration.ValidatingAdmissionPolicy': admissionregistrationv1.ValidatingAdmissionPolicy;
  readonly 'admissionregistration.ValidatingAdmissionPolicyBinding': admissionregistrationv1.ValidatingAdmissionPolicyBinding;
  readonly 'admissionregistration.ValidatingWebhookConfiguration': admissionregistrationv1.ValidatingWebhookConfiguration;
  readonly 'apiextensions.CustomResourceDefinition': apiextensionsv1.CustomResourceDefinition;
  readonly 'apiregistration.APIService': apiregistrationv1.APIService;
  readonly 'apiserverinternal.StorageVersion': apiserverinternalv1alpha1.StorageVersion;
  readonly 'apps.ControllerRevision': appsv1.ControllerRevision;
  readonly 'apps.DaemonSet': appsv1.DaemonSet;
  readonly 'apps.Deployment': appsv1.Deployment;
  readonly 'apps.ReplicaSet': appsv1.ReplicaSet;
  readonly 'apps.StatefulSet': appsv1.StatefulSet;
  readonly 'autoscaling.HorizontalPodAutoscaler': autoscalingv2.HorizontalPodAutoscaler;
  readonly 'batch.CronJob': batchv1.CronJob;
  readonly 'batch.Job': batchv1.Job;
  readonly 'certificates.CertificateSigningRequest': certificatesv1.CertificateSigningRequest;
  readonly 'certificates.ClusterTrustBundle': certificatesv1alpha1.ClusterTrustBundle;
  readonly 'certificates.PodCertificateRequest': certificatesv1alpha1.PodCertificateRequest;
  readonly 'coordination.Lease': coordinationv1.Lease;
  readonly 'coordination.LeaseCandidate': coordinationv1beta1.LeaseCandidate;
  readonly 'core.ConfigMap': corev1.ConfigMap;
  readonly 'core.Endpoints': corev1.Endpoints;
  readonly 'core.Event': corev1.Event;
  readonly 'core.LimitRange': corev1.LimitRange;
  readonly 'core.Namespace': corev1.Namespace;
  readonly 'core.Node': corev1.Node;
  readonly 'core.PersistentVolume': corev1.PersistentVolume;
  readonly 'core.PersistentVolumeClaim': corev1.PersistentVolumeClaim;
  readonly 'core.Pod': corev1.Pod;
  readonly 'core.PodTemplate': corev1.PodTemplate;
  readonly 'core.ReplicationController': corev1.ReplicationController;
  readonly 'core.ResourceQuota': corev1.ResourceQuota;
  readonly 'core.Secret': corev1.Secret;
  readonly 'core.Service': corev1.Service;
  readonly 'core.ServiceAccount': corev1.ServiceAccount;
  readonly 'discovery.EndpointSlice': discoveryv1.EndpointSlice;
  readonly 'events.Event': eventsv1.Event;
  readonly 'flowcontrol.FlowSchema': flowcontrolv1.FlowSchema;
  readonly 'flowcontrol.PriorityLevelConfiguration': flowcontrolv1.PriorityLevelConfiguration;
  readonly 'networking.IPAddress': networkingv1.IPAddress;
  readonly 'networking.Ingress': networkingv1.Ingress;
  readonly 'networking.IngressClass': networkingv1.IngressClass;
  readonly 'networking.NetworkPolicy': networkingv1.NetworkPolicy;
  readonly 'networking.ServiceCIDR': networkingv1.ServiceCIDR;
  readonly 'node.RuntimeClass': nodev1.RuntimeClass;
  readonly 'policy.PodDisruptionBudget': policyv1.PodDisruptionBudget;
  readonly 'rbac.ClusterRole': rbacv1.ClusterRole;
  readonly 'rbac.ClusterRoleBinding': rbacv1.ClusterRoleBinding;
  readonly 'rbac.Role': rbacv1.Role;
  readonly 'rbac.RoleBinding': rbacv1.RoleBinding;
  readonly 'resource.DeviceClass': resourcev1.DeviceClass;
  readonly 'resource.DeviceTaintRule': resourcev1alpha3.DeviceTaintRule;
  readonly 'resource.ResourceClaim': resourcev1.ResourceClaim;
  readonly 'resource.ResourceClaimTemplate': resourcev1.ResourceClaimTemplate;
  readonly 'resource.ResourceSlice': resourcev1.ResourceSlice;
  readonly 'scheduling.PriorityClass': schedulingv1.PriorityClass;
  readonly 'storage.CSIDriver': storagev1.CSIDriver;
  readonly 'storage.CSINode': storagev1.CSINode;
  readonly 'storage.CSIStorageCapacity': storagev1.CSIStorageCapacity;
  readonly 'storage.StorageClass': storagev1.StorageClass;
  readonly 'storage.VolumeAttachment': storagev1.VolumeAttachment;
  readonly 'storage.VolumeAttributesClass': storagev1.VolumeAttributesClass;
  readonly 'storagemigration.StorageVersionMigration': storagemigrationv1alpha1.StorageVersionMigration;
}
