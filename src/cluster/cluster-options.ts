import { defaultPodSecuritySettings, tolerationDefaults } from '../admission/index.ts';
import type { AuditConfig } from '../audit/index.ts';
import type { CertificateAuthority, startControllers } from '../controllers/index.ts';
import type { Env } from '../env/index.ts';
import { createFeatureGates, type FeatureGates, type JsonObject, type MetricFamily, type Product, release } from '../meta/index.ts';
import type { EmulatedNetwork, NetworkOptions, ServerTls } from '../network/index.ts';
import type { NodeManagerOptions } from '../node/index.ts';
import { type ServiceRanges, serviceRanges } from '../registry/index.ts';
import type { startScheduler } from '../scheduler/index.ts';
import { type DescriptionData, loadDescriptions, type RuntimeConfig } from '../schema/index.ts';
import {
  type ConfigurationReport,
  type CorsAndHstsOptions,
  type HealthCheck,
  type HostPage,
  type InFlightLimits,
  inFlightDefaults,
  type RequestTimeouts,
  requestTimeoutDefaults,
  type TimingHeaders,
} from '../server/index.ts';
import { defaultRetentionMs, type TimedKeySpace } from '../storage/index.ts';
import type { Dialer, Kubelets, StreamProtocols } from '../streaming/index.ts';
import { type AuthenticationOptions, authenticationDefaults } from './access/authentication.ts';
import { type AuthorizationOptions, authorizationDefaults } from './access/authorization.ts';
import type { AdmissionOptions } from './admission/admission-plugins.ts';
import type { ServiceTransport } from './aggregation/service-transport.ts';
import type { EndpointReconcilerType } from './kubernetes-service/kubernetes-service-controller.ts';
import type { ServerAddress } from './kubernetes-service/server-address.ts';
import type { ServerIdentity } from './lifecycle/identity-lease.ts';

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
  readonly aggregation: AggregationOptions;
  /** Audit policy and sink; undefined: no auditing. */
  readonly auditing: AuditConfig | undefined;
  /** Generates a private key for service account tokens when none is configured: RSA with 2048 bits, or a supported curve. */
  readonly createSigningKey: () => Promise<JsonWebKey>;
  /** `--advertise-address` with the secure port: in discovery documents, and the endpoint of the Service `kubernetes`. */
  readonly advertiseAddress: ServerAddress;
  /** The identity of this server among several; undefined: it has no lease. */
  readonly identity: ServerIdentity | undefined;
  /** `--endpoint-reconciler-type`. */
  readonly endpointReconcilerType: EndpointReconcilerType;
  /** How long old revisions stay readable and watchable (`--etcd-compaction-interval`). */
  readonly retentionMs: number;
  /** `--service-cluster-ip-range`, `--service-node-port-range`. */
  readonly serviceRanges: ServiceRanges;
  /** `--feature-gates`. */
  readonly featureGates: FeatureGates;
  /** `--allow-privileged`: containers may be privileged. */
  readonly allowPrivileged: boolean;
  /** `--runtime-config`. */
  readonly runtimeConfig: RuntimeConfig;
  /** `--watch-cache`. */
  readonly watchCache: boolean;
  /** The minor version that `--emulated-version` reports: in `/version` and OpenAPI. */
  readonly emulatedMinor: number;
  /** `--profiling` */
  readonly profiling: boolean;
  /** `--goaway-chance`: the probability that a response on HTTP/2 closes its connection. */
  readonly goawayChance: number;
  readonly corsAndHsts: CorsAndHstsOptions;
  readonly timingHeaders: TimingHeaders;
  readonly timeouts: RequestTimeouts;
  /** Metrics of the host's process. */
  readonly hostMetrics: () => Promise<readonly MetricFamily[]>;
  /** `--disabled-metrics` */
  readonly disabledMetrics: ReadonlySet<string>;
  /** Health checks of what the storage depends on, besides itself. */
  readonly storageChecks: readonly HealthCheck[];
  /** Report on the `--encryption-provider-config` file; undefined without one. */
  readonly encryptionFile?: ConfigurationReport | undefined;
  /** Pages of the host by path. */
  readonly hostPages: ReadonlyMap<string, HostPage>;
  /** JSON documents of paths below `/debug/`, for users with access to the path; undefined: none. */
  readonly debugDocument?: ((path: string) => JsonObject | undefined) | undefined;
  readonly inFlightLimits: InFlightLimits;
  /** `--enable-priority-and-fairness`: the sum of the limits is divided among priority levels, whose requests wait in queues. */
  readonly priorityAndFairness: boolean;
  /** Starts the controllers; `none`: objects change only by requests. */
  readonly controllers: typeof startControllers | 'none';
  /** Starts the scheduler; `none`: pods are not assigned to nodes. */
  readonly scheduler: typeof startScheduler | 'none';
  /** Starts the simulated nodes; `none`: nothing runs pods. */
  readonly nodes: ((options: NodeManagerOptions) => () => void) | 'none';
  /** Connects pods, nodes and the API server with each other; undefined: pods have no network. */
  readonly network?: ((options: NetworkOptions) => EmulatedNetwork) | undefined;
  /** The certificate with which pods reach the API server, as PEM; undefined: over plain HTTP. */
  readonly servingCertificate?: ServerTls | undefined;
  /** Nodes of another thread or process, and connections into their network; undefined: `nodes` are in this one. */
  readonly remoteNodes?: (Kubelets & Dialer) | undefined;
  /** The protocols of exec, attach and port forwarding; undefined: the host cannot switch protocols. */
  readonly streamProtocols?: StreamProtocols | undefined;
  /** PEM of the root CA bundle for pods; undefined: none is published. */
  readonly rootAuthority: string | undefined;
  /** Signs certificate requests; undefined: they are neither approved nor signed. */
  readonly certificateAuthority?: CertificateAuthority;
  /** Loads the descriptions of types for OpenAPI documents. */
  readonly loadDescriptions: () => Promise<DescriptionData>;
}

/** How aggregated API servers are reached. */
export interface AggregationOptions {
  /** Reaches addresses outside of the cluster's network; undefined: the host cannot. */
  readonly transport: ServiceTransport | undefined;
  /** `--enable-aggregator-routing`: requests go to endpoints, instead of the cluster IP. */
  readonly routesToEndpoints: boolean;
}

export const clusterDefaults: Omit<ClusterOptions, 'env' | 'storage' | 'product' | 'createSigningKey'> = {
  sharedStorage: false,
  authentication: authenticationDefaults,
  authorization: authorizationDefaults,
  admission: {
    enabled: [],
    disabled: [],
    defaultOffPlugins: () => [],
    podSecurity: defaultPodSecuritySettings,
    tolerationSeconds: tolerationDefaults,
    outbound: undefined,
  },
  aggregation: { transport: undefined, routesToEndpoints: false },
  auditing: undefined,
  // Of the network of the simulated nodes, whose first address is 172.18.0.2.
  advertiseAddress: { ip: '172.18.0.1', port: 6443 },
  identity: undefined,
  endpointReconcilerType: 'lease',
  retentionMs: defaultRetentionMs,
  serviceRanges: serviceRanges(),
  featureGates: createFeatureGates(),
  // As installers of clusters set it.
  allowPrivileged: true,
  runtimeConfig: new Map(),
  corsAndHsts: { corsAllowedOrigins: [], strictTransportSecurity: [] },
  watchCache: true,
  profiling: true,
  goawayChance: 0,
  emulatedMinor: Number(release.minor),
  hostMetrics: async () => [],
  disabledMetrics: new Set(),
  storageChecks: [],
  hostPages: new Map(),
  timingHeaders: 'none',
  timeouts: requestTimeoutDefaults,
  inFlightLimits: inFlightDefaults,
  priorityAndFairness: true,
  controllers: 'none',
  scheduler: 'none',
  nodes: 'none',
  rootAuthority: undefined,
  loadDescriptions,
};
