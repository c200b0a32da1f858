import 'reflect-metadata';
import { createPrivateKey } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  PemConverter,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClientCertificateSessions, certificatesPath, challengesPath, sessionHeader } from '../../client/certificate/index.ts';
import { createManualClock } from '../../env/index.ts';
import type { ApiHandler, ApiResponse } from '../../meta/index.ts';
import { CertificateSessions } from './certificate-sessions.ts';
import { openMemoryCluster } from './open-cluster.ts';
import type { RunningCluster } from './running-cluster.ts';

const elliptic = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const rsa = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' } as const;
const dayMs = 24 * 60 * 60 * 1000;

interface Made {
  readonly certificate: string;
  readonly key: string;
  readonly own: X509Certificate;
  readonly keys: CryptoKeyPair;
}

interface Making {
  readonly subject: string;
  readonly issuer?: Made;
  readonly uses?: readonly ExtendedKeyUsage[];
  readonly authority?: boolean;
  readonly fromMs?: number;
  readonly algorithm?: typeof elliptic | typeof rsa;
}

async function make({
  subject,
  issuer,
  uses = [ExtendedKeyUsage.clientAuth],
  authority = false,
  fromMs = 0,
  algorithm = elliptic,
}: Making): Promise<Made> {
  const keys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const own = await X509CertificateGenerator.create({
    subject,
    issuer: issuer?.own.subject ?? subject,
    publicKey: keys.publicKey,
    signingKey: issuer?.keys.privateKey ?? keys.privateKey,
    signingAlgorithm: elliptic,
    notBefore: new Date(Date.now() - dayMs + fromMs),
    notAfter: new Date(Date.now() + dayMs + fromMs),
    extensions: [
      new BasicConstraintsExtension(authority, undefined, true),
      ...(authority ? [] : [new ExtendedKeyUsageExtension([...uses])]),
    ],
  });
  const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { certificate: own.toString('pem'), key, own, keys };
}

let cluster: RunningCluster;
let authority: Made;
beforeAll(async () => {
  authority = await make({ subject: 'CN=ca', authority: true });
  cluster = await openMemoryCluster({ names: 'kubernetes', controllers: 'none', folder: '' });
  const data = { 'client-ca-file': authority.certificate };
  const metadata = { name: 'extension-apiserver-authentication' };
  const made = await send(cluster.handle, '/api/v1/namespaces/kube-system/configmaps', { metadata, data }, 'Bearer admin-token');
  expect(made.status).toBe(201);
});
afterAll(() => cluster.close());

function send(handle: ApiHandler, target: string, body: object, authorization?: string, session?: string): Promise<ApiResponse> {
  const headers = new Headers({ 'content-type': 'application/json' });
  if (authorization !== undefined) headers.set('authorization', authorization);
  if (session !== undefined) headers.set(sessionHeader, session);
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return handle({ method: 'POST', target, headers, body: bytes, signal: new AbortController().signal });
}

const bodyOf = ({ body }: ApiResponse) => JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array));

/** The authenticated user of a certificate, or the status of the error. */
async function authenticate(identity: Pick<Made, 'certificate' | 'key'>, handle = cluster.handle): Promise<unknown> {
  const api = new ClientCertificateSessions(handle, crypto.subtle, String(globalThis.origin)).withCertificate(identity, handle);
  const review = await send(api, '/apis/authentication.k8s.io/v1/selfsubjectreviews', {});
  if (review.status !== 201) return review.status;
  const { username, groups } = bodyOf(review).status.userInfo;
  return [username, ...groups];
}

test("authenticates the common name and organizations of a certificate signed by the cluster's CA", async () => {
  const carol = await make({ subject: 'CN=carol,O=dev,O=qa', issuer: authority });
  expect(await authenticate(carol)).toEqual(['carol', 'dev', 'qa', 'system:authenticated']);
});

test('reads RSA keys and older PEM forms', async () => {
  const dave = await make({ subject: 'CN=dave', issuer: authority, algorithm: rsa });
  expect(await authenticate(dave)).toEqual(['dave', 'system:authenticated']);
  const pkcs1 = createPrivateKey(dave.key).export({ type: 'pkcs1', format: 'pem' }).toString();
  expect(await authenticate({ ...dave, key: pkcs1 })).toEqual(['dave', 'system:authenticated']);
  const erin = await make({ subject: 'CN=erin', issuer: authority });
  const sec1 = createPrivateKey(erin.key).export({ type: 'sec1', format: 'pem' }).toString();
  expect(await authenticate({ ...erin, key: sec1 })).toEqual(['erin', 'system:authenticated']);
});

test('accepts a chain over an intermediate CA, and rejects one over a certificate that may not sign', async () => {
  const between = await make({ subject: 'CN=between', issuer: authority, authority: true });
  const frank = await make({ subject: 'CN=frank', issuer: between });
  expect(await authenticate(frank)).toBe(401);
  expect(await authenticate({ ...frank, certificate: `${frank.certificate}\n${between.certificate}` })).toEqual([
    'frank',
    'system:authenticated',
  ]);
  const user = await make({ subject: 'CN=user', issuer: authority });
  const forged = await make({ subject: 'CN=admin,O=system:masters', issuer: user });
  expect(await authenticate({ ...forged, certificate: `${forged.certificate}\n${user.certificate}` })).toBe(401);
});

test.each([
  [
    'of another authority',
    async () => make({ subject: 'CN=mallory,O=system:masters', issuer: await make({ subject: 'CN=ca', authority: true }) }),
  ],
  ['signed by itself', () => make({ subject: 'CN=mallory,O=system:masters' })],
  ['that is over', () => make({ subject: 'CN=carol', issuer: authority, fromMs: -3 * dayMs })],
  ['that is not valid yet', () => make({ subject: 'CN=carol', issuer: authority, fromMs: 3 * dayMs })],
  ['for servers alone', () => make({ subject: 'CN=carol', issuer: authority, uses: [ExtendedKeyUsage.serverAuth] })],
])('rejects a certificate %s', async (_, made) => {
  expect(await authenticate(await made())).toBe(401);
});

test("creates no session without the certificate's key", async () => {
  const carol = await make({ subject: 'CN=carol', issuer: authority });
  const mallory = await make({ subject: 'CN=mallory', issuer: authority });
  await expect(authenticate({ certificate: carol.certificate, key: mallory.key })).rejects.toThrow(
    'tls: private key does not match public key',
  );
  await expect(authenticate({ certificate: carol.certificate, key: 'no key' })).rejects.toThrow('tls: failed to parse private key');
});

test('rejects an unknown session with 401 instead of treating it as anonymous', async () => {
  const guessed = await send(cluster.handle, '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, undefined, 'guessed');
  expect(guessed.status).toBe(401);
  expect(guessed.headers).toContainEqual([sessionHeader, 'unknown']);
});

/** Signs like a page; each part can be replaced by an invalid one. */
async function show(sessions: CertificateSessions, made: Made, challenge: string, signed: string): Promise<ApiResponse> {
  const bytes = new TextEncoder().encode(signed);
  const signature = Buffer.from(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, made.keys.privateKey, bytes)).toString(
    'base64',
  );
  const chain = [Buffer.from(made.own.rawData).toString('base64')];
  return send(sessions.handle, certificatesPath, { chain, challenge, signature });
}

test('accepts a challenge once, for a minute, and for its origin', async () => {
  const clock = createManualClock();
  const sessions = new CertificateSessions(() => Promise.reject(new Error('not asked')), clock, 'https://here');
  const carol = await make({ subject: 'CN=carol', issuer: authority });
  const newChallenge = async (): Promise<string> => bodyOf(await send(sessions.handle, challengesPath, {})).challenge;
  const text = (origin: string, challenge: string): string => `tabplane client certificate\n${origin}\n${challenge}\n`;
  const first = await newChallenge();
  expect((await show(sessions, carol, first, text('https://here', first))).status).toBe(201);
  expect((await show(sessions, carol, first, text('https://here', first))).status).toBe(400);
  const elsewhere = await newChallenge();
  expect((await show(sessions, carol, elsewhere, text('https://elsewhere', elsewhere))).status).toBe(400);
  const late = await newChallenge();
  await clock.advance(60_001);
  expect((await show(sessions, carol, late, text('https://here', late))).status).toBe(400);
  expect((await show(sessions, carol, 'made-up', text('https://here', 'made-up'))).status).toBe(400);
});

test.each([
  '',
  '[]',
  '{"chain":[],"challenge":"a","signature":"AAAA"}',
  '{"chain":["!"],"challenge":"a","signature":"AAAA"}',
  '{"chain":[7]}',
])('rejects a request without certificate: %s', async (body) => {
  const request = { method: 'POST', target: certificatesPath, headers: new Headers(), signal: new AbortController().signal };
  expect((await cluster.handle({ ...request, body: new TextEncoder().encode(body) })).status).toBe(400);
});

test('passes the certificate to the core without the session header, and presents it again after the host has lost the session', async () => {
  const received: string[] = [];
  const core: ApiHandler = ({ headers, peer }) => {
    received.push(`${headers.get(sessionHeader)} ${peer?.certificates?.length}`);
    return Promise.resolve({ status: 200, headers: [], body: '' });
  };
  const restarted = (): CertificateSessions => new CertificateSessions(core, createManualClock(), 'o');
  let sessions = restarted();
  const handler: ApiHandler = (request) => sessions.handle(request);
  const api = new ClientCertificateSessions(handler, crypto.subtle, 'o').withCertificate(
    await make({ subject: 'CN=carol', issuer: authority }),
    handler,
  );
  await send(api, '/api', {});
  sessions = restarted();
  await send(api, '/api', {});
  expect(received).toEqual(['null 1', 'null 1']);
});

test('ignores certificates without a published CA', async () => {
  const plain = await openMemoryCluster({ names: 'kubernetes', controllers: 'none', folder: '' });
  const carol = await make({ subject: 'CN=carol', issuer: authority });
  // As for a server without --client-ca-file: the user is anonymous, and may not create a SelfSubjectReview.
  expect(await authenticate(carol, plain.handle)).toBe(403);
  await plain.close();
});
