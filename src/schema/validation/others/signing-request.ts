import type { DerElement } from './pem.ts';
import { bitsOf, type PublicKey, readPublicKey } from './public-key.ts';

/** Certificate signing requests (PKCS #10): the fields needed here, and Go's errors for malformed ones. */
export class SigningRequestError extends Error {
  override readonly name = 'SigningRequestError';
}

interface Element extends DerElement {
  readonly whole: Uint8Array;
  readonly rest: Uint8Array;
}

const tags = { integer: 0x02, bitString: 0x03, sequence: 0x30 };
const longForm = 0x80;
const longTag = 0x1f;
const compound = 0x20;

/** Go's output for a field without a special form. */
const plainField =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';

/** A parsed request. */
export interface SigningRequest {
  /** The signed bytes, the algorithm (the content of its identifier), and the signature. */
  readonly signed: Uint8Array;
  readonly algorithm: Uint8Array;
  readonly signature: Uint8Array;
  readonly key: PublicKey;
  readonly spki: Uint8Array;
  /** The organizations in the subject. */
  readonly organizations: readonly string[];
}

/** Parses a request, without verifying its signature. @throws SigningRequestError, PublicKeyError */
export function readSigningRequest(der: Uint8Array): SigningRequest {
  const whole = expectElement(der, tags.sequence, 'certificateRequest');
  const info = expectElement(whole.content, tags.sequence, 'tbsCertificateRequest');
  const version = expectElement(info.content, tags.integer, 'int');
  const subject = anyElement(version.rest);
  const spki = expectElement(subject.rest, tags.sequence, 'publicKeyInfo');
  expectElement(expectElement(spki.content, tags.sequence, 'AlgorithmIdentifier').rest, tags.bitString, 'BitString');
  headOf(spki.rest);
  const algorithm = expectElement(info.rest, tags.sequence, 'AlgorithmIdentifier');
  const signature = expectElement(algorithm.rest, tags.bitString, 'BitString');
  if (whole.rest.length > 0) throw new SigningRequestError('asn1: syntax error: trailing data');
  const key = readPublicKey(spki.whole) ?? { type: 'unknown' };
  return {
    signed: info.whole,
    algorithm: algorithm.content,
    signature: bitsOf(signature),
    key,
    spki: spki.whole,
    organizations: organizationsIn(expectElement(version.rest, tags.sequence, 'RDNSequence')),
  };
}

function organizationsIn(subject: Element): readonly string[] {
  return elementsIn(subject.content)
    .flatMap(({ content }) => elementsIn(content))
    .flatMap(({ content }) => {
      const [type, value] = elementsIn(content);
      return type && value && isOrganization(type.content) ? [new TextDecoder().decode(value.content)] : [];
    });
}

/** 2.5.4.10, encoded as DER. */
const organization = [0x55, 0x04, 0x0a];

function isOrganization(id: Uint8Array): boolean {
  return id.length === organization.length && organization.every((byte, index) => id[index] === byte);
}

function expectElement(bytes: Uint8Array, tag: number, type: string): Element {
  const head = headOf(bytes);
  if (head.tag === tag) return anyElement(bytes);
  const shown = `{class:${head.tag >> 6} tag:${head.tag & longTag} length:${head.length} isCompound:${(head.tag & compound) !== 0}}`;
  throw new SigningRequestError(
    `asn1: structure error: tags don't match (${tag & longTag} vs ${shown}) ${plainField} ${type} @${head.start}`,
  );
}

function anyElement(bytes: Uint8Array): Element {
  const { tag, start, length } = headOf(bytes);
  const end = start + length;
  if (end > bytes.length) throw new SigningRequestError('asn1: syntax error: data truncated');
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(0, end), rest: bytes.subarray(end) };
}

function headOf(bytes: Uint8Array): { readonly tag: number; readonly start: number; readonly length: number } {
  const [tag, first] = [bytes[0], bytes[1]];
  if (tag === undefined) throw new SigningRequestError('asn1: syntax error: sequence truncated');
  if (first === undefined) throw new SigningRequestError('asn1: syntax error: truncated tag or length');
  const start = 2 + (first < longForm ? 0 : first - longForm);
  const length = first < longForm ? first : bytes.subarray(2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return { tag, start, length };
}

function elementsIn(bytes: Uint8Array): readonly Element[] {
  const elements: Element[] = [];
  for (let rest = bytes; rest.length > 0; rest = elements[elements.length - 1]?.rest ?? rest) elements.push(anyElement(rest));
  return elements;
}
