/** The composition root: wires all modules into a control plane. */

/** Types and functions for hosts, which read the files and use the platform. */
export {
  checkLimitedResources,
  defaultOptionalSettings,
  defaultPodSecuritySettings,
  enabledPlugins,
  type OptionalPluginSettings,
  type PluginSelection,
  type PodSecuritySettings,
  type QuotaLimitCheck,
  type TolerationSeconds,
  unknownPlugins,
  validatePluginSelection,
} from '../admission/index.ts';
export {
  type AuditConfig,
  type AuditEvent,
  AuditPolicyError,
  type AuditRing,
  type AuditSink,
  batchingSink,
  createAuditRing,
  ignoreErrorsSink,
  type LineWriter,
  lineSink,
  truncatingSink,
  unionSink,
  webhookSink,
} from '../audit/index.ts';
export {
  type CertificateVerifier,
  clientCertificateAuthenticator,
  type FrontProxySettings,
  frontProxyAuthenticator,
  readTokenFile,
  type StaticTokens,
  TokenFileError,
  type VerifiedCertificate,
} from '../authn/index.ts';
export { AuthenticationConfigError, type AuthenticationSettings, knownAlgorithms } from '../authn/oidc/index.ts';
export { AuthorizationConfigError, buildAuthorizerSettings, PolicyFileError, readPolicyFile } from '../authz/index.ts';
export { compileDeviceSelector } from '../cel/index.ts';
export { allControllers, type ClusterCidr, furtherControllers, parseClusterCidrs } from '../controllers/all/index.ts';
export type { CertificateAuthority, CertificateOrder, CertificateRequest, ControllerManagerOptions } from '../controllers/index.ts';
export {
  baseControllerNames,
  baseControllers,
  resolveControllerAliases,
  startControllers,
  startSelectedControllers,
  validateControllers,
} from '../controllers/index.ts';
export {
  type ContainerRuntime,
  createSandboxes,
  createStaticPods,
  type ImageReference,
  isInImageCatalog,
  type NodeConfig,
  numberedNodes,
  type StaticPodManifest,
  type StaticPodSource,
  type StaticPods,
  startNodes,
} from '../node/index.ts';
export { addressText, lockPrefix, type ServiceRanges, serviceRanges } from '../registry/index.ts';
export {
  checkProfiles,
  type DeviceSelectorCompiler,
  Explanations,
  SchedulerConfigError,
  type SchedulerConfiguration,
  startScheduler,
} from '../scheduler/index.ts';
export { RuntimeConfigError } from '../schema/index.ts';
export type { ConfigurationReport, HostPage, InFlightLimits, Reloads, RequestTimeouts } from '../server/index.ts';
export { type AuthenticationOptions, authenticationDefaults, type ServiceAccountOptions } from './access/authentication.ts';
export { readAuthenticationConfig } from './access/authentication-config.ts';
export { type AuthorizationOptions, type AuthorizerChoice, authorizationDefaults } from './access/authorization.ts';
export { readAuthorizationConfig } from './access/authorization-config.ts';
export { type AuthorizerFiles, createFileAuthorizers } from './access/file-authorizers.ts';
export { createImageReviewer } from './access/image-reviews.ts';
export { createJwtTokens } from './access/jwt-tokens.ts';
export { createSecretTokenSigner } from './access/secret-token-signer.ts';
export type { WebhookUsers } from './access/webhook-post.ts';
export { createWebhookTokens } from './access/webhook-tokens.ts';
export { AdmissionConfigError, type PluginConfiguration, readAdmissionConfig } from './admission/admission-config.ts';
export { readClusterTolerations } from './admission/cluster-tolerations.ts';
export { readEventLimits } from './admission/event-limits.ts';
export { readImagePolicyConfig } from './admission/image-policy-config.ts';
export { readLimitedResources } from './admission/limited-resources.ts';
export { readNodeSelectors } from './admission/node-selectors.ts';
export { createOptionalPlugins } from './admission/optional-plugins.ts';
export { pluginErrorLead } from './admission/plugin-config.ts';
export { readPodSecurityConfig } from './admission/pod-security-config.ts';
export { readWebhookAdmissionConfig } from './admission/webhook-admission-config.ts';
export type { ServiceTransport } from './aggregation/service-transport.ts';
export { readAuditPolicyFile } from './audit/audit-policy.ts';
export { RuntimeAudit } from './audit/runtime-audit.ts';
export { type ClusterOptions, clusterDefaults } from './cluster-options.ts';
export {
  ConfigurationFileError,
  decodeConfiguration,
  int32,
  listOf,
  readConfigurationFile,
  struct,
  text,
} from './configuration/configuration-file.ts';
export {
  EncryptionConfigError,
  type EncryptionProvider,
  type EncryptionRule,
  type KeyProvider,
  readEncryptionConfig,
} from './configuration/encryption-config.ts';
export type { KmsConfig } from './configuration/kms-config.ts';
export { readSchedulerConfig } from './configuration/scheduler-config.ts';
export { type Cluster, createCluster } from './create-cluster.ts';
export type { EndpointReconcilerType } from './kubernetes-service/kubernetes-service-controller.ts';
export { serverLeasePrefix, serverLeaseSeconds } from './kubernetes-service/server-leases.ts';
export type { ServerIdentity } from './lifecycle/identity-lease.ts';
export { RuntimeTime } from './lifecycle/runtime-time.ts';
export { createConnectionHandler } from './network/serve-connections.ts';
export { createResourceOfKey } from './storage/resource-of-key.ts';
export { createStoredValueCodec, type StorageMediaType } from './storage/stored-values.ts';
export { readWebhookConnection } from './webhook-kubeconfig/connection.ts';
export { KubeconfigError } from './webhook-kubeconfig/document.ts';
export { readWebhookUsers } from './webhook-kubeconfig/webhook-users.ts';
