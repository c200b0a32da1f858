import { bytesToHex } from '../meta/index.ts';
import { attributeValues, type Certificate, extensionIds, isSignedByIssuer, readCertificate, sameBytes } from '../x509/index.ts';

/** OIDs of the attributes of a subject that identify a user. */
const subjectAttributes = { CN: '2.5.4.3', O: '2.5.4.10', uid: '1.3.6.1.4.1.57683.2' } as const;

/** OIDs of the extensions that Go handles; any other critical extension makes a certificate invalid. */
const handledExtensions: ReadonlySet<string> = new Set([
  ...['14', '15', '17', '19', '30', '31', '32', '33', '35', '36', '37', '54'].map((last) => `2.5.29.${last}`),
  '1.3.6.1.5.5.7.1.1',
]);

/** A parsed certificate of a chain. */
export class ChainCertificate {
  readonly #certificate: Certificate;
  readonly #signers = new Map<ChainCertificate, Promise<boolean>>();
  /** SHA-256 in lower-case hexadecimal. */
  readonly fingerprint: string;

  /** Rejects when the bytes are not a certificate. */
  static async read(der: Uint8Array): Promise<ChainCertificate> {
    const bytes = new Uint8Array(der);
    const digest = await crypto.subtle.digest('SHA-256', bytes);
    const fingerprint = bytesToHex(new Uint8Array(digest));
    return new ChainCertificate(readCertificate(bytes), fingerprint);
  }

  private constructor(certificate: Certificate, fingerprint: string) {
    this.#certificate = certificate;
    this.fingerprint = fingerprint;
  }

  isValidAt(nowMs: number): boolean {
    return this.#certificate.notBeforeMs <= nowMs && nowMs <= this.#certificate.notAfterMs;
  }

  /** Whether all critical extensions are handled. */
  get hasOnlyHandledExtensions(): boolean {
    return [...this.#certificate.extensions].every(([id, { critical }]) => !critical || handledExtensions.has(id));
  }

  /** Extended key usages; undefined: unrestricted. */
  get uses(): readonly string[] | undefined {
    return this.#certificate.extendedKeyUsage;
  }

  /** Whether it may sign other certificates. */
  get isAuthority(): boolean {
    return this.#certificate.maySignCertificates && this.#certificate.basicConstraints?.isAuthority === true;
  }

  /** Path length constraint; undefined: unlimited. */
  get pathLength(): number | undefined {
    return this.#certificate.basicConstraints?.pathLength;
  }

  /** Whether it has subject alternative names. */
  get hasAlternativeNames(): boolean {
    return this.#certificate.extensions.has(extensionIds.subjectAlternativeName);
  }

  get constrainsNames(): boolean {
    return this.#certificate.extensions.has(extensionIds.nameConstraints);
  }

  /** Names are compared by their bytes, as in Go. */
  isIssuedBy(issuer: ChainCertificate): boolean {
    return sameBytes(this.#certificate.issuer, issuer.#certificate.subject);
  }

  /** Whether the issuer's key made the signature. Cached, because the check is slow. */
  isSignedBy(issuer: ChainCertificate): Promise<boolean> {
    const known = this.#signers.get(issuer) ?? isSignedByIssuer(this.#certificate, issuer.#certificate);
    this.#signers.set(issuer, known);
    return known;
  }

  /** Values of an attribute of the subject. */
  subject(attribute: keyof typeof subjectAttributes): readonly string[] {
    return attributeValues(this.#certificate.subjectAttributes, subjectAttributes[attribute]);
  }
}
