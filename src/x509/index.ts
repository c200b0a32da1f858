/** X.509 over DER and WebCrypto: PEM, certificates, signing requests, public keys and signatures, read with Go's strictness and errors; and new certificates. */
export { readAlternativeNames } from './alternative-names.ts';
export { type Certificate, isSignedByIssuer, readCertificate } from './certificate.ts';
export { type CertificateExtension, extensionIds } from './certificate-extensions.ts';
export {
  authorityKeyIdentifier,
  basicConstraints,
  createCertificate,
  extendedKeyUsage,
  keyIdentifier,
  keyUsage,
  type NewCertificate,
  type NewExtension,
  subjectAlternativeNames,
  subjectKeyIdentifier,
} from './create-certificate.ts';
export { sameBytes, X509Error } from './der.ts';
export { attributeValues, encodeCommonName, encodeSubject } from './distinguished-name.ts';
export { formatPem, pemBlocks, pemCertificates } from './pem.ts';
export { type PublicKey, readPublicKey } from './public-key.ts';
export { isSignedBy, signatureAlgorithmOf, signatureProblem } from './signature.ts';
export type { SigningHash } from './signature-method.ts';
export { readPemSigningRequest, readSigningRequest, requestedExtensions, type SigningRequest } from './signing-request.ts';
