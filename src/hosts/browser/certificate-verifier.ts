import { PemConverter } from '@peculiar/x509';
import type { CertificateVerifier } from '../../cluster/index.ts';
import type { Clock } from '../../env/index.ts';
import { createChainVerifier } from '../certificate-chain.ts';

/** Verifies client certificates against the CAs in a PEM text. */
export function createCertificateVerifier(pem: string, clock: Clock): CertificateVerifier {
  return createChainVerifier(
    PemConverter.decode(pem).map((der) => new Uint8Array(der)),
    clock,
  );
}
