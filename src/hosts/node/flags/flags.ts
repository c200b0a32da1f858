import type { ClientRate } from '../../../client/index.ts';
import {
  baseControllerNames,
  type ClusterCidr,
  type EndpointReconcilerType,
  type InFlightLimits,
  type PluginSelection,
  type RequestTimeouts,
  resolveControllerAliases,
  type ServiceRanges,
  serviceRanges,
  type TolerationSeconds,
} from '../../../cluster/index.ts';
import {
  createFeatureGates,
  FeatureGateError,
  type FeatureGates,
  goQuotedList,
  type ProductName,
  productByName,
} from '../../../meta/index.ts';
import { compilePattern, type Pattern } from '../../../regexp/index.ts';
import { type UnknownImages, unknownImageModes } from '../../unknown-images.ts';
import { type AuthorizationFlags, authorizationFlags } from '../auth/authorization.ts';
import type { CertificateFiles } from '../certificates/certificate.ts';
import type { TlsSettings } from '../certificates/tls-options.ts';
import type { EncryptionFlags } from '../encryption/load-encryption.ts';
import { type EtcdFlags, etcdFlags } from '../etcd/etcd-flags.ts';
import { readClientRate } from './client-rate-flags.ts';
import { readClusterCidrs } from './cluster-cidr-flags.ts';
import { readEmulatedMinor } from './emulated-version.ts';
import { checkFlags } from './flag-checks.ts';
import { FlagError } from './flag-error.ts';
import { type FlagRow, flagRows } from './flag-rows.ts';
import { type FlagValues, oneOf, productOf } from './flag-values.ts';
import { readPortRange } from './port-range.ts';
import { readFlags } from './read-flags.ts';

/** The parsed command line of `serve`, with the real server's names. */
export interface ServeFlags {
  readonly names: ProductName;
  readonly bindAddress: string;
  /** 0: any free port. */
  readonly securePort: number;
  /** `--advertise-address`; undefined: derived from the bind address. */
  readonly advertiseAddress: string | undefined;
  readonly endpointReconcilerType: EndpointReconcilerType;
  /** Plain http instead of https. */
  readonly insecure: boolean;
  /** The serving certificate; undefined: one is created. */
  readonly certificateFiles: CertificateFiles | undefined;
  /** The client certificate for aggregated API servers. */
  readonly proxyClient: CertificateFiles | undefined;
  /** `--enable-aggregator-routing` */
  readonly routesToEndpoints: boolean;
  readonly tls: TlsSettings;
  readonly maxHttp2Streams: number;
  readonly timeouts: RequestTimeouts;
  readonly tolerationSeconds: TolerationSeconds;
  readonly inFlightLimits: InFlightLimits;
  /** `--enable-priority-and-fairness` */
  readonly priorityAndFairness: boolean;
  readonly shutdown: ShutdownFlags;
  readonly tokenAuthFile: string | undefined;
  readonly authorization: AuthorizationFlags;
  /** Authentication flags, which are read together with their files. */
  readonly authentication: FlagValues;
  /** Audit flags, which are read together with their files. */
  readonly auditing: FlagValues;
  /** The data folder; undefined: in memory. */
  readonly dataDir: string | undefined;
  /** The etcd cluster to store the data in, instead of a folder. */
  readonly encryption: EncryptionFlags | undefined;
  readonly etcd: EtcdFlags | undefined;
  readonly retentionMs: number;
  readonly serviceRanges: ServiceRanges;
  readonly featureGates: FeatureGates;
  readonly admission: PluginSelection;
  readonly watchCache: boolean;
  readonly profiling: boolean;
  readonly allowPrivileged: boolean;
  readonly disabledMetrics: ReadonlySet<string>;
  /** All flags, for `/flagz`. */
  readonly all: FlagValues;
  readonly goawayChance: number;
  /** The minor version of `--emulated-version`. */
  readonly emulatedMinor: number;
  /** `batch/v1` → `false`. */
  readonly runtimeConfig: ReadonlyMap<string, string>;
  readonly corsAllowedOrigins: readonly Pattern[];
  readonly strictTransportSecurity: readonly string[];
  /** Path to write a kubeconfig to. */
  readonly kubeconfig: string | undefined;
  readonly trace: boolean;
  /** The controllers, as in the real controller manager's `--controllers`; empty: none. */
  readonly controllers: readonly string[];
  /** Whether the scheduler runs. */
  readonly scheduler: boolean;
  /** Path of a KubeSchedulerConfiguration; empty: none. */
  readonly schedulerConfig: string;
  /** Number of simulated nodes, besides adopted ones; undefined: nodes are not simulated. */
  readonly nodes: number | undefined;
  /** Limit of the requests of components; zeros are their defaults. */
  readonly clientRate: ClientRate;
  /** The addresses of pods. */
  readonly clusterCidrs: readonly ClusterCidr[];
  /** Path of a file with simulated nodes, in place of `nodes`; empty: none. */
  readonly nodeConfig: string;
  /** Path of a folder with static pods; empty: none. */
  readonly podManifestPath: string;
  readonly unknownImages: UnknownImages;
  readonly logLevel: 'error' | 'warn' | 'info';
  readonly help: boolean;
  /** Given flags of the real server that have no effect here. */
  readonly idle: readonly string[];
}

export interface ShutdownFlags {
  /** Time after SIGTERM in which requests are served while `/readyz` fails. */
  readonly delayMs: number;
  /** Answers new requests with 429 until the ones in flight are answered, instead of refusing connections. */
  readonly sendRetryAfter: boolean;
}

/** Upstream's default, against rapid-reset attacks: http2.initialMaxConcurrentStreams of its clients. */
const defaultHttp2Streams = 100;

export { FlagError } from './flag-error.ts';

/** Width of the flag column in the help; longer flags get their own line. */
const flagWidth = 36;

export const usage: string = `Usage: tabplane serve [flags]\n       tabplane components --kubeconfig FILE [flags]\n       tabplane kubectl [--names svc|kubernetes] COMMAND …\n       tabplane node start|stop|shutdown NAME [--kubeconfig FILE]\n       tabplane repair --data-dir FOLDER [--write]\n       tabplane page --output FOLDER\n\n${flagRows.map(helpLine).join('\n')}

Other flags of the real server are understood and checked, but change nothing here.
`;

/** The line of a flag in the help. */
export function helpLine({ name, type, initial, value, about, short }: FlagRow): string {
  const flag = `${short === undefined ? '' : `-${short}, `}--${name}${value === '' ? '' : ` ${value}`}`;
  const plain = initial === '' || (type === 'bool' && initial === 'false');
  const description = [about, plain ? '' : `default ${initial}`].filter((part) => part !== '').join('; ');
  if (description === '') return `  ${flag}`;
  return flag.length > flagWidth ? `  ${flag}\n  ${' '.repeat(flagWidth)} ${description}` : `  ${flag.padEnd(flagWidth)} ${description}`;
}

/** @throws FlagError */
export function parseFlags(words: readonly string[]): ServeFlags {
  const { values, idle, others } = readFlags(words);
  const { name: names } = productOf(values);
  if (others.some((word) => word !== '')) {
    throw new FlagError(
      `Error: ${JSON.stringify(productByName(names).rename('kube-apiserver'))} does not take any arguments, got ${goQuotedList(others)}`,
    );
  }
  // The real server validates feature gates first.
  const featureGates = readFeatureGates(values);
  if (!values.truth('help')) checkFlags(values);
  return {
    names,
    bindAddress: values.text('bind-address'),
    securePort: values.number('secure-port'),
    advertiseAddress: givenText(values, 'advertise-address'),
    endpointReconcilerType: endpointReconcilerOf(values),
    insecure: values.truth('insecure'),
    certificateFiles: certificateFilesOf(values, 'tls-cert-file', 'tls-private-key-file'),
    proxyClient: certificateFilesOf(values, 'proxy-client-cert-file', 'proxy-client-key-file'),
    routesToEndpoints: values.truth('enable-aggregator-routing'),
    tls: { minVersion: values.text('tls-min-version'), cipherSuites: values.list('tls-cipher-suites') },
    maxHttp2Streams: Math.max(0, values.number('http2-max-streams-per-connection')) || defaultHttp2Streams,
    timeouts: { requestMs: values.durationMs('request-timeout'), minWatchSeconds: values.number('min-request-timeout') },
    tolerationSeconds: {
      notReady: values.number('default-not-ready-toleration-seconds'),
      unreachable: values.number('default-unreachable-toleration-seconds'),
    },
    priorityAndFairness: values.truth('enable-priority-and-fairness'),
    inFlightLimits: { readOnly: values.number('max-requests-inflight'), mutating: values.number('max-mutating-requests-inflight') },
    shutdown: { delayMs: values.durationMs('shutdown-delay-duration'), sendRetryAfter: values.truth('shutdown-send-retry-after') },
    tokenAuthFile: givenText(values, 'token-auth-file'),
    authorization: authorizationFlags(values),
    authentication: values,
    auditing: values,
    dataDir: givenText(values, 'data-dir'),
    etcd: etcdFlags(values),
    encryption: encryptionFlags(values),
    // Zero disables compaction, as in the real server.
    retentionMs: values.durationMs('etcd-compaction-interval') || Number.POSITIVE_INFINITY,
    serviceRanges: readServiceRanges(values),
    featureGates,
    admission: { enabled: values.list('enable-admission-plugins'), disabled: values.list('disable-admission-plugins') },
    watchCache: values.truth('watch-cache'),
    profiling: values.truth('profiling'),
    allowPrivileged: values.truth('allow-privileged'),
    disabledMetrics: new Set(values.list('disabled-metrics')),
    all: values,
    goawayChance: values.number('goaway-chance'),
    emulatedMinor: readEmulatedMinor(values.list('emulated-version')),
    runtimeConfig: values.pairs('runtime-config'),
    corsAllowedOrigins: values.list('cors-allowed-origins').map(compilePattern),
    strictTransportSecurity: values.list('strict-transport-security-directives'),
    kubeconfig: givenText(values, 'kubeconfig'),
    trace: values.truth('trace'),
    scheduler: values.truth('scheduler') || values.truth('all-in-one'),
    schedulerConfig: values.text('scheduler-config'),
    controllers: readControllers(values),
    nodes: values.truth('all-in-one') ? values.number('nodes') : undefined,
    clientRate: readClientRate(values),
    clusterCidrs: readClusterCidrs(values),
    nodeConfig: values.text('node-config'),
    podManifestPath: values.text('pod-manifest-path'),
    unknownImages: oneOf(values, 'unknown-images', unknownImageModes),
    logLevel: oneOf(values, 'log-level', ['error', 'warn', 'info']),
    help: values.truth('help'),
    idle,
  };
}

function readControllers(values: FlagValues): readonly string[] {
  if (values.truth('all-in-one') && !values.isGiven('controllers')) return ['*', ...baseControllerNames];
  return values.truth('with-controllers') ? baseControllerNames : resolveControllerAliases(values.list('controllers'));
}

/** Undefined: values are not encrypted. */
function encryptionFlags(values: FlagValues): EncryptionFlags | undefined {
  const configFile = values.text('encryption-provider-config');
  return configFile === '' ? undefined : { configFile, isReloaded: values.truth('encryption-provider-config-automatic-reload') };
}

function givenText(values: FlagValues, name: string): string | undefined {
  return values.isGiven(name) ? values.text(name) : undefined;
}

/** Both values have been validated. */
function readServiceRanges(values: FlagValues): ServiceRanges {
  const ports = readPortRange(values.text('service-node-port-range'));
  const cidrs = values.text('service-cluster-ip-range').split(',');
  return serviceRanges(
    cidrs.filter((text) => text !== ''),
    typeof ports === 'string' ? undefined : ports,
  );
}

function readFeatureGates(values: FlagValues): FeatureGates {
  try {
    return createFeatureGates(values.list('feature-gates').join(','));
  } catch (error) {
    if (error instanceof FeatureGateError) throw new FlagError(error.message);
    throw error;
  }
}

function certificateFilesOf(values: FlagValues, certificateFlag: string, keyFlag: string): CertificateFiles | undefined {
  const [certificate, key] = [givenText(values, certificateFlag), givenText(values, keyFlag)];
  return certificate !== undefined && key !== undefined ? { certificate, key } : undefined;
}

/** @throws FlagError with the real server's text for an unknown type (controlplane/instance.go) */
function endpointReconcilerOf(values: FlagValues): EndpointReconcilerType {
  const given = values.text('endpoint-reconciler-type');
  const found = (['lease', 'master-count', 'none'] as const).find((type) => type === given);
  if (found === undefined) throw new FlagError(`Reconciler not implemented: ${given}`);
  return found;
}
