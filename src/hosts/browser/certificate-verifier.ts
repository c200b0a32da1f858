import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  X509Certificate,
} from '@peculiar/x509';
import type { CertificateVerifier } from '../../cluster/index.ts';
import type { Clock } from '../../env/index.ts';
import { type ChainLink, uidAttribute, verifyChain } from '../certificate-chain.ts';

/** Verifies client certificates against the authorities of a PEM text. */
export function createCertificateVerifier(pem: string, clock: Clock): CertificateVerifier {
  const authorities = Promise.all(PemConverter.decode(pem).map(BrowserLink.read));
  // Looked at by each that verifies; nobody may.
  authorities.catch(() => undefined);
  return {
    async verify(chain) {
      try {
        const links = await Promise.all(chain.map((der) => BrowserLink.read(new Uint8Array(der).buffer)));
        return await verifyChain(links, await authorities, clock.nowMs());
      } catch (error) {
        return `x509: malformed certificate: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
  };
}

/** Extensions that are looked at here, or that say nothing to a server of client certificates. */
const understood: ReadonlySet<string> = new Set(['2.5.29.14', '2.5.29.15', '2.5.29.17', '2.5.29.19', '2.5.29.35', '2.5.29.37']);

class BrowserLink implements ChainLink<BrowserLink> {
  readonly #certificate: X509Certificate;
  readonly fingerprint: string;

  static async read(der: ArrayBuffer): Promise<BrowserLink> {
    const digest = await crypto.subtle.digest('SHA-256', der);
    return new BrowserLink(
      new X509Certificate(der),
      Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    );
  }

  private constructor(certificate: X509Certificate, fingerprint: string) {
    this.#certificate = certificate;
    this.fingerprint = fingerprint;
  }

  get notBeforeMs(): number {
    return this.#certificate.notBefore.getTime();
  }

  get notAfterMs(): number {
    return this.#certificate.notAfter.getTime();
  }

  get uses(): readonly string[] | undefined {
    return this.#certificate.getExtension(ExtendedKeyUsageExtension)?.usages.map(String);
  }

  get isAuthority(): boolean {
    const usage = this.#certificate.getExtension(KeyUsagesExtension);
    const maySign = usage === null || (usage.usages & KeyUsageFlags.keyCertSign) !== 0;
    return maySign && this.#certificate.getExtension(BasicConstraintsExtension)?.ca === true;
  }

  get pathLength(): number | undefined {
    return this.#certificate.getExtension(BasicConstraintsExtension)?.pathLength;
  }

  async isSignedBy(other: BrowserLink): Promise<boolean> {
    const issuer = other.#certificate;
    if (this.#certificate.issuer !== issuer.subject || !this.#isUnderstood()) return false;
    return this.#certificate.verify({ publicKey: issuer.publicKey, signatureOnly: true });
  }

  subject(attribute: 'CN' | 'O' | 'uid'): readonly string[] {
    return this.#certificate.subjectName.getField(attribute === 'uid' ? uidAttribute : attribute);
  }

  #isUnderstood(): boolean {
    return this.#certificate.extensions.every(({ critical, type }) => !critical || understood.has(type));
  }
}
