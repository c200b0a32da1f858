import { type Env, errorMessage, type Outbound, OutboundError } from '../../env/index.ts';
import { goQuotedList, type JsonObject, type Product } from '../../meta/index.ts';
import { type AuthenticationResult, authenticationFailure, type TokenAuthenticator } from '../authenticator.ts';
import { decodeUnverifiedJwt, issuerOf, type UnverifiedJwt } from '../unverified-jwt.ts';
import { ClaimsError, mapClaimsToUser } from './claims.ts';
import { discover, type KeySet, ProviderError } from './provider.ts';
import type { CheckedJwt } from './validate.ts';

export interface JwtAuthenticatorOptions {
  readonly env: Env;
  readonly outbound: Outbound;
  readonly product: Product;
  /** `--oidc-signing-algs`; all known ones with a configuration file. */
  readonly algorithms: readonly string[];
}

/** Authenticates tokens of one external issuer. */
export interface JwtAuthenticator extends TokenAuthenticator {
  /** Undefined once discovery succeeded; else the error. */
  healthError(): string | undefined;
  /** Stops retrying discovery. */
  stop(): void;
}

export const knownAlgorithms: readonly string[] = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'];

const retryMs = 10_000;
const leewayMs = 60_000;

/** Starts discovery at once and retries until it succeeds; tokens fail until then. */
export function jwtAuthenticator(checked: CheckedJwt, options: JwtAuthenticatorOptions): JwtAuthenticator {
  const { url, discoveryURL, certificateAuthority } = checked.settings.issuer;
  const authorities = certificateAuthority === '' ? undefined : certificateAuthority;
  const tls = { authorities, identity: undefined, serverName: undefined, unverified: false };
  const credentialIdKey = options.product.rename('authentication.kubernetes.io/credential-id');
  let keys: KeySet | undefined;
  let problem: string | undefined = `oidc: authenticator for issuer ${JSON.stringify(url)} is not initialized`;
  let cancel: () => void = () => {};
  const { clock, log } = options.env;
  const runDiscovery = (): void => {
    discover({ issuer: url, discoveryURL, tls }, { outbound: options.outbound, clock }).then(
      (found) => {
        keys = found;
        problem = undefined;
      },
      (error: unknown) => {
        problem = errorMessage(error);
        log.warn('token issuer not found', { issuer: url, error });
        cancel = clock.schedule(retryMs, runDiscovery);
      },
    );
  };
  runDiscovery();
  return {
    name: 'issued token',
    healthError: () =>
      problem === undefined ? undefined : `oidc: authenticator for issuer ${JSON.stringify(url)} is not healthy: ${problem}`,
    stop: () => cancel(),
    authenticate(token) {
      const unverified = decodeUnverifiedJwt(token);
      if (!unverified || issuerOf(unverified) !== url) return undefined;
      if (!keys) return authenticationFailure('oidc: authenticator not initialized');
      return verifyJwt({ checked, options, keys, credentialIdKey }, token, unverified);
    },
  };
}

interface VerificationContext {
  readonly checked: CheckedJwt;
  readonly options: JwtAuthenticatorOptions;
  readonly keys: KeySet;
  readonly credentialIdKey: string;
}

async function verifyJwt(
  { checked, options, keys, credentialIdKey }: VerificationContext,
  token: string,
  unverified: UnverifiedJwt,
): Promise<AuthenticationResult> {
  const { header, claims } = unverified;
  const wrong =
    claimProblem(claims, checked.settings.issuer.audiences, options.env.clock.nowMs()) ?? algorithmProblem(header, options.algorithms);
  if (wrong !== undefined) return authenticationFailure(`oidc: verify token: ${wrong}`);
  try {
    await keys.verify(token, header);
    return { user: mapClaimsToUser(claims, checked, credentialIdKey), audiences: [] };
  } catch (error) {
    if (error instanceof ClaimsError) return authenticationFailure(error.message);
    if (error instanceof ProviderError || error instanceof OutboundError)
      return authenticationFailure(
        `oidc: verify token: failed to verify signature: ${error instanceof OutboundError ? 'fetching keys ' : ''}${error.message}`,
      );
    throw error;
  }
}

function claimProblem({ aud, exp, nbf }: JsonObject, audiences: readonly string[], nowMs: number): string | undefined {
  const own = typeof aud === 'string' ? [aud] : Array.isArray(aud) ? aud.map(String) : [];
  if (!own.some((one) => audiences.includes(one))) {
    const expected = audiences.length === 1 ? JSON.stringify(audiences[0]) : goQuotedList([...audiences].sort());
    return `oidc: expected audience ${audiences.length === 1 ? '' : 'in '}${expected} got ${goQuotedList(own)}`;
  }
  const expiryMs = typeof exp === 'number' ? exp * 1000 : Number.NEGATIVE_INFINITY;
  if (expiryMs < nowMs) return `oidc: token is expired (Token Expiry: ${goTime(expiryMs)})`;
  if (typeof nbf === 'number' && nowMs + leewayMs < nbf * 1000)
    return `oidc: current time ${goTime(nowMs)} before the nbf (not before) time: ${goTime(nbf * 1000)}`;
  return undefined;
}

function algorithmProblem({ alg }: JsonObject, algorithms: readonly string[]): string | undefined {
  if (algorithms.includes(String(alg))) return undefined;
  return `oidc: id token signed with unsupported algorithm, expected ${goQuotedList(algorithms)} got ${JSON.stringify(String(alg ?? ''))}`;
}

/** Go's format of a time; a missing one is the zero time. */
function goTime(ms: number): string {
  if (!Number.isFinite(ms)) return '0001-01-01 00:00:00 +0000 UTC';
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
}
