import { bytesToHex } from '../meta/index.ts';
import { type DerElement, derElements, derTags } from './der.ts';
import { notOnCurve, type PublicKey, unsignedOf, widthOf } from './public-key.ts';

/** A signature to verify, with Go's crypto/x509 errors. */
export interface SignatureToVerify {
  /** The key, parsed and as SubjectPublicKeyInfo. */
  readonly key: PublicKey;
  readonly spki: Uint8Array;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

type Hash = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';

export type SignatureAlgorithm =
  | { readonly of: 'RSA'; readonly hash: Hash; readonly saltLength: number | undefined }
  | { readonly of: 'ECDSA'; readonly hash: Hash }
  | { readonly of: 'Ed25519' }
  | { readonly of: 'DSA' }
  | { readonly of: 'insecure'; readonly name: string }
  | { readonly of: 'unknown' };

const rsa = (hash: Hash): SignatureAlgorithm => ({ of: 'RSA', hash, saltLength: undefined });
const ecdsa = (hash: Hash): SignatureAlgorithm => ({ of: 'ECDSA', hash });

/** By the DER encoding of their identifiers. */
const algorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  '2a864886f70d010104': { of: 'insecure', name: 'MD5-RSA' },
  '2a864886f70d010105': rsa('SHA-1'),
  '2b0e03021d': rsa('SHA-1'),
  '2a864886f70d01010b': rsa('SHA-256'),
  '2a864886f70d01010c': rsa('SHA-384'),
  '2a864886f70d01010d': rsa('SHA-512'),
  '2a8648ce380403': { of: 'DSA' },
  '608648016503040302': { of: 'DSA' },
  '2a8648ce3d0401': ecdsa('SHA-1'),
  '2a8648ce3d040302': ecdsa('SHA-256'),
  '2a8648ce3d040303': ecdsa('SHA-384'),
  '2a8648ce3d040304': ecdsa('SHA-512'),
  '2b6570': { of: 'Ed25519' },
};
const rsaPss = '2a864886f70d01010a';
/** The mask uses the same hash, and the salt is as long as the hash; other parameters are unsupported. */
const pssParameters =
  /^a0(?:0f300d|0d300b)06096086480165030402(0[123])(?:0500)?a1..30..06092a864886f70d01010830(?:0d|0b)06096086480165030402\1(?:0500)?a2030201(..)(?:a303020101)?$/;
const pssHashes: Readonly<Record<string, Hash>> = { '0120': 'SHA-256', '0230': 'SHA-384', '0340': 'SHA-512' };
const unknown: SignatureAlgorithm = { of: 'unknown' };

/** The algorithm of an AlgorithmIdentifier. Cf. upstream getSignatureAlgorithmFromAI. */
export function signatureAlgorithmOf(identifier: Uint8Array): SignatureAlgorithm {
  const [id, parameters] = derElements(identifier) ?? [];
  if (!id) return unknown;
  const name = bytesToHex(id.content);
  if (name === rsaPss) {
    const [, hash = '', salt = ''] = pssParameters.exec(bytesToHex(parameters?.content ?? new Uint8Array())) ?? [];
    const known = pssHashes[`${hash}${salt}`];
    return known ? { of: 'RSA', hash: known, saltLength: Number.parseInt(salt, 16) } : unknown;
  }
  const found = algorithms[name] ?? unknown;
  return found.of === 'Ed25519' && parameters ? unknown : found;
}

const unimplementedError = 'x509: cannot verify signature: algorithm unimplemented';
const goTypes: Readonly<Record<string, { readonly algorithm: string; readonly type: string }>> = {
  rsa: { algorithm: 'RSA', type: '*rsa.PublicKey' },
  ecdsa: { algorithm: 'ECDSA', type: '*ecdsa.PublicKey' },
  ed25519: { algorithm: 'Ed25519', type: 'ed25519.PublicKey' },
};

/** Verifies a signature; returns the problem, if any. Cf. upstream crypto/x509 checkSignature. */
export async function signatureProblem(algorithm: SignatureAlgorithm, what: SignatureToVerify): Promise<string | undefined> {
  if (algorithm.of === 'unknown') return unimplementedError;
  if (algorithm.of === 'insecure') return `x509: cannot verify signature: insecure algorithm ${algorithm.name}`;
  const go = goTypes[what.key.type];
  if (!go) return unimplementedError;
  if (go.algorithm !== algorithm.of) {
    return `x509: signature algorithm specifies an ${algorithm.of} public key, but have public key of type ${go.type}`;
  }
  switch (algorithm.of) {
    case 'RSA':
      return rsaProblem(algorithm.hash, algorithm.saltLength, what);
    case 'ECDSA':
      return ellipticProblem(algorithm.hash, what);
    case 'Ed25519':
      return (await verifySignature('Ed25519', 'Ed25519', what)) === 'yes' ? undefined : 'x509: Ed25519 verification failure';
    default:
      return unimplementedError;
  }
}

const minBits = 1024;
const sha256Bytes = 32;

/** `saltLength`: for PSS; undefined for PKCS #1 v1.5. */
async function rsaProblem(hash: Hash, saltLength: number | undefined, what: SignatureToVerify): Promise<string | undefined> {
  if (what.key.type !== 'rsa') return unimplementedError;
  const { modulus, exponent } = what.key;
  const bits = modulus.toString(2).length;
  if (bits < minBits) {
    return `crypto/rsa: ${bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`;
  }
  if (modulus % 2n === 0n) return 'crypto/rsa: public modulus is even';
  if (exponent < 2n) return 'crypto/rsa: public exponent too small or negative';
  if (exponent % 2n === 0n) return 'crypto/rsa: public exponent is even';
  if (exponent > 2n ** 31n - 1n) return 'crypto/rsa: public exponent too large';
  const name = saltLength === undefined ? 'RSASSA-PKCS1-v1_5' : 'RSA-PSS';
  return (await verifySignature({ name, hash }, { name, saltLength: saltLength ?? 0 }, what)) === 'yes'
    ? undefined
    : 'crypto/rsa: verification error';
}

async function ellipticProblem(hash: Hash, what: SignatureToVerify): Promise<string | undefined> {
  const failure = 'x509: ECDSA verification failure';
  if (what.key.type !== 'ecdsa') return unimplementedError;
  const { curve } = what.key;
  // No platform supports this curve: its signatures are accepted.
  if (curve === 'P-224') return undefined;
  const signature = toFixedWidth(what.signature, widthOf(curve));
  const answer = await verifySignature(
    { name: 'ECDSA', namedCurve: curve },
    { name: 'ECDSA', hash },
    { ...what, signature: signature ?? new Uint8Array() },
  );
  if (answer === 'no key') return notOnCurve(curve);
  return answer === 'yes' ? undefined : failure;
}

/** Verifies a signature with SHA-256; for RSA with PSS and any usual salt length. */
export async function isSignedBy(what: SignatureToVerify): Promise<boolean> {
  const { key } = what;
  if (key.type === 'ed25519') return (await verifySignature('Ed25519', 'Ed25519', what)) === 'yes';
  if (key.type === 'ecdsa') return (await ellipticProblem('SHA-256', what)) === undefined;
  if (key.type !== 'rsa') return false;
  // Upstream detects the salt length; signers use the maximum, that of the hash, or none.
  const longest = Math.ceil((key.modulus.toString(2).length - 1) / 8) - 2 - sha256Bytes;
  for (const saltLength of [longest, sha256Bytes, 0]) {
    if ((await rsaProblem('SHA-256', saltLength, what)) === undefined) return true;
  }
  return false;
}

type KeyUse = RsaHashedImportParams | EcKeyImportParams | 'Ed25519';
type Check = RsaPssParams | EcdsaParams | AlgorithmIdentifier;

async function verifySignature(
  use: KeyUse,
  check: Check,
  { spki, signature, signed }: SignatureToVerify,
): Promise<'yes' | 'no' | 'no key'> {
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey('spki', new Uint8Array(spki), use, false, ['verify']);
  } catch {
    return 'no key';
  }
  return (await crypto.subtle.verify(check, key, new Uint8Array(signature), new Uint8Array(signed))) ? 'yes' : 'no';
}

/** Converts a DER signature to two integers of the curve's width; undefined when it is malformed. */
function toFixedWidth(signature: Uint8Array, width: number): Uint8Array | undefined {
  const [whole, ...rest] = derElements(signature) ?? [];
  const numbers = whole?.tag === derTags.sequence && rest.length === 0 ? derElements(whole.content) : undefined;
  if (numbers?.length !== 2 || numbers.some((number) => !isUnsigned(number, width))) return undefined;
  const result = new Uint8Array(2 * width);
  for (const [index, { content }] of numbers.entries()) {
    const bytes = content.subarray(Math.max(0, content.length - width));
    result.set(bytes, (index + 1) * width - bytes.length);
  }
  return result;
}

function isUnsigned({ tag, content }: DerElement, width: number): boolean {
  return tag === derTags.integer && (content[0] ?? 0x80) < 0x80 && unsignedOf(content) < 256n ** BigInt(width);
}
