import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { expect, test } from 'vitest';
import { algorithm, createSigner } from './certificate.ts';
import { createCertificateAuthority } from './certificate-authority.ts';

test('signs a request with its subject, names and usages', async () => {
  const nowMs = Date.UTC(2026, 0, 1);
  const signer = await createSigner(nowMs);
  const authority = createCertificateAuthority(signer, () => nowMs);
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: 'O=dev,CN=bob',
    keys,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'bob.example.com' }])],
  });
  const pem = request.toString('pem');
  expect(authority.readRequest(pem)).toMatchObject({ organizations: ['dev'], commonName: 'bob', dnsNames: ['bob.example.com'], uris: [] });
  const certificate = new X509Certificate(
    await authority.sign({ request: pem, usages: ['client auth', 'digital signature'], notBeforeMs: nowMs, notAfterMs: nowMs + 600_000 }),
  );
  expect(certificate.verify(new X509Certificate(signer.certificate.toString('pem')).publicKey)).toBe(true);
  expect(certificate).toMatchObject({ subject: 'O=dev\nCN=bob', subjectAltName: 'DNS:bob.example.com', ca: false });
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  expect(certificate.validTo).toBe('Jan  1 00:10:00 2026 GMT');
  expect(() => authority.readRequest('x')).toThrow();
});
