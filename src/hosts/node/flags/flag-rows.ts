import { baseControllerNames } from '../../../cluster/index.ts';
import { auditFlagRows } from './audit-flag-rows.ts';
import { clientRateFlagRows } from './client-rate-flags.ts';
import { clusterCidrFlagRows } from './cluster-cidr-flags.ts';

/** Syntax of a flag's value: Go's types, as in the real server's help. */
export type FlagType =
  | 'bool'
  | 'certificatePair'
  | 'duration'
  | 'float'
  | 'int'
  | 'ip'
  | 'portRange'
  | 'quantity'
  | 'settings'
  | 'string'
  | 'stringArray'
  | 'strings'
  | 'pairs'
  | 'stringToString'
  | 'verbosity'
  | 'vmodule';

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
  {
    name: 'names',
    type: 'string',
    initial: 'svc',
    value: 'svc|kubernetes',
    about: 'product names of the API: kubernetes, or svc for the neutral ones',
  },
  { name: 'bind-address', type: 'ip', initial: '127.0.0.1', value: 'ADDRESS', about: 'IP address on which to listen for --secure-port' },
  {
    name: 'secure-port',
    type: 'int',
    initial: '0',
    value: 'PORT',
    about: 'port on which to serve HTTPS with authentication and authorization; 0: any free port',
  },
  {
    name: 'advertise-address',
    type: 'ip',
    initial: '',
    value: 'ADDRESS',
    about:
      'IP address on which to advertise the server to members of the cluster, as the endpoint of the Service kubernetes; if empty, the ' +
      "--bind-address, or the host's address if that is unspecified or a loopback address",
  },
  {
    name: 'endpoint-reconciler-type',
    type: 'string',
    initial: 'lease',
    value: 'lease|master-count|none',
    about: 'endpoint reconciler of the Service kubernetes: lease, for servers that share an etcd; master-count, for one server; or none',
  },
  { name: 'insecure', type: 'bool', initial: 'false', value: '', about: 'serve plain HTTP instead of HTTPS' },
  {
    name: 'tls-cert-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'x509 certificate for HTTPS, with the intermediate CA certificates after it; if empty, a self-signed one is generated',
  },
  { name: 'tls-private-key-file', type: 'string', initial: '', value: 'FILE', about: 'x509 private key matching --tls-cert-file' },
  {
    name: 'tls-min-version',
    type: 'string',
    initial: '',
    value: 'VERSION',
    about: 'minimum TLS version supported: VersionTLS12 or VersionTLS13; if empty, TLS 1.2',
  },
  {
    name: 'tls-cipher-suites',
    type: 'strings',
    initial: '',
    value: 'NAME,…',
    about: "comma-separated list of cipher suites of TLS 1.2, by Go's names; if empty, Go's defaults without CBC",
  },
  {
    name: 'http2-max-streams-per-connection',
    type: 'int',
    initial: '0',
    value: 'COUNT',
    about: 'maximum number of concurrent streams of an HTTP/2 connection; 0: 100',
  },
  {
    name: 'max-requests-inflight',
    type: 'int',
    initial: '400',
    value: 'COUNT',
    about:
      'maximum number of non-mutating requests in flight, without watches; its sum with the next limit is divided among the priority ' +
      'levels; without priority and fairness further requests are rejected with 429, and 0 means no limit',
  },
  {
    name: 'max-mutating-requests-inflight',
    type: 'int',
    initial: '200',
    value: 'COUNT',
    about: 'maximum number of mutating requests in flight; see --max-requests-inflight',
  },
  {
    name: 'enable-priority-and-fairness',
    type: 'bool',
    initial: 'true',
    value: '',
    about: 'limit and queue requests by the FlowSchemas and PriorityLevelConfigurations; if false, by the two limits alone',
  },
  {
    name: 'request-timeout',
    type: 'duration',
    initial: '1m0s',
    value: 'TIME',
    about: 'default and maximum time of a request, without watches and other long-running requests',
  },
  {
    name: 'min-request-timeout',
    type: 'int',
    initial: '1800',
    value: 'SECONDS',
    about: 'minimum time of a watch without a timeout of its own; a random time up to twice as long is used',
  },
  {
    name: 'default-not-ready-toleration-seconds',
    type: 'int',
    initial: '300',
    value: 'SECONDS',
    about: 'tolerationSeconds for the taint not-ready:NoExecute, which is added to pods without such a toleration',
  },
  {
    name: 'default-unreachable-toleration-seconds',
    type: 'int',
    initial: '300',
    value: 'SECONDS',
    about: 'tolerationSeconds for the taint unreachable:NoExecute, which is added to pods without such a toleration',
  },
  {
    name: 'shutdown-delay-duration',
    type: 'duration',
    initial: '0s',
    value: 'TIME',
    about: 'time to delay the termination after SIGTERM; requests are served normally, and /readyz fails',
  },
  {
    name: 'shutdown-send-retry-after',
    type: 'bool',
    initial: 'false',
    value: '',
    about: 'continue listening until all requests in flight have drained; new ones are rejected with 429 and Retry-After',
  },
  {
    name: 'token-auth-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'CSV file of static bearer tokens: token,user,uid,"group,group"; if empty, an admin token is generated',
  },
  {
    name: 'anonymous-auth',
    type: 'bool',
    initial: 'true',
    value: '',
    about: 'enable anonymous requests, with the username system:anonymous and the group system:unauthenticated',
  },
  {
    name: 'authorization-mode',
    type: 'strings',
    initial: 'Node,RBAC',
    value: 'MODE,…',
    about: 'ordered list of authorizers: AlwaysAllow, AlwaysDeny, ABAC, RBAC, Node, Webhook',
  },
  {
    name: 'authorization-policy-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'authorization policy for --authorization-mode=ABAC, one JSON object per line',
  },
  {
    name: 'authorization-config',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'AuthorizationConfiguration file; mutually exclusive with --authorization-mode and the webhook flags',
  },
  {
    name: 'authorization-webhook-config-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'webhook configuration in kubeconfig format, for --authorization-mode=Webhook',
  },
  {
    name: 'authorization-webhook-version',
    type: 'string',
    initial: 'v1beta1',
    value: 'v1|v1beta1',
    about: 'API version of the SubjectAccessReview to send to and expect from the webhook',
  },
  {
    name: 'authorization-webhook-cache-authorized-ttl',
    type: 'duration',
    initial: '5m0s',
    value: 'TIME',
    about: "duration to cache 'authorized' responses from the webhook authorizer",
  },
  {
    name: 'authorization-webhook-cache-unauthorized-ttl',
    type: 'duration',
    initial: '30s',
    value: 'TIME',
    about: "duration to cache 'unauthorized' responses from the webhook authorizer",
  },
  {
    name: 'authentication-config',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'AuthenticationConfiguration file of the JWT authenticators and of anonymous requests; mutually exclusive with --oidc-*',
  },
  {
    name: 'oidc-issuer-url',
    type: 'string',
    initial: '',
    value: 'URL',
    about: 'URL of the OpenID issuer; used to verify the OIDC JSON Web Token (JWT)',
  },
  {
    name: 'oidc-client-id',
    type: 'string',
    initial: '',
    value: 'NAME',
    about: 'client ID of the OpenID Connect client; must be set if --oidc-issuer-url is set',
  },
  {
    name: 'oidc-ca-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: "CA certificates that verify the OpenID server's certificate; if empty, the host's root CA set",
  },
  { name: 'oidc-username-claim', type: 'string', initial: 'sub', value: 'CLAIM', about: 'OpenID claim to use as the user name' },
  {
    name: 'oidc-username-prefix',
    type: 'string',
    initial: '',
    value: 'TEXT',
    about: "prefix of all user names; '-': no prefix; if empty, the issuer URL and '#' for claims other than email",
  },
  {
    name: 'oidc-groups-claim',
    type: 'string',
    initial: '',
    value: 'CLAIM',
    about: "OpenID claim with the user's groups: a string or an array of strings",
  },
  {
    name: 'oidc-groups-prefix',
    type: 'string',
    initial: '',
    value: 'TEXT',
    about: 'prefix of all groups, to prevent conflicts with other authentication strategies',
  },
  {
    name: 'oidc-required-claim',
    type: 'pairs',
    initial: '',
    value: 'CLAIM=VALUE',
    about: 'key=value pair of a claim that the ID token must have; repeat for several claims',
  },
  {
    name: 'oidc-signing-algs',
    type: 'strings',
    initial: 'RS256',
    value: 'NAME,…',
    about: 'allowed JOSE asymmetric signing algorithms: RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512',
  },
  {
    name: 'authentication-token-webhook-config-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'webhook configuration for token authentication, in kubeconfig format',
  },
  {
    name: 'authentication-token-webhook-version',
    type: 'string',
    initial: 'v1beta1',
    value: 'v1|v1beta1',
    about: 'API version of the TokenReview to send to and expect from the webhook',
  },
  {
    name: 'authentication-token-webhook-cache-ttl',
    type: 'duration',
    initial: '2m0s',
    value: 'TIME',
    about: 'duration to cache responses from the webhook token authenticator',
  },
  {
    name: 'client-ca-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'CA certificates that verify client certificates; their common name is the user name',
  },
  {
    name: 'requestheader-client-ca-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'root certificates that verify client certificates of proxies before user names in headers are trusted',
  },
  {
    name: 'requestheader-allowed-names',
    type: 'strings',
    initial: '',
    value: 'NAME,…',
    about: 'common names of client certificates that may provide user names in headers; if empty, any verified certificate',
  },
  {
    name: 'requestheader-username-headers',
    type: 'strings',
    initial: '',
    value: 'HEADER,…',
    about: 'request headers to inspect for user names; X-Remote-User is common',
  },
  {
    name: 'requestheader-uid-headers',
    type: 'strings',
    initial: '',
    value: 'HEADER,…',
    about: 'request headers to inspect for UIDs; X-Remote-Uid is suggested',
  },
  {
    name: 'requestheader-group-headers',
    type: 'strings',
    initial: '',
    value: 'HEADER,…',
    about: 'request headers to inspect for groups; X-Remote-Group is suggested',
  },
  {
    name: 'requestheader-extra-headers-prefix',
    type: 'strings',
    initial: '',
    value: 'PREFIX,…',
    about: 'prefixes of request headers to inspect for extra fields; X-Remote-Extra- is suggested',
  },
  {
    name: 'enable-bootstrap-token-auth',
    type: 'bool',
    initial: 'true',
    value: '',
    about: 'allow secrets of type bootstrap.kubernetes.io/token in kube-system to be used for authentication',
  },
  {
    name: 'api-audiences',
    type: 'strings',
    initial: '',
    value: 'NAME,…',
    about: 'identifiers of the API, which service account tokens must be bound to; if empty, the issuer URL',
  },
  {
    name: 'service-account-issuer',
    type: 'stringArray',
    initial: '',
    value: 'URL',
    about: "issuer of service account tokens (the 'iss' claim); repeat to accept tokens of further issuers",
  },
  {
    name: 'service-account-signing-key-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'private key that signs issued ID tokens; if empty, one is generated and stored',
  },
  {
    name: 'service-account-key-file',
    type: 'stringArray',
    initial: '',
    value: 'FILE',
    about: 'PEM-encoded RSA or ECDSA keys that verify service account tokens; repeat for several files',
  },
  {
    name: 'service-account-jwks-uri',
    type: 'string',
    initial: '',
    value: 'URL',
    about: 'URI of the JSON Web Key Set in the discovery document at /.well-known/openid-configuration',
  },
  {
    name: 'service-account-lookup',
    type: 'bool',
    initial: 'true',
    value: '',
    about: 'validate that service account tokens exist in storage as part of authentication',
  },
  {
    name: 'service-account-max-token-expiration',
    type: 'duration',
    initial: '0s',
    value: 'TIME',
    about: 'maximum validity duration of a token created by the service account token issuer',
  },
  {
    name: 'service-account-extend-token-expiration',
    type: 'bool',
    initial: 'true',
    value: '',
    about: 'extend the expiration of injected service account tokens, for the transition from legacy tokens',
  },
  ...auditFlagRows,
  { name: 'data-dir', type: 'string', initial: '', value: 'FOLDER', about: 'folder of the data; if empty, data are in memory only' },
  {
    name: 'etcd-servers',
    type: 'strings',
    initial: '',
    value: 'URL,…',
    about: 'list of etcd servers to connect with (scheme://host:port), comma-separated',
  },
  {
    name: 'etcd-cafile',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'SSL certificate authority file used to secure etcd communication',
  },
  { name: 'etcd-certfile', type: 'string', initial: '', value: 'FILE', about: 'SSL certification file used to secure etcd communication' },
  { name: 'etcd-keyfile', type: 'string', initial: '', value: 'FILE', about: 'SSL key file used to secure etcd communication' },
  { name: 'etcd-prefix', type: 'string', initial: '/registry', value: 'TEXT', about: 'prefix to prepend to all resource paths in etcd' },
  {
    name: 'storage-media-type',
    type: 'string',
    initial: 'application/vnd.kubernetes.protobuf',
    value: 'TYPE',
    about: 'media type of objects in etcd: application/vnd.kubernetes.protobuf, or application/json',
  },
  { name: 'event-ttl', type: 'duration', initial: '1h0m0s', value: 'TIME', about: 'time to retain events in etcd' },
  {
    name: 'service-cluster-ip-range',
    type: 'string',
    initial: '10.96.0.0/12',
    value: 'CIDR[,CIDR]',
    about: 'CIDR from which to assign service cluster IPs; one of each IP family makes the cluster dual-stack',
  },
  {
    name: 'service-node-port-range',
    type: 'portRange',
    initial: '30000-32767',
    value: 'FIRST-LAST',
    about: 'port range to reserve for services with NodePort visibility, both ends included',
  },
  {
    name: 'etcd-compaction-interval',
    type: 'duration',
    initial: '5m0s',
    value: 'TIME',
    about: 'interval of compaction requests, the time for which old revisions are retained; 0 disables compaction',
  },
  {
    name: 'enable-admission-plugins',
    type: 'strings',
    initial: '',
    value: 'PLUGIN,…',
    about: 'admission plugins that should be enabled in addition to the default ones',
  },
  {
    name: 'disable-admission-plugins',
    type: 'strings',
    initial: '',
    value: 'PLUGIN,…',
    about: 'admission plugins that should be disabled although they are enabled by default',
  },
  {
    name: 'admission-control-config-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'file with admission control configuration',
  },
  {
    name: 'feature-gates',
    type: 'stringArray',
    initial: '',
    value: 'NAME=true|false,…',
    about: 'key=value pairs that describe feature gates for alpha and experimental features',
  },
  {
    name: 'runtime-config',
    type: 'settings',
    initial: '',
    value: 'VERSION=true|false,…',
    about: 'key=value pairs that enable or disable API versions and resources: apps/v1, api/beta, batch/v1/jobs',
  },
  {
    name: 'cors-allowed-origins',
    type: 'strings',
    initial: '',
    value: 'PATTERN,…',
    about: 'allowed origins for CORS, as regular expressions; if empty, CORS is disabled',
  },
  {
    name: 'strict-transport-security-directives',
    type: 'strings',
    initial: '',
    value: 'DIRECTIVE,…',
    about: 'directives of the header Strict-Transport-Security (HSTS): max-age=SECONDS, includeSubDomains, preload',
  },
  {
    name: 'emulated-version',
    type: 'strings',
    initial: '',
    value: 'VERSION',
    about: 'version to report in /version and OpenAPI documents, 1.31 to 1.34; features and resources are those of 1.34; if empty, 1.34',
  },
  {
    name: 'allow-privileged',
    type: 'bool',
    initial: 'true',
    value: '',
    about: 'allow privileged containers; kube-apiserver has the default false, which installers of clusters change',
  },
  {
    name: 'disabled-metrics',
    type: 'strings',
    initial: '',
    value: 'NAMES',
    about: 'names of metrics that are not reported',
  },
  { name: 'goaway-chance', type: 'float', initial: '0', value: 'P', about: 'probability that a response on HTTP/2 closes its connection' },
  { name: 'profiling', type: 'bool', initial: 'true', value: '', about: 'serve the debugging paths /debug/pprof/ and /debug/flags/v' },
  {
    name: 'watch-cache',
    type: 'bool',
    initial: 'true',
    value: '',
    about: 'enable watch caching; if false, reads and watches go to the storage',
  },
  {
    name: 'controllers',
    type: 'strings',
    initial: baseControllerNames.join(','),
    value: 'NAME,…',
    about:
      "controllers to run, by the names of kube-controller-manager: '*' enables all that are on by default, '-name' disables one, and the " +
      'empty list disables all; the default ones complete namespaces, service accounts, tokens and roles, and protect volumes and service ranges',
  },
  {
    name: 'with-controllers',
    type: 'bool',
    initial: 'false',
    value: '',
    about: 'run the default controllers, regardless of --controllers',
  },
  ...clientRateFlagRows,
  ...clusterCidrFlagRows,
  {
    name: 'scheduler',
    type: 'bool',
    initial: 'false',
    value: '',
    about: 'run the scheduler, which assigns pods to nodes; its last decisions are at /debug/scheduling',
  },
  {
    name: 'scheduler-config',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: "path to the scheduler's configuration file: a KubeSchedulerConfiguration, as for --config of kube-scheduler",
  },
  {
    name: 'all-in-one',
    type: 'bool',
    initial: 'false',
    value: '',
    about: 'run a whole cluster: the scheduler, simulated nodes, and all controllers unless --controllers is given',
  },
  {
    name: 'node-config',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'with --all-in-one: Node objects to simulate in place of --nodes, with labels, taints and status.capacity',
  },
  {
    name: 'nodes',
    type: 'int',
    initial: '3',
    value: 'COUNT',
    about: 'number of simulated nodes with --all-in-one, besides Node objects with the annotation kwok.x-k8s.io/node: fake',
  },
  {
    name: 'pod-manifest-path',
    type: 'string',
    initial: '',
    value: 'FOLDER',
    about:
      'with --all-in-one: path to the folder containing static pod files to run on every node, and in folders with the names of nodes those ' +
      'to run on one node; files starting with dots are ignored',
  },
  {
    name: 'unknown-images',
    type: 'string',
    initial: 'fail-short-names',
    value: 'run|fail-short-names|fail',
    about:
      'with --all-in-one: whether containers of images that are not emulated run without a program; fail-short-names: images without a ' +
      'registry cannot be pulled unless they are official images of Docker Hub; fail: none can be pulled',
  },
  { name: 'kubeconfig', type: 'string', initial: '', value: 'FILE', about: 'path to write the kubeconfig of the admin user to' },
  {
    name: 'trace',
    type: 'bool',
    initial: 'false',
    value: '',
    about: 'add the header Server-Timing to responses for users with access to the path /debug/server-timing',
  },
  {
    name: 'encryption-provider-config',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'EncryptionConfiguration of values in etcd: identity, aescbc, aesgcm, secretbox, KMS v2',
  },
  {
    name: 'encryption-provider-config-automatic-reload',
    type: 'bool',
    initial: 'false',
    value: '',
    about: 'read the file again when it changes',
  },
  {
    name: 'enable-aggregator-routing',
    type: 'bool',
    initial: 'false',
    value: '',
    about: 'send requests for aggregated API servers to endpoints instead of cluster IPs',
  },
  {
    name: 'proxy-client-cert-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'client certificate for aggregated API servers',
  },
  { name: 'proxy-client-key-file', type: 'string', initial: '', value: 'FILE', about: 'its key' },
  { name: 'log-level', type: 'string', initial: 'warn', value: 'error|warn|info', about: 'minimum severity of log messages' },
  { name: 'help', type: 'bool', initial: 'false', value: '', about: 'print this help', short: 'h' },
];

/**
 * Flags of the real server that are parsed and validated, but have no effect: their subjects (etcd's connections, logs of Go, kubelets)
 * do not exist. A flag that gets an effect moves to `flagRows`. Names are separated by white space.
 */
export const idleFlags: Readonly<Record<FlagType, string>> = {
  bool: `
    emulation-forward-compatible runtime-config-emulation-forward-compatible enable-garbage-collector
    disable-http2-serving permit-address-sharing permit-port-sharing
    contention-profiling log-json-split-stream log-text-split-stream
    aggregator-reject-forwarding-redirect enable-logs-handler`,
  certificatePair: 'tls-sni-cert-key',
  duration: `
    livez-grace-period shutdown-watch-termination-grace-period storage-initialization-timeout
    etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout etcd-readycheck-timeout
    log-flush-frequency coordinated-leadership-lease-duration coordinated-leadership-renew-deadline coordinated-leadership-retry-period
    kubelet-timeout`,
  float: '',
  int: `
    delete-collection-workers lease-reuse-duration-seconds kubernetes-service-node-port max-connection-bytes-per-sec`,
  ip: '',
  pairs: '',
  portRange: '',
  quantity: 'log-json-info-buffer-size log-text-info-buffer-size',
  settings: ``,
  string: `
    external-hostname storage-backend
    cert-dir
    debug-socket-path
    egress-selector-config-file
    allow-metric-labels-manifest show-hidden-metrics-for-version
    logging-format tracing-config-file kubelet-certificate-authority kubelet-client-certificate
    kubelet-client-key peer-advertise-ip peer-advertise-port peer-ca-file
    service-account-signing-endpoint`,
  stringArray: '',
  stringToString: 'allow-metric-labels',
  verbosity: 'v',
  vmodule: 'vmodule',
  strings: `
    etcd-servers-overrides watch-cache-sizes admission-control kubelet-preferred-address-types`,
};
