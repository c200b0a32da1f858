import { compactVerify } from 'jose/jws/compact/verify';
import { goQuotedList, type JsonObject } from '../../meta/index.ts';
import { intersectAudiences } from '../audiences.ts';
import {
  type AuthenticationResponse,
  type AuthenticationResult,
  authenticationFailure,
  type TokenAuthenticator,
} from '../authenticator.ts';
import { decodeUnverifiedJwt, issuerOf, type UnverifiedJwt } from '../unverified-jwt.ts';
import type { KeySource, VerifyingKey } from './keys.ts';

/** A service account token with a valid signature and invalid claims; the message is for token reviews. */
export class InvalidClaims extends Error {
  override readonly name = 'InvalidClaims';
}

export interface SignedTokenRules {
  readonly name: string;
  readonly issuers: readonly string[];
  /** The API's audiences; also those of a token without any. */
  readonly audiences: readonly string[];
  readonly keys: KeySource;
  /** Identifies the user after the signature is verified. @throws InvalidClaims */
  identify(claims: JsonObject, token: string): Promise<Omit<AuthenticationResponse, 'audiences'>>;
}

/** Tokens signed by one of the cluster's keys. Cf. upstream serviceaccount JWTTokenAuthenticator. */
export function signedTokenAuthenticator(rules: SignedTokenRules): TokenAuthenticator {
  return {
    name: rules.name,
    authenticate(token, requested) {
      const unverified = decodeUnverifiedJwt(token);
      if (!unverified || !rules.issuers.includes(issuerOf(unverified))) return undefined;
      return verify(rules, token, unverified, requested);
    },
  };
}

async function verify(
  rules: SignedTokenRules,
  token: string,
  unverified: UnverifiedJwt,
  requested: readonly string[],
): Promise<AuthenticationResult> {
  const { header, claims } = unverified;
  const { verifying } = await rules.keys();
  const candidates =
    typeof header['kid'] === 'string' && header['kid'] !== '' ? verifying.filter(({ id }) => id === header['kid']) : verifying;
  if (candidates.length === 0) return authenticationFailure('invalid signature, no keys found');
  if (!(await isSignedByOne(token, candidates))) return authenticationFailure('go-jose/go-jose: error in cryptographic primitive');
  const typeError = typeProblem(claims);
  if (typeError !== undefined) return authenticationFailure(typeError);
  const own = audiencesOf(claims, rules.audiences);
  const audiences = intersectAudiences(own, requested);
  if (audiences.length === 0 && rules.audiences.length > 0)
    return authenticationFailure(`token audiences ${goQuotedList(own)} is invalid for the target audiences ${goQuotedList(requested)}`);
  try {
    return { ...(await rules.identify(claims, token)), audiences };
  } catch (error) {
    if (error instanceof InvalidClaims) return authenticationFailure(error.message);
    throw error;
  }
}

async function isSignedByOne(token: string, keys: readonly VerifyingKey[]): Promise<boolean> {
  for (const { jwk, accepts } of keys) {
    // The set names the algorithm that this cluster uses; older tokens may use others.
    const { alg: _, ...key } = jwk;
    try {
      await compactVerify(token, key, { algorithms: [...accepts] });
      return true;
    } catch {
      // The signature does not match; the next key may.
    }
  }
  return false;
}

/** Errors in claims that Go cannot decode, with the messages of go-jose. */
function typeProblem(claims: JsonObject): string | undefined {
  const { aud = null } = claims;
  const isAudience = aud === null || typeof aud === 'string' || (Array.isArray(aud) && aud.every((one) => typeof one === 'string'));
  if (!isAudience) return 'go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience';
  const times = [claims['exp'], claims['nbf'], claims['iat']];
  if (times.some((time) => time !== undefined && time !== null && typeof time !== 'number'))
    return 'go-jose/go-jose/jwt: expected number value to unmarshal NumericDate';
  return undefined;
}

function audiencesOf({ aud }: JsonObject, implicit: readonly string[]): readonly string[] {
  const own = typeof aud === 'string' ? [aud] : Array.isArray(aud) ? aud.map(String) : [];
  return own.length > 0 ? own : implicit;
}
