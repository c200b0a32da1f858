import { X509Certificate } from 'node:crypto';
import type { CertificateVerifier } from '../../cluster/index.ts';
import type { Clock } from '../../env/index.ts';
import { type ChainLink, uidAttribute, verifyChain } from '../certificate-chain.ts';

/** Text that holds no certificate; the message is the real server's. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

/** The certificates of a PEM file. @throws CertificateError */
export function readCertificates(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new CertificateError('data does not contain any valid RSA or ECDSA certificates');
  return blocks.map((block) => {
    try {
      return new X509Certificate(block);
    } catch (error) {
      throw new CertificateError('x509: malformed certificate', { cause: error });
    }
  });
}

/** Verifies client certificates against these authorities. */
export function createCertificateVerifier(authorities: readonly X509Certificate[], clock: Clock): CertificateVerifier {
  const known = authorities.map((certificate) => new NodeLink(certificate));
  return {
    verify(chain) {
      const links = chain.map((der) => new NodeLink(new X509Certificate(der)));
      return verifyChain(links, known, clock.nowMs());
    },
  };
}

class NodeLink implements ChainLink<NodeLink> {
  readonly #certificate: X509Certificate;
  readonly fingerprint: string;

  constructor(certificate: X509Certificate) {
    this.#certificate = certificate;
    this.fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  }

  get notBeforeMs(): number {
    return Date.parse(this.#certificate.validFrom);
  }

  get notAfterMs(): number {
    return Date.parse(this.#certificate.validTo);
  }

  get uses(): readonly string[] | undefined {
    return this.#certificate.keyUsage as readonly string[] | undefined;
  }

  get isAuthority(): boolean {
    return this.#certificate.ca;
  }

  isSignedBy(other: NodeLink): boolean {
    const issuer = other.#certificate;
    return this.#certificate.checkIssued(issuer) && this.#certificate.verify(issuer.publicKey);
  }

  subject(attribute: 'CN' | 'O' | 'uid'): readonly string[] {
    const all = this.#certificate.toLegacyObject().subject as unknown as Readonly<Record<string, string | readonly string[] | undefined>>;
    const value = all?.[attribute === 'uid' ? uidAttribute : attribute];
    return value === undefined ? [] : typeof value === 'string' ? [value] : value;
  }
}
