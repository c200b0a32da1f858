import type { JWK } from 'jose';
import { encode } from 'jose/base64url';
import { importJWK } from 'jose/key/import';

/** How tokens of service accounts are signed: it follows from the key (upstream serviceaccount JWTTokenGenerator). */
export type TokenAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

export interface TokenKey {
  /** Derived from the public key, so that it tells nothing of the private one. */
  readonly id: string;
  readonly algorithm: TokenAlgorithm;
  readonly key: CryptoKey;
}

export interface VerifyingKey extends TokenKey {
  /** As the key set shows it. */
  readonly jwk: Readonly<Record<string, string>>;
}

export interface ServiceAccountKeys {
  readonly signing: TokenKey;
  /** Also keys that signed before; the first is that of `signing` unless it was said otherwise. */
  readonly verifying: readonly VerifyingKey[];
}

/** Keys as hosts bring them: from files, or from where the cluster keeps its own. */
export interface GivenKeys {
  readonly signing: JsonWebKey;
  /** Private or public. */
  readonly verifying: readonly JsonWebKey[];
}

/** Keys are read when the first token is met: many clusters never see one. */
export type KeySource = () => Promise<ServiceAccountKeys>;

/** @throws Error when a key is of no kind that signs tokens, or the platform has no cryptography */
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
  return { id, algorithm, key, jwk: { use: 'sig', kty, kid: id, ...(kty === 'RSA' ? {} : { crv }), alg: algorithm, ...parts } };
}

async function importKey(jwk: JsonWebKey, algorithm: TokenAlgorithm): Promise<CryptoKey> {
  // What the key may be used for follows from its kind.
  const { kty = '', key_ops: _, ext: __, ...rest } = jwk;
  const key = await importJWK({ kty, ...rest } as JWK, algorithm, { extractable: jwk.d === undefined });
  if (key instanceof Uint8Array) throw new Error('a secret key cannot sign tokens of service accounts');
  return key;
}

const curves: Readonly<Record<string, TokenAlgorithm>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };

function algorithmOf({ kty, crv = '' }: JsonWebKey): TokenAlgorithm {
  const algorithm = kty === 'RSA' ? 'RS256' : kty === 'EC' ? curves[crv] : undefined;
  if (!algorithm) throw new Error('unknown private key curve, must be 256, 384, or 521');
  return algorithm;
}
