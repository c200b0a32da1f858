import { isIP } from 'node:net';
import { unknownPlugins, validateControllers, validatePluginSelection } from '../../../cluster/index.ts';
import { compilePattern, PatternError } from '../../../regexp/index.ts';
import { auditProblems } from './audit-checks.ts';
import { authenticationProblems, expirationProblems } from './authentication-checks.ts';
import { authorizationProblems } from './authorization-checks.ts';
import { throwProblems } from './flag-error.ts';
import { type FlagValues, productOf } from './flag-values.ts';
import { readPortRange } from './port-range.ts';
import { servingProblems } from './serving-checks.ts';

type Check = (flags: FlagValues) => readonly string[];

const negative =
  (name: string, message = `--${name} can not be negative value`): Check =>
  (flags) =>
    flags.text(name).startsWith('-') ? [message] : [];

/** The checks in the real server's order. Cf. upstream ServerRunOptions.Validate. */
const checks: readonly Check[] = [
  negative('livez-grace-period', '--livez-grace-period can not be a negative value'),
  negative('max-requests-inflight'),
  negative('max-mutating-requests-inflight'),
  negative('request-timeout'),
  (flags) => {
    const chance = flags.number('goaway-chance');
    return chance < 0 || chance > 0.02 ? ['--goaway-chance can not be less than 0 or greater than 0.02'] : [];
  },
  negative('min-request-timeout'),
  negative('storage-initialization-timeout'),
  negative('shutdown-delay-duration'),
  negative('shutdown-watch-termination-grace-period', 'shutdown-watch-termination-grace-period, if provided, can not be a negative value'),
  hstsProblems,
  corsProblems,
  (flags) => {
    const value = flags.text('storage-backend');
    if (value === '' || value === 'etcd3') return [];
    return ["--storage-backend invalid, allowed values: etcd3. If not specified, it will default to 'etcd3'"];
  },
  (flags) => flags.list('etcd-servers-overrides').flatMap(overrideProblems),
  mediaTypeProblems,
  (flags) =>
    flags.text('data-dir') !== '' && flags.text('etcd-servers') !== '' ? ['--data-dir and --etcd-servers exclude each other'] : [],
  (flags) => {
    const alone = flags.truth('encryption-provider-config-automatic-reload') && flags.text('encryption-provider-config') === '';
    return alone ? ['--encryption-provider-config-automatic-reload must be set with --encryption-provider-config'] : [];
  },
  // Rejected, because users must not believe that data is encrypted.
  (flags) =>
    flags.text('encryption-provider-config') === '' || flags.text('etcd-servers') !== ''
      ? []
      : ['--encryption-provider-config needs --etcd-servers: other storage is not encrypted'],
  fairnessProblems,
  (flags) => {
    const port = flags.number('secure-port');
    return port < 0 || port > 65535 ? [`--secure-port ${port} must be between 1 and 65535, inclusive. It cannot be turned off with 0`] : [];
  },
  authenticationProblems,
  authorizationProblems,
  auditProblems,
  // The former flag selects no plugins here.
  (flags) => unknownPlugins('admission-control', flags.list('admission-control')),
  (flags) =>
    validatePluginSelection({ enabled: flags.list('enable-admission-plugins'), disabled: flags.list('disable-admission-plugins') }),
  advertisedFamilyProblems,
  signingEndpointProblems,
  leadershipProblems,
  (flags) => validateControllers(flags.list('controllers')),
  negative('nodes'),
  (flags) => {
    const value = flags.text('show-hidden-metrics-for-version');
    if (value === '' || value === '1.33') return [];
    return ["--show-hidden-metrics-for-version must be omitted or have the value '1.33'. Only the previous minor version is allowed"];
  },
  (flags) =>
    ['peer-ca-file', 'peer-advertise-ip', 'peer-advertise-port']
      .filter((name) => flags.text(name) !== '')
      .map((name) => `--${name} requires UnknownVersionInteroperabilityProxy feature to be turned on`),
];

/** Validates parsed flags. @throws FlagError */
export function checkFlags(flags: FlagValues): void {
  throwProblems(loggingProblems(flags));
  throwProblems(serviceRangeProblems(flags.text('service-cluster-ip-range')));
  throwProblems(expirationProblems(flags));
  throwProblems(signerProblems(flags));
  throwProblems([
    ...checks.flatMap((check) => check(flags)),
    ...tooManyRanges(flags.text('service-cluster-ip-range')),
    ...ownNodePortProblems(flags),
  ]);
  throwProblems(smallRangeProblems(flags.text('service-cluster-ip-range')));
  throwProblems(servingProblems(flags));
}

/** Logging is set up before other flags are validated. Cf. component-base logs/api/v1 Validate. */
function loggingProblems(flags: FlagValues): readonly string[] {
  const format = flags.text('logging-format');
  return ['', 'text', 'json'].includes(format) ? [] : [`format: Invalid value: ${JSON.stringify(format)}: Unsupported log format`];
}

/** Cf. upstream validateServiceAccountTokenSigningConfig. No external signer is called. */
function signingEndpointProblems(flags: FlagValues): readonly string[] {
  const endpoint = flags.text('service-account-signing-endpoint');
  if (endpoint === '') return [];
  const hasKeys = flags.text('service-account-signing-key-file') !== '' || flags.list('service-account-key-file').length > 0;
  const both =
    "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)";
  const isSocket = !endpoint.startsWith('@') || /^@(?:[\w-]+\.)*[\w-]+$/.test(endpoint);
  const wrong = `invalid value ${JSON.stringify(endpoint)} passed for \`--service-account-signing-endpoint\`, when prefixed with @ must be a valid abstract socket name`;
  return [...(hasKeys ? [both] : []), ...(isSocket ? [] : [wrong])];
}

/** With an issuer, these exclude each other before flags are validated. */
function signerProblems(flags: FlagValues): readonly string[] {
  const names = ['service-account-signing-key-file', 'service-account-signing-endpoint'];
  const isIssuer = (flags.list('service-account-issuer')[0] ?? '') !== '';
  if (!isIssuer || names.some((name) => flags.text(name) === '')) return [];
  return [`${names.join(' and ')} are mutually exclusive and cannot be set at the same time`];
}

/** Cf. upstream validateCoordinatedLeadershipFlags. */
function leadershipProblems(flags: FlagValues): readonly string[] {
  const names = ['lease-duration', 'renew-deadline', 'retry-period'].map((name) => `coordinated-leadership-${name}`);
  const defaults = [15_000, 10_000, 2_000];
  const durations = names.map((name, index) => (flags.isGiven(name) ? flags.durationMs(name) : (defaults[index] ?? 0)));
  return names
    .slice(1)
    .flatMap((name, index) =>
      (durations[index] ?? 0) <= (durations[index + 1] ?? 0) ? [`--${names[index]} must be greater than --${name}`] : [],
    );
}

function overrideProblems(override: string): readonly string[] {
  const [resource = '', servers, ...rest] = override.split('#');
  if (servers !== undefined && rest.length === 0 && resource.split('/').length === 2) return [];
  return ['--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated'];
}

/** Cf. upstream validateServiceNodePort. */
function ownNodePortProblems(flags: FlagValues): readonly string[] {
  const port = flags.number('kubernetes-service-node-port');
  const range = readPortRange(flags.text('service-node-port-range'));
  if (typeof range === 'string') return [];
  const { first, last } = range;
  return [
    ...(port < 0 || port > 65535
      ? [
          `--kubernetes-service-node-port ${port} must be between 0 and 65535, inclusive. If 0, the Kubernetes master service will be of type ClusterIP`,
        ]
      : []),
    ...(port > 0 && (port < first || port > last) ? [`kubernetes service node port range ${first}-${last} doesn't contain ${port}`] : []),
  ];
}

function mediaTypeProblems(flags: FlagValues): readonly string[] {
  const value = flags.text('storage-media-type');
  const allowed = ['application/json', productOf(flags).names.protobufMediaType, 'application/yaml'];
  // The default value is valid for every product.
  if (allowed.includes(value) || !flags.isGiven('storage-media-type')) return [];
  return [`--storage-media-type ${JSON.stringify(value)} invalid, allowed values: ${allowed.join(', ')}`];
}

function hstsProblems(flags: FlagValues): readonly string[] {
  const allowed = /^(?:includeSubDomains|preload|max-age=[^=]*)$/;
  return flags.list('strict-transport-security-directives').flatMap((directive) => {
    if (directive.trim() === '') return ['empty value in strict-transport-security-directives'];
    if (allowed.test(directive)) return [];
    return [
      '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. ' +
        'see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
    ];
  });
}

const corsHelp =
  'List of allowed origins for CORS, comma separated. An allowed origin can be a regular expression to support subdomain matching. ' +
  'If this list is empty CORS will not be enabled. Please ensure each expression matches the entire hostname by anchoring ' +
  "to the start with '^' or including the '//' prefix, and by anchoring to the end with '$' or including the ':' port separator suffix. " +
  "Examples of valid expressions are '//example\\.com(:|$)' and '^https://example\\.com(:|$)'";

function corsProblems(flags: FlagValues): readonly string[] {
  return flags.list('cors-allowed-origins').flatMap((pattern) => {
    if (pattern === '') return [`empty value in --cors-allowed-origins, help: ${corsHelp}`];
    const problem = patternProblem(pattern);
    return problem === undefined ? [] : [`--cors-allowed-origins has an invalid regular expression: ${problem}, help: ${corsHelp}`];
  });
}

/** An unanchored pattern could match other hosts. Cf. upstream allowedOriginRegexps validation. */
function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
  const pinned = /\^|\/\//.test(pattern) && /\$|:/.test(pattern);
  return pinned ? undefined : 'regular expression does not pin to start/end of host in the origin header';
}

/** Priority and fairness needs its configuration API to be served. */
function fairnessProblems(flags: FlagValues): readonly string[] {
  if (!flags.truth('enable-priority-and-fairness')) return [];
  const config = flags.pairs('runtime-config');
  const version = productOf(flags).rename('flowcontrol.apiserver.k8s.io/v1');
  const deciding = [version, 'api/ga', 'api/all'].find((key) => /^(?:true|false)$/.test(config.get(key) ?? ''));
  if (deciding === undefined || config.get(deciding) === 'true') return [];
  const nothingLeft = config.size === 1 && deciding === 'api/all' ? ['invalid key with only api/all=false'] : [];
  return [`--runtime-config=${deciding}=false conflicts with --enable-priority-and-fairness=true`, ...nothingLeft];
}

/** Validated first, since the serving certificate includes the first address. */
function serviceRangeProblems(ranges: string): readonly string[] {
  const [first = '', second] = ranges.split(',');
  if (ranges === '') return [];
  if (!isCidr(first)) return ['service-cluster-ip-range[0] is not a valid cidr'];
  return second === undefined || isCidr(second) ? [] : ['service-cluster-ip-range[1] is not an ip net'];
}

function tooManyRanges(ranges: string): readonly string[] {
  const all = ranges.split(',');
  if (all.length > 2) return ['--service-cluster-ip-range must not contain more than two entries'];
  const [first, second] = all.map((range) => range.includes(':'));
  return second !== undefined && first === second
    ? ['--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family']
    : [];
}

const leastAddressBits = 3;

/** Clients of the Service `kubernetes` would not reach an endpoint of another family. Cf. upstream validatePublicIPServiceClusterIPRangeIPFamilies. */
function advertisedFamilyProblems(flags: FlagValues): readonly string[] {
  const [ip, [range = '']] = [flags.text('advertise-address'), flags.text('service-cluster-ip-range').split(',')];
  if (ip === '' || range === '' || flags.text('endpoint-reconciler-type') === 'none') return [];
  if (range.includes(':') === ip.includes(':')) return [];
  return [`service IP family ${JSON.stringify(range)} must match public address family ${JSON.stringify(ip)}`];
}

/** Validated after all other flags. */
function smallRangeProblems(ranges: string): readonly string[] {
  const isSmall = (range: string): boolean => (range.includes(':') ? 128 : 32) - Number(range.split('/')[1]) < leastAddressBits;
  const at = ranges === '' ? -1 : ranges.split(',').findIndex(isSmall);
  const which = ['primary', 'secondary'][at];
  const why = 'the service cluster IP range must be at least 8 IP addresses';
  return which === undefined ? [] : [`error determining service IP ranges for ${which} service cidr: ${why}`];
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const size = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1;
  return more.length === 0 && /^\d+$/.test(bits) && Number(bits) <= size;
}
