import { expect, test } from 'vitest';
import { ApiClient } from '../client/index.ts';
import { createMemoryLog } from '../env/index.ts';
import { type ApiHandler, productByName, withHeaders } from '../meta/index.ts';
import { X509Error } from '../x509/index.ts';
import { createRemoteAuthority, type RemoteAuthority, wrapAuthorityHandler } from './remote-authority.ts';

const described = { organizations: ['dev'], commonName: 'bob', dnsNames: [], ipAddresses: [], emailAddresses: [], uris: [] };
const authority: RemoteAuthority = {
  async readRequest(pem) {
    if (pem === 'failing') throw new Error('no entropy');
    if (pem !== 'request') throw new X509Error('PEM block type must be CERTIFICATE REQUEST');
    return described;
  },
  sign: async (order) => JSON.stringify(order),
  servingCertificate: async () => 'serving',
};
const log = createMemoryLog();
const next: ApiHandler = async () => ({ status: 404, headers: [], body: '{"message":"not found"}' });

function remote(handler: ApiHandler, token = 'admin-token'): RemoteAuthority {
  const api = withHeaders(handler, [['authorization', `Bearer ${token}`]]);
  return createRemoteAuthority(new ApiClient({ api, product: productByName('svc'), signal: new AbortController().signal }));
}

test('requests are described and signed by the CA of the other thread', async () => {
  const client = remote(wrapAuthorityHandler(authority, next, log));
  const order = { request: 'request', usages: ['client auth'], notBeforeMs: 1, notAfterMs: 2 };
  expect(await client.readRequest('request')).toEqual(described);
  expect(JSON.parse(await client.sign(order))).toEqual(order);
  expect(await client.servingCertificate()).toBe('serving');
});

test('a malformed request is rejected with its error, and other users have no access', async () => {
  const handler = wrapAuthorityHandler(authority, next, log);
  await expect(remote(handler).readRequest('x')).rejects.toThrow('PEM block type must be CERTIFICATE REQUEST');
  await expect(remote(handler).readRequest('x')).rejects.toMatchObject({ status: 400 });
  await expect(remote(handler, 'alice-token').readRequest('request')).rejects.toMatchObject({ status: 403 });
});

test('a cluster without a CA has no serving certificate, and other requests pass', async () => {
  expect(await remote(next).servingCertificate()).toBeUndefined();
  const { status } = await wrapAuthorityHandler(
    authority,
    next,
    log,
  )({
    method: 'GET',
    target: '/api',
    headers: new Headers(),
    body: undefined,
    signal: new AbortController().signal,
  });
  expect(status).toBe(404);
});

test('an unknown error is logged, and has status 500', async () => {
  const client = remote(wrapAuthorityHandler(authority, next, log));
  await expect(client.readRequest('failing')).rejects.toMatchObject({ status: 500, message: 'no entropy' });
  expect(log.lines.map(({ event }) => event)).toEqual(['certificate authority failed']);
});
