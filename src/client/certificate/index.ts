/** Client certificates where there is no TLS: a page shows its chain and that it has the key, and is known from then on. */

export { type Algorithm, algorithms, certificatesPath, challengesPath, type ShownChain, sessionHeader, signedBytes } from './showing.ts';
export { ShownCertificates } from './shown-certificates.ts';
