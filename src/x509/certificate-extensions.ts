import {
  bitStringBytes,
  booleanOf,
  type DerElement,
  derElements,
  derTags,
  malformed,
  objectIdentifier,
  sequenceElements,
  X509Error,
} from './der.ts';

/** An extension of a certificate (RFC 5280, section 4.2). */
export interface CertificateExtension {
  readonly critical: boolean;
  /** In DER. */
  readonly value: Uint8Array;
}

/** Object identifiers of extensions. */
export const extensionIds = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

/** Parses the list of extensions, by object identifier. @throws X509Error */
export function readExtensions(wrapper: DerElement): ReadonlyMap<string, CertificateExtension> {
  const extensions = new Map<string, CertificateExtension>();
  for (const element of sequenceElements(onlyElement(wrapper.content), 'extensions')) {
    const [type, ...fields] = sequenceElements(element, 'extension');
    const id = type && objectIdentifier(type);
    const value = fields.pop();
    const [critical, ...rest] = fields;
    if (id === undefined) throw malformed('extension OID field');
    if (value?.tag !== derTags.octetString || rest.length > 0) throw malformed('extension value field');
    if (extensions.has(id)) throw new X509Error('x509: certificate contains duplicate extensions');
    extensions.set(id, { critical: critical !== undefined && booleanOf(critical), value: value.content });
  }
  return extensions;
}

/** The element that fills `bytes`. */
function onlyElement(bytes: Uint8Array): DerElement | undefined {
  const [element, ...rest] = derElements(bytes) ?? [];
  return rest.length > 0 ? undefined : element;
}

export interface BasicConstraints {
  readonly isAuthority: boolean;
  /** How many intermediates may follow in a chain; undefined: any number. */
  readonly pathLength: number | undefined;
}

const maxIntegerBytes = 4;

/** RFC 5280, section 4.2.1.9. @throws X509Error */
export function readBasicConstraints(value: Uint8Array): BasicConstraints {
  const fields = [...sequenceElements(onlyElement(value), 'basic constraints')];
  const isAuthority = fields[0]?.tag === derTags.boolean && booleanOf(fields[0]);
  if (fields[0]?.tag === derTags.boolean) fields.shift();
  const [length, ...rest] = fields;
  if (rest.length > 0) throw malformed('basic constraints');
  return { isAuthority, pathLength: length && smallInteger(length) };
}

/** A number from 0 to 2³¹-1 in its shortest form (X.690, section 8.3). */
function smallInteger({ tag, content }: DerElement): number {
  const [first = 0x80, second = 0x80] = content;
  if (tag !== derTags.integer || first >= 0x80 || (content.length > 1 && first === 0 && second < 0x80) || content.length > maxIntegerBytes)
    throw malformed('basic constraints');
  return content.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** RFC 5280, section 4.2.1.3: whether the key may verify signatures of certificates. @throws X509Error */
export function allowsCertificateSigning(keyUsage: Uint8Array): boolean {
  const bits = onlyElement(keyUsage);
  if (!bits) throw malformed('key usage');
  // Bit 5, counted from the most significant one.
  return ((bitStringBytes(bits)[0] ?? 0) & 0x04) !== 0;
}

/** Object identifiers of key purposes (RFC 5280, section 4.2.1.12). @throws X509Error */
export function readExtendedKeyUsage(value: Uint8Array): readonly string[] {
  return sequenceElements(onlyElement(value), 'extended key usages').map((element) => {
    const id = objectIdentifier(element);
    if (id === undefined) throw malformed('extended key usages');
    return id;
  });
}
