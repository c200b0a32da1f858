import { bytesToHex } from '../../meta/index.ts';
import {
  contextTag,
  derElements,
  derTags,
  encodeDer,
  encodeObjectIdentifier,
  encodeSequence,
  encodeUnsigned,
  objectIdentifier,
  readDerElement,
  sequenceElements,
} from '../../x509/encoding/index.ts';
import { type PublicKey, pemBlocks, readPublicKey, type SigningHash, X509Error } from '../../x509/index.ts';
import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { isDer, readInput } from './files.ts';
import { decryptKey } from './key-encryption.ts';
import { promptPassphrase, readPassphrase } from './prompts.ts';
import { useCrypto } from './use-crypto.ts';

/** A private key with its public key. */
export interface PrivateKey {
  /** PrivateKeyInfo (RFC 5208), in DER. */
  readonly pkcs8: Uint8Array;
  readonly spki: Uint8Array;
  readonly publicKey: PublicKey;
}

export type KeyParameters =
  | { readonly name: 'RSASSA-PKCS1-v1_5'; readonly bits: number }
  | { readonly name: 'ECDSA'; readonly namedCurve: string }
  | { readonly name: 'Ed25519' };

const ids = { rsa: '1.2.840.113549.1.1.1', ec: '1.2.840.10045.2.1', ed25519: '1.3.101.112' } as const;

/** Elliptic curves by their names of Web Crypto. */
export const curves: Readonly<Record<string, { readonly id: string; readonly name: string }>> = {
  'P-256': { id: '1.2.840.10045.3.1.7', name: 'prime256v1' },
  'P-384': { id: '1.3.132.0.34', name: 'secp384r1' },
  'P-521': { id: '1.3.132.0.35', name: 'secp521r1' },
};

/** The name in Web Crypto of a curve, by any of its names. */
export const curveOf = (text: string): string | undefined =>
  Object.keys(curves).find((curve) => [curve, curves[curve]?.id, curves[curve]?.name].includes(text === 'secp256r1' ? 'prime256v1' : text));

/** Generates a key. @throws CommandError */
export async function generateKey(call: Invocation, parameters: KeyParameters): Promise<PrivateKey> {
  const algorithm =
    parameters.name === 'RSASSA-PKCS1-v1_5'
      ? { name: parameters.name, modulusLength: parameters.bits, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-256' }
      : parameters;
  return useCrypto(call, async (subtle) => {
    const { privateKey, publicKey } = (await subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
    const spki = new Uint8Array(await subtle.exportKey('spki', publicKey));
    return withPublicKey(new Uint8Array(await subtle.exportKey('pkcs8', privateKey)), spki);
  });
}

const withPublicKey = (pkcs8: Uint8Array, spki: Uint8Array): PrivateKey => ({
  pkcs8,
  spki,
  publicKey: readPublicKey(spki) ?? { type: 'unknown' },
});

/** The key for signatures. @throws CommandError */
export async function signingKey(call: Invocation, { pkcs8, publicKey }: PrivateKey, hash: SigningHash = 'SHA-256'): Promise<CryptoKey> {
  const algorithm = importParameters(publicKey, hash);
  return useCrypto(call, (subtle) => subtle.importKey('pkcs8', new Uint8Array(pkcs8), algorithm, false, ['sign']));
}

type ImportParameters = RsaHashedImportParams | EcKeyImportParams | Algorithm;

function importParameters(key: PublicKey, hash: SigningHash): ImportParameters {
  if (key.type === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash };
  return key.type === 'ecdsa' ? { name: 'ECDSA', namedCurve: key.curve } : { name: 'Ed25519' };
}

export interface KeyFile {
  readonly name: string | undefined;
  /** What errors call it. */
  readonly what: string;
  /** The value of the option `-passin`. */
  readonly passphrase: string | undefined;
  /** Ends errors. */
  readonly consequence?: string;
}

/** @throws CommandError */
export async function readPrivateKey(call: Invocation, { name, what, passphrase, consequence = '' }: KeyFile): Promise<PrivateKey> {
  const content = await readInput(call, name);
  if (!content) throw new CommandError(`Could not open file or uri for loading ${what} from ${name}${consequence}`);
  try {
    const getPassphrase = async (): Promise<string> =>
      (await readPassphrase(call, passphrase)) ?? promptPassphrase(call, name ?? '<stdin>');
    const pkcs8 = await decodePrivateKey(call, content, getPassphrase);
    if (pkcs8) return await derivePublicKey(call, pkcs8);
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
  }
  throw new CommandError(`Could not read ${what} from ${name === undefined || name === '-' ? '<stdin>' : name}${consequence}`);
}

/** The first private key of a file as PrivateKeyInfo; undefined without one. @throws X509Error, CommandError */
async function decodePrivateKey(
  call: Invocation,
  content: Uint8Array,
  getPassphrase: () => Promise<string>,
): Promise<Uint8Array | undefined> {
  if (isDer(content)) return toPkcs8(content);
  for (const { type, bytes } of pemBlocks(new TextDecoder().decode(content))) {
    if (type === 'ENCRYPTED PRIVATE KEY') return decryptKey(call, bytes, await getPassphrase());
    if (type === 'PRIVATE KEY' || type === 'RSA PRIVATE KEY' || type === 'EC PRIVATE KEY') return toPkcs8(bytes);
  }
  return undefined;
}

/** Wraps an RSAPrivateKey (RFC 8017) or ECPrivateKey (RFC 5915). */
function toPkcs8(der: Uint8Array): Uint8Array {
  const [, second, parameters, publicKey] = sequenceElements(readDerElement(der), 'private key');
  if (second?.tag === derTags.integer) return encodePkcs8(ids.rsa, encodeDer(derTags.null), der);
  if (second?.tag !== derTags.octetString) return der;
  if (parameters?.tag !== contextTag(0)) throw new X509Error('x509: unknown elliptic curve');
  const key = encodeSequence(encodeUnsigned(Uint8Array.of(1)), second.whole, ...(publicKey ? [publicKey.whole] : []));
  return encodePkcs8(ids.ec, parameters.content, key);
}

const encodePkcs8 = (id: string, parameters: Uint8Array, key: Uint8Array): Uint8Array =>
  encodeSequence(
    encodeUnsigned(Uint8Array.of(0)),
    encodeSequence(encodeObjectIdentifier(id), parameters),
    encodeDer(derTags.octetString, key),
  );

/** The algorithm of a PrivateKeyInfo with its parameters, and the key. @throws X509Error */
function readPkcs8(pkcs8: Uint8Array): { readonly id: string; readonly parameters: Uint8Array; readonly key: Uint8Array } {
  const [, algorithm, key] = sequenceElements(readDerElement(pkcs8), 'private key');
  const [id, parameters] = sequenceElements(algorithm, 'private key algorithm');
  return {
    id: (id && objectIdentifier(id)) ?? '',
    parameters: parameters?.whole ?? new Uint8Array(),
    key: key?.content ?? new Uint8Array(),
  };
}

/** Imports the key to get its public key. */
async function derivePublicKey(call: Invocation, pkcs8: Uint8Array): Promise<PrivateKey> {
  const { id, parameters } = readPkcs8(pkcs8);
  const curve = id === ids.ec ? curveOf(objectIdentifier(readDerElement(parameters)) ?? '') : undefined;
  if (!Object.values<string>(ids).includes(id) || (id === ids.ec && curve === undefined)) {
    throw new CommandError('openssl: only RSA, Ed25519, and the curves P-256, P-384 and P-521 are supported');
  }
  const algorithm: ImportParameters =
    id === ids.rsa
      ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
      : curve === undefined
        ? { name: 'Ed25519' }
        : { name: 'ECDSA', namedCurve: curve };
  return useCrypto(call, async (subtle) => {
    const key = await subtle.importKey('pkcs8', new Uint8Array(pkcs8), algorithm, true, ['sign']);
    const { kty = '', crv, x, y, n, e } = await subtle.exportKey('jwk', key);
    const members = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value !== undefined);
    const publicKey = await subtle.importKey('jwk', Object.fromEntries(members) as JsonWebKey, algorithm, true, ['verify']);
    return withPublicKey(pkcs8, new Uint8Array(await subtle.exportKey('spki', publicKey)));
  });
}

/** RSAPrivateKey or ECPrivateKey, as `rsa -traditional` and `ec` write them. @throws X509Error */
export function traditionalKey({ pkcs8, spki, publicKey }: PrivateKey): { readonly type: string; readonly der: Uint8Array } {
  const { parameters, key } = readPkcs8(pkcs8);
  if (publicKey.type === 'rsa') return { type: 'RSA PRIVATE KEY', der: key };
  const [version, secret] = sequenceElements(readDerElement(key), 'private key');
  const [, bits] = sequenceElements(readDerElement(spki), 'public key');
  if (!version || !secret || !bits) throw new X509Error('x509: malformed private key');
  const der = encodeSequence(version.whole, secret.whole, encodeDer(contextTag(0), parameters), encodeDer(contextTag(1), bits.whole));
  return { type: 'EC PRIVATE KEY', der };
}

/** The numbers of an RSA key (RFC 8017, section A.1.2), or the secret of another one, as bytes. @throws X509Error */
export function privateNumbers({ pkcs8, publicKey }: PrivateKey): readonly Uint8Array[] {
  const content = readDerElement(readPkcs8(pkcs8).key);
  if (publicKey.type === 'ed25519') return [content.content];
  const elements = derElements(content.content) ?? [];
  return publicKey.type === 'rsa' ? elements.slice(1, 9).map((one) => one.content) : elements.slice(1, 2).map((one) => one.content);
}

/** `Modulus=…`, as the option `-modulus` prints it; `other`: for keys without one. */
export const modulusLine = (key: PublicKey, other: string): string =>
  `Modulus=${key.type === 'rsa' ? evenHex(key.modulus).toUpperCase() : other}\n`;

function evenHex(number: bigint): string {
  const hex = number.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}

export const sameKey = (one: Uint8Array, other: Uint8Array): boolean => bytesToHex(one) === bytesToHex(other);
