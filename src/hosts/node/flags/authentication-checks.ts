import { parseUrl, UrlError } from '../../../meta/index.ts';
import type { FlagValues } from './flag-values.ts';

const shortestMs = 60 * 60 * 1000;
const longestMs = 2 ** 32 * 1000;

/** Validates the token expiration; the real server does so before all other flags. */
export function expirationProblems(flags: FlagValues): readonly string[] {
  const ms = flags.durationMs('service-account-max-token-expiration');
  const isFine = ms === 0 || (ms >= shortestMs && ms <= longestMs);
  return isFine ? [] : ['the service-account-max-token-expiration must be between 1 hour and 2^32 seconds'];
}

/** Cf. upstream BuiltInAuthenticationOptions.Validate. */
export function authenticationProblems(flags: FlagValues): readonly string[] {
  return [...oidcProblems(flags), ...issuerProblems(flags), ...keysUriProblems(flags), ...frontProxyProblems(flags)];
}

const oidcFlags = [
  'issuer-url',
  'client-id',
  'ca-file',
  'username-claim',
  'username-prefix',
  'groups-claim',
  'groups-prefix',
  'signing-algs',
  'required-claim',
].map((name) => `oidc-${name}`);

function oidcProblems(flags: FlagValues): readonly string[] {
  const given = oidcFlags.some((name) => flags.isGiven(name));
  if (!given) return [];
  if (flags.text('authentication-config') !== '') return ['authentication-config file and oidc-* flags are mutually exclusive'];
  return flags.text('oidc-issuer-url') === '' || flags.text('oidc-client-id') === ''
    ? ['oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set']
    : [];
}

function issuerProblems(flags: FlagValues): readonly string[] {
  const seen = new Set<string>();
  return flags.list('service-account-issuer').flatMap((issuer) => {
    const why = issuer.includes(':') ? urlProblem(issuer) : undefined;
    if (why !== undefined) return [`service-account-issuer ${JSON.stringify(issuer)} contained a ':' but was not a valid URL: ${why}`];
    if (issuer === '') return ['service-account-issuer should not be an empty string'];
    if (seen.has(issuer)) return [`service-account-issuer ${JSON.stringify(issuer)} is already specified`];
    seen.add(issuer);
    return [];
  });
}

function keysUriProblems(flags: FlagValues): readonly string[] {
  const uri = flags.text('service-account-jwks-uri');
  if (uri === '') return [];
  const why = urlProblem(uri);
  if (why !== undefined) return [`service-account-jwks-uri must be a valid URL: ${why}`];
  return /^https:/i.test(uri) ? [] : [`service-account-jwks-uri requires https scheme, parsed as: ${uri}`];
}

function frontProxyProblems(flags: FlagValues): readonly string[] {
  const blank = ['username-headers', 'group-headers', 'extra-headers-prefix', 'allowed-names', 'uid-headers']
    .map((name) => `requestheader-${name}`)
    .filter((name) => flags.list(name).some((value) => value.trim() === ''))
    .map((name) => `empty value in ${JSON.stringify(name)}`);
  const uid = flags.list('requestheader-uid-headers');
  if (uid.length === 0 || uid.some((name) => name.toLowerCase() === 'x-remote-uid')) return blank;
  return [
    ...blank,
    '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work',
  ];
}

function urlProblem(text: string): string | undefined {
  try {
    parseUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof UrlError) return error.message;
    throw error;
  }
}
