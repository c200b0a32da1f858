/** Validates a PEM pair as Go's tls.X509KeyPair does before it parses the certificate. Undefined when there is no error. */
export function validateKeyPair(certificate: string, key: string): string | undefined {
  const certificates = blockTypes(certificate);
  if (!certificates.includes('CERTIFICATE')) {
    if (certificates.length === 0) return 'tls: failed to find any PEM data in certificate input';
    if (certificates.length === 1 && certificates[0]?.endsWith('PRIVATE KEY'))
      return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
    return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${certificates.join(' ')}]`;
  }
  const keys = blockTypes(key);
  if (keys.some((type) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'))) return undefined;
  if (keys.length === 0) return 'tls: failed to find any PEM data in key input';
  if (keys.length === 1 && keys[0] === 'CERTIFICATE') return 'tls: found a certificate rather than a key in the PEM for the private key';
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${keys.join(' ')}]`;
}

function blockTypes(pem: string): readonly string[] {
  return [...pem.matchAll(/-----BEGIN ([^\n-]+)-----\s[^-]*-----END \1-----/g)].map(([, type = '']) => type);
}
