import { type CertificateExtension, readExtensions } from './certificate-extensions.ts';
import {
  bitStringBytes,
  type DerElement,
  derElements,
  derTags,
  objectIdentifier,
  readDerElement,
  readDerHeader,
  sequenceElements,
  X509Error,
} from './der.ts';
import { type NameAttribute, nameAttributes } from './distinguished-name.ts';
import { pemBlocks } from './pem.ts';
import { type PublicKey, readPublicKey } from './public-key.ts';

/** An element, and the bytes after it. */
interface Element extends DerElement {
  readonly rest: Uint8Array;
}

const longTag = 0x1f;
const compound = 0x20;

/** Go's output for a field without a special form. */
const plainField =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';

/** A certificate signing request (PKCS #10), as far as it is used. */
export interface SigningRequest {
  /** The signed bytes, the algorithm (the content of its identifier), and the signature. */
  readonly signed: Uint8Array;
  readonly algorithm: Uint8Array;
  readonly signature: Uint8Array;
  readonly key: PublicKey;
  readonly spki: Uint8Array;
  /** Name, in DER. */
  readonly subject: Uint8Array;
  readonly subjectAttributes: readonly NameAttribute[];
  /** The element with the attributes of the request, in DER. */
  readonly attributes: Uint8Array;
}

/** Parses the request in a PEM text, without verifying its signature. @throws X509Error */
export function readPemSigningRequest(pem: string): SigningRequest {
  const [block] = pemBlocks(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') throw new X509Error('PEM block type must be CERTIFICATE REQUEST');
  return readSigningRequest(block.bytes);
}

/** Parses a request, without verifying its signature. @throws X509Error */
export function readSigningRequest(der: Uint8Array): SigningRequest {
  const whole = expectElement(der, derTags.sequence, 'certificateRequest');
  const info = expectElement(whole.content, derTags.sequence, 'tbsCertificateRequest');
  const version = expectElement(info.content, derTags.integer, 'int');
  const subject = nextElement(version.rest);
  const spki = expectElement(subject.rest, derTags.sequence, 'publicKeyInfo');
  expectElement(expectElement(spki.content, derTags.sequence, 'AlgorithmIdentifier').rest, derTags.bitString, 'BitString');
  readDerHeader(spki.rest);
  const algorithm = expectElement(info.rest, derTags.sequence, 'AlgorithmIdentifier');
  const signature = expectElement(algorithm.rest, derTags.bitString, 'BitString');
  if (whole.rest.length > 0) throw new X509Error('asn1: syntax error: trailing data');
  const key = readPublicKey(spki.whole) ?? { type: 'unknown' };
  return {
    signed: info.whole,
    algorithm: algorithm.content,
    signature: bitStringBytes(signature),
    key,
    spki: spki.whole,
    subject: subject.whole,
    attributes: spki.rest,
    subjectAttributes: nameAttributes(expectElement(version.rest, derTags.sequence, 'RDNSequence')),
  };
}

/** The attribute with the requested extensions. */
export const extensionRequest = '1.2.840.113549.1.9.14';

/** The requested extensions of the certificate (RFC 2985, section 5.4.2), by object identifier. @throws X509Error */
export function requestedExtensions({ attributes }: SigningRequest): ReadonlyMap<string, CertificateExtension> {
  for (const attribute of derElements(readDerElement(attributes).content) ?? []) {
    const [id, values] = sequenceElements(attribute, 'attribute');
    if (id && values && objectIdentifier(id) === extensionRequest) return readExtensions(values);
  }
  return new Map();
}

function expectElement(bytes: Uint8Array, tag: number, type: string): Element {
  const head = readDerHeader(bytes);
  if (head.tag === tag) return nextElement(bytes);
  const shown = `{class:${head.tag >> 6} tag:${head.tag & longTag} length:${head.length} isCompound:${(head.tag & compound) !== 0}}`;
  throw new X509Error(`asn1: structure error: tags don't match (${tag & longTag} vs ${shown}) ${plainField} ${type} @${head.start}`);
}

function nextElement(bytes: Uint8Array): Element {
  const element = readDerElement(bytes);
  return { ...element, rest: bytes.subarray(element.whole.length) };
}
