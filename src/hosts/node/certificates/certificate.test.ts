import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCertificate, readCertificate } from './certificate.ts';

const nowMs = Date.UTC(2026, 10, 22, 10, 30, 5, 250);
const made = await createCertificate(['localhost', '127.0.0.1', '::1', 'api.example'], nowMs);
const certificate = new X509Certificate(made.certificate);
const authority = new X509Certificate(made.authority);

test("creates a certificate for the server's names and addresses", () => {
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.checkHost('api.example')).toBe('api.example');
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkIP('::1')).toBe('::1');
  expect(certificate.checkHost('other.example')).toBeUndefined();
  expect(certificate.checkPrivateKey(createPrivateKey(made.key))).toBe(true);
});

test('creates a CA that signs itself and the server certificate, and only the CA may sign', () => {
  expect(authority.subject).toBe('CN=tabplane-ca');
  expect(certificate.checkIssued(authority) && certificate.verify(authority.publicKey)).toBe(true);
  expect(authority.checkIssued(authority) && authority.verify(authority.publicKey)).toBe(true);
  expect([authority.ca, certificate.ca]).toEqual([true, false]);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
});

test('creates a certificate that is valid from a day ago for a year', () => {
  expect([certificate.validFrom, certificate.validTo]).toEqual(['Nov 21 10:30:05 2026 GMT', 'Nov 22 10:30:05 2027 GMT']);
});

test('creates certificates with different serial numbers', async () => {
  const other = new X509Certificate((await createCertificate(['localhost'], nowMs)).certificate);
  expect(new Set([certificate, authority, other].map(({ serialNumber }) => serialNumber)).size).toBe(3);
});

test('reads certificate and key files, which must match', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const other = await createCertificate(['localhost'], nowMs);
  const files = { certificate: file('tls.crt', made.certificate), key: file('tls.key', made.key) };
  expect(await readCertificate(files)).toEqual({ certificate: made.certificate, key: made.key, authority: made.certificate });
  await expect(readCertificate({ ...files, key: file('other.key', other.key) })).rejects.toThrow(
    'tls: private key does not match public key',
  );
  await expect(readCertificate({ ...files, certificate: file('no.crt', 'x') })).rejects.toThrow(
    'failed to find any PEM data in certificate input',
  );
  await expect(readCertificate({ ...files, key: join(folder, 'none') })).rejects.toThrow(/^open .*none: no such file or directory$/);
  rmSync(folder, { recursive: true });
});
