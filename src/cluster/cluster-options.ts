import { defaultPodSecuritySettings } from '../admission/index.ts';
import type { AuditConfig } from '../audit/index.ts';
import type { CertificateAuthority, startControllers } from '../controllers/index.ts';
import type { Env } from '../env/index.ts';
import { createFeatureGates, type FeatureGates, type Product } from '../meta/index.ts';
import type { NodeManagerOptions } from '../node/index.ts';
import { type ServiceRanges, serviceRanges } from '../registry/index.ts';
import type { startScheduler } from '../scheduler/index.ts';
import type { RuntimeConfig } from '../schema/index.ts';
import { type CorsAndHstsOptions, type InFlightLimits, inFlightDefaults, type TimingHeaders } from '../server/index.ts';
import { defaultRetentionMs, type TimedKeySpace } from '../storage/index.ts';
import type { AdmissionOptions } from './admission-plugins.ts';
import { type AuthenticationOptions, authenticationDefaults } from './authentication.ts';
import { type AuthorizationOptions, authorizationDefaults } from './authorization.ts';
import type { EndpointReconcilerType } from './kubernetes-service/kubernetes-service-controller.ts';
import type { ServerAddress } from './kubernetes-service/server-address.ts';
import type { Program } from './program.ts';

/** Dependencies and configuration of a cluster. */
export interface ClusterOptions {
  readonly env: Env;
  readonly storage: TimedKeySpace;
  /** Whether other servers write to the same storage. */
  readonly sharedStorage: boolean;
  readonly product: Product;
  readonly authentication: AuthenticationOptions;
  readonly authorization: AuthorizationOptions;
  /** `--enable-admission-plugins`, `--disable-admission-plugins`. */
  readonly admission: AdmissionOptions;
  /** Audit policy and sink; undefined: no auditing. */
  readonly auditing: AuditConfig | undefined;
  /** Generates a private key for service account tokens when none is configured: RSA with 2048 bits, or a supported curve. */
  readonly createSigningKey: () => Promise<JsonWebKey>;
  /** `--advertise-address` with the secure port: in discovery documents, and the endpoint of the Service `kubernetes`. */
  readonly advertiseAddress: ServerAddress;
  /** `--endpoint-reconciler-type`. */
  readonly endpointReconcilerType: EndpointReconcilerType;
  /** How long old revisions stay readable and watchable (`--etcd-compaction-interval`). */
  readonly retentionMs: number;
  /** `--service-cluster-ip-range`, `--service-node-port-range`. */
  readonly serviceRanges: ServiceRanges;
  /** `--feature-gates`. */
  readonly featureGates: FeatureGates;
  /** `--runtime-config`. */
  readonly runtimeConfig: RuntimeConfig;
  /** `--watch-cache`. */
  readonly watchCache: boolean;
  readonly corsAndHsts: CorsAndHstsOptions;
  readonly timingHeaders: TimingHeaders;
  readonly inFlightLimits: InFlightLimits;
  /** Starts the controllers; `none`: objects change only by requests. */
  readonly controllers: typeof startControllers | 'none';
  /** Starts the scheduler; `none`: pods are not assigned to nodes. */
  readonly scheduler: typeof startScheduler | 'none';
  /** Starts the simulated nodes; `none`: nothing runs pods. */
  readonly nodes: ((options: NodeManagerOptions) => () => void) | 'none';
  /** PEM of the root CA bundle for pods; undefined: none is published. */
  readonly rootAuthority: string | undefined;
  /** Signs certificate requests; undefined: they are neither approved nor signed. */
  readonly certificateAuthority?: CertificateAuthority;
  /** Shared static data; created from the other options when absent. Hosts that restart servers create it once. */
  readonly program?: Program;
}

export const clusterDefaults: Omit<ClusterOptions, 'env' | 'storage' | 'product' | 'createSigningKey'> = {
  sharedStorage: false,
  authentication: authenticationDefaults,
  authorization: authorizationDefaults,
  admission: { enabled: [], disabled: [], defaultOffPlugins: () => [], podSecurity: defaultPodSecuritySettings, outbound: undefined },
  auditing: undefined,
  // Of the network of the simulated nodes, whose first address is 172.18.0.2.
  advertiseAddress: { ip: '172.18.0.1', port: 6443 },
  endpointReconcilerType: 'lease',
  retentionMs: defaultRetentionMs,
  serviceRanges: serviceRanges(),
  featureGates: createFeatureGates(),
  runtimeConfig: new Map(),
  corsAndHsts: { corsAllowedOrigins: [], strictTransportSecurity: [] },
  watchCache: true,
  timingHeaders: 'none',
  inFlightLimits: inFlightDefaults,
  controllers: 'none',
  scheduler: 'none',
  nodes: 'none',
  rootAuthority: undefined,
};
