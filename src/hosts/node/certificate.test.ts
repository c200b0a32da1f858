import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCertificate } from './certificate.ts';

const nowMs = Date.UTC(2026, 10, 22, 10, 30, 5, 250);
const made = createCertificate(['localhost', '127.0.0.1', '::1', 'api.example'], nowMs);
const certificate = new X509Certificate(made.certificate);
const authority = new X509Certificate(made.authority);

test('a server is who its certificate says, by name and by address', () => {
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.checkHost('api.example')).toBe('api.example');
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkIP('::1')).toBe('::1');
  expect(certificate.checkHost('other.example')).toBeUndefined();
  expect(certificate.checkPrivateKey(createPrivateKey(made.key))).toBe(true);
});

test('the authority signs itself and the server, and only it may sign', () => {
  expect(authority.subject).toBe('CN=tabplane-ca');
  expect(certificate.checkIssued(authority) && certificate.verify(authority.publicKey)).toBe(true);
  expect(authority.checkIssued(authority) && authority.verify(authority.publicKey)).toBe(true);
  expect([authority.ca, certificate.ca]).toEqual([true, false]);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
});

test('a certificate holds from a day ago for a year, by two digits of a year until 2049 and by four from 2050 on', () => {
  expect([certificate.validFrom, certificate.validTo]).toEqual(['Nov 21 10:30:05 2026 GMT', 'Nov 22 10:30:05 2027 GMT']);
  const late = new X509Certificate(createCertificate(['localhost'], Date.UTC(2049, 11, 31)).certificate);
  expect([late.validFrom, late.validTo]).toEqual(['Dec 30 00:00:00 2049 GMT', 'Dec 31 00:00:00 2050 GMT']);
});

test('no two certificates have one number', () => {
  const other = new X509Certificate(createCertificate(['localhost'], nowMs).certificate);
  expect(new Set([certificate, authority, other].map(({ serialNumber }) => serialNumber)).size).toBe(3);
});

test('names of more than 127 bytes are written with a longer length', () => {
  const names = Array.from({ length: 40 }, (_, at) => `node-${at}.a-rather-long-domain.example`);
  const many = new X509Certificate(createCertificate(names, nowMs).certificate);
  expect(names.map((name) => many.checkHost(name))).toEqual(names);
});
