import 'reflect-metadata';
import { BasicConstraintsExtension, ExtendedKeyUsageExtension, KeyUsageFlags, KeyUsagesExtension, X509Certificate } from '@peculiar/x509';

/** OID of the subject attribute for a user's uid. */
const uidAttribute = '1.3.6.1.4.1.57683.2';
const alternativeNames = '2.5.29.17';
const nameConstraints = '2.5.29.30';

/** OIDs of the extensions that Go handles; any other critical extension makes a certificate invalid. */
const handledExtensions: ReadonlySet<string> = new Set([
  ...['14', '15', '17', '19', '30', '31', '32', '33', '35', '36', '37', '54'].map((last) => `2.5.29.${last}`),
  '1.3.6.1.5.5.7.1.1',
]);

/** A parsed certificate of a chain. */
export class ChainCertificate {
  readonly #certificate: X509Certificate;
  readonly #signers = new Map<ChainCertificate, Promise<boolean>>();
  /** SHA-256 in lower-case hexadecimal. */
  readonly fingerprint: string;

  /** Rejects when the bytes are not a certificate. */
  static async read(der: Uint8Array): Promise<ChainCertificate> {
    const bytes = new Uint8Array(der);
    const digest = await crypto.subtle.digest('SHA-256', bytes);
    const fingerprint = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    return new ChainCertificate(new X509Certificate(bytes), fingerprint);
  }

  private constructor(certificate: X509Certificate, fingerprint: string) {
    this.#certificate = certificate;
    this.fingerprint = fingerprint;
  }

  isValidAt(nowMs: number): boolean {
    return this.#certificate.notBefore.getTime() <= nowMs && nowMs <= this.#certificate.notAfter.getTime();
  }

  /** Whether all critical extensions are handled. */
  get hasOnlyHandledExtensions(): boolean {
    return this.#certificate.extensions.every(({ critical, type }) => !critical || handledExtensions.has(type));
  }

  /** Extended key usages; undefined: unrestricted. */
  get uses(): readonly string[] | undefined {
    return this.#certificate.getExtension(ExtendedKeyUsageExtension)?.usages.map(String);
  }

  /** Whether it may sign other certificates. */
  get isAuthority(): boolean {
    const usage = this.#certificate.getExtension(KeyUsagesExtension);
    const maySign = usage === null || (usage.usages & KeyUsageFlags.keyCertSign) !== 0;
    return maySign && this.#certificate.getExtension(BasicConstraintsExtension)?.ca === true;
  }

  /** Path length constraint; undefined: unlimited. */
  get pathLength(): number | undefined {
    return this.#certificate.getExtension(BasicConstraintsExtension)?.pathLength;
  }

  /** Whether it has subject alternative names. */
  get hasAlternativeNames(): boolean {
    return this.#certificate.getExtension(alternativeNames) !== null;
  }

  get constrainsNames(): boolean {
    return this.#certificate.getExtension(nameConstraints) !== null;
  }

  isIssuedBy(issuer: ChainCertificate): boolean {
    return this.#certificate.issuer === issuer.#certificate.subject;
  }

  /** Whether the issuer's key made the signature. Cached, because the check is slow. */
  isSignedBy(issuer: ChainCertificate): Promise<boolean> {
    const known = this.#signers.get(issuer) ?? this.#verify(issuer.#certificate);
    this.#signers.set(issuer, known);
    return known;
  }

  /** Values of an attribute of the subject. */
  subject(attribute: 'CN' | 'O' | 'uid'): readonly string[] {
    return this.#certificate.subjectName.getField(attribute === 'uid' ? uidAttribute : attribute);
  }

  async #verify(issuer: X509Certificate): Promise<boolean> {
    // SHA-1 is not collision resistant.
    if (this.#certificate.signatureAlgorithm.hash.name === 'SHA-1') return false;
    return this.#certificate.verify({ publicKey: issuer.publicKey, signatureOnly: true });
  }
}
