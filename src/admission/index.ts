/** Admission: plugins that default and plugins that validate an authorized write. */
export type { AccessCheck } from './access-check.ts';
export {
  type Admission,
  type AdmissionPlugin,
  type AdmissionRequest,
  type AdmissionStep,
  type AdmissionUser,
  admissionChain,
  type PolicyCheckLabels,
  type RegistrationMeter,
  type ResourceKind,
  type WebhookLabels,
} from './admission.ts';
export { clusterTrustBundleAttest } from './certificates/cluster-trust-bundles.ts';
export type { SignerAuthorizer } from './certificates/signer-authorization.ts';
export { certificateApproval, certificateSigning, certificateSubjectRestriction } from './certificates/signing-requests.ts';
export type { QuotaLimitCheck } from './charge-quotas.ts';
export { claimResize } from './claim-resize.ts';
export { defaultIngressClass, defaultStorageClass } from './default-classes.ts';
export { defaultTolerationSeconds, type TolerationSeconds, tolerationDefaults } from './default-toleration-seconds.ts';
export { limitRanger } from './limit-ranger.ts';
export { namespaceLifecycle } from './namespace-lifecycle.ts';
export { ObjectCache } from './object-cache.ts';
export type { ObjectSource } from './object-source.ts';
export { type EventLimit, eventLimitTypes } from './optional/event-rate-limit.ts';
export type { ImagePolicySettings } from './optional/image-policy-webhook.ts';
export { defaultOptionalSettings, type OptionalPluginSettings, optionalPlugins } from './optional/index.ts';
export { checkLimitedResources, type LimitedResource } from './optional/limited-resources.ts';
export type { NamespaceCreator } from './optional/namespace-auto-provision.ts';
export type { NodeSelectors } from './optional/pod-node-selector.ts';
export type { ClusterTolerations } from './optional/pod-toleration-restriction.ts';
export { enabledPlugins, type PluginSelection, selectPlugins, unknownPlugins, validatePluginSelection } from './plugin-selection.ts';
export { podSecurity } from './pod-security/plugin.ts';
export { modes as podSecurityModes, type Policy as PodSecurityPolicy, parseLevel, parseVersion } from './pod-security/policy.ts';
export { defaultPodSecuritySettings, type PodSecuritySettings } from './pod-security/settings.ts';
export { mutatingPolicies } from './policies/mutating-policies.ts';
export { createMutatingPolicyReader, type MutatingPolicy } from './policies/mutating-policy.ts';
export type { ParamSource } from './policies/params.ts';
export type { PolicyContext } from './policies/policy-context.ts';
export { PolicyIndex } from './policies/policy-index.ts';
export { validatingPolicies } from './policies/validating-policies.ts';
export { createValidatingPolicyReader, type ValidatingPolicy } from './policies/validating-policy.ts';
export { priority } from './priority.ts';
export { Reinvocation } from './reinvocation.ts';
export { type QuotaAccess, resourceQuota } from './resource-quota.ts';
export { runtimeClass } from './runtime-class.ts';
export { serviceAccount } from './service-account.ts';
export { storageObjectInUseProtection } from './storage-in-use.ts';
export { taintNodesByCondition } from './taint-nodes.ts';
export { mutatingWebhooks } from './webhooks/mutating-webhooks.ts';
export { WebhookFailure } from './webhooks/review.ts';
export { validatingWebhooks } from './webhooks/validating-webhooks.ts';
export { readWebhookClient, type WebhookClient, type WebhookService } from './webhooks/webhook.ts';
export type { WebhookOptions } from './webhooks/webhook-call.ts';
