import { type AlternativeNames, alternativeNameTags } from './alternative-names.ts';
import { extensionIds } from './certificate-extensions.ts';
import { derTags, readDerElement, sequenceElements } from './der.ts';
import {
  contextTag,
  encodeBitString,
  encodeDer,
  encodeObjectIdentifier,
  encodeSequence,
  encodeTime,
  encodeUnsigned,
} from './der-writer.ts';
import { type SigningHash, signatureMethod } from './signature-method.ts';

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
  /** ECDSA, RSASSA-PKCS1-v1_5, or Ed25519. */
  readonly key: CryptoKey;
  /** For ECDSA; default: by the size of the curve. */
  readonly hash?: SigningHash;
}

/** Signs a certificate, and returns it in DER. */
export async function createCertificate(
  { serialNumber, subject, spki, notBeforeMs, notAfterMs, extensions }: NewCertificate,
  { name, key, hash }: Issuer,
): Promise<Uint8Array> {
  const { identifier, sign } = signatureMethod(key, hash);
  // Extensions are those of version 3; version 1 is the default.
  const hasExtensions = extensions.length > 0;
  const body = encodeSequence(
    ...(hasExtensions ? [encodeDer(contextTag(0), encodeUnsigned(Uint8Array.of(2)))] : []),
    encodeUnsigned(serialNumber),
    identifier,
    name,
    encodeSequence(encodeTime(notBeforeMs), encodeTime(notAfterMs)),
    subject,
    spki,
    ...(hasExtensions ? [encodeDer(contextTag(3), encodeExtensions(extensions))] : []),
  );
  return encodeSequence(body, identifier, encodeBitString(await sign(body)));
}

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

/** By kind, in Go's order. Cf. crypto/x509 marshalSANs. */
export function subjectAlternativeNames({
  dnsNames = [],
  emailAddresses = [],
  ipAddresses = [],
  uris = [],
}: Partial<AlternativeNames>): NewExtension {
  const encodeTexts = (tag: number, texts: readonly string[]): readonly Uint8Array[] =>
    texts.map((text) => encodeDer(tag, new TextEncoder().encode(text)));
  return {
    id: extensionIds.subjectAlternativeName,
    value: encodeSequence(
      ...encodeTexts(alternativeNameTags.dnsName, dnsNames),
      ...encodeTexts(alternativeNameTags.emailAddress, emailAddresses),
      ...ipAddresses.map((address) => encodeDer(alternativeNameTags.ipAddress, address)),
      ...encodeTexts(alternativeNameTags.uri, uris),
    ),
  };
}

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

/** A list of extensions, in DER. */
export const encodeExtensions = (extensions: readonly NewExtension[]): Uint8Array => encodeSequence(...extensions.map(encodeExtension));

const encodeExtension = ({ id, critical = false, value }: NewExtension): Uint8Array =>
  encodeSequence(
    encodeObjectIdentifier(id),
    ...(critical ? [encodeDer(derTags.boolean, Uint8Array.of(0xff))] : []),
    encodeDer(derTags.octetString, value),
  );
