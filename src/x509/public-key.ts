import { bytesToHex } from '../meta/index.ts';
import { type DerElement, derElements, derTags, rightAlignedBytes, X509Error } from './der.ts';

export type Curve = 'P-224' | 'P-256' | 'P-384' | 'P-521';

/** The parameters of a key for signature checks; `other` are valid keys that cannot verify signatures. */
export type PublicKey =
  | { readonly type: 'rsa'; readonly modulus: bigint; readonly exponent: bigint }
  | { readonly type: 'ecdsa'; readonly curve: Curve }
  | { readonly type: 'ed25519' }
  | { readonly type: 'other' }
  | { readonly type: 'unknown' };

const nothing = new Uint8Array();

/** Key algorithms by the DER encoding of their identifiers. */
const algorithms = {
  rsa: '2a864886f70d010101',
  ecdsa: '2a8648ce3d0201',
  ed25519: '2b6570',
  x25519: '2b656e',
  dsa: '2a8648ce380401',
};

const curves: Readonly<Record<string, { readonly curve: Curve; readonly bytes: number }>> = {
  '2b81040021': { curve: 'P-224', bytes: 28 },
  '2a8648ce3d030107': { curve: 'P-256', bytes: 32 },
  '2b81040022': { curve: 'P-384', bytes: 48 },
  '2b81040023': { curve: 'P-521', bytes: 66 },
};

export function unsignedOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

/** Parses a SubjectPublicKeyInfo of X.509. Undefined when the form is not even that. @throws X509Error */
export function readPublicKey(der: Uint8Array): PublicKey | undefined {
  const [whole, ...rest] = derElements(der) ?? [];
  if (whole?.tag !== derTags.sequence || rest.length > 0) return undefined;
  const [algorithm, key] = derElements(whole.content) ?? [];
  if (algorithm?.tag !== derTags.sequence || key?.tag !== derTags.bitString) return undefined;
  const [id, parameters] = derElements(algorithm.content) ?? [];
  if (id?.tag !== derTags.objectIdentifier) return undefined;
  return keyOf(bytesToHex(id.content), parameters, rightAlignedBytes(key));
}

function keyOf(algorithm: string, parameters: DerElement | undefined, bytes: Uint8Array): PublicKey {
  switch (algorithm) {
    case algorithms.rsa:
      return rsaKey(parameters, bytes);
    case algorithms.ecdsa:
      return ellipticKey(parameters, bytes);
    case algorithms.ed25519:
      keyError(parameters !== undefined, 'Ed25519 key encoded with illegal parameters');
      keyError(bytes.length !== 32, 'wrong Ed25519 public key size');
      return { type: 'ed25519' };
    case algorithms.x25519:
      keyError(parameters !== undefined, 'X25519 key encoded with illegal parameters');
      if (bytes.length !== 32) throw new X509Error('crypto/ecdh: invalid public key');
      return { type: 'other' };
    case algorithms.dsa:
      keyError(readIntegers(bytes).length !== 1, 'invalid DSA public key');
      keyError(readIntegers(parameters?.content ?? nothing).length !== 3, 'invalid DSA parameters');
      return { type: 'other' };
    default:
      return { type: 'unknown' };
  }
}

function keyError(wrong: boolean, why: string): void {
  if (wrong) throw new X509Error(`x509: ${why}`);
}

function rsaKey(parameters: DerElement | undefined, bytes: Uint8Array): PublicKey {
  keyError(parameters?.tag !== derTags.null || parameters.content.length > 0, 'RSA key missing NULL parameters');
  const [whole] = derElements(bytes) ?? [];
  if (whole?.tag !== derTags.sequence) throw new X509Error('x509: invalid RSA public key');
  const [modulus, exponent] = derElements(whole.content) ?? [];
  if (modulus?.tag !== derTags.integer) throw new X509Error('x509: invalid RSA modulus');
  if (exponent?.tag !== derTags.integer || exponent.content.length > 8) throw new X509Error('x509: invalid RSA public exponent');
  keyError(!isPositive(modulus), 'RSA modulus is not a positive number');
  keyError(!isPositive(exponent), 'RSA public exponent is not a positive number');
  return { type: 'rsa', modulus: unsignedOf(modulus.content), exponent: unsignedOf(exponent.content) };
}

function isPositive({ content }: DerElement): boolean {
  return (content[0] ?? 0) < 0x80 && unsignedOf(content) > 0n;
}

/** Using the key shows whether the point is on the curve. */
function ellipticKey(parameters: DerElement | undefined, bytes: Uint8Array): PublicKey {
  if (parameters?.tag !== derTags.objectIdentifier) throw new X509Error('x509: invalid ECDSA parameters');
  const known = curves[bytesToHex(parameters.content)];
  if (!known) throw new X509Error('x509: unsupported elliptic curve');
  if (bytes[0] !== 4) throw new X509Error('ecdsa: invalid uncompressed public key');
  if (bytes.length !== 1 + 2 * known.bytes) throw new X509Error(`invalid ${goName(known.curve)} point encoding`);
  return { type: 'ecdsa', curve: known.curve };
}

export function notOnCurve(curve: Curve): string {
  return `${goName(curve)} point not on curve`;
}

function goName(curve: Curve): string {
  return curve.replace('-', '');
}

export function widthOf(curve: Curve): number {
  return Object.values(curves).find((one) => one.curve === curve)?.bytes ?? 0;
}

function readIntegers(bytes: Uint8Array): readonly DerElement[] {
  return (derElements(bytes) ?? []).filter(({ tag }) => tag === derTags.integer);
}
