// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from './meta/v1.ts';

export type { ApiResource } from '../api-resource.ts';
export type * as admissionv1 from './admission/v1.ts';
export type * as admissionv1beta1 from './admission/v1beta1.ts';
export type * as admissionregistrationv1 from './admissionregistration/v1.ts';
export type * as admissionregistrationv1alpha1 from './admissionregistration/v1alpha1.ts';
export type * as admissionregistrationv1beta1 from './admissionregistration/v1beta1.ts';
export type * as apidiscoveryv2 from './apidiscovery/v2.ts';
export type * as apidiscoveryv2beta1 from './apidiscovery/v2beta1.ts';
export type * as apiextensionsv1 from './apiextensions/v1.ts';
export type * as apiregistrationv1 from './apiregistration/v1.ts';
export type * as apiserverinternalv1alpha1 from './apiserverinternal/v1alpha1.ts';
export type * as appsv1 from './apps/v1.ts';
export type * as auditv1 from './audit/v1.ts';
export type * as authenticationv1 from './authentication/v1.ts';
export type * as authorizationv1 from './authorization/v1.ts';
export type * as autoscalingv1 from './autoscaling/v1.ts';
export type * as autoscalingv2 from './autoscaling/v2.ts';
export type * as batchv1 from './batch/v1.ts';
export type * as certificatesv1 from './certificates/v1.ts';
export type * as certificatesv1alpha1 from './certificates/v1alpha1.ts';
export type * as certificatesv1beta1 from './certificates/v1beta1.ts';
export type * as clientauthenticationv1 from './clientauthentication/v1.ts';
export type * as clientauthenticationv1beta1 from './clientauthentication/v1beta1.ts';
export type * as coordinationv1 from './coordination/v1.ts';
export type * as coordinationv1alpha2 from './coordination/v1alpha2.ts';
export type * as coordinationv1beta1 from './coordination/v1beta1.ts';
export type * as corev1 from './core/v1.ts';
export type * as discoveryv1 from './discovery/v1.ts';
export type * as eventsv1 from './events/v1.ts';
export type * as flowcontrolv1 from './flowcontrol/v1.ts';
export type * as imagepolicyv1alpha1 from './imagepolicy/v1alpha1.ts';
export type * as metav1 from './meta/v1.ts';
export type * as metricsv1beta1 from './metrics/v1beta1.ts';
export type * as networkingv1 from './networking/v1.ts';
export type * as networkingv1beta1 from './networking/v1beta1.ts';
export type * as nodev1 from './node/v1.ts';
export type * as policyv1 from './policy/v1.ts';
export type * as rbacv1 from './rbac/v1.ts';
export type * as resourcev1 from './resource/v1.ts';
export type * as resourcev1alpha3 from './resource/v1alpha3.ts';
export type * as resourcev1beta1 from './resource/v1beta1.ts';
export type * as resourcev1beta2 from './resource/v1beta2.ts';
export * from './resources.ts';
export type * as schedulingv1 from './scheduling/v1.ts';
export type * as storagev1 from './storage/v1.ts';
export type * as storagev1alpha1 from './storage/v1alpha1.ts';
export type * as storagev1beta1 from './storage/v1beta1.ts';
export type * as storagemigrationv1alpha1 from './storagemigration/v1alpha1.ts';

/** A list of objects, as in responses: `List<corev1.Pod>`. */
export interface List<T> {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ListMeta;
  readonly items: readonly T[];
}
