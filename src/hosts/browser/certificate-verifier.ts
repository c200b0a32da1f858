import type { CertificateVerifier } from '../../cluster/index.ts';
import type { Clock } from '../../env/index.ts';
import { pemCertificates } from '../../x509/index.ts';
import { createChainVerifier } from '../certificate-chain.ts';

/** Verifies client certificates against the CAs in a PEM text. */
export function createCertificateVerifier(pem: string, clock: Clock): CertificateVerifier {
  return createChainVerifier(pemCertificates(pem), clock);
}
