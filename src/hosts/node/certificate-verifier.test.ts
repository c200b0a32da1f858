import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { createCertificate } from './certificate.ts';
import { createCertificateVerifier, readCertificates } from './certificate-verifier.ts';

const der = (pem: string): Uint8Array => new X509Certificate(pem).raw;

test('a certificate has to be signed by an authority, in its time, for clients', async () => {
  const clock = createManualClock();
  const made = await createCertificate(['localhost'], clock.nowMs());
  const other = await createCertificate(['localhost'], clock.nowMs());
  const verifier = createCertificateVerifier(readCertificates(made.authority), clock);
  expect(await verifier.verify([der(made.certificate)])).toBe('x509: certificate specifies an incompatible key usage');
  expect(await verifier.verify([der(other.certificate)])).toBe('x509: certificate signed by unknown authority');
  // An authority is a certificate too, for every use.
  expect(await verifier.verify([der(made.authority)])).toMatchObject({ commonName: 'tabplane-ca', organizations: [], uids: [] });
  await clock.advance(400 * 24 * 60 * 60 * 1000);
  expect(await verifier.verify([der(made.authority)])).toBe('x509: certificate has expired or is not yet valid');
});

test('text without certificates is refused', () => {
  expect(() => readCertificates('nonsense')).toThrow('data does not contain any valid RSA or ECDSA certificates');
});
