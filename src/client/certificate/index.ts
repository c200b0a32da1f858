/** Client certificates without TLS: a page proves possession of the private key once and then sends a session header. */

export {
  algorithms,
  certificatesPath,
  challengesPath,
  type ShownChain,
  type SignatureAlgorithm,
  sessionHeader,
  signedBytes,
} from './certificate-protocol.ts';
export { ShownCertificates } from './client-certificate-sessions.ts';
