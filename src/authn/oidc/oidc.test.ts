import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, type Outbound } from '../../env/index.ts';
import { type JsonObject, productByName } from '../../meta/index.ts';
import type { AuthenticationResult } from '../authenticator.ts';
import {
  type JwtAuthenticatorOptions,
  jwtAuthenticators,
  knownAlgorithms,
  readAuthenticationSettings,
  validateAuthenticationConfiguration,
} from './index.ts';

const product = productByName('kubernetes');
const issuer = { url: 'https://issuer', audiences: ['app'] };
const checked = (...jwt: readonly JsonObject[]) =>
  validateAuthenticationConfiguration(readAuthenticationSettings({ jwt }), { product, certificateProblem: () => undefined });
const bySub = { issuer, claimMappings: { username: { claim: 'sub', prefix: 'x:' } } };

let sign: (claims: JsonObject) => Promise<string>;
let keys: readonly object[];
beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  keys = [{ ...(await exportJWK(publicKey)), kid: 'k' }];
  sign = (claims) =>
    new SignJWT({ iss: 'https://issuer', aud: 'app', exp: 4e9, ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(privateKey);
});

function createOptions(issuerName = 'https://issuer'): JwtAuthenticatorOptions & { readonly fetched: string[] } {
  const fetched: string[] = [];
  const outbound: Outbound = {
    send: async ({ url }) => {
      fetched.push(url);
      const body = url.endsWith('/jwks') ? { keys } : { issuer: issuerName, jwks_uri: 'https://issuer/jwks' };
      return { status: 200, headers: {}, body: JSON.stringify(body) };
    },
  };
  const clock = createManualClock();
  return { fetched, outbound, product, algorithms: knownAlgorithms, env: { clock, random: createSeededRandom(1), log: createMemoryLog() } };
}

test('tries each of several keys with one ID, and rejects keys of others', async () => {
  const own = keys;
  const stranger = await generateKeyPair('ES256');
  keys = [{ ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), kid: 'k' }, ...own];
  expect(await reviewed(bySub, { sub: 'jane' })).toMatchObject({ user: { username: 'x:jane' } });
  const claims = { iss: 'https://issuer', aud: 'app', exp: 4e9, sub: 'jane' };
  const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(stranger.privateKey);
  expect(await reviewedToken(bySub, forged)).toEqual({ refused: [expect.stringContaining('failed to verify signature')] });
  keys = own;
});

async function reviewed(jwt: JsonObject, claims: JsonObject): Promise<AuthenticationResult> {
  return reviewedToken(jwt, await sign(claims));
}

async function reviewedToken(jwt: JsonObject, token: string): Promise<AuthenticationResult> {
  const methods = jwtAuthenticators(checked(jwt), createOptions());
  await new Promise<void>((resolve) => setTimeout(resolve));
  return methods.authenticate(token, ['app']);
}

test('maps the claims of a token to a user', async () => {
  expect(await reviewed(bySub, { sub: 'jane', jti: '7' })).toEqual({
    user: { username: 'x:jane', uid: '', groups: [], extra: { 'authentication.kubernetes.io/credential-id': ['JTI=7'] } },
    audiences: [],
  });
});

test.each([
  ['for another audience', { sub: 'jane', aud: 'y' }, 'oidc: verify token: oidc: expected audience "app" got ["y"]'],
  [
    'without an expiry',
    { sub: 'jane', exp: 'never' },
    'oidc: verify token: oidc: token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)',
  ],
  [
    'not valid yet',
    { sub: 'jane', nbf: 3e9 },
    'oidc: verify token: oidc: current time 2026-01-01 00:00:00 +0000 UTC before the nbf (not before) time: 2065-01-24 05:20:00 +0000 UTC',
  ],
  [
    'that is expired',
    { sub: 'jane', exp: 1e9 },
    'oidc: verify token: oidc: token is expired (Token Expiry: 2001-09-09 01:46:40 +0000 UTC)',
  ],
  ['without the username claim', {}, 'oidc: parse username claims "sub": claim not present'],
])('rejects a token %s', async (_, claims, why) => {
  expect(await reviewed(bySub, claims)).toEqual({ refused: [why] });
});

const byExpressions = {
  issuer,
  claimMappings: {
    username: { expression: 'claims.sub' },
    groups: { expression: 'claims.roles' },
    uid: { expression: 'string(claims.num)' },
    extra: [{ key: 'example.com/a', valueExpression: 'claims.?a__dot__b.orValue("")' }],
  },
  claimValidationRules: [{ expression: 'claims.level >= 3', message: 'level too low' }],
  userValidationRules: [{ expression: '!user.username.startsWith("system:")', message: 'reserved' }],
};

test('expressions get claims with double numbers and escaped names, and rules must hold', async () => {
  const claims = { sub: 'jane', roles: ['a', ''], num: 12, level: 3, 'a.b': 'c' };
  expect(await reviewed(byExpressions, claims)).toEqual({
    user: { username: 'jane', uid: '12', groups: ['a'], extra: { 'example.com/a': ['c'] } },
    audiences: [],
  });
  expect(await reviewed(byExpressions, { ...claims, level: 2 })).toEqual({
    refused: ["oidc: error evaluating claim validation expression: validation expression 'claims.level >= 3' failed: level too low"],
  });
  expect(await reviewed(byExpressions, { ...claims, sub: 'system:x' })).toEqual({
    refused: [
      `oidc: error evaluating user info validation rule: validation expression '!user.username.startsWith("system:")' failed: reserved`,
    ],
  });
});

test('retries discovery while the issuer does not match', async () => {
  const options = createOptions('https://liar');
  const methods = jwtAuthenticators(checked(bySub), options);
  await new Promise<void>((resolve) => setTimeout(resolve));
  expect(await methods.authenticate(await sign({ sub: 'jane' }), [])).toEqual({ refused: ['oidc: authenticator not initialized'] });
  await (options.env.clock as ReturnType<typeof createManualClock>).advance(10_000);
  expect(options.fetched).toHaveLength(2);
});

test('replaces the issuers once the new ones are discovered', async () => {
  const options = createOptions();
  const methods = jwtAuthenticators([], options);
  expect(await methods.authenticate(await sign({ sub: 'jane' }), [])).toBeUndefined();
  const replaced = methods.replace(checked(bySub));
  await new Promise<void>((resolve) => setTimeout(resolve));
  await (options.env.clock as ReturnType<typeof createManualClock>).advance(1_000);
  await replaced;
  expect(await methods.authenticate(await sign({ sub: 'jane' }), [])).toMatchObject({ user: { username: 'x:jane' } });
});

test('reports all errors, in order', () => {
  const wrong = { issuer: { url: 'http://x', audiences: ['a', 'a'] }, claimMappings: { username: { expression: 'claims.email' } } };
  expect(() => checked(wrong)).toThrow(
    'invalid authentication configuration: [jwt[0].issuer.url: Invalid value: "http://x": URL scheme must be https, ' +
      'jwt[0].issuer.audiences[1]: Duplicate value: "a", ' +
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences, ' +
      'jwt[0].claimMappings.username.expression: Invalid value: "claims.email": claims.email_verified must be used in',
  );
});
