/** Client certificates without TLS: a page proves possession of the private key once and then sends a session header. */

export {
  type CertificateProof,
  certificatesPath,
  challengesPath,
  encodeSignedBytes,
  sessionHeader,
  signatureAlgorithms,
} from './certificate-protocol.ts';
export { ClientCertificateSessions } from './client-certificate-sessions.ts';
