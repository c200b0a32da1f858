/** X.509 over DER and WebCrypto: PEM, certificates, signing requests, public keys and signatures, with Go's strictness and errors. */
export { type Certificate, isSignedByIssuer, readCertificate } from './certificate.ts';
export { extensionIds } from './certificate-extensions.ts';
export { sameBytes, X509Error } from './der.ts';
export { attributeValues } from './distinguished-name.ts';
export { formatPem, pemBlocks, pemCertificates } from './pem.ts';
export { type PublicKey, readPublicKey } from './public-key.ts';
export { isSignedBy, signatureAlgorithmOf, signatureProblem } from './signature.ts';
export { readSigningRequest, type SigningRequest } from './signing-request.ts';
