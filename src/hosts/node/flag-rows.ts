import { baseControllerNames } from '../../cluster/index.ts';
import { auditFlagRows } from './audit-flag-rows.ts';

/** Syntax of a flag's value: Go's types, as in the real server's help. */
export type FlagType =
  | 'bool'
  | 'duration'
  | 'float'
  | 'int'
  | 'ip'
  | 'portRange'
  | 'settings'
  | 'string'
  | 'stringArray'
  | 'strings'
  | 'pairs';

/** A flag with an effect. */
export interface FlagRow {
  readonly name: string;
  readonly type: FlagType;
  /** Default value; lists are comma-separated. */
  readonly initial: string;
  /** Placeholder of the value in the help. */
  readonly value: string;
  readonly about: string;
  readonly short?: string;
}

/** All flags with an effect, also used for the help. Names are the real server's, where it has the flag. */
export const flagRows: readonly FlagRow[] = [
  { name: 'names', type: 'string', initial: 'svc', value: 'svc|kubernetes', about: 'which product is served (svc is the neutral one)' },
  { name: 'bind-address', type: 'ip', initial: '127.0.0.1', value: 'ADDRESS', about: '' },
  { name: 'secure-port', type: 'int', initial: '0', value: 'PORT', about: '0: any free one' },
  { name: 'insecure', type: 'bool', initial: 'false', value: '', about: 'plain http instead of https' },
  {
    name: 'tls-cert-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'the certificate that is shown, with those that vouch for it; one is made without',
  },
  { name: 'tls-private-key-file', type: 'string', initial: '', value: 'FILE', about: 'its key' },
  { name: 'tls-min-version', type: 'string', initial: '', value: 'VERSION', about: 'VersionTLS12 or VersionTLS13; empty: TLS 1.2' },
  {
    name: 'tls-cipher-suites',
    type: 'strings',
    initial: '',
    value: 'NAME,…',
    about: "cipher suites of TLS 1.2 by their names in Go; empty: Go's default ones without CBC",
  },
  {
    name: 'http2-max-streams-per-connection',
    type: 'int',
    initial: '0',
    value: 'COUNT',
    about: 'requests at once on one HTTP/2 connection; 0: 100',
  },
  {
    name: 'max-requests-inflight',
    type: 'int',
    initial: '400',
    value: 'COUNT',
    about: 'reads at once, without watches; more are answered 429; 0: any number',
  },
  { name: 'max-mutating-requests-inflight', type: 'int', initial: '200', value: 'COUNT', about: 'writes at once; 0: any number' },
  {
    name: 'shutdown-delay-duration',
    type: 'duration',
    initial: '0s',
    value: 'TIME',
    about: 'after SIGTERM: how long requests are served while /readyz fails already',
  },
  {
    name: 'shutdown-send-retry-after',
    type: 'bool',
    initial: 'false',
    value: '',
    about: 'keep listening until requests in flight are answered; new ones are answered 429',
  },
  {
    name: 'token-auth-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'CSV of bearer tokens: token,user,uid,"group,group"; without it a random admin token is made',
  },
  { name: 'anonymous-auth', type: 'bool', initial: 'true', value: '', about: 'whether who shows nothing is system:anonymous' },
  {
    name: 'authorization-mode',
    type: 'strings',
    initial: 'Node,RBAC',
    value: 'MODE,…',
    about: 'who decides what is allowed, in order: AlwaysAllow, AlwaysDeny, ABAC, RBAC, Node, Webhook',
  },
  { name: 'authorization-policy-file', type: 'string', initial: '', value: 'FILE', about: 'policies of mode ABAC, one a line' },
  { name: 'authorization-config', type: 'string', initial: '', value: 'FILE', about: 'an AuthorizationConfiguration, in place of modes' },
  {
    name: 'authorization-webhook-config-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'the client configuration of mode Webhook',
  },
  { name: 'authorization-webhook-version', type: 'string', initial: 'v1beta1', value: 'v1|v1beta1', about: 'in which version it is asked' },
  { name: 'authorization-webhook-cache-authorized-ttl', type: 'duration', initial: '5m0s', value: 'TIME', about: '' },
  { name: 'authorization-webhook-cache-unauthorized-ttl', type: 'duration', initial: '30s', value: 'TIME', about: '' },
  {
    name: 'authentication-config',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'whose tokens are accepted, and who may come unknown',
  },
  { name: 'oidc-issuer-url', type: 'string', initial: '', value: 'URL', about: 'one issuer whose tokens are accepted' },
  { name: 'oidc-client-id', type: 'string', initial: '', value: 'NAME', about: 'for whom its tokens have to be' },
  { name: 'oidc-ca-file', type: 'string', initial: '', value: 'FILE', about: 'who vouches for its server' },
  { name: 'oidc-username-claim', type: 'string', initial: 'sub', value: 'CLAIM', about: '' },
  { name: 'oidc-username-prefix', type: 'string', initial: '', value: 'TEXT', about: '-: none; without it the issuer and #' },
  { name: 'oidc-groups-claim', type: 'string', initial: '', value: 'CLAIM', about: '' },
  { name: 'oidc-groups-prefix', type: 'string', initial: '', value: 'TEXT', about: '' },
  { name: 'oidc-required-claim', type: 'pairs', initial: '', value: 'CLAIM=VALUE', about: 'may be repeated' },
  { name: 'oidc-signing-algs', type: 'strings', initial: 'RS256', value: 'NAME,…', about: '' },
  { name: 'authentication-token-webhook-config-file', type: 'string', initial: '', value: 'FILE', about: 'who knows the other tokens' },
  { name: 'authentication-token-webhook-version', type: 'string', initial: 'v1beta1', value: 'v1|v1beta1', about: '' },
  { name: 'authentication-token-webhook-cache-ttl', type: 'duration', initial: '2m0s', value: 'TIME', about: '' },
  { name: 'client-ca-file', type: 'string', initial: '', value: 'FILE', about: 'whose client certificates name users' },
  {
    name: 'requestheader-client-ca-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'whose client certificates proxies in front show',
  },
  { name: 'requestheader-allowed-names', type: 'strings', initial: '', value: 'NAME,…', about: 'common names of such proxies; empty: any' },
  { name: 'requestheader-username-headers', type: 'strings', initial: '', value: 'HEADER,…', about: 'in which proxies name the user' },
  { name: 'requestheader-uid-headers', type: 'strings', initial: '', value: 'HEADER,…', about: '' },
  { name: 'requestheader-group-headers', type: 'strings', initial: '', value: 'HEADER,…', about: '' },
  { name: 'requestheader-extra-headers-prefix', type: 'strings', initial: '', value: 'PREFIX,…', about: '' },
  { name: 'enable-bootstrap-token-auth', type: 'bool', initial: 'true', value: '', about: 'whether bootstrap tokens are credentials' },
  { name: 'api-audiences', type: 'strings', initial: '', value: 'NAME,…', about: 'for whom tokens have to be; empty: the issuer' },
  { name: 'service-account-issuer', type: 'stringArray', initial: '', value: 'URL', about: 'who signs tokens; may be repeated' },
  {
    name: 'service-account-signing-key-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'the key that signs; one is made and kept without',
  },
  { name: 'service-account-key-file', type: 'stringArray', initial: '', value: 'FILE', about: 'keys that verify; may be repeated' },
  { name: 'service-account-jwks-uri', type: 'string', initial: '', value: 'URL', about: '' },
  { name: 'service-account-lookup', type: 'bool', initial: 'true', value: '', about: 'whether tokens end with the secret they are in' },
  { name: 'service-account-max-token-expiration', type: 'duration', initial: '0s', value: 'TIME', about: '' },
  { name: 'service-account-extend-token-expiration', type: 'bool', initial: 'true', value: '', about: '' },
  ...auditFlagRows,
  { name: 'data-dir', type: 'string', initial: '', value: 'FOLDER', about: 'keep the data there; without it they live in memory' },
  {
    name: 'etcd-servers',
    type: 'strings',
    initial: '',
    value: 'URL,…',
    about: 'keep the data in etcd: its members, http://host:2379 or https://host:2379',
  },
  { name: 'etcd-cafile', type: 'string', initial: '', value: 'FILE', about: 'who vouches for etcd' },
  { name: 'etcd-certfile', type: 'string', initial: '', value: 'FILE', about: 'the certificate that is shown to etcd' },
  { name: 'etcd-keyfile', type: 'string', initial: '', value: 'FILE', about: 'and its key' },
  { name: 'etcd-prefix', type: 'string', initial: '/registry', value: 'TEXT', about: 'what all keys of objects begin with' },
  {
    name: 'storage-media-type',
    type: 'string',
    initial: 'application/vnd.kubernetes.protobuf',
    value: 'TYPE',
    about: 'how built-in kinds stand in etcd; or application/json',
  },
  { name: 'event-ttl', type: 'duration', initial: '1h0m0s', value: 'TIME', about: 'how long events are kept in etcd' },
  {
    name: 'service-cluster-ip-range',
    type: 'string',
    initial: '10.96.0.0/12',
    value: 'CIDR[,CIDR]',
    about: 'where services get their addresses; a range of each family makes the cluster dual-stack',
  },
  { name: 'service-node-port-range', type: 'portRange', initial: '30000-32767', value: 'FIRST-LAST', about: '' },
  { name: 'etcd-compaction-interval', type: 'duration', initial: '5m0s', value: 'TIME', about: 'how long old revisions are kept' },
  { name: 'enable-admission-plugins', type: 'strings', initial: '', value: 'PLUGIN,…', about: 'admission plugins besides the usual ones' },
  { name: 'disable-admission-plugins', type: 'strings', initial: '', value: 'PLUGIN,…', about: 'admission plugins that are left out' },
  {
    name: 'admission-control-config-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'settings of Pod Security; others are checked',
  },
  { name: 'feature-gates', type: 'stringArray', initial: '', value: 'NAME=true|false,…', about: 'what is switched on and off' },
  {
    name: 'runtime-config',
    type: 'settings',
    initial: '',
    value: 'VERSION=true|false,…',
    about: 'which versions and resources are served: apps/v1, api/beta, batch/v1/jobs',
  },
  { name: 'cors-allowed-origins', type: 'strings', initial: '', value: 'PATTERN,…', about: 'pages of which origins may read answers' },
  {
    name: 'strict-transport-security-directives',
    type: 'strings',
    initial: '',
    value: 'DIRECTIVE,…',
    about: 'max-age=…, includeSubDomains, preload',
  },
  { name: 'watch-cache', type: 'bool', initial: 'true', value: '', about: 'false: every read and watch goes to the store' },
  {
    name: 'controllers',
    type: 'strings',
    initial: baseControllerNames.join(','),
    value: 'NAME,…',
    about:
      "the controllers that run, by the real controller manager's names: * is all that are on by default, -name leaves one out, nothing leaves out all; " +
      'the default ones complete namespaces, service accounts, tokens and roles, and protect volumes and service ranges',
  },
  { name: 'with-controllers', type: 'bool', initial: 'false', value: '', about: 'the default controllers, whatever --controllers says' },
  { name: 'kubeconfig', type: 'string', initial: '', value: 'FILE', about: 'where to write the client configuration' },
  {
    name: 'trace',
    type: 'bool',
    initial: 'false',
    value: '',
    about: 'answers carry Server-Timing for users who may get the path /debug/server-timing',
  },
  { name: 'log-level', type: 'string', initial: 'warn', value: 'error|warn|info', about: '' },
  { name: 'help', type: 'bool', initial: 'false', value: '', about: '', short: 'h' },
];

/** Defaults of idle flags that are read somewhere and are not empty, false or zero. */
export const idleInitials: Readonly<Record<string, string>> = { 'enable-priority-and-fairness': 'true' };

/**
 * Flags of the real server that are parsed and validated, but have no effect: their subjects (etcd's connections, logs of Go, kubelets)
 * do not exist. A flag that gets an effect moves to `flagRows`. Names are separated by white space.
 */
export const idleFlags: Readonly<Record<FlagType, string>> = {
  bool: `
    emulation-forward-compatible runtime-config-emulation-forward-compatible enable-garbage-collector
    encryption-provider-config-automatic-reload disable-http2-serving permit-address-sharing permit-port-sharing
    contention-profiling enable-priority-and-fairness profiling log-json-split-stream log-text-split-stream
    aggregator-reject-forwarding-redirect allow-privileged enable-aggregator-routing enable-logs-handler`,
  duration: `
    livez-grace-period request-timeout shutdown-watch-termination-grace-period storage-initialization-timeout
    etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout etcd-readycheck-timeout
    log-flush-frequency coordinated-leadership-lease-duration coordinated-leadership-renew-deadline coordinated-leadership-retry-period
    kubelet-timeout`,
  float: `
    goaway-chance`,
  int: `
    min-request-timeout delete-collection-workers lease-reuse-duration-seconds
    default-not-ready-toleration-seconds
    default-unreachable-toleration-seconds v kubernetes-service-node-port max-connection-bytes-per-sec`,
  ip: `
    advertise-address`,
  pairs: '',
  portRange: '',
  settings: ``,
  string: `
    external-hostname encryption-provider-config storage-backend
    cert-dir tls-sni-cert-key
    debug-socket-path
    egress-selector-config-file
    allow-metric-labels allow-metric-labels-manifest show-hidden-metrics-for-version log-json-info-buffer-size log-text-info-buffer-size
    logging-format vmodule tracing-config-file endpoint-reconciler-type kubelet-certificate-authority kubelet-client-certificate
    kubelet-client-key peer-advertise-ip peer-advertise-port peer-ca-file proxy-client-cert-file proxy-client-key-file
    service-account-signing-endpoint`,
  stringArray: '',
  strings: `
    emulated-version etcd-servers-overrides watch-cache-sizes admission-control
    disabled-metrics kubelet-preferred-address-types`,
};
