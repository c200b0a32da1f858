import { expect, test } from 'vitest';
import type { JsonObject } from '../../../meta/index.ts';
import { validateIssuedCertificate } from './issued-certificate.ts';

/** Certificates of one key, valid from 1 January 2026: for two hours, and for half an hour. */
const pem = (body: string): string => `-----BEGIN CERTIFICATE-----\n${body.trim()}\n-----END CERTIFICATE-----\n`;
const twoHours = pem(`
MIHHMHugAwIBAgIBATAFBgMrZXAwDDEKMAgGA1UEAxMBYTAeFw0yNjAxMDEwMDAw
MDBaFw0yNjAxMDEwMjAwMDBaMAwxCjAIBgNVBAMTAWEwKjAFBgMrZXADIQC7rJIt
QsHlJgW3GOPUtGSEh+ivtaOSkt2IMiK07H/+76MCMAAwBQYDK2VwA0EACpyuhMYF
yHokGu8xS2YDRSZu3njYgZoWd4FSynN8SJFUj/bze3bF7yiF/TdJvAR+jAinGK5t
Mw5sySjQ0AsnAQ==`);
const halfAnHour = pem(`
MIHHMHugAwIBAgIBATAFBgMrZXAwDDEKMAgGA1UEAxMBYTAeFw0yNjAxMDEwMDAw
MDBaFw0yNjAxMDEwMDMwMDBaMAwxCjAIBgNVBAMTAWEwKjAFBgMrZXADIQC7rJIt
QsHlJgW3GOPUtGSEh+ivtaOSkt2IMiK07H/+76MCMAAwBQYDK2VwA0EAsSTkMiaK
dK+Pmfq1Bz78zPs1DhY0ahN/vGxAVRdgxmId/6ZAGVjf5VF+9BXumxyTMd3NvRUv
Di/sf+GvooxoBQ==`);
const spec = { pkixPublicKey: 'MCowBQYDK2VwAyEAu6ySLULB5SYFtxjj1LRkhIfor7WjkpLdiDIitOx//u8=', maxExpirationSeconds: 7200 };
const status = {
  certificateChain: twoHours,
  notBefore: '2026-01-01T00:00:00Z',
  notAfter: '2026-01-01T02:00:00Z',
  beginRefreshAt: '2026-01-01T01:00:00Z',
};

/** Field and reason, without the value. */
const errorsOf = (members: JsonObject, of: JsonObject = {}, now = '2026-01-01T00:01:00Z'): readonly string[] =>
  validateIssuedCertificate({ ...status, ...members }, { ...spec, ...of }, now).map(
    ({ field, message }) => `${field}: ${message.slice(message.lastIndexOf(': ') + 2)}`,
  );

test('accepts a certificate for the requested key with matching times', () => {
  expect(errorsOf({})).toEqual([]);
  expect(errorsOf({ certificateChain: twoHours + halfAnHour })).toEqual([]);
});

test.each<[message: string, status: JsonObject, spec?: JsonObject, now?: string]>([
  ['status.certificateChain: issued certificate chain must contain at least one certificate', { certificateChain: 'x' }],
  ['status.certificateChain: may not be more than 102400 bytes', { certificateChain: 'x'.repeat(102_401) }],
  ['status.certificateChain: leaf certificate does not parse as valid X.509', { certificateChain: pem('AAAA') }],
  [
    'status.certificateChain: leaf certificate was not issued to the requested public key',
    {},
    { pkixPublicKey: 'MCowBQYDK2VwAyEAu6ySLULB5SYFtxjj1LRkhIfor7WjkpLdiDIitOx//u4=' },
  ],
  ['status.notBefore: must be set to the NotBefore time encoded in the leaf certificate', { notBefore: '2026-01-01T00:00:01Z' }],
  ["status.notBefore: must be set to within 5 minutes of kube-apiserver's current time", {}, {}, '2026-01-01T00:05:00Z'],
  ['status.notAfter: must be set to the NotAfter time encoded in the leaf certificate', { notAfter: '2026-01-01T02:00:01Z' }],
  [
    'status.certificateChain: leaf certificate lifetime must be >= 1 hour',
    { certificateChain: halfAnHour, notAfter: '2026-01-01T00:30:00Z' },
  ],
  ['status.certificateChain: leaf certificate lifetime must be <= spec.maxExpirationSeconds (3600)', {}, { maxExpirationSeconds: 3600 }],
  ['status.beginRefreshAt: must be at least 10 minutes after status.notBefore', { beginRefreshAt: '2026-01-01T00:09:59Z' }],
  ['status.beginRefreshAt: must be at least 10 minutes before status.notAfter', { beginRefreshAt: '2026-01-01T01:50:01Z' }],
  ['status.certificateChain: intermediate certificate does not parse as valid X.509', { certificateChain: twoHours + pem('AAAA') }],
])('%s', (text, members, of, now) => {
  expect(errorsOf(members, of, now)).toEqual([text]);
});

test('reports missing times together', () => {
  expect(validateIssuedCertificate({ certificateChain: twoHours }, spec, '2026-01-01T00:00:00Z').map(({ field }) => field)).toEqual([
    'status.notBefore',
    'status.notAfter',
    'status.beginRefreshAt',
  ]);
});

test('shows the lifetime of a certificate in nanoseconds', () => {
  const [error] = validateIssuedCertificate(status, { ...spec, maxExpirationSeconds: 3600 }, '2026-01-01T00:00:00Z');
  expect(error?.message).toMatch(/^Invalid value: 7200000000000: /);
});
