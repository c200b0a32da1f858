import { X509Certificate } from 'node:crypto';
import type { CertificateVerifier, VerifiedCertificate } from '../../cluster/index.ts';
import type { Clock } from '../../env/index.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyUse = '2.5.29.37.0';
const uidAttribute = '1.3.6.1.4.1.57683.2';
/** Longer chains are no chains of a cluster. */
const maxDepth = 8;

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

/** Verifies client certificates as Go does: a chain to one of the authorities, in its time, for clients. */
export function createCertificateVerifier(authorities: readonly X509Certificate[], clock: Clock): CertificateVerifier {
  return {
    verify(chain) {
      const [own, ...others] = chain.map((der) => new X509Certificate(der));
      if (!own) return 'no certificate';
      const nowMs = clock.nowMs();
      if (!isInTime(own, nowMs)) return 'x509: certificate has expired or is not yet valid';
      const pool = { authorities, intermediates: others, nowMs };
      if (!leadsToAuthority(own, pool, 0)) return 'x509: certificate signed by unknown authority';
      return isForClients(own) ? identityOf(own) : 'x509: certificate specifies an incompatible key usage';
    },
  };
}

interface Pool {
  readonly authorities: readonly X509Certificate[];
  readonly intermediates: readonly X509Certificate[];
  readonly nowMs: number;
}

function leadsToAuthority(certificate: X509Certificate, pool: Pool, depth: number): boolean {
  if (pool.authorities.some((authority) => authority.fingerprint256 === certificate.fingerprint256)) return true;
  if (depth > maxDepth) return false;
  const signs = (issuer: X509Certificate): boolean =>
    issuer.ca &&
    isInTime(issuer, pool.nowMs) &&
    isForClients(issuer) &&
    certificate.checkIssued(issuer) &&
    certificate.verify(issuer.publicKey);
  if (pool.authorities.some(signs)) return true;
  return pool.intermediates.some((issuer) => signs(issuer) && leadsToAuthority(issuer, pool, depth + 1));
}

function isInTime({ validFrom, validTo }: X509Certificate, nowMs: number): boolean {
  return Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo);
}

/** Without a list of uses a certificate is for all of them. */
function isForClients({ keyUsage }: X509Certificate): boolean {
  const uses = keyUsage as readonly string[] | undefined;
  return !uses || uses.includes(clientAuth) || uses.includes(anyUse);
}

function identityOf(certificate: X509Certificate): VerifiedCertificate {
  const subject = certificate.toLegacyObject().subject as unknown as Readonly<Record<string, string | readonly string[] | undefined>>;
  const values = (name: string): readonly string[] => {
    const value = subject?.[name];
    return value === undefined ? [] : typeof value === 'string' ? [value] : value;
  };
  return {
    // Of several the last counts, as in Go.
    commonName: values('CN').at(-1) ?? '',
    organizations: values('O'),
    uids: values(uidAttribute),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}
