import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  type Name,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { isSignedByIssuer, readCertificate } from './certificate.ts';
import { X509Error } from './der.ts';
import { attributeValues } from './distinguished-name.ts';

/** The library that makes the certificates is the oracle. */
const ecdsa = (namedCurve: string, hash: string) => ({ name: 'ECDSA', namedCurve, hash });
const rsa = (hash: string) => ({ name: 'RSASSA-PKCS1-v1_5', hash, modulusLength: 1536, publicExponent: Uint8Array.of(1, 0, 1) });
const uid = '1.3.6.1.4.1.57683.2';

interface Making {
  readonly subject?: string | ConstructorParameters<typeof Name>[0];
  readonly extensions?: readonly Extension[];
  readonly notAfter?: string;
  readonly signing?: EcdsaParams & EcKeyGenParams;
}

/** A self-signed certificate. */
async function make(algorithm: object, { subject = 'CN=a', extensions = [], notAfter = '2027-03-04T05:06:07Z', signing }: Making = {}) {
  const keys = (await crypto.subtle.generateKey(algorithm as EcKeyGenParams, true, ['sign', 'verify'])) as CryptoKeyPair;
  return X509CertificateGenerator.create({
    subject: subject as string,
    issuer: 'CN=issuer,O=of issuer',
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: signing ?? (algorithm as EcdsaParams),
    notBefore: new Date('2026-01-02T03:04:05Z'),
    notAfter: new Date(notAfter),
    extensions: [...extensions],
  });
}

const derOf = (made: X509Certificate): Uint8Array => new Uint8Array(made.rawData);
const bytesOf = (buffer: ArrayBuffer): Uint8Array => new Uint8Array(buffer);

test.each<[string, object]>([
  ['RSA with SHA-256', rsa('SHA-256')],
  ['RSA with SHA-384', rsa('SHA-384')],
  ['RSA with SHA-512', rsa('SHA-512')],
  ['RSA-PSS with SHA-256', { ...rsa('SHA-256'), name: 'RSA-PSS', saltLength: 32 }],
  ['RSA-PSS with SHA-512', { ...rsa('SHA-512'), name: 'RSA-PSS', saltLength: 64 }],
  ...['P-256', 'P-384', 'P-521'].flatMap((curve) =>
    ['SHA-256', 'SHA-384', 'SHA-512'].map((hash): [string, object] => [`${curve} with ${hash}`, ecdsa(curve, hash)]),
  ),
  ['Ed25519', { name: 'Ed25519' }],
])('reads what the library wrote: %s', async (_, algorithm) => {
  const made = await make(algorithm, {
    subject: `CN=carol,O=dev,O=qa,${uid}=7`,
    extensions: [
      new BasicConstraintsExtension(true, 3, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth, ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([{ type: 'dns', value: 'example.com' }]),
      new Extension('1.2.3.4', true, Uint8Array.of(5, 0)),
    ],
  });
  const read = readCertificate(derOf(made));
  expect([read.notBeforeMs, read.notAfterMs]).toEqual([made.notBefore.getTime(), made.notAfter.getTime()]);
  expect([read.issuer, read.subject]).toEqual([bytesOf(made.issuerName.toArrayBuffer()), bytesOf(made.subjectName.toArrayBuffer())]);
  expect(read.spki).toEqual(bytesOf(made.publicKey.rawData));
  expect(read.signature).toEqual(bytesOf(made.signature));
  for (const [name, type] of [
    ['CN', '2.5.4.3'],
    ['O', '2.5.4.10'],
    [uid, uid],
  ] as const)
    expect(attributeValues(read.subjectAttributes, type)).toEqual(made.subjectName.getField(name));
  expect([...read.extensions].map(([type, { critical, value }]) => ({ type, critical, value }))).toEqual(
    made.extensions.map(({ type, critical, value }) => ({ type, critical, value: bytesOf(value) })),
  );
  expect(read.basicConstraints).toEqual({ isAuthority: true, pathLength: 3 });
  expect(read.maySignCertificates).toBe(true);
  expect(read.extendedKeyUsage).toEqual(made.getExtension(ExtendedKeyUsageExtension)?.usages);
  expect(await isSignedByIssuer(read, read)).toBe(true);
  expect(await isSignedByIssuer({ ...read, signed: read.signed.subarray(1) }, read)).toBe(false);
  expect(await isSignedByIssuer({ ...read, signature: read.signature.subarray(1) }, read)).toBe(false);
  expect(await isSignedByIssuer(read, readCertificate(derOf(await make(algorithm))))).toBe(false);
});

test('refuses signatures with SHA-1', async () => {
  const read = readCertificate(derOf(await make(ecdsa('P-256', 'SHA-1'))));
  expect(await isSignedByIssuer(read, read)).toBe(false);
});

const plain = ecdsa('P-256', 'SHA-256');

test('reads times of every century', async () => {
  for (const notAfter of [
    '1950-01-01T00:00:00Z',
    '1999-12-31T23:59:59Z',
    '2049-12-31T23:59:59Z',
    '2050-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])
    expect(readCertificate(derOf(await make(plain, { notAfter }))).notAfterMs).toBe(Date.parse(notAfter));
});

test('reads key usage and basic constraints as the library does', async () => {
  for (const usage of [KeyUsageFlags.digitalSignature, KeyUsageFlags.decipherOnly, KeyUsageFlags.keyCertSign, 0x1ff]) {
    const made = await make(plain, { extensions: [new KeyUsagesExtension(usage), new BasicConstraintsExtension(false)] });
    const read = readCertificate(derOf(made));
    expect(read.maySignCertificates).toBe(((made.getExtension(KeyUsagesExtension)?.usages ?? 0) & KeyUsageFlags.keyCertSign) !== 0);
    expect(read.basicConstraints).toEqual({ isAuthority: false, pathLength: undefined });
  }
  const without = readCertificate(derOf(await make(plain)));
  expect([without.basicConstraints, without.extendedKeyUsage, without.maySignCertificates]).toEqual([undefined, undefined, true]);
});

/** The DER of the certificate with its first occurrence of `from` replaced. */
function replaced(der: Uint8Array, from: readonly number[], to: readonly number[]): Uint8Array<ArrayBuffer> {
  const at = der.findIndex((_, index) => from.every((byte, offset) => der[index + offset] === byte));
  if (at < 0 || from.length !== to.length) throw new Error('nothing to replace');
  const copy = der.slice();
  copy.set(to, at);
  return copy;
}

test('decodes the string types of a name as the library does', async () => {
  const values = [{ utf8String: 'jürgen ⎈' }, { printableString: 'a (b)' }, { ia5String: 'a@b_c' }, { bmpString: 'jürgen ⎈' }];
  for (const value of values) {
    const made = await make(plain, { subject: [{ CN: [value] }] as unknown as string });
    const { subjectAttributes } = readCertificate(derOf(made));
    expect(attributeValues(subjectAttributes, '2.5.4.3')).toEqual(made.subjectName.getField('CN'));
  }
  // UTF8String -> T61String, which is Latin-1.
  const utf8 = derOf(await make(plain, { subject: [{ CN: [{ utf8String: 'jü' }] }] as unknown as string }));
  const t61 = replaced(utf8, [0x0c, 3, 0x6a, 0xc3, 0xbc], [0x14, 3, 0x6a, 0xc3, 0xbc]);
  expect(attributeValues(readCertificate(t61).subjectAttributes, '2.5.4.3')).toEqual(new X509Certificate(t61).subjectName.getField('CN'));
  const universal = replaced(utf8, [0x0c, 3, 0x6a, 0xc3, 0xbc], [0x1c, 3, 0x6a, 0xc3, 0xbc]);
  expect(() => readCertificate(universal)).toThrow('unsupported string type');
  const invalid = replaced(utf8, [0x0c, 3, 0x6a, 0xc3, 0xbc], [0x0c, 3, 0x6a, 0xc3, 0x3c]);
  expect(() => readCertificate(invalid)).toThrow('invalid UTF-8 string');
});

let der: Uint8Array;
beforeAll(async () => {
  const key = await crypto.subtle.generateKey(plain, true, ['sign', 'verify']);
  const made = await make(plain, {
    subject: `CN=carol,O=dev,${uid}=7`,
    extensions: [
      new BasicConstraintsExtension(true, 3, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      await SubjectKeyIdentifierExtension.create(key.publicKey),
      await AuthorityKeyIdentifierExtension.create(key.publicKey),
    ],
  });
  der = derOf(made);
});

const utcTime = (text: string): readonly number[] => [0x17, text.length, ...new TextEncoder().encode(text)];

test('rejects the certificates that Go rejects', () => {
  expect(() => readCertificate(Uint8Array.of(...der, 0))).toThrow('x509: trailing data');
  expect(() => readCertificate(Uint8Array.of(1, 2, 3))).toThrow(X509Error);
  const rejects = (from: readonly number[], to: readonly number[], message: string): void =>
    expect(() => readCertificate(replaced(der, from, to))).toThrow(message);
  rejects([0xa0, 3, 2, 1, 2], [0xa0, 3, 2, 1, 3], 'x509: invalid version');
  // ecdsa-with-SHA256 -> ecdsa-with-SHA384 in the signed part only
  rejects([0x3d, 4, 3, 2], [0x3d, 4, 3, 3], "x509: inner and outer signature algorithm identifiers don't match");
  rejects(utcTime('260102030405Z'), utcTime('260230030405Z'), 'x509: malformed validity');
  rejects(utcTime('260102030405Z'), utcTime('260102030460Z'), 'x509: malformed validity');
  // 2.5.29.15 -> 2.5.29.19, twice
  rejects([0x55, 0x1d, 0x0f], [0x55, 0x1d, 0x13], 'x509: certificate contains duplicate extensions');
  // a critical field that is neither 0 nor ff
  rejects([0x55, 0x1d, 0x13, 1, 1, 0xff], [0x55, 0x1d, 0x13, 1, 1, 1], 'invalid boolean');
  // cA: true, pathLen: 3 -> -3
  rejects([0x30, 6, 1, 1, 0xff, 2, 1, 3], [0x30, 6, 1, 1, 0xff, 2, 1, 0xfd], 'x509: malformed basic constraints');
});

test('every truncated certificate is an error', () => {
  for (let length = 0; length < der.length; length++) expect(() => readCertificate(der.subarray(0, length))).toThrow(X509Error);
});

/** Reads a certificate or throws an X509Error; nothing else. */
function readOrReject(bytes: Uint8Array): 'read' | 'rejected' {
  try {
    readCertificate(bytes);
    return 'read';
  } catch (error) {
    if (error instanceof X509Error) return 'rejected';
    throw error;
  }
}

test('a changed certificate is read or rejected, and its signature is wrong', async () => {
  const mutation = fc.record({ at: fc.nat(der.length - 1), byte: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
      const bytes = der.slice();
      for (const { at, byte } of mutations) bytes[at] = byte;
      fc.pre(bytes.some((byte, index) => byte !== der[index]));
      if (readOrReject(bytes) === 'read') expect(await isSignedByIssuer(readCertificate(bytes), readCertificate(der))).toBe(false);
    }),
    { numRuns: 1_500 },
  );
});

test('any bytes in place of the content of an element are read or rejected', () => {
  fc.assert(
    fc.property(fc.nat(der.length - 1), fc.uint8Array({ maxLength: 200 }), (at, bytes) => {
      readOrReject(Uint8Array.of(...der.subarray(0, at), ...bytes, ...der.subarray(at)));
      readOrReject(Uint8Array.of(0x30, 0x81, 0x80 | bytes.length, ...bytes));
    }),
    { numRuns: 2_000 },
  );
});

test('rejects deep nesting and endless lists without recursion', () => {
  const deep = new Uint8Array(60_000);
  for (let at = 0; at + 4 <= deep.length; at += 4) deep.set([0x30, 0x82, (deep.length - at - 4) >> 8, (deep.length - at - 4) & 0xff], at);
  expect(() => readCertificate(deep)).toThrow(X509Error);
  const flat = new Uint8Array(60_004);
  flat.set([0x30, 0x82, 60_000 >> 8, 60_000 & 0xff]);
  expect(() => readCertificate(flat)).toThrow('x509: malformed certificate');
});
