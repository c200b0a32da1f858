import { exportJWK, generateKeyPair } from 'jose';
import { CompactSign } from 'jose/jws/compact/sign';
import { beforeAll, expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { type ApiObject, productByName } from '../../meta/index.ts';
import type { AuthenticationResult } from '../authenticator.ts';
import { decodeUnverifiedJwt } from '../unverified-jwt.ts';
import {
  boundTokenAuthenticator,
  createServiceAccountIssuer,
  type GivenKeys,
  importKeys,
  type KeySource,
  legacyTokenAuthenticator,
  type TokenClaims,
  type TokenObjects,
} from './index.ts';

const product = productByName('kubernetes');
const clock = createManualClock();
const audiences = ['api'];
const settings = { issuers: ['https://issuer'], audiences, maxExpirationSeconds: 0, extendsExpiration: true, keysUri: 'https://keys' };
const object = (name: string, uid: string): ApiObject => ({ kind: 'X', apiVersion: 'v1', metadata: { name, uid } }) as ApiObject;
const objects: TokenObjects = {
  serviceAccount: async (_, name) => (name === 'robot' ? object('robot', 'u1') : undefined),
  secret: async () => undefined,
  pod: async (_, name) => (name === 'p' ? object('p', 'u2') : undefined),
  node: async () => undefined,
};
const claims: TokenClaims = {
  id: 'token-1',
  namespace: 'ns',
  account: { name: 'robot', uid: 'u1' },
  audiences,
  nowMs: clock.nowMs(),
  expirationSeconds: 600,
};

let given: GivenKeys;
let keys: KeySource;
beforeAll(async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const signing = await exportJWK(privateKey);
  given = { signing, verifying: [signing] } as GivenKeys;
  const read = await importKeys(given);
  keys = () => Promise.resolve(read);
});

async function reviewed(changes: Partial<TokenClaims>, requested: readonly string[] = audiences): Promise<AuthenticationResult> {
  const token = await createServiceAccountIssuer(settings, keys, product).sign({
    ...claims,
    ...changes,
  });
  return bound().authenticate(token, requested);
}

const bound = () => boundTokenAuthenticator({ issuers: settings.issuers, audiences, keys, objects, clock, product });

test('a signed token authenticates the account, with its bound objects', async () => {
  const outcome = await reviewed({ pod: { name: 'p', uid: 'u2' }, node: { name: 'n', uid: '' } });
  expect(outcome).toEqual({
    user: {
      username: 'system:serviceaccount:ns:robot',
      uid: 'u1',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
      extra: {
        'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/)],
        'authentication.kubernetes.io/node-name': ['n'],
        'authentication.kubernetes.io/pod-name': ['p'],
        'authentication.kubernetes.io/pod-uid': ['u2'],
      },
    },
    audiences,
    annotations: {},
  });
});

test('annotates the use of a token after its original expiry', async () => {
  const outcome = await reviewed({ nowMs: clock.nowMs() - 400_000, expirationSeconds: 900, warnAfterSeconds: 300 });
  expect(outcome).toMatchObject({
    annotations: { 'authentication.k8s.io/stale-token': 'subject: system:serviceaccount:ns:robot, seconds after warning threshold: 100' },
  });
});

test.each([
  ['another account of that name', { account: { name: 'robot', uid: 'old' } }, 'service account UID (u1) does not match claim (old)'],
  ['a missing account', { account: { name: 'missing', uid: 'u' } }, 'serviceaccounts "missing" not found'],
  ['a deleted pod', { pod: { name: 'q', uid: 'u' } }, 'service account token has been invalidated'],
  ['another pod of that name', { pod: { name: 'p', uid: 'u' } }, 'pod UID (u2) does not match service account pod ref claim (u)'],
  ['an expiry in the past', { nowMs: 0 }, 'service account token has expired'],
  ['a nbf in the future', { nowMs: 4_000_000_000_000 }, 'service account token is not valid yet'],
])('rejects a token with %s', async (_, changes, why) => {
  expect(await reviewed(changes)).toEqual({ refused: [why] });
});

test('rejects a token for other audiences, with both in the error', async () => {
  expect(await reviewed({ audiences: ['a', 'b'] }, ['c'])).toEqual({
    refused: ['token audiences ["a" "b"] is invalid for the target audiences ["c"]'],
  });
});

test('ignores a token of another issuer, rejects an invalid signature', async () => {
  const token = await createServiceAccountIssuer(settings, keys, product).sign(claims);
  expect(await bound().authenticate(`${token}AA`, audiences)).toEqual({ refused: ['go-jose/go-jose: error in cryptographic primitive'] });
  expect(await bound().authenticate('abc', audiences)).toBeUndefined();
  const other = boundTokenAuthenticator({ issuers: ['x'], audiences, keys, objects, clock, product });
  expect(await other.authenticate(token, audiences)).toBeUndefined();
});

test('rejects a token of an unknown key', async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const strange = await importKeys({ ...given, signing: (await exportJWK(privateKey)) as JsonWebKey });
  const issuer = createServiceAccountIssuer(settings, () => Promise.resolve(strange), product);
  expect(await bound().authenticate(await issuer.sign(claims), audiences)).toEqual({ refused: ['invalid signature, no keys found'] });
});

test('publishes only public keys', async () => {
  const issuer = createServiceAccountIssuer(settings, keys, product);
  expect(JSON.parse((await issuer.configuration()) ?? '')).toMatchObject({
    issuer: 'https://issuer',
    jwks_uri: 'https://keys',
    id_token_signing_alg_values_supported: ['ES256'],
  });
  const { keys: shown } = JSON.parse((await issuer.keySet()) ?? '');
  const token = decodeUnverifiedJwt(await issuer.sign(claims));
  expect(shown).toEqual([
    { use: 'sig', kty: 'EC', kid: token?.header['kid'], crv: 'P-256', alg: 'ES256', x: given.signing.x, y: given.signing.y },
  ]);
});

async function legacyToken(): Promise<string> {
  const { signing } = await keys();
  const claims = {
    iss: 'kubernetes/serviceaccount',
    sub: 'system:serviceaccount:ns:robot',
    'kubernetes.io/serviceaccount/namespace': 'ns',
    'kubernetes.io/serviceaccount/secret.name': 's',
    'kubernetes.io/serviceaccount/service-account.name': 'robot',
    'kubernetes.io/serviceaccount/service-account.uid': 'u1',
  };
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims))).setProtectedHeader({ alg: 'ES256' }).sign(signing.key);
}

test('a token in a secret is valid while the secret contains it, and its use is recorded', async () => {
  const token = await legacyToken();
  let secret: ApiObject | undefined = { ...object('s', 'u3'), data: { token: btoa(token) } } as ApiObject;
  const used: (string | undefined)[] = [];
  const lookup = {
    objects: { ...objects, secret: async () => secret },
    markUsed: async ({ metadata }: ApiObject) => void used.push(metadata.name),
  };
  const method = legacyTokenAuthenticator({ audiences, keys, product, lookup });
  expect(await method.authenticate(token, audiences)).toMatchObject({ user: { username: 'system:serviceaccount:ns:robot', uid: 'u1' } });
  expect(used).toEqual(['s']);
  secret = { ...secret, data: { token: btoa('other') } } as ApiObject;
  expect(await method.authenticate(token, audiences)).toEqual({ refused: ["Token does not match server's copy"] });
  secret = undefined;
  expect(await method.authenticate(token, audiences)).toEqual({ refused: ['Token has been invalidated'] });
  const trusting = legacyTokenAuthenticator({ audiences, keys, product, lookup: undefined });
  expect(await trusting.authenticate(token, audiences)).toMatchObject({ user: { uid: 'u1' } });
});
