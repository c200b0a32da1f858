/** The composition root: wires all modules into a control plane. */

/** Types and functions for hosts, which read the files and use the platform. */
export {
  defaultPodSecuritySettings,
  optionalPlugins,
  type PluginSelection,
  type PodSecuritySettings,
  validatePluginSelection,
} from '../admission/index.ts';
export {
  type AuditConfig,
  type AuditEvent,
  AuditPolicyError,
  type AuditRing,
  type AuditSink,
  type BatchSettings,
  batchingSink,
  createAuditRing,
  ignoreErrorsSink,
  type LineWriter,
  lineSink,
  type TruncateSettings,
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
export { allControllers, furtherControllers } from '../controllers/all/index.ts';
export type { CertificateAuthority, CertificateOrder, CertificateRequest } from '../controllers/index.ts';
export {
  baseControllerNames,
  baseControllers,
  startControllers,
  startSelectedControllers,
  validateControllers,
} from '../controllers/index.ts';
export {
  createStaticPods,
  type NodeConfig,
  numberedNodes,
  type StaticPodManifest,
  type StaticPodSource,
  type StaticPods,
  startNodes,
} from '../node/index.ts';
export { lockPrefix, type ServiceRanges, serviceRanges } from '../registry/index.ts';
export {
  checkProfiles,
  type DeviceSelectorCompiler,
  Explanations,
  SchedulerConfigError,
  type SchedulerConfiguration,
  startScheduler,
} from '../scheduler/index.ts';
export { RuntimeConfigError } from '../schema/index.ts';
export type { ConfigurationReport, InFlightLimits, Reloads } from '../server/index.ts';
export { AdmissionConfigError, type PluginConfiguration, readAdmissionConfig } from './admission-config.ts';
export { readAuditPolicyFile } from './audit-policy.ts';
export { type AuthenticationOptions, authenticationDefaults, type ServiceAccountOptions } from './authentication.ts';
export { readAuthenticationConfig } from './authentication-config.ts';
export { type AuthorizationOptions, type AuthorizerChoice, authorizationDefaults } from './authorization.ts';
export { readAuthorizationConfig } from './authorization-config.ts';
export { type ClusterOptions, clusterDefaults } from './cluster-options.ts';
export { type Cluster, createCluster } from './create-cluster.ts';
export { createJwtTokens } from './jwt-tokens.ts';
export type { EndpointReconcilerType } from './kubernetes-service/kubernetes-service-controller.ts';
export { serverLeasePrefix, serverLeaseSeconds } from './kubernetes-service/server-leases.ts';
export { readPodSecurityConfig } from './pod-security-config.ts';
export { createProgram, type Program } from './program.ts';
export { RuntimeAudit } from './runtime-audit.ts';
export { readSchedulerConfig } from './scheduler-config.ts';
export { createStoredValueCodec, type StorageMediaType } from './stored-values.ts';
export { readWebhookConnection } from './webhook-kubeconfig/connection.ts';
export { KubeconfigError } from './webhook-kubeconfig/document.ts';
export { createWebhookTokens } from './webhook-tokens.ts';
