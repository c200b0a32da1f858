import { expect, test } from 'vitest';
import { createManualClock } from '../env/index.ts';
import { type ApiObject, type JsonObject, productByName } from '../meta/index.ts';
import {
  type AnonymousAccess,
  bootstrapTokenAuthenticator,
  cachedTokenAuthenticator,
  createRequestAuthenticator,
  type RequestAuthenticator,
  readTokenFile,
  type TokenAuthenticator,
  TokenFileError,
  tokenFileAuthenticator,
  webhookTokenAuthenticator,
  wrapAudienceAgnosticToken,
} from './index.ts';

const csv = 'admin-token,admin,u-admin,"system:masters"\nalice-token,alice,u-alice,"dev,qa"\nbob-token,bob,u-bob\n';
const audiences = ['api'];

function withTokens(tokens: readonly TokenAuthenticator[], anonymous: AnonymousAccess = 'everywhere'): RequestAuthenticator {
  return createRequestAuthenticator({ requests: [], tokens, anonymous, audiences, product: productByName('kubernetes') });
}

const product = productByName('kubernetes');
const authn = withTokens([wrapAudienceAgnosticToken(audiences, tokenFileAuthenticator(readTokenFile(csv, 'f', product)))]);

const request = (authorization?: string, path = '/api') => ({
  headers: new Headers(authorization === undefined ? {} : { authorization }),
  certificates: [],
  path,
});

test('a static token authenticates its user, with the group system:authenticated', async () => {
  const { user, by } = await authn.authenticate(request('bEaReR alice-token trailing'));
  expect(user).toEqual({ username: 'alice', uid: 'u-alice', groups: ['dev', 'qa', 'system:authenticated'], extra: {} });
  expect(by).toBe('token file');
  expect((await authn.authenticate(request('Bearer bob-token'))).user.groups).toEqual(['system:authenticated']);
});

test('requests without credentials are anonymous; an extra space adds a warning', async () => {
  expect((await authn.authenticate(request())).user.groups).toEqual(['system:unauthenticated']);
  const spaced = await authn.authenticate(request('Bearer  admin-token'));
  expect(spaced.user.username).toBe('system:anonymous');
  expect(spaced.warnings).toEqual(['the provided Authorization header contains extra space before the bearer token, and is ignored']);
});

test('rejects an unknown token', async () => {
  await expect(authn.authenticate(request('Bearer wrong'))).rejects.toMatchObject({ code: 401, message: 'Unauthorized' });
});

test('anonymous requests can be disabled, or limited to exact paths', async () => {
  await expect(withTokens([], 'off').authenticate(request())).rejects.toMatchObject({ code: 401 });
  const some = withTokens([], new Set(['/healthz']));
  expect((await some.authenticate(request(undefined, '/healthz'))).by).toBe('anonymous');
  await expect(some.authenticate(request(undefined, '/healthz/ping'))).rejects.toMatchObject({ code: 401 });
});

test('a review returns the user and the matching audiences', async () => {
  expect(await authn.review('alice-token', ['x', 'api'])).toMatchObject({ user: { username: 'alice' }, audiences: ['api'], error: '' });
  expect(await authn.review('alice-token', ['x'])).toEqual({ user: undefined, audiences: [], error: 'invalid bearer token' });
});

test('a review returns each error once', async () => {
  const complaining = (why: string): TokenAuthenticator => ({ name: why, authenticate: () => ({ refused: [why] }) });
  expect(await withTokens([complaining('a'), complaining('b'), complaining('a')]).review('t', [])).toMatchObject({
    error: '[invalid bearer token, a, b]',
  });
});

test('rejects a line with fewer than three columns, skips one without a token', () => {
  expect(() => readTokenFile('only,two\n', '/f.csv', product)).toThrow(TokenFileError);
  expect(() => readTokenFile('a,"b', '/f.csv', product)).toThrow(
    'parse error on line 1, column 5: extraneous or missing " in quoted-field',
  );
  expect(() => readTokenFile('a,"b,c\n', '/f.csv', product)).toThrow(
    /^parse error on line 1, column 8: extraneous or missing " in quoted-field$/,
  );
  expect(readTokenFile(',x,y\n', '/f.csv', product).size).toBe(0);
});

test('further columns of the token file are groups by the specification, and ignored by kube-apiserver', () => {
  const line = 't,one,u,"a,b",c,d\n';
  expect(readTokenFile(line, '/f.csv', productByName('svc')).get('t')?.groups).toEqual(['a', 'b', 'c', 'd']);
  expect(readTokenFile(line, '/f.csv', product).get('t')?.groups).toEqual(['a', 'b']);
});

test('does not trim the columns of the token file', () => {
  const tokens = readTokenFile('t1, one,\r\n\nt2,two,u,"a, ""b"""\nt2,again,u,\n', '/f.csv', product);
  expect(tokens.get('t1')).toEqual({ username: ' one', uid: '', groups: [], extra: {} });
  expect(tokens.get('t2')).toEqual({ username: 'again', uid: 'u', groups: [''], extra: {} });
});

const bootstrapSecret = (data: Readonly<Record<string, string>>): ApiObject =>
  ({
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { name: 'bootstrap-token-abcdef' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(
      Object.entries({ 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true', ...data }).map(
        ([key, value]) => [key, btoa(value)],
      ),
    ),
  }) as ApiObject;

test.each([
  ['with valid data', {}, ['system:bootstrappers']],
  ['with extra groups', { 'auth-extra-groups': 'system:bootstrappers:b,system:bootstrappers:a' }, ['', ':a', ':b']],
  ['with a group that is not allowed', { 'auth-extra-groups': 'system:bootstrappers:b,c' }, undefined],
  ['after its expiration', { expiration: '1969-12-31T00:00:00Z' }, undefined],
  ['for another usage', { 'usage-bootstrap-authentication': 'True' }, undefined],
  ['with another id', { 'token-id': 'fedcba' }, undefined],
])('a bootstrap token %s', async (_, data, groups) => {
  const secrets = { find: (name: string) => Promise.resolve(name === 'bootstrap-token-abcdef' ? bootstrapSecret(data) : undefined) };
  const method = bootstrapTokenAuthenticator(secrets, createManualClock(), productByName('kubernetes'));
  const expected = groups?.map((group) => (group.startsWith('system') ? group : `system:bootstrappers${group}`));
  expect(await method.authenticate('abcdef.0123456789abcdef', audiences)).toEqual(
    expected && { user: { username: 'system:bootstrap:abcdef', uid: '', groups: expected, extra: {} }, audiences: [] },
  );
});

test('caches authenticated tokens, but not unknown ones', async () => {
  const clock = createManualClock();
  let calls = 0;
  const user = { username: 'x', uid: '', groups: [], extra: {} };
  const method = cachedTokenAuthenticator(
    { name: 'slow', authenticate: (token) => Promise.resolve(++calls > 0 && token === 'good' ? { user, audiences: [] } : undefined) },
    clock,
    { authenticatedTtlMs: 10_000, unknownTtlMs: 0 },
  );
  await Promise.all([method.authenticate('good', []), method.authenticate('good', [])]);
  await method.authenticate('good', []);
  expect(calls).toBe(1);
  await method.authenticate('good', ['other']);
  expect(calls).toBe(2);
  await clock.advance(10_001);
  await method.authenticate('good', []);
  await method.authenticate('bad', []);
  await method.authenticate('bad', []);
  expect(calls).toBe(5);
});

test('sends token and audiences to the webhook, and returns its user', async () => {
  const calls: unknown[] = [];
  let answer: JsonObject | string = { status: { authenticated: true, user: { username: 'jane', groups: ['dev'], extra: { a: ['b'] } } } };
  const reviewer = {
    review: async (question: JsonObject) => {
      calls.push(question);
      return answer;
    },
  };
  const method = webhookTokenAuthenticator({ reviewer, version: 'v1', audiences: ['api'], product: productByName('kubernetes') });
  expect(await method.authenticate('t', ['api', 'x'])).toEqual({
    user: { username: 'jane', uid: '', groups: ['dev'], extra: { a: ['b'] } },
    audiences: ['api'],
  });
  expect(calls).toEqual([
    {
      kind: 'TokenReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {},
      spec: { token: 't', audiences: ['api', 'x'] },
      status: { user: {} },
    },
  ]);
  answer = { status: { authenticated: false, error: 'unknown here' } };
  expect(await method.authenticate('t', ['api'])).toEqual({ refused: ['unknown here'] });
  answer = { status: { authenticated: true, audiences: ['y'], user: { username: 'jane' } } };
  expect(await method.authenticate('t', ['api'])).toBeUndefined();
  answer = 'Post "https://hook": EOF';
  expect(await method.authenticate('t', ['api'])).toEqual({ refused: [answer] });
});

const protocol = 'base64url.bearer.authorization.k8s.io.';
const socketHeaders = (protocols: string): Headers =>
  new Headers({ connection: 'keep-alive, Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': protocols });
const encoded = (token: string): string => btoa(token).replaceAll('=', '');

test('reads the token from the subprotocols of a WebSocket request', async () => {
  const by = (headers: Headers) => authn.authenticate({ headers, path: '/api', certificates: [] });
  expect((await by(socketHeaders(`${protocol}${encoded('alice-token')}, v4.channel.k8s.io`))).user.username).toBe('alice');
  const plain = new Headers({ 'sec-websocket-protocol': `${protocol}${encoded('alice-token')}, v4.channel.k8s.io` });
  expect((await by(plain)).user.username).toBe('system:anonymous');
  expect((await by(socketHeaders('v4.channel.k8s.io'))).user.username).toBe('system:anonymous');
});

test.each([
  ['that is unknown', `${protocol}${encoded('nope')}, v4`],
  ['without another subprotocol', `${protocol}${encoded('alice-token')}`],
  ['that is given twice', `${protocol}${encoded('alice-token')}, ${protocol}${encoded('alice-token')}, v4`],
  ['in another alphabet', `${protocol}YWxpY2UtdG9rZW4=, v4`],
  ['that is not UTF-8', `${protocol}_-8, v4`],
])('rejects a WebSocket token %s, also as anonymous', async (_, protocols) => {
  await expect(authn.authenticate({ headers: socketHeaders(protocols), path: '/api', certificates: [] })).rejects.toMatchObject({
    code: 401,
  });
});
