import { expect, test } from 'vitest';
import { X509Error } from './der.ts';
import { type PublicKey, readPublicKey } from './public-key.ts';
import { isSignedBy, signatureAlgorithmOf, signatureProblem } from './signature.ts';

const text = new TextEncoder();
const hex = (digits: string): Uint8Array => Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

type Generated = RsaHashedKeyGenParams | EcKeyGenParams | 'Ed25519';

interface Made {
  readonly key: PublicKey;
  readonly spki: Uint8Array;
  readonly sign: (how: AlgorithmIdentifier | RsaPssParams | EcdsaParams) => Promise<Uint8Array>;
}

const signed = text.encode('what is signed');

async function made(algorithm: Generated): Promise<Made> {
  const pair = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey));
  const key = readPublicKey(spki);
  if (!key) throw new Error('a key that cannot be read');
  return { key, spki, sign: async (how) => new Uint8Array(await crypto.subtle.sign(how, pair.privateKey, signed)) };
}

const rsa = (modulusLength: number, name = 'RSASSA-PKCS1-v1_5'): RsaHashedKeyGenParams => ({
  name,
  modulusLength,
  publicExponent: Uint8Array.of(1, 0, 1),
  hash: 'SHA-256',
});
const rsaWithSha256 = signatureAlgorithmOf(hex('06092a864886f70d01010b0500'));
const ecdsaWithSha256 = signatureAlgorithmOf(hex('06082a8648ce3d040302'));

/** A signature of two integers, encoded as DER. */
function inDer(raw: Uint8Array): Uint8Array {
  const numbers = [raw.subarray(0, raw.length / 2), raw.subarray(raw.length / 2)].map((half) => {
    const start = half.findIndex((byte) => byte !== 0);
    const bytes = (half[start] ?? 0) < 0x80 ? half.subarray(start) : Uint8Array.of(0, ...half.subarray(start));
    return [0x02, bytes.length, ...bytes];
  });
  return Uint8Array.of(0x30, numbers.flat().length, ...numbers.flat());
}

test('verifies the signature of an RSA key', async () => {
  const { key, spki, sign } = await made(rsa(1024));
  const signature = await sign({ name: 'RSASSA-PKCS1-v1_5' });
  expect(await signatureProblem(rsaWithSha256, { key, spki, signed, signature })).toBe(undefined);
  expect(await signatureProblem(rsaWithSha256, { key, spki, signed: text.encode('another'), signature })).toBe(
    'crypto/rsa: verification error',
  );
});

test('an ECDSA signature is two integers in DER', async () => {
  const { key, spki, sign } = await made({ name: 'ECDSA', namedCurve: 'P-256' });
  const raw = await sign({ name: 'ECDSA', hash: 'SHA-256' });
  expect(await signatureProblem(ecdsaWithSha256, { key, spki, signed, signature: inDer(raw) })).toBe(undefined);
  expect(await signatureProblem(ecdsaWithSha256, { key, spki, signed, signature: raw })).toBe('x509: ECDSA verification failure');
});

test('reports a key type that does not match the algorithm', async () => {
  const { key, spki } = await made({ name: 'ECDSA', namedCurve: 'P-256' });
  expect(await signatureProblem(rsaWithSha256, { key, spki, signed, signature: signed })).toBe(
    'x509: signature algorithm specifies an RSA public key, but have public key of type *ecdsa.PublicKey',
  );
});

test('rejects a point that is not on the curve', async () => {
  const { key, spki } = await made({ name: 'ECDSA', namedCurve: 'P-256' });
  const beside = spki.map((byte, index) => (index === spki.length - 1 ? byte ^ 1 : byte));
  expect(await signatureProblem(ecdsaWithSha256, { key, spki: beside, signed, signature: signed })).toBe('P256 point not on curve');
});

test.each([
  ['06092a864886f70d0101040500', 'x509: cannot verify signature: insecure algorithm MD5-RSA'],
  ['06032a0304', 'x509: cannot verify signature: algorithm unimplemented'],
  ['06092a864886f70d01010a3000', 'x509: cannot verify signature: algorithm unimplemented'],
])('rejects the algorithm %s', async (identifier, why) => {
  const { key, spki } = await made(rsa(1024));
  expect(await signatureProblem(signatureAlgorithmOf(hex(identifier)), { key, spki, signed, signature: signed })).toBe(why);
});

test.each<[string, Generated, readonly (AlgorithmIdentifier | RsaPssParams | EcdsaParams)[]]>([
  ['Ed25519', 'Ed25519', ['Ed25519']],
  ['P-384', { name: 'ECDSA', namedCurve: 'P-384' }, [{ name: 'ECDSA', hash: 'SHA-256' }]],
  ['RSA, with every usual salt', rsa(1024, 'RSA-PSS'), [0, 32, 94].map((saltLength) => ({ name: 'RSA-PSS', saltLength }))],
])('verifies proof of possession: %s', async (_, algorithm, parameters) => {
  const { key, spki, sign } = await made(algorithm);
  for (const parameter of parameters) {
    const raw = await sign(parameter);
    const signature = key.type === 'ecdsa' ? inDer(raw) : raw;
    expect(await isSignedBy({ key, spki, signed, signature })).toBe(true);
    expect(await isSignedBy({ key, spki, signed: text.encode('another'), signature })).toBe(false);
  }
});

test.each([
  ['300b06092a864886f70d010101', 'x509: RSA key missing NULL parameters'],
  ['300f06072a8648ce3d020106042b81040a', 'x509: unsupported elliptic curve'],
  ['300706032b65700500', 'x509: Ed25519 key encoded with illegal parameters'],
  ['300506032b6570', 'x509: wrong Ed25519 public key size'],
])('rejects a key of the algorithm %s', (identifier, why) => {
  const content = hex(`${identifier}030400010203`);
  expect(() => readPublicKey(Uint8Array.of(0x30, content.length, ...content))).toThrow(new X509Error(why));
});
