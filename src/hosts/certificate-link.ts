import 'reflect-metadata';
import { BasicConstraintsExtension, ExtendedKeyUsageExtension, KeyUsageFlags, KeyUsagesExtension, X509Certificate } from '@peculiar/x509';

/** The attribute of subjects that holds a user's id. */
const uidAttribute = '1.3.6.1.4.1.57683.2';
const alternativeNames = '2.5.29.17';
const nameConstraints = '2.5.29.30';

/** Extensions that Go looks at; another one that is critical must not be passed over. */
const understood: ReadonlySet<string> = new Set([
  ...['14', '15', '17', '19', '30', '31', '32', '33', '35', '36', '37', '54'].map((last) => `2.5.29.${last}`),
  '1.3.6.1.5.5.7.1.1',
]);

/** A certificate as verifying sees it. */
export class CertificateLink {
  readonly #certificate: X509Certificate;
  readonly #signers = new Map<CertificateLink, Promise<boolean>>();
  /** SHA-256 in lower-case hexadecimal. */
  readonly fingerprint: string;

  /** Rejects when the bytes are no certificate. */
  static async read(der: Uint8Array): Promise<CertificateLink> {
    const bytes = new Uint8Array(der);
    const digest = await crypto.subtle.digest('SHA-256', bytes);
    const fingerprint = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    return new CertificateLink(new X509Certificate(bytes), fingerprint);
  }

  private constructor(certificate: X509Certificate, fingerprint: string) {
    this.#certificate = certificate;
    this.fingerprint = fingerprint;
  }

  isInTime(nowMs: number): boolean {
    return this.#certificate.notBefore.getTime() <= nowMs && nowMs <= this.#certificate.notAfter.getTime();
  }

  /** Whether every extension that may not be passed over is one that is looked at. */
  get isUnderstood(): boolean {
    return this.#certificate.extensions.every(({ critical, type }) => !critical || understood.has(type));
  }

  /** Extended key usages; undefined: for all of them. */
  get uses(): readonly string[] | undefined {
    return this.#certificate.getExtension(ExtendedKeyUsageExtension)?.usages.map(String);
  }

  /** May sign others. */
  get isAuthority(): boolean {
    const usage = this.#certificate.getExtension(KeyUsagesExtension);
    const maySign = usage === null || (usage.usages & KeyUsageFlags.keyCertSign) !== 0;
    return maySign && this.#certificate.getExtension(BasicConstraintsExtension)?.ca === true;
  }

  /** So many others may stand between it and a client's; undefined: any number. */
  get pathLength(): number | undefined {
    return this.#certificate.getExtension(BasicConstraintsExtension)?.pathLength;
  }

  /** Has names beside its subject. */
  get isNamedOtherwise(): boolean {
    return this.#certificate.getExtension(alternativeNames) !== null;
  }

  get constrainsNames(): boolean {
    return this.#certificate.getExtension(nameConstraints) !== null;
  }

  isIssuedBy(issuer: CertificateLink): boolean {
    return this.#certificate.issuer === issuer.#certificate.subject;
  }

  /** Whether the other's key made the signature; that takes a while, and never changes. */
  isSignedBy(issuer: CertificateLink): Promise<boolean> {
    const known = this.#signers.get(issuer) ?? this.#verify(issuer.#certificate);
    this.#signers.set(issuer, known);
    return known;
  }

  /** Values of an attribute of the subject. */
  subject(attribute: 'CN' | 'O' | 'uid'): readonly string[] {
    return this.#certificate.subjectName.getField(attribute === 'uid' ? uidAttribute : attribute);
  }

  async #verify(issuer: X509Certificate): Promise<boolean> {
    // Who can make two texts of one hash can make any certificate of it.
    if (this.#certificate.signatureAlgorithm.hash.name === 'SHA-1') return false;
    return this.#certificate.verify({ publicKey: issuer.publicKey, signatureOnly: true });
  }
}
