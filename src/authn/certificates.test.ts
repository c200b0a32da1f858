import { expect, test } from 'vitest';
import { productByName } from '../meta/index.ts';
import { type CertificateVerifier, clientCertificateAuthenticator, frontProxyAuthenticator, type VerifiedCertificate } from './index.ts';

const verifying = (found: Partial<VerifiedCertificate> | string): CertificateVerifier => ({
  verify: () =>
    typeof found === 'string' ? found : { commonName: 'carol', organizations: ['dev'], uids: [], fingerprint: 'ab', ...found },
});
const request = (headers: Readonly<Record<string, string>> = {}, certificates = [new Uint8Array()]) => ({
  headers: new Headers(headers),
  certificates,
  path: '/',
  audiences: ['api'],
});
const product = productByName('kubernetes');

test('maps common name, organizations and fingerprint to user, groups and extra', () => {
  expect(clientCertificateAuthenticator(verifying({ uids: ['7'] }), product).authenticate(request())).toEqual({
    user: {
      username: 'carol',
      uid: '7',
      groups: ['dev'],
      extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ab'] },
    },
    audiences: [],
  });
});

test('ignores a missing or unnamed certificate, rejects an invalid one', () => {
  expect(clientCertificateAuthenticator(verifying({}), product).authenticate(request({}, []))).toBeUndefined();
  expect(clientCertificateAuthenticator(verifying({ commonName: '' }), product).authenticate(request())).toBeUndefined();
  expect(clientCertificateAuthenticator(verifying('x509: expired'), product).authenticate(request())).toEqual({
    refused: ['verifying certificate failed: x509: expired'],
  });
  expect(clientCertificateAuthenticator(verifying({ uids: ['a', 'b'] }), product).authenticate(request())).toHaveProperty('refused');
});

const proxy = {
  allowedNames: ['front'],
  username: ['X-Remote-User'],
  uid: ['X-Remote-Uid'],
  groups: ['X-Remote-Group'],
  extraPrefixes: ['X-Remote-Extra-'],
};

test('authenticates the user in the headers of a trusted proxy', async () => {
  const method = frontProxyAuthenticator({ ...proxy, verifier: verifying({ commonName: 'front' }) });
  const headers = { 'x-remote-user': 'jane', 'x-remote-uid': '7', 'x-remote-group': 'dev', 'x-remote-extra-acme.com%2fscopes': 'all' };
  expect(await method.authenticate(request(headers))).toEqual({
    user: { username: 'jane', uid: '7', groups: ['dev'], extra: { 'acme.com/scopes': ['all'] } },
    audiences: ['api'],
  });
  expect(await method.authenticate(request({ 'x-remote-group': 'dev' }))).toBeUndefined();
});

test.each(['constructor', '__proto__', 'toString'])('returns the extra field %s of a proxy', async (key) => {
  const method = frontProxyAuthenticator({ ...proxy, verifier: verifying({ commonName: 'front' }) });
  const outcome = await method.authenticate(request({ 'x-remote-user': 'jane', [`x-remote-extra-${key.toLowerCase()}`]: 'all' }));
  expect(JSON.stringify(outcome)).toContain(`"extra":{"${key.toLowerCase()}":["all"]}`);
});

test('rejects a proxy of another name', async () => {
  const method = frontProxyAuthenticator({ ...proxy, verifier: verifying({ commonName: 'back' }) });
  expect(await method.authenticate(request({ 'x-remote-user': 'jane' }))).toEqual({
    refused: ['x509: subject with cn=back is not in the allowed list'],
  });
});
