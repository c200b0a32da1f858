import { X509Certificate } from 'node:crypto';
import { pemCertificates } from '../../../x509/index.ts';

/** The text has no valid certificate. The message is the real server's. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

/** The certificates of a PEM file, in DER. @throws CertificateError */
export function readCertificates(pem: string): readonly Uint8Array[] {
  const certificates = pemCertificates(pem);
  if (certificates.length === 0) throw new CertificateError('data does not contain any valid RSA or ECDSA certificates');
  return certificates.map((der) => {
    try {
      return new X509Certificate(der).raw;
    } catch (error) {
      throw new CertificateError('x509: malformed certificate', { cause: error });
    }
  });
}
