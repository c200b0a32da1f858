import { expect, test } from 'vitest';
import { readAlternativeNames } from '../alternative-names.ts';
import { extensionIds } from '../certificate-extensions.ts';
import { subjectAlternativeNames } from '../create-certificate.ts';
import { attributeValues, encodeName, nameStrings } from '../distinguished-name.ts';
import { signatureAlgorithmOf, signatureProblem } from '../signature.ts';
import { readSigningRequest, requestedExtensions } from '../signing-request.ts';
import { createSigningRequest } from './create-signing-request.ts';

const subject = encodeName([
  [{ type: '2.5.4.6', value: 'DE', tag: nameStrings.printable }],
  [
    { type: '2.5.4.3', value: 'jürgen' },
    { type: '2.5.4.10', value: 'dev' },
  ],
]);

test.each([
  ['RSA', { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-512' }, 'SHA-512'],
  ['ECDSA', { name: 'ECDSA', namedCurve: 'P-384' }, 'SHA-256'],
  ['Ed25519', { name: 'Ed25519' }, undefined],
] as const)('signs requests with %s', async (_, algorithm, hash) => {
  const { privateKey, publicKey } = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey));
  const extensions = [subjectAlternativeNames({ dnsNames: ['a.example'] })];
  const request = readSigningRequest(await createSigningRequest({ subject, spki, extensions, attributes: [] }, privateKey, hash));
  const signed = signatureAlgorithmOf(request.algorithm);
  expect('hash' in signed ? signed.hash : undefined).toBe(hash);
  expect(await signatureProblem(signed, request)).toBeUndefined();
  expect(attributeValues(request.subjectAttributes, '2.5.4.3')).toEqual(['jürgen']);
  const names = requestedExtensions(request).get(extensionIds.subjectAlternativeName);
  expect(readAlternativeNames(names?.value).dnsNames).toEqual(['a.example']);
});

test('requests without extensions have no attributes', async () => {
  const { privateKey, publicKey } = (await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify'])) as CryptoKeyPair;
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey));
  const request = readSigningRequest(await createSigningRequest({ subject, spki, extensions: [], attributes: [] }, privateKey));
  expect([...request.attributes]).toEqual([0xa0, 0]);
});
