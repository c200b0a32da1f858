import 'reflect-metadata';
import { createPublicKey, webcrypto, X509Certificate } from 'node:crypto';
import {
  X509Certificate as Certificate,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import { expect, test } from 'vitest';
import { formatPem } from '../x509/index.ts';
import { type CertificateSigner, createCertificateAuthority, createSigner } from './certificate-authority.ts';

const nowMs = Date.UTC(2026, 0, 1);
const order = { usages: ['client auth', 'digital signature'], notBeforeMs: nowMs, notAfterMs: nowMs + 600_000 };
const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

async function requestOf(algorithm: EcKeyGenParams | RsaHashedKeyGenParams): Promise<string> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: 'O=dev,O=qa,CN=bob',
    keys,
    signingAlgorithm: algorithm.name === 'ECDSA' ? p256 : algorithm,
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'bob.example.com' },
        { type: 'ip', value: '10.0.0.1' },
        { type: 'ip', value: '2001:db8::1' },
        { type: 'email', value: 'bob@example.com' },
        { type: 'url', value: 'https://example.com/bob' },
      ]),
    ],
  });
  return request.toString('pem');
}

async function sign(signer: CertificateSigner, request: string, more: object = {}): Promise<X509Certificate> {
  return new X509Certificate(await createCertificateAuthority(signer, () => nowMs).sign({ ...order, request, ...more }));
}

const rsa = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-256' };

test('reads the subject and the alternative names of a request', async () => {
  const authority = createCertificateAuthority(undefined, () => nowMs);
  expect(await authority.readRequest(await requestOf(p256))).toEqual({
    organizations: ['dev', 'qa'],
    commonName: 'bob',
    dnsNames: ['bob.example.com'],
    ipAddresses: ['10.0.0.1', '2001:db8::1'],
    emailAddresses: ['bob@example.com'],
    uris: ['https://example.com/bob'],
  });
  await expect(authority.readRequest('x')).rejects.toThrow('PEM block type must be CERTIFICATE REQUEST');
});

test.each([p256, rsa])('signs a request for a key of $name with its subject, names and usages', async (algorithm) => {
  const signer = await createSigner(nowMs);
  const certificate = await sign(signer, await requestOf(algorithm));
  const ca = new X509Certificate(signer.certificate);
  expect(certificate.verify(ca.publicKey) && certificate.checkIssued(ca)).toBe(true);
  expect(certificate).toMatchObject({
    subject: 'O=qa + O=dev\nCN=bob',
    issuer: 'CN=tabplane-ca',
    ca: false,
    subjectAltName:
      'DNS:bob.example.com, email:bob@example.com, IP Address:10.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1, URI:https://example.com/bob',
    keyUsage: ['1.3.6.1.5.5.7.3.2'],
    validFrom: 'Jan  1 00:00:00 2026 GMT',
    validTo: 'Jan  1 00:10:00 2026 GMT',
  });
  const usage = new Certificate(certificate.raw).getExtension(KeyUsagesExtension);
  expect([usage?.usages, usage?.critical]).toEqual([KeyUsageFlags.digitalSignature, true]);
});

/** `openssl req -subj /CN=myuser/O=dev/O=qa/emailAddress=a@b/C=DE/DC=x/CN=zz* -addext subjectAltName=IP:10.0.0.1,URI:https://x,email:b@c,DNS:a.b`. */
const mixedRequest = formatPem(
  'CERTIFICATE REQUEST',
  Buffer.from(
    'MIIC6jCCAdICAQAwbjEPMA0GA1UEAwwGbXl1c2VyMQwwCgYDVQQKDANkZXYxCzAJBgNVBAoMAnFhMRIwEAYJKoZIhvcNAQkBFgNhQGIxCzAJBgNVBAYTAkRFMREwDwYKCZImiZPyLGQBGRYBeDEMMAoGA1UEAwwDenoqMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuOisTz89Hskvkc5FgOIlUstC6k9QgpP/DYzQCbJIUSVV+I73pikpt6O2mmCb4TlX91XlMfz3j8cZzLoRUT7iU3WlEWCIONyAABtm25qXGXsQlqR4FeyiPd5WD8nR283hXWh3/VWLR2lNvhRPJClcHahXNbPeamX9gObXh3P4wIavckjBY6XXkwsI9dl485L116q1vzUpFM/X/MvFkPvZkMfKFvM0ruCYLC27W42RGmHTjbTgyIfKUV/hYvyCXFDYBOTbNFfkbJNeb30Gbywc/bWNtu7ewjCyuU631dIiM1smku9ecuasTRhSJaNq1MriVL82s0rCyttyrKyon3235wIDAQABoDcwNQYJKoZIhvcNAQkOMSgwJjAkBgNVHREEHTAbhwQKAAABhglodHRwczovL3iBA2JAY4IDYS5iMA0GCSqGSIb3DQEBCwUAA4IBAQCrskJkGkSEuzrrcUquag5TRTzJa+/PtcLIi3CgTa7JRg+09YG7nfIecmCRYgo0IPd7X/MKgeiNFPdMWPHFkz6SRB0vJ+jIigtLv1FxK0Jl+2/PkeSt+1082pPbLqejiX0BVuLw6LSXRiDdEZ7cf/ylCt+631laxOTTA7zT14nt95QYCKyUoPem/poxVBhBtguV8t3DAZXebsuIZibW2CfmFPWAWYzdFk+Tax/YF6cLYwqWZFJS+SBQVvom2KFQPAXYZlsXkKYoyxmtLrGefzYKr1GBfEd5sYEHq1a+fu/IOza3cmcGLmii0NherE1/KVGrXiHOCanx05dYnT3hGruj',
    'base64',
  ),
);

test('the subject, the alternative names and the extensions have the order of those that kube-controller-manager signs', async () => {
  const certificate = await sign(await createSigner(nowMs), mixedRequest, { usages: ['client auth', 'digital signature'] });
  const { subjectName, extensions } = new Certificate(certificate.raw);
  // Recorded: C = DE, O = qa + O = dev, CN = zz*, of printable strings and a UTF-8 string.
  expect(Buffer.from(subjectName.toArrayBuffer()).toString('hex')).toBe(
    '3034310b300906035504061302444531173009060355040a13027161300a060355040a1303646576310c300a06035504030c037a7a2a',
  );
  expect(certificate.subjectAltName).toBe('DNS:a.b, email:b@c, IP Address:10.0.0.1, URI:https://x');
  expect(extensions.map(({ type }) => type)).toEqual(['2.5.29.15', '2.5.29.37', '2.5.29.19', '2.5.29.35', '2.5.29.17']);
});

test('a certificate does not outlive its CA, whose serial numbers differ', async () => {
  const signer = await createSigner(nowMs);
  const request = await requestOf(p256);
  const [one, other] = [await sign(signer, request, { notAfterMs: nowMs + 9e13 }), await sign(signer, request)];
  expect(one.validTo).toBe(new X509Certificate(signer.certificate).validTo);
  expect(one.serialNumber).not.toBe(other.serialNumber);
});

test('every usage of the API is in the certificate', async () => {
  const usages = ['signing', 'content commitment', 'key encipherment', 'data encipherment', 'key agreement', 'cert sign', 'crl sign'];
  const rare = ['encipher only', 'decipher only', 'any', 'server auth', 'code signing', 's/mime', 'timestamping', 'ocsp signing'];
  const certificate = await sign(await createSigner(nowMs), await requestOf(p256), { usages: [...usages, ...rare] });
  const parsed = new Certificate(certificate.raw);
  expect(parsed.getExtension(KeyUsagesExtension)?.usages).toBe(0x1ff);
  expect(certificate.keyUsage).toEqual(['2.5.29.37.0', ...[1, 3, 4, 8, 9].map((last) => `1.3.6.1.5.5.7.3.${last}`)]);
});

test.each([{ name: 'ECDSA', namedCurve: 'P-384' }, { name: 'ECDSA', namedCurve: 'P-521' }, rsa, { name: 'Ed25519' }])(
  'signs with a key of %o',
  async (algorithm) => {
    const { privateKey, publicKey } = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
    const signer = { ...(await createSigner(nowMs)), key: privateKey };
    const spki = Buffer.from(await webcrypto.subtle.exportKey('spki', publicKey));
    const certificate = await sign(signer, await requestOf(p256));
    expect(certificate.verify(createPublicKey({ key: spki, format: 'der', type: 'spki' }))).toBe(true);
  },
);

test('a CA signs itself, and identifies its key as its certificates do', async () => {
  const signer = await createSigner(nowMs, 'root');
  const ca = new X509Certificate(signer.certificate);
  expect(ca).toMatchObject({ subject: 'CN=root', issuer: 'CN=root', ca: true, validTo: 'Dec 30 00:00:00 2035 GMT' });
  expect(ca.verify(ca.publicKey)).toBe(true);
  const issued = await sign(signer, await requestOf(p256));
  const identifierIn = ({ raw }: X509Certificate, id: string): string =>
    Buffer.from(new Uint8Array(new Certificate(raw).getExtension(id)?.value ?? new ArrayBuffer(0)))
      .toString('hex')
      .slice(-40);
  expect(identifierIn(issued, '2.5.29.35')).toBe(identifierIn(ca, '2.5.29.14'));
  expect(identifierIn(ca, '2.5.29.14')).toHaveLength(40);
});
