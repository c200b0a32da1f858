/** The `openssl` program: keys, certificate requests, certificates and digests, with the output of OpenSSL 3.0. */
export { openssl } from './program.ts';
