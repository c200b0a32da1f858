import { extensionIds } from './certificate-extensions.ts';
import { derTags, readDerElement, sequenceElements } from './der.ts';
import { encodeBitString, encodeDer, encodeObjectIdentifier, encodeSequence, encodeTime, encodeUnsigned } from './der-writer.ts';

/** The fields of a new certificate (RFC 5280, section 4.1). */
export interface NewCertificate {
  /** A positive integer, big-endian; at most 20 bytes. */
  readonly serialNumber: Uint8Array;
  /** Name, in DER. */
  readonly subject: Uint8Array;
  /** SubjectPublicKeyInfo, in DER. */
  readonly spki: Uint8Array;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly extensions: readonly NewExtension[];
}

export interface NewExtension {
  /** Object identifier. */
  readonly id: string;
  /** Default: false. */
  readonly critical?: boolean;
  /** In DER. */
  readonly value: Uint8Array;
}

export interface Issuer {
  /** Name, in DER. */
  readonly name: Uint8Array;
  /** ECDSA, RSASSA-PKCS1-v1_5 with SHA-256, or Ed25519. */
  readonly key: CryptoKey;
}

/** An element `[number]` of a certificate. */
const contextTag = (number: number, constructed = 0x20): number => 0x80 | constructed | number;
const utf8String = 0x0c;
const commonName = '2.5.4.3';

/** Signs a certificate, and returns it in DER. */
export async function createCertificate(
  { serialNumber, subject, spki, notBeforeMs, notAfterMs, extensions }: NewCertificate,
  { name, key }: Issuer,
): Promise<Uint8Array> {
  const { identifier, sign } = signatureOf(key);
  const body = encodeSequence(
    encodeDer(contextTag(0), encodeUnsigned(Uint8Array.of(2))),
    encodeUnsigned(serialNumber),
    identifier,
    name,
    encodeSequence(encodeTime(notBeforeMs), encodeTime(notAfterMs)),
    subject,
    spki,
    encodeDer(contextTag(3), encodeSequence(...extensions.map(encodeExtension))),
  );
  return encodeSequence(body, identifier, encodeBitString(await sign(body)));
}

/** A Name of one common name. */
export const encodeCommonName = (text: string): Uint8Array =>
  encodeSequence(
    encodeDer(derTags.set, encodeSequence(encodeObjectIdentifier(commonName), encodeDer(utf8String, new TextEncoder().encode(text)))),
  );

export const basicConstraints = (isAuthority: boolean): NewExtension => ({
  id: extensionIds.basicConstraints,
  critical: true,
  value: encodeSequence(...(isAuthority ? [encodeDer(derTags.boolean, Uint8Array.of(0xff))] : [])),
});

/** `bits`: numbers of RFC 5280, section 4.2.1.3; at least one. */
export function keyUsage(bits: readonly number[]): NewExtension {
  const last = Math.max(...bits);
  const bytes = new Uint8Array(Math.floor(last / 8) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return { id: extensionIds.keyUsage, critical: true, value: encodeBitString(bytes, 7 - (last & 7)) };
}

/** `purposes`: object identifiers. */
export const extendedKeyUsage = (purposes: readonly string[]): NewExtension => ({
  id: extensionIds.extendedKeyUsage,
  value: encodeSequence(...purposes.map(encodeObjectIdentifier)),
});

/** Host names, and IP addresses as 4 or 16 bytes. */
export const subjectAlternativeNames = (dnsNames: readonly string[], ipAddresses: readonly Uint8Array[]): NewExtension => ({
  id: extensionIds.subjectAlternativeName,
  value: encodeSequence(
    ...dnsNames.map((name) => encodeDer(contextTag(2, 0), new TextEncoder().encode(name))),
    ...ipAddresses.map((address) => encodeDer(contextTag(7, 0), address)),
  ),
});

/** Identifiers of the subject's key and of the issuer's (RFC 5280, sections 4.2.1.2 and 4.2.1.1). */
export const subjectKeyIdentifier = (id: Uint8Array): NewExtension => ({
  id: extensionIds.subjectKeyIdentifier,
  value: encodeDer(derTags.octetString, id),
});
export const authorityKeyIdentifier = (id: Uint8Array): NewExtension => ({
  id: extensionIds.authorityKeyIdentifier,
  value: encodeSequence(encodeDer(contextTag(0, 0), id)),
});

/** The SHA-1 hash of a public key, as RFC 5280, section 4.2.1.2 suggests. */
export async function keyIdentifier(spki: Uint8Array): Promise<Uint8Array> {
  const [, bits] = sequenceElements(readDerElement(spki), 'spki');
  return new Uint8Array(await crypto.subtle.digest('SHA-1', new Uint8Array(bits?.content.subarray(1) ?? [])));
}

const encodeExtension = ({ id, critical = false, value }: NewExtension): Uint8Array =>
  encodeSequence(
    encodeObjectIdentifier(id),
    ...(critical ? [encodeDer(derTags.boolean, Uint8Array.of(0xff))] : []),
    encodeDer(derTags.octetString, value),
  );

interface SignatureMethod {
  /** AlgorithmIdentifier, in DER. */
  readonly identifier: Uint8Array;
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>;
}

const ecdsaByCurve: Readonly<Record<string, { readonly hash: string; readonly id: string }>> = {
  'P-256': { hash: 'SHA-256', id: '1.2.840.10045.4.3.2' },
  'P-384': { hash: 'SHA-384', id: '1.2.840.10045.4.3.3' },
  'P-521': { hash: 'SHA-512', id: '1.2.840.10045.4.3.4' },
};
const sha256WithRsa = '1.2.840.113549.1.1.11';
const ed25519 = '1.3.101.112';

function signatureOf(key: CryptoKey): SignatureMethod {
  const { name, namedCurve = '' } = key.algorithm as KeyAlgorithm & { readonly namedCurve?: string };
  const signWith = async (algorithm: AlgorithmIdentifier | EcdsaParams, bytes: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign(algorithm, key, new Uint8Array(bytes)));
  const ecdsa = ecdsaByCurve[namedCurve];
  if (ecdsa) {
    const sign = async (bytes: Uint8Array): Promise<Uint8Array> => {
      const signature = await signWith({ name, hash: ecdsa.hash }, bytes);
      const half = signature.length / 2;
      return encodeSequence(encodeUnsigned(signature.subarray(0, half)), encodeUnsigned(signature.subarray(half)));
    };
    return { identifier: encodeSequence(encodeObjectIdentifier(ecdsa.id)), sign };
  }
  const identifier =
    name === 'Ed25519'
      ? encodeSequence(encodeObjectIdentifier(ed25519))
      : encodeSequence(encodeObjectIdentifier(sha256WithRsa), encodeDer(derTags.null));
  return { identifier, sign: (bytes) => signWith(name, bytes) };
}
