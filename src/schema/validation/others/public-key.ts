import { type DerElement, derElements } from './pem.ts';

/** A public key that cannot be read; the message is Go's. */
export class PublicKeyError extends Error {
  override readonly name = 'PublicKeyError';
}

export type Curve = 'P-224' | 'P-256' | 'P-384' | 'P-521';

/** What has to be known of a key before it may check a signature; `other` are those that read well and check nothing. */
export type PublicKey =
  | { readonly type: 'rsa'; readonly modulus: bigint; readonly exponent: bigint }
  | { readonly type: 'ecdsa'; readonly curve: Curve }
  | { readonly type: 'ed25519' }
  | { readonly type: 'other' }
  | { readonly type: 'unknown' };

const tags = { integer: 0x02, bitString: 0x03, objectIdentifier: 0x06, sequence: 0x30 };
const nothing = new Uint8Array();

/** Algorithms of keys, as DER has their identifiers. */
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

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The value of a bit string; the number of bits that its last byte lacks goes before it. */
export function bitsOf({ content }: DerElement): Uint8Array {
  return content.subarray(1);
}

export function unsignedOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${hexOf(bytes)}`);
}

/** Reads a key as X.509 writes it (SubjectPublicKeyInfo). Undefined when it has not even that form. @throws PublicKeyError */
export function readPublicKey(der: Uint8Array): PublicKey | undefined {
  const [whole, ...rest] = derElements(der) ?? [];
  if (whole?.tag !== tags.sequence || rest.length > 0) return undefined;
  const [algorithm, key] = derElements(whole.content) ?? [];
  if (algorithm?.tag !== tags.sequence || key?.tag !== tags.bitString) return undefined;
  const [id, parameters] = derElements(algorithm.content) ?? [];
  if (id?.tag !== tags.objectIdentifier) return undefined;
  return keyOf(hexOf(id.content), parameters, bitsOf(key));
}

function keyOf(algorithm: string, parameters: DerElement | undefined, bytes: Uint8Array): PublicKey {
  switch (algorithm) {
    case algorithms.rsa:
      return rsaKey(parameters, bytes);
    case algorithms.ecdsa:
      return ellipticKey(parameters, bytes);
    case algorithms.ed25519:
      refuse(parameters !== undefined, 'Ed25519 key encoded with illegal parameters');
      refuse(bytes.length !== 32, 'wrong Ed25519 public key size');
      return { type: 'ed25519' };
    case algorithms.x25519:
      refuse(parameters !== undefined, 'X25519 key encoded with illegal parameters');
      if (bytes.length !== 32) throw new PublicKeyError('crypto/ecdh: invalid public key');
      return { type: 'other' };
    case algorithms.dsa:
      refuse(integersIn(bytes).length !== 1, 'invalid DSA public key');
      refuse(integersIn(parameters?.content ?? nothing).length !== 3, 'invalid DSA parameters');
      return { type: 'other' };
    default:
      return { type: 'unknown' };
  }
}

function refuse(wrong: boolean, why: string): void {
  if (wrong) throw new PublicKeyError(`x509: ${why}`);
}

function rsaKey(parameters: DerElement | undefined, bytes: Uint8Array): PublicKey {
  refuse(parameters?.tag !== 0x05 || parameters.content.length > 0, 'RSA key missing NULL parameters');
  const [whole] = derElements(bytes) ?? [];
  if (whole?.tag !== tags.sequence) throw new PublicKeyError('x509: invalid RSA public key');
  const [modulus, exponent] = derElements(whole.content) ?? [];
  if (modulus?.tag !== tags.integer) throw new PublicKeyError('x509: invalid RSA modulus');
  if (exponent?.tag !== tags.integer || exponent.content.length > 8) throw new PublicKeyError('x509: invalid RSA public exponent');
  refuse(!isPositive(modulus), 'RSA modulus is not a positive number');
  refuse(!isPositive(exponent), 'RSA public exponent is not a positive number');
  return { type: 'rsa', modulus: unsignedOf(modulus.content), exponent: unsignedOf(exponent.content) };
}

function isPositive({ content }: DerElement): boolean {
  return (content[0] ?? 0) < 0x80 && unsignedOf(content) > 0n;
}

/** Whether the point lies on the curve is found by whoever uses the key. */
function ellipticKey(parameters: DerElement | undefined, bytes: Uint8Array): PublicKey {
  if (parameters?.tag !== tags.objectIdentifier) throw new PublicKeyError('x509: invalid ECDSA parameters');
  const known = curves[hexOf(parameters.content)];
  if (!known) throw new PublicKeyError('x509: unsupported elliptic curve');
  if (bytes[0] !== 4) throw new PublicKeyError('ecdsa: invalid uncompressed public key');
  if (bytes.length !== 1 + 2 * known.bytes) throw new PublicKeyError(`invalid ${goName(known.curve)} point encoding`);
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

function integersIn(bytes: Uint8Array): readonly DerElement[] {
  return (derElements(bytes) ?? []).filter(({ tag }) => tag === tags.integer);
}
