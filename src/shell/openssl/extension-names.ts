/** Names of extensions by their object identifiers. Cf. crypto/objects/objects.txt. */
export interface ExtensionName {
  readonly id: string;
  readonly shortName: string;
  readonly longName: string;
}

export const extensionNames: readonly ExtensionName[] = [
  { id: '2.5.29.14', shortName: 'subjectKeyIdentifier', longName: 'X509v3 Subject Key Identifier' },
  { id: '2.5.29.15', shortName: 'keyUsage', longName: 'X509v3 Key Usage' },
  { id: '2.5.29.17', shortName: 'subjectAltName', longName: 'X509v3 Subject Alternative Name' },
  { id: '2.5.29.18', shortName: 'issuerAltName', longName: 'X509v3 Issuer Alternative Name' },
  { id: '2.5.29.19', shortName: 'basicConstraints', longName: 'X509v3 Basic Constraints' },
  { id: '2.5.29.30', shortName: 'nameConstraints', longName: 'X509v3 Name Constraints' },
  { id: '2.5.29.31', shortName: 'crlDistributionPoints', longName: 'X509v3 CRL Distribution Points' },
  { id: '2.5.29.32', shortName: 'certificatePolicies', longName: 'X509v3 Certificate Policies' },
  { id: '2.5.29.35', shortName: 'authorityKeyIdentifier', longName: 'X509v3 Authority Key Identifier' },
  { id: '2.5.29.37', shortName: 'extendedKeyUsage', longName: 'X509v3 Extended Key Usage' },
  { id: '1.3.6.1.5.5.7.1.1', shortName: 'authorityInfoAccess', longName: 'Authority Information Access' },
  { id: '1.3.6.1.4.1.11129.2.4.2', shortName: 'ct_precert_scts', longName: 'CT Precertificate SCTs' },
  { id: '2.16.840.1.113730.1.1', shortName: 'nsCertType', longName: 'Netscape Cert Type' },
  { id: '2.16.840.1.113730.1.13', shortName: 'nsComment', longName: 'Netscape Comment' },
];

/** Names of the bits of a key usage, in order; `nsCertType` has others. */
export const keyUsageBits: readonly (readonly [shortName: string, longName: string])[] = [
  ['digitalSignature', 'Digital Signature'],
  ['nonRepudiation', 'Non Repudiation'],
  ['keyEncipherment', 'Key Encipherment'],
  ['dataEncipherment', 'Data Encipherment'],
  ['keyAgreement', 'Key Agreement'],
  ['keyCertSign', 'Certificate Sign'],
  ['cRLSign', 'CRL Sign'],
  ['encipherOnly', 'Encipher Only'],
  ['decipherOnly', 'Decipher Only'],
];

export const netscapeTypeBits: readonly (readonly [shortName: string, longName: string])[] = [
  ['client', 'SSL Client'],
  ['server', 'SSL Server'],
  ['email', 'S/MIME'],
  ['objsign', 'Object Signing'],
  ['reserved', 'Unused'],
  ['sslCA', 'SSL CA'],
  ['emailCA', 'S/MIME CA'],
  ['objCA', 'Object Signing CA'],
];

/** Purposes of an extended key usage. */
export const purposes: readonly ExtensionName[] = [
  { id: '1.3.6.1.5.5.7.3.1', shortName: 'serverAuth', longName: 'TLS Web Server Authentication' },
  { id: '1.3.6.1.5.5.7.3.2', shortName: 'clientAuth', longName: 'TLS Web Client Authentication' },
  { id: '1.3.6.1.5.5.7.3.3', shortName: 'codeSigning', longName: 'Code Signing' },
  { id: '1.3.6.1.5.5.7.3.4', shortName: 'emailProtection', longName: 'E-mail Protection' },
  { id: '1.3.6.1.5.5.7.3.8', shortName: 'timeStamping', longName: 'Time Stamping' },
  { id: '1.3.6.1.5.5.7.3.9', shortName: 'OCSPSigning', longName: 'OCSP Signing' },
  { id: '2.5.29.37.0', shortName: 'anyExtendedKeyUsage', longName: 'Any Extended Key Usage' },
];
