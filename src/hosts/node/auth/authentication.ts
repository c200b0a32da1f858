import {
  type AuthenticationOptions,
  type AuthenticationSettings,
  type CertificateVerifier,
  clientCertificateAuthenticator,
  createWebhookTokens,
  type FrontProxySettings,
  frontProxyAuthenticator,
  KubeconfigError,
  type ServiceAccountOptions,
  type StaticTokens,
} from '../../../cluster/index.ts';
import type { Clock, Env } from '../../../env/index.ts';
import type { Product } from '../../../meta/index.ts';
import { createChainVerifier } from '../../certificate-chain.ts';
import { CertificateError, readCertificates } from '../certificates/read-certificates.ts';
import { readNamedFile } from '../config/named-file.ts';
import { FlagError } from '../flags/flag-error.ts';
import { type FlagValues, productOf } from '../flags/flag-values.ts';
import { createOutbound } from '../http/outbound.ts';
import { type JwtIssuerOptions, readJwtSource, startJwtIssuers } from './jwt-issuers.ts';
import { readSigningKey, readVerifyingKeys } from './token-keys.ts';
import { webhookConnection } from './webhook-connection.ts';

/** Authentication options loaded from flags and files. */
export interface LoadedAuthentication {
  readonly options: AuthenticationOptions;
  /** CAs of client certificates, in PEM; empty: client certificates are not requested. */
  readonly clientAuthorities: string;
}

export interface AuthenticationSources {
  readonly flags: FlagValues;
  readonly tokens: StaticTokens;
  readonly env: Env;
  readonly product: Product;
  /** PEM of the authorities that are used without `--client-ca-file` and `--requestheader-client-ca-file`; undefined: none. */
  readonly own: OwnAuthorities | undefined;
}

/** Authorities that this process created, which it publishes for extension API servers and components. */
export interface OwnAuthorities {
  readonly clients: string;
  readonly frontProxies: string;
}

/** Reads files in the real server's order, so that the first missing one is reported. @throws FlagError */
export async function loadAuthentication(sources: AuthenticationSources): Promise<LoadedAuthentication> {
  const { flags, tokens, env, product, own } = sources;
  const clientFile = flags.text('client-ca-file');
  const clients =
    clientFile === '' && own ? authoritiesOf(own.clients, env.clock) : await loadAuthorities('client-ca-bundle', clientFile, env.clock);
  const source = await readJwtSource(flags, { product, env });
  const anonymous = anonymousRule(flags, source.settings.anonymous);
  const serviceAccounts = await serviceAccountOptions(flags);
  const issued = startJwtIssuers(source, { env, product, serviceAccounts });
  const webhook = await loadTokenWebhook(flags, { env, product, serviceAccounts });
  const frontProxy = await loadFrontProxy(flags, env.clock, clientFile === '' ? own?.frontProxies : undefined);
  const options: AuthenticationOptions = {
    tokens,
    anonymous,
    bootstrapTokens: flags.truth('enable-bootstrap-token-auth'),
    serviceAccounts,
    file: source.file?.followed,
    requests: [
      ...(frontProxy ? [frontProxyAuthenticator(frontProxy)] : []),
      ...(clients ? [clientCertificateAuthenticator(clients.verifier, product)] : []),
    ],
    publishedAuthorities: undefined,
    ownAuthorities: (clients || frontProxy) && { clients: clients?.pem, frontProxy },
    externalTokens: [...issued, ...webhook],
  };
  return { options, clientAuthorities: `${clients?.pem ?? ''}${frontProxy?.pem ?? ''}` };
}

/** The anonymous rule of the flag or the file; off with mode AlwaysAllow (upstream ApplyAuthorization). */
function anonymousRule(flags: FlagValues, configured: AuthenticationSettings['anonymous']): AuthenticationOptions['anonymous'] {
  if (!configured) {
    const isAllowed = flags.truth('anonymous-auth') && !flags.list('authorization-mode').includes('AlwaysAllow');
    return isAllowed ? 'everywhere' : 'off';
  }
  if (flags.isGiven('anonymous-auth'))
    throw new FlagError(
      'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
    );
  if (!configured.enabled) return 'off';
  return configured.paths.length > 0 ? new Set(configured.paths) : 'everywhere';
}

/** The token webhook, if configured. */
async function loadTokenWebhook(flags: FlagValues, parts: JwtIssuerOptions): Promise<AuthenticationOptions['externalTokens']> {
  const path = flags.text('authentication-token-webhook-config-file');
  if (path === '') return [];
  const connection = await webhookConnection(path, { product: parts.product, clock: parts.env.clock }).catch((error: unknown) => {
    throw error instanceof KubeconfigError ? new FlagError(error.message) : error;
  });
  const version = flags.text('authentication-token-webhook-version');
  if (version !== 'v1' && version !== 'v1beta1') {
    const shown = JSON.stringify(version);
    throw new FlagError(`unsupported authentication webhook version ${shown}, supported versions are "v1", "v1beta1"`);
  }
  const cacheMs = flags.durationMs('authentication-token-webhook-cache-ttl');
  return [createWebhookTokens({ ...parts, outbound: createOutbound(), connection, version, cacheMs })];
}

interface Authorities {
  readonly pem: string;
  readonly verifier: CertificateVerifier;
}

/** The PEM text ends with a line feed, so that another one can follow. */
function authoritiesOf(pem: string, clock: Clock): Authorities {
  return { pem: pem.endsWith('\n') ? pem : `${pem}\n`, verifier: createChainVerifier(readCertificates(pem), clock) };
}

async function loadAuthorities(purpose: string, path: string, clock: Clock): Promise<Authorities | undefined> {
  if (path === '') return undefined;
  const pem = await readNamedFile(path);
  const name = `"${purpose}::${path}"`;
  if (pem === '') throw new FlagError(`missing content for CA bundle ${name}`);
  try {
    return authoritiesOf(pem, clock);
  } catch (error) {
    if (error instanceof CertificateError) throw new FlagError(`error loading CA bundle for ${name}: ${error.message}`);
    throw error;
  }
}

/** `own`: PEM of the authority of front proxies without the flag. */
async function loadFrontProxy(
  flags: FlagValues,
  clock: Clock,
  own: string | undefined,
): Promise<(Authorities & FrontProxySettings) | undefined> {
  const file = flags.text('requestheader-client-ca-file');
  if (file === '' && own !== undefined) return { ...authoritiesOf(own, clock), ...usualFrontProxy };
  const proxies = await loadAuthorities('request-header', file, clock);
  return proxies && { ...proxies, ...frontProxySettings(flags) };
}

/** The names and headers that kubeadm configures. */
const usualFrontProxy: FrontProxySettings = {
  allowedNames: ['front-proxy-client'],
  username: ['X-Remote-User'],
  uid: [],
  groups: ['X-Remote-Group'],
  extraPrefixes: ['X-Remote-Extra-'],
};

function frontProxySettings(flags: FlagValues): FrontProxySettings {
  return {
    allowedNames: flags.list('requestheader-allowed-names'),
    username: flags.list('requestheader-username-headers'),
    uid: flags.list('requestheader-uid-headers'),
    groups: flags.list('requestheader-group-headers'),
    extraPrefixes: flags.list('requestheader-extra-headers-prefix'),
  };
}

async function serviceAccountOptions(flags: FlagValues): Promise<ServiceAccountOptions> {
  const signingFile = flags.text('service-account-signing-key-file');
  const files = flags.list('service-account-key-file');
  const fallback = files.length === 0 && productOf(flags).switches.accountKeysFallBackToTls ? await readTlsKey(flags) : undefined;
  const signing = signingFile === '' ? fallback : await readSigningKey(signingFile);
  const given = (await Promise.all(files.map(readVerifyingKeys))).flat();
  // Tokens signed by the server must be valid for it.
  const verifying = fallback && signing ? [signing, ...(signing === fallback ? [] : [fallback])] : given;
  return {
    issuers: flags.list('service-account-issuer'),
    audiences: flags.list('api-audiences'),
    lookup: flags.truth('service-account-lookup'),
    maxExpirationSeconds: Math.trunc(flags.durationMs('service-account-max-token-expiration') / 1000),
    extendsExpiration: flags.truth('service-account-extend-token-expiration'),
    keysUri: flags.text('service-account-jwks-uri'),
    signing,
    verifying: verifying.length > 0 ? verifying : undefined,
  };
}

/** Part 5.2: the key of the serving certificate, if it can sign tokens. A missing file is reported with the certificate. */
async function readTlsKey(flags: FlagValues): Promise<JsonWebKey | undefined> {
  const file = flags.text('tls-private-key-file');
  if (file === '') return undefined;
  return readSigningKey(file).catch((error: unknown) => {
    if (error instanceof FlagError) return undefined;
    throw error;
  });
}
