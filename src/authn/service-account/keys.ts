import { encode } from 'jose/base64url';
import { ownMember } from '../../meta/index.ts';

/** Signing algorithm of service account tokens, derived from the key (upstream serviceaccount JWTTokenGenerator). */
export type TokenAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

export interface TokenKey {
  /** Derived from the public key, so that it reveals nothing about the private one. */
  readonly id: string;
  readonly algorithm: TokenAlgorithm;
  readonly key: CryptoKey;
}

export interface VerifyingKey {
  readonly id: string;
  readonly algorithm: TokenAlgorithm;
  /** All signature algorithms that fit the key, also those that this cluster does not use. */
  readonly accepts: readonly string[];
  /** The entry in the published key set. */
  readonly jwk: Readonly<Record<string, string>> & { readonly kty: string };
}

export interface ServiceAccountKeys {
  readonly signing: TokenKey;
  /** Includes former signing keys; the first is that of `signing` unless configured otherwise. */
  readonly verifying: readonly VerifyingKey[];
}

/** Keys from hosts: from files or the cluster's storage. */
export interface GivenKeys {
  readonly signing: JsonWebKey;
  /** Private or public. */
  readonly verifying: readonly JsonWebKey[];
}

/** Keys are loaded with the first token: many clusters never use one. */
export type KeySource = () => Promise<ServiceAccountKeys>;

/** @throws Error for an unsupported key type, or without platform cryptography */
export async function importKeys({ signing, verifying }: GivenKeys): Promise<ServiceAccountKeys> {
  const { id, algorithm } = await verifyingKey(signing);
  const key = await importKey(signing, algorithm);
  return { signing: { id, algorithm, key }, verifying: await Promise.all(verifying.map(verifyingKey)) };
}

async function verifyingKey(given: JsonWebKey): Promise<VerifyingKey> {
  const algorithm = algorithmOf(given);
  const { kty = '', n = '', e = '', crv = '', x = '', y = '' } = given;
  const parts = kty === 'RSA' ? { n, e } : { x, y };
  const key = await importKey({ kty, ...(kty === 'RSA' ? {} : { crv }), ...parts }, algorithm);
  const id = encode(new Uint8Array(await crypto.subtle.digest('SHA-256', await crypto.subtle.exportKey('spki', key))));
  const accepts = kty === 'RSA' ? ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] : [algorithm];
  return { id, algorithm, accepts, jwk: { use: 'sig', kty, kid: id, ...(kty === 'RSA' ? {} : { crv }), alg: algorithm, ...parts } };
}

function importKey({ kty, n, e, d, p, q, dp, dq, qi, crv, x, y }: JsonWebKey, algorithm: TokenAlgorithm): Promise<CryptoKey> {
  // Key usages follow from the presence of the private part, not from the file.
  const given = { kty, n, e, d, p, q, dp, dq, qi, crv, x, y };
  const jwk: JsonWebKey = Object.fromEntries(Object.entries(given).filter(([, part]) => part !== undefined));
  const use = algorithm === 'RS256' ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } : { name: 'ECDSA', namedCurve: crv ?? '' };
  return crypto.subtle.importKey('jwk', jwk, use, d === undefined, [d === undefined ? 'verify' : 'sign']);
}

const curves: Readonly<Record<string, TokenAlgorithm>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };

function algorithmOf({ kty, crv = '' }: JsonWebKey): TokenAlgorithm {
  const algorithm = kty === 'RSA' ? 'RS256' : kty === 'EC' ? ownMember(curves, crv) : undefined;
  if (!algorithm) throw new Error('unknown private key curve, must be 256, 384, or 521');
  return algorithm;
}
