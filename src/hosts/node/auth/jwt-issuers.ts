import {
  AuthenticationConfigError,
  type AuthenticationOptions,
  type AuthenticationSettings,
  createJwtTokens,
  knownAlgorithms,
  readAuthenticationConfig,
  type ServiceAccountOptions,
} from '../../../cluster/index.ts';
import type { Env } from '../../../env/index.ts';
import type { Product } from '../../../meta/index.ts';
import { CertificateError, readCertificates } from '../certificates/read-certificates.ts';
import { ConfigurationWatcher } from '../config/configuration-watcher.ts';
import { readNamedFile } from '../config/named-file.ts';
import { convertToFlagError, FlagError } from '../flags/flag-error.ts';
import type { FlagValues } from '../flags/flag-values.ts';
import { createOutbound } from '../http/outbound.ts';

/** OIDC issuers from a configuration file, or one issuer from flags. */
export interface JwtSource {
  readonly settings: AuthenticationSettings;
  /** The configuration file; undefined: flags. */
  readonly file: { readonly path: string; readonly followed: ConfigurationWatcher } | undefined;
  readonly algorithms: readonly string[];
}

/** @throws FlagError */
export async function readJwtSource(flags: FlagValues, { product, env }: Pick<JwtIssuerOptions, 'product' | 'env'>): Promise<JwtSource> {
  const path = flags.text('authentication-config');
  if (path === '') return { settings: await settingsOfFlags(flags), file: undefined, algorithms: flags.list('oidc-signing-algs') };
  const content = await readNamedFile(
    path,
    (why) => `failed to load authentication configuration from file ${JSON.stringify(path)}: ${why}`,
  );
  const settings = convertToFlagError(() => readAuthenticationConfig(content, path, product), AuthenticationConfigError);
  const followed = new ConfigurationWatcher('authentication', { path, content }, env);
  return { settings, file: { path, followed }, algorithms: knownAlgorithms };
}

/** Part 5.3: the user name gets the issuer as prefix, unless the claim is `email` or another prefix is given. */
async function settingsOfFlags(flags: FlagValues): Promise<AuthenticationSettings> {
  const [url, client] = [flags.text('oidc-issuer-url'), flags.text('oidc-client-id')];
  if (url === '' || client === '') return { jwt: [], anonymous: undefined };
  const [claim, given] = [flags.text('oidc-username-claim'), flags.text('oidc-username-prefix')];
  const usernamePrefix = given === '-' ? '' : given === '' && claim !== 'email' ? `${url}#` : given;
  const groups = flags.text('oidc-groups-claim');
  const authority = flags.text('oidc-ca-file');
  const jwt = {
    issuer: {
      url,
      discoveryURL: '',
      certificateAuthority: authority === '' ? '' : await readNamedFile(authority),
      audiences: [client],
      audienceMatchPolicy: '',
      egressSelectorType: '',
    },
    claimValidationRules: [...flags.pairs('oidc-required-claim')].map(([name, requiredValue]) => ({
      claim: name,
      requiredValue,
      expression: '',
      message: '',
    })),
    claimMappings: {
      username: { claim, expression: '', prefix: usernamePrefix },
      groups: { claim: groups, expression: '', prefix: groups === '' ? undefined : flags.text('oidc-groups-prefix') },
      uid: { claim: '', expression: '' },
      extra: [],
    },
    userValidationRules: [],
  };
  return { jwt: [jwt], anonymous: undefined };
}

export interface JwtIssuerOptions {
  readonly env: Env;
  readonly product: Product;
  readonly serviceAccounts: ServiceAccountOptions;
}

/** Creates the token authenticators of the issuers; a configuration file is watched. @throws FlagError */
export function startJwtIssuers(
  { settings, file, algorithms }: JwtSource,
  parts: JwtIssuerOptions,
): AuthenticationOptions['externalTokens'] {
  // Avoids loading the CEL library for servers without issuers.
  if (!file && settings.jwt.length === 0) return [];
  const unknown = algorithms.find((name) => !knownAlgorithms.includes(name));
  const tokens = convertToFlagError(
    () => createJwtTokens(settings, { ...parts, outbound: createOutbound(), algorithms, certificateProblem }),
    AuthenticationConfigError,
  );
  if (settings.jwt.length > 0 && unknown !== undefined) throw new FlagError(`oidc: unsupported signing alg: ${JSON.stringify(unknown)}`);
  if (!file) return [tokens.method];
  const anonymous = JSON.stringify(settings.anonymous);
  file.followed.watch(async (text) => {
    const next = readAuthenticationConfig(text, file.path, parts.product);
    if (JSON.stringify(next.anonymous) !== anonymous)
      throw new AuthenticationConfigError('anonymous: Forbidden: changed from initial configuration file');
    await tokens.replace(next);
    parts.env.log.info('authentication configuration read anew', { path: file.path });
  });
  return [tokens.method];
}

function certificateProblem(pem: string): string | undefined {
  try {
    readCertificates(pem);
    return undefined;
  } catch (error) {
    if (error instanceof CertificateError) return error.message;
    throw error;
  }
}
