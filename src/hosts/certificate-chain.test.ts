import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { beforeAll, expect, test } from 'vitest';
import { createManualClock } from '../env/index.ts';
import { createChainVerifier } from './certificate-chain.ts';
import { readCertificates } from './node/certificates/read-certificates.ts';

const clock = createManualClock();
const dayMs = 24 * 60 * 60 * 1000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

interface Made {
  readonly own: X509Certificate;
  readonly keys: CryptoKeyPair;
}

async function make(subject: string, issuer: Made | undefined, extensions: readonly Extension[], days = 1): Promise<Made> {
  const keys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const own = await X509CertificateGenerator.create({
    subject,
    issuer: issuer?.own.subject ?? subject,
    publicKey: keys.publicKey,
    signingKey: issuer?.keys.privateKey ?? keys.privateKey,
    signingAlgorithm: algorithm,
    notBefore: new Date(clock.nowMs() - dayMs),
    notAfter: new Date(clock.nowMs() + days * dayMs),
    extensions: [...extensions],
  });
  return { own, keys };
}

const signs = (pathLength?: number): Extension => new BasicConstraintsExtension(true, pathLength, true);
const forUse = (...uses: ExtendedKeyUsage[]): Extension => new ExtendedKeyUsageExtension(uses);
const unknown = (critical: boolean, type = '1.2.3.4'): Extension => new Extension(type, critical, new Uint8Array([5, 0]));
// permitted: dNSName example.com
const constrained = new Extension(
  '2.5.29.30',
  true,
  new Uint8Array([0x30, 0x11, 0xa0, 0x0f, 0x30, 0x0d, 0x82, 0x0b, ...new TextEncoder().encode('example.com')]),
);

let root: Made;
let bounded: Made;
beforeAll(async () => {
  root = await make('CN=root', undefined, [signs()], 30);
  bounded = await make('CN=bounded', undefined, [signs(0)], 30);
});

async function verdict(...chain: readonly Made[]): Promise<string> {
  const der = ({ own }: Made): Uint8Array => new Uint8Array(own.rawData);
  const found = await createChainVerifier([der(root), der(bounded)], clock).verify(chain.map(der));
  return typeof found === 'string' ? found : `${found.commonName} of ${found.organizations.join('+')}`;
}

const incompatible = 'x509: certificate specifies an incompatible key usage';
const unknownAuthority = 'x509: certificate signed by unknown authority';
const past = 'x509: certificate has expired or is not yet valid';

test("accepts a certificate of a CA in its validity period, and the CA's own certificate", async () => {
  expect(await verdict(await make('CN=a,O=x,O=y', root, []))).toBe('a of x+y');
  expect(await verdict(root)).toBe('root of ');
  expect(await verdict(await make('CN=a', root, [], -0.5))).toBe(past);
  expect(await verdict(await make('CN=a', await make('CN=root', undefined, [signs()]), []))).toBe(unknownAuthority);
});

test('enforces path length constraints', async () => {
  const below = await make('CN=below', bounded, [signs()]);
  expect(await verdict(await make('CN=a', bounded, []))).toBe('a of ');
  expect(await verdict(await make('CN=a', below, []), below)).toBe('x509: too many intermediates for path length constraint');
  const one = await make('CN=one', root, [signs(1)]);
  const two = await make('CN=two', one, [signs()]);
  const three = await make('CN=three', two, [signs()]);
  expect(await verdict(await make('CN=a', two, []), one, two)).toBe('a of ');
  expect(await verdict(await make('CN=a', three, []), one, two, three)).toBe('x509: too many intermediates for path length constraint');
});

test('rejects unknown critical extensions on the whole chain', async () => {
  expect(await verdict(await make('CN=a', root, [unknown(false)]))).toBe('a of ');
  expect(await verdict(await make('CN=a', root, [unknown(true)]))).toBe('x509: unhandled critical extension');
  const between = await make('CN=between', root, [signs(), unknown(true)]);
  expect(await verdict(await make('CN=a', between, []), between)).toBe('x509: unhandled critical extension');
});

test('requires client or any extended key usage on the whole chain', async () => {
  expect(await verdict(await make('CN=a', root, [forUse(ExtendedKeyUsage.serverAuth)]))).toBe(incompatible);
  expect(await verdict(await make('CN=a', root, [forUse(ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth)]))).toBe('a of ');
  expect(await verdict(await make('CN=a', root, [forUse('2.5.29.37.0' as ExtendedKeyUsage)]))).toBe('a of ');
  const servers = await make('CN=servers', root, [signs(), forUse(ExtendedKeyUsage.serverAuth)]);
  expect(await verdict(await make('CN=a', servers, [forUse(ExtendedKeyUsage.clientAuth)]), servers)).toBe(incompatible);
});

test('rejects issuers that may not sign or have expired', async () => {
  const client = await make('CN=client', root, [new BasicConstraintsExtension(false, undefined, true)]);
  expect(await verdict(await make('CN=admin', client, []), client)).toBe(unknownAuthority);
  const bare = await make('CN=bare', root, []);
  expect(await verdict(await make('CN=admin', bare, []), bare)).toBe(unknownAuthority);
  const signer = await make('CN=signer', root, [signs(), new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)]);
  expect(await verdict(await make('CN=admin', signer, []), signer)).toBe(unknownAuthority);
  const over = await make('CN=over', root, [signs()], -0.5);
  expect(await verdict(await make('CN=admin', over, []), over)).toBe(past);
});

test('rejects alternative names under name constraints', async () => {
  const between = await make('CN=between', root, [signs(), constrained]);
  expect(await verdict(await make('CN=a', between, []), between)).toBe('a of ');
  const named = await make('CN=a', between, [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'example.org' }])]);
  expect(await verdict(named, between)).toContain('is not authorized to sign for this name');
});

test('terminates for CAs that sign each other', async () => {
  const keys = await Promise.all(Array.from({ length: 6 }, (_, at) => make(`CN=k${at}`, undefined, [signs()])));
  const crossed = await Promise.all(keys.flatMap((one) => keys.map((other) => cross(one, other))));
  const [first] = keys;
  expect(await verdict(await make('CN=admin', first, []), ...crossed)).toMatch(/unknown authority|attempts limit reached/);
});

/** A certificate for the key of `one`, signed by `by`. */
async function cross(one: Made, by: Made): Promise<Made> {
  const own = await X509CertificateGenerator.create({
    subject: one.own.subject,
    issuer: by.own.subject,
    publicKey: one.keys.publicKey,
    signingKey: by.keys.privateKey,
    signingAlgorithm: algorithm,
    notBefore: new Date(clock.nowMs() - dayMs),
    notAfter: new Date(clock.nowMs() + dayMs),
    extensions: [signs()],
  });
  return { own, keys: one.keys };
}

test('rejects data that is not a certificate', async () => {
  const verifier = createChainVerifier([new Uint8Array(root.own.rawData)], clock);
  expect(await verifier.verify([new Uint8Array([1, 2, 3])])).toContain('x509: malformed certificate');
  expect(await verifier.verify([])).toBe('no certificate');
});

test('rejects text without certificates', () => {
  expect(() => readCertificates('nonsense')).toThrow('data does not contain any valid RSA or ECDSA certificates');
  expect(() => readCertificates('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')).toThrow('x509: malformed certificate');
});
