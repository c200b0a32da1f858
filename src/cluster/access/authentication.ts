import {
  type AnonymousAccess,
  type Authenticator,
  bootstrapTokenAuthenticator,
  boundTokenAuthenticator,
  cachedTokenAuthenticator,
  createRequestAuthenticator,
  createServiceAccountIssuer,
  type KeySource,
  legacyTokenAuthenticator,
  type RequestAuthenticator,
  type ServiceAccountIssuer,
  type StaticTokens,
  type TokenAuthenticator,
  type TokenObjects,
  tokenFileAuthenticator,
  tokenUnion,
  wrapAudienceAgnosticToken,
} from '../../authn/index.ts';
import type { Env } from '../../env/index.ts';
import { type ApiObject, formatTime, type Product } from '../../meta/index.ts';
import type { ConfigurationReport } from '../../server/index.ts';
import type { ClientAuthorities } from '../bootstrap/publish-authorities.ts';
import { type CreateVerifier, publishedCertificateAuthenticator } from '../bootstrap/published-certificates.ts';
import { hostPort, type ServerAddress } from '../kubernetes-service/server-address.ts';
import { createObjectSource, type ObjectSourceOptions } from '../object-source.ts';

/** The authentication methods; flags have the real server's names. */
export interface AuthenticationOptions {
  /** Bearer tokens of `--token-auth-file`. */
  readonly tokens: StaticTokens;
  /** `--anonymous-auth`, or the setting in the configuration file. */
  readonly anonymous: AnonymousAccess;
  /** `--enable-bootstrap-token-auth`. */
  readonly bootstrapTokens: boolean;
  readonly serviceAccounts: ServiceAccountOptions;
  /** Report on the `--authentication-config` file; undefined without one. */
  readonly file: ConfigurationReport | undefined;
  /** Methods that inspect the request: front proxy headers, client certificates. */
  readonly requests: readonly Authenticator[];
  /** Creates verifiers for the client CAs that the cluster publishes; undefined: those are ignored. */
  readonly publishedAuthorities: CreateVerifier | undefined;
  /** The authorities that this server publishes; undefined: none. */
  readonly ownAuthorities: ClientAuthorities | undefined;
  /** Methods for tokens of external issuers; tried last, since they may call those issuers. */
  readonly externalTokens: readonly TokenAuthenticator[];
}

export interface ServiceAccountOptions {
  /** `--service-account-issuer`; empty: the product's default. */
  readonly issuers: readonly string[];
  /** `--api-audiences`; empty: the issuers. */
  readonly audiences: readonly string[];
  /** `--service-account-lookup`. */
  readonly lookup: boolean;
  /** `--service-account-max-token-expiration`; 0: the requested duration. */
  readonly maxExpirationSeconds: number;
  /** `--service-account-extend-token-expiration`. */
  readonly extendsExpiration: boolean;
  /** `--service-account-jwks-uri`; empty: at the server's advertise address. */
  readonly keysUri: string;
  /** `--service-account-signing-key-file`; undefined: the cluster generates and stores a key. */
  readonly signing: JsonWebKey | undefined;
  /** `--service-account-key-file`; undefined: the signing key. */
  readonly verifying: readonly JsonWebKey[] | undefined;
}

export const authenticationDefaults: AuthenticationOptions = {
  tokens: new Map(),
  anonymous: 'everywhere',
  bootstrapTokens: true,
  serviceAccounts: {
    issuers: [],
    audiences: [],
    lookup: true,
    maxExpirationSeconds: 0,
    extendsExpiration: true,
    keysUri: '',
    signing: undefined,
    verifying: undefined,
  },
  file: undefined,
  requests: [],
  publishedAuthorities: undefined,
  ownAuthorities: undefined,
  externalTokens: [],
};

/** The issuers and audiences of service account tokens, with defaults. */
export function issuersAndAudiences(
  { issuers, audiences }: Pick<ServiceAccountOptions, 'issuers' | 'audiences'>,
  product: Product,
): Pick<ServiceAccountOptions, 'issuers' | 'audiences'> {
  const known = issuers.length > 0 ? issuers : [product.rename('https://kubernetes.default.svc.cluster.local')];
  return { issuers: known, audiences: audiences.length > 0 ? audiences : known };
}

export interface AuthenticationContext extends ObjectSourceOptions {
  readonly env: Env;
  readonly keys: KeySource;
  /** Authenticates the loopback client. */
  readonly loopback: TokenAuthenticator;
  readonly advertiseAddress: ServerAddress;
  /** Sends a merge patch through the loopback client. */
  readonly patch: (target: string, change: object) => Promise<void>;
}

/** Cache duration of successful token authentication. Cf. --authentication-token-webhook-cache-ttl. */
const tokenCacheMs = 10_000;

/** All methods in the real server's order (upstream kubeapiserver/authenticator Config.New), and the token issuer. */
export function createAuthentication(
  options: AuthenticationOptions,
  parts: AuthenticationContext,
): { readonly authentication: RequestAuthenticator; readonly issuer: ServiceAccountIssuer } {
  const { env, product, keys } = parts;
  const { serviceAccounts } = options;
  const { issuers, audiences } = issuersAndAudiences(serviceAccounts, product);
  const keysUri = serviceAccounts.keysUri === '' ? `https://${hostPort(parts.advertiseAddress)}/openid/v1/jwks` : serviceAccounts.keysUri;
  const objects = tokenObjects(parts);
  const lookup = serviceAccounts.lookup ? { objects, markUsed: (secret: ApiObject) => recordTokenUse(secret, parts) } : undefined;
  const secrets = createObjectSource(parts, 'v1', 'secrets');
  const bootstrap = { find: (name: string) => secrets.find(product.names.systemNamespace, name) };
  const found = [
    legacyTokenAuthenticator({ audiences, keys, product, lookup }),
    boundTokenAuthenticator({ issuers, audiences, keys, objects, clock: env.clock, product }),
    ...(options.bootstrapTokens ? [wrapAudienceAgnosticToken(audiences, bootstrapTokenAuthenticator(bootstrap, env.clock, product))] : []),
    ...options.externalTokens,
  ];
  const authentication = createRequestAuthenticator({
    product,
    requests: [
      ...options.requests,
      ...(options.publishedAuthorities
        ? [publishedCertificateAuthenticator(createObjectSource(parts, 'v1', 'configmaps'), options.publishedAuthorities, product)]
        : []),
    ],
    tokens: [
      wrapAudienceAgnosticToken(audiences, parts.loopback),
      wrapAudienceAgnosticToken(audiences, tokenFileAuthenticator(options.tokens)),
      cachedTokenAuthenticator(tokenUnion('token', found, 'all'), env.clock, { authenticatedTtlMs: tokenCacheMs, unknownTtlMs: 0 }),
    ],
    anonymous: options.anonymous,
    audiences,
  });
  const issuer = createServiceAccountIssuer({ ...serviceAccounts, issuers, audiences, keysUri }, keys, product);
  const { hostWork } = env.clock;
  return {
    authentication,
    issuer: {
      ...issuer,
      sign: (claims) => hostWork(issuer.sign(claims)),
      signForSecret: (claims) => hostWork(issuer.signForSecret(claims)),
    },
  };
}

function tokenObjects(parts: ObjectSourceOptions): TokenObjects {
  const [accounts, secrets, pods, nodes] = ['serviceaccounts', 'secrets', 'pods', 'nodes'].map((name) =>
    createObjectSource(parts, 'v1', name),
  );
  return {
    serviceAccount: async (namespace, name) => accounts?.find(namespace, name),
    secret: async (namespace, name) => secrets?.find(namespace, name),
    pod: async (namespace, name) => pods?.find(namespace, name),
    node: async (name) => nodes?.find('', name),
  };
}

/** Records the day of a secret token's last use; written once a day. */
async function recordTokenUse(secret: ApiObject, { env, product, patch }: AuthenticationContext): Promise<void> {
  const label = product.rename('kubernetes.io/legacy-token-last-used');
  const { name = '', namespace = '', uid = '', labels = {} } = secret.metadata;
  const dayMs = 24 * 60 * 60 * 1000;
  const [today = '', tomorrow = ''] = [0, dayMs].map((ms) => formatTime(env.clock.nowMs() + ms).slice(0, 10));
  if (labels[label] === today || labels[label] === tomorrow) return;
  await patch(`/api/v1/namespaces/${namespace}/secrets/${name}`, { metadata: { uid, labels: { [label]: today } } });
}
