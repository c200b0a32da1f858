import { allControllers, type InFlightLimits, type PluginChoice, type ServiceRanges, serviceRanges } from '../../cluster/index.ts';
import { createFeatureGates, FeatureGateError, type FeatureGates, goQuotedList, type ProductName, productNamed } from '../../meta/index.ts';
import { compilePattern, type Pattern } from '../../regexp/index.ts';
import { type AuthorizationFlags, authorizationFlags } from './authorization.ts';
import type { CertificateFiles } from './certificate.ts';
import { type EtcdFlags, etcdFlags } from './etcd/etcd-flags.ts';
import { checkFlags } from './flag-checks.ts';
import { FlagError } from './flag-error.ts';
import { type FlagRow, flagRows } from './flag-rows.ts';
import { type FlagValues, oneOf, productOf } from './flag-values.ts';
import { readPortRange } from './port-range.ts';
import { readFlags } from './read-flags.ts';
import type { TlsSettings } from './tls-options.ts';

/** What `serve` was told on its command line; the names are the real server's. */
export interface ServeFlags {
  readonly names: ProductName;
  readonly bindAddress: string;
  /** 0: any free port. */
  readonly securePort: number;
  /** Plain http instead of https. */
  readonly insecure: boolean;
  /** What https shows; undefined: a certificate is made. */
  readonly certificateFiles: CertificateFiles | undefined;
  readonly tls: TlsSettings;
  readonly maxHttp2Streams: number;
  readonly inFlightLimits: InFlightLimits;
  readonly shutdown: ShutdownFlags;
  readonly tokenAuthFile: string | undefined;
  readonly authorization: AuthorizationFlags;
  /** How clients say who they are: many flags, read together with the files they name. */
  readonly authentication: FlagValues;
  /** What is told of requests, and where: many flags, read together with the files they name. */
  readonly auditing: FlagValues;
  /** The folder that keeps the data; memory alone without it. */
  readonly dataDir: string | undefined;
  /** The etcd cluster that keeps the data instead. */
  readonly etcd: EtcdFlags | undefined;
  readonly retentionMs: number;
  readonly serviceRanges: ServiceRanges;
  readonly featureGates: FeatureGates;
  readonly admission: PluginChoice;
  readonly watchCache: boolean;
  /** `batch/v1` → `false`. */
  readonly runtimeConfig: ReadonlyMap<string, string>;
  readonly corsAllowedOrigins: readonly Pattern[];
  readonly strictTransportSecurity: readonly string[];
  /** Where the client configuration is written. */
  readonly kubeconfig: string | undefined;
  readonly trace: boolean;
  /** Which controllers run, as the real controller manager's `--controllers`; none when it is empty. */
  readonly controllers: readonly string[];
  readonly logLevel: 'error' | 'warn' | 'info';
  readonly help: boolean;
  /** Flags of the real server that were given although they change nothing here. */
  readonly idle: readonly string[];
}

export interface ShutdownFlags {
  /** How long requests are served after SIGTERM, while `/readyz` fails. */
  readonly delayMs: number;
  /** Late requests are answered 429 until those in flight are answered, instead of being refused a connection. */
  readonly sendRetryAfter: boolean;
}

/** Upstream's, against floods of streams that are reset at once: http2.initialMaxConcurrentStreams of its clients. */
const defaultHttp2Streams = 100;

export { FlagError } from './flag-error.ts';

/** Columns for flags; longer ones have a line of their own. */
const flagWidth = 36;

export const usage: string = `Usage: tabplane serve [flags]\n       tabplane kubectl [--names svc|kubernetes] COMMAND …\n       tabplane repair --data-dir FOLDER [--write]\n\n${flagRows.map(helpLine).join('\n')}

Other flags of the real server are understood and checked, but change nothing here.
`;

function helpLine({ name, type, initial, value, about, short }: FlagRow): string {
  const flag = `${short === undefined ? '' : `-${short}, `}--${name}${value === '' ? '' : ` ${value}`}`;
  const plain = initial === '' || (type === 'bool' && initial === 'false');
  const told = [about, plain ? '' : `default ${initial}`].filter((part) => part !== '').join('; ');
  if (told === '') return `  ${flag}`;
  return flag.length > flagWidth ? `  ${flag}\n  ${' '.repeat(flagWidth)} ${told}` : `  ${flag.padEnd(flagWidth)} ${told}`;
}

/** @throws FlagError */
export function parseFlags(words: readonly string[]): ServeFlags {
  const { values, idle, others } = readFlags(words);
  const { name: names } = productOf(values);
  if (others.some((word) => word !== '')) {
    throw new FlagError(
      `Error: ${JSON.stringify(productNamed(names).rename('kube-apiserver'))} does not take any arguments, got ${goQuotedList(others)}`,
    );
  }
  // The real server looks at its gates before anything else.
  const featureGates = featureGatesOf(values);
  if (!values.truth('help')) checkFlags(values);
  return {
    names,
    bindAddress: values.text('bind-address'),
    securePort: values.number('secure-port'),
    insecure: values.truth('insecure'),
    certificateFiles: certificateFilesOf(values),
    tls: { minVersion: values.text('tls-min-version'), cipherSuites: values.list('tls-cipher-suites') },
    maxHttp2Streams: Math.max(0, values.number('http2-max-streams-per-connection')) || defaultHttp2Streams,
    inFlightLimits: { readOnly: values.number('max-requests-inflight'), mutating: values.number('max-mutating-requests-inflight') },
    shutdown: { delayMs: values.durationMs('shutdown-delay-duration'), sendRetryAfter: values.truth('shutdown-send-retry-after') },
    tokenAuthFile: given(values, 'token-auth-file'),
    authorization: authorizationFlags(values),
    authentication: values,
    auditing: values,
    dataDir: given(values, 'data-dir'),
    etcd: etcdFlags(values),
    // Zero is, as in the real server: nothing is forgotten by its age.
    retentionMs: values.durationMs('etcd-compaction-interval') || Number.POSITIVE_INFINITY,
    serviceRanges: serviceRangesOf(values),
    featureGates,
    admission: { enabled: values.list('enable-admission-plugins'), disabled: values.list('disable-admission-plugins') },
    watchCache: values.truth('watch-cache'),
    runtimeConfig: values.pairs('runtime-config'),
    corsAllowedOrigins: values.list('cors-allowed-origins').map(compilePattern),
    strictTransportSecurity: values.list('strict-transport-security-directives'),
    kubeconfig: given(values, 'kubeconfig'),
    trace: values.truth('trace'),
    controllers: values.truth('with-controllers') ? allControllers : values.list('controllers'),
    logLevel: oneOf(values, 'log-level', ['error', 'warn', 'info']),
    help: values.truth('help'),
    idle,
  };
}

function given(values: FlagValues, name: string): string | undefined {
  return values.isGiven(name) ? values.text(name) : undefined;
}

/** Both were checked with the other flags. */
function serviceRangesOf(values: FlagValues): ServiceRanges {
  const ports = readPortRange(values.text('service-node-port-range'));
  const cidrs = values.text('service-cluster-ip-range').split(',');
  return serviceRanges(
    cidrs.filter((text) => text !== ''),
    typeof ports === 'string' ? undefined : ports,
  );
}

function featureGatesOf(values: FlagValues): FeatureGates {
  try {
    return createFeatureGates(values.list('feature-gates').join(','));
  } catch (error) {
    if (error instanceof FeatureGateError) throw new FlagError(error.message);
    throw error;
  }
}

function certificateFilesOf(values: FlagValues): CertificateFiles | undefined {
  const [certificate, key] = [given(values, 'tls-cert-file'), given(values, 'tls-private-key-file')];
  return certificate !== undefined && key !== undefined ? { certificate, key } : undefined;
}
