import { parseTime, TimeError } from '../meta/index.ts';
import {
  allowsCertificateSigning,
  type BasicConstraints,
  type CertificateExtension,
  extensionIds,
  readBasicConstraints,
  readExtendedKeyUsage,
  readExtensions,
} from './certificate-extensions.ts';
import {
  type DerElement,
  derElements,
  derTags,
  malformed,
  readDerElement,
  rightAlignedBytes,
  sameBytes,
  sequenceElements,
  X509Error,
} from './der.ts';
import { type NameAttribute, nameAttributes } from './distinguished-name.ts';
import { type PublicKey, readPublicKey } from './public-key.ts';
import { signatureAlgorithmOf, signatureProblem } from './signature.ts';

/** A certificate (RFC 5280, section 4.1), as far as it is used. Its signature is not verified. */
export interface Certificate {
  /** The signed bytes, the algorithm (the content of its identifier), and the signature. */
  readonly signed: Uint8Array;
  readonly algorithm: Uint8Array;
  readonly signature: Uint8Array;
  /** 1 to 3. */
  readonly version: number;
  /** The content of the integer. */
  readonly serialNumber: Uint8Array;
  /** Names in DER, which are compared by bytes, as upstream does. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly subjectAttributes: readonly NameAttribute[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** The subject's key, as SubjectPublicKeyInfo and parsed. */
  readonly spki: Uint8Array;
  readonly key: PublicKey;
  /** By object identifier. */
  readonly extensions: ReadonlyMap<string, CertificateExtension>;
  readonly basicConstraints: BasicConstraints | undefined;
  /** Whether the key usage, if there is one, includes signing certificates. */
  readonly maySignCertificates: boolean;
  /** Object identifiers; undefined: any use. */
  readonly extendedKeyUsage: readonly string[] | undefined;
}

/** Context-specific tags in a certificate. */
const versionTag = 0xa0;
const extensionsTag = 0xa3;

/** Parses a certificate in DER. Cf. upstream parseCertificate. @throws X509Error */
export function readCertificate(der: Uint8Array): Certificate {
  const whole = readOutermost(der);
  if (whole.whole.length < der.length) throw new X509Error('x509: trailing data');
  const [body, algorithm, signature, ...rest] = sequenceElements(whole, 'certificate');
  if (!body || !algorithm || !signature || rest.length > 0) throw malformed('certificate');
  const fields = sequenceElements(body, 'tbs certificate');
  const [serial, signedAlgorithm, issuer, validity, subject, spki, ...optional] = fields[0]?.tag === versionTag ? fields.slice(1) : fields;
  if (serial?.tag !== derTags.integer) throw malformed('serial number');
  if (algorithm.tag !== derTags.sequence || !signedAlgorithm) throw malformed('signature algorithm identifier');
  if (!sameBytes(algorithm.whole, signedAlgorithm.whole))
    throw new X509Error("x509: inner and outer signature algorithm identifiers don't match");
  if (issuer?.tag !== derTags.sequence || !subject) throw malformed('issuer');
  const key = spki && readPublicKey(spki.whole);
  if (!key) throw malformed('spki');
  const extensions = optional.find(({ tag }) => tag === extensionsTag);
  const version = versionOf(fields[0]);
  return {
    version,
    serialNumber: serial.content,
    signed: body.whole,
    algorithm: algorithm.content,
    signature: rightAlignedBytes(signature),
    issuer: issuer.whole,
    subject: subject.whole,
    subjectAttributes: nameAttributes(subject).map(requireText),
    ...readValidity(validity),
    spki: spki.whole,
    key,
    // Upstream ignores extensions of earlier versions.
    ...parseExtensions(version === 3 && extensions ? readExtensions(extensions) : new Map()),
  };
}

function readOutermost(der: Uint8Array): DerElement {
  try {
    return readDerElement(der);
  } catch (error) {
    throw error instanceof X509Error ? malformed('certificate') : error;
  }
}

/** 1 by default. */
function versionOf(first: DerElement | undefined): number {
  if (first?.tag !== versionTag) return 1;
  const [number, ...rest] = derElements(first.content) ?? [];
  if (number?.tag !== derTags.integer || number.content.length !== 1 || rest.length > 0) throw malformed('version');
  const version = (number.content[0] ?? 0) + 1;
  if (version > 3) throw new X509Error('x509: invalid version');
  return version;
}

function requireText(attribute: NameAttribute): NameAttribute {
  if (attribute.value === undefined) throw new X509Error('x509: invalid RDNSequence: invalid attribute value: unsupported string type');
  return attribute;
}

function readValidity(validity: DerElement | undefined): Pick<Certificate, 'notBeforeMs' | 'notAfterMs'> {
  const [notBeforeMs, notAfterMs, ...rest] = sequenceElements(validity, 'validity').map(readTime);
  if (notBeforeMs === undefined || notAfterMs === undefined || rest.length > 0) throw malformed('validity');
  return { notBeforeMs, notAfterMs };
}

/** Times by tag. Upstream also takes an offset, and UTCTime without seconds. */
const timePatterns: Readonly<Record<number, RegExp>> = {
  [derTags.utcTime]: /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/,
  [derTags.generalizedTime]: /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/,
};
const maxTimeLength = 20;

/** RFC 5280, section 4.1.2.5. */
function readTime({ tag, content }: DerElement): number {
  const text = content.length > maxTimeLength ? '' : String.fromCharCode(...content);
  const [, year, month, day, hour, minute, second = '00', zone = ''] = timePatterns[tag]?.exec(text) ?? [];
  if (year === undefined) throw malformed('validity');
  // UTCTime is for years from 1950 to 2049.
  const century = year.length === 4 ? '' : Number(year) < 50 ? '20' : '19';
  try {
    return parseTime(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}${zone.replace(/(\d\d)(\d\d)/, '$1:$2')}`);
  } catch (error) {
    if (error instanceof TimeError) throw malformed('validity');
    throw error;
  }
}

type ParsedExtensions = Pick<Certificate, 'extensions' | 'basicConstraints' | 'maySignCertificates' | 'extendedKeyUsage'>;

function parseExtensions(extensions: Certificate['extensions']): ParsedExtensions {
  const constraints = extensions.get(extensionIds.basicConstraints);
  const usage = extensions.get(extensionIds.keyUsage);
  const purposes = extensions.get(extensionIds.extendedKeyUsage);
  return {
    extensions,
    basicConstraints: constraints && readBasicConstraints(constraints.value),
    maySignCertificates: usage === undefined || allowsCertificateSigning(usage.value),
    extendedKeyUsage: purposes && readExtendedKeyUsage(purposes.value),
  };
}

/** Whether the issuer's key made the signature. Cf. upstream CheckSignatureFrom. */
export async function isSignedByIssuer(certificate: Certificate, { key, spki }: Certificate): Promise<boolean> {
  const algorithm = signatureAlgorithmOf(certificate.algorithm);
  // Unlike in requests, SHA-1 is refused, as it is not collision resistant; and so is a curve that WebCrypto does not verify.
  if (('hash' in algorithm && algorithm.hash === 'SHA-1') || (key.type === 'ecdsa' && key.curve === 'P-224')) return false;
  const { signed, signature } = certificate;
  return (await signatureProblem(algorithm, { key, spki, signed, signature })) === undefined;
}
