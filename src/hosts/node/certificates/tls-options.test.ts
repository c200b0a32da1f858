import type { AddressInfo } from 'node:net';
import { connect, createServer, type SecureVersion, type TLSSocket } from 'node:tls';
import { beforeAll, expect, test } from 'vitest';
import { createCertificate, type ServerCertificate } from './certificate.ts';
import { type TlsSettings, tlsDefaults, tlsOptions } from './tls-options.ts';

let certificate: ServerCertificate;
beforeAll(async () => {
  certificate = await createCertificate(['localhost'], Date.now());
});

/** The negotiated suite for a client with these suites; undefined without one. */
async function suiteFor(settings: TlsSettings, ciphers: string, maxVersion: SecureVersion = 'TLSv1.2'): Promise<string | undefined> {
  const server = createServer(tlsOptions(certificate, settings, ''));
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket: TLSSocket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ciphers, maxVersion, minVersion: 'TLSv1' });
  const suite = await new Promise<string | undefined>((resolve) => {
    socket.once('secureConnect', () => resolve(socket.getCipher().name));
    socket.once('error', () => resolve(undefined));
  });
  socket.destroy();
  await new Promise((resolve) => void server.close(resolve));
  return suite;
}

const kindOf = (): string => (certificate.key.includes('RSA') ? 'RSA' : 'ECDSA');

test('offers AEAD cipher suites', async () => {
  for (const cipher of ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305']) {
    const both = ['ECDSA', 'RSA'].map((kind) => `ECDHE-${kind}-${cipher}`);
    expect(both).toContain(await suiteFor(tlsDefaults, both.join(':')));
  }
  expect(await suiteFor(tlsDefaults, 'TLS_AES_128_GCM_SHA256', 'TLSv1.3')).toBe('TLS_AES_128_GCM_SHA256');
});

test.each(['SHA', 'SHA256', 'SHA384'])('offers no CBC suites with %s, nor RSA key exchange', async (hash) => {
  const cbc = ['AES128', 'AES256'].flatMap((cipher) => [
    `ECDHE-ECDSA-${cipher}-${hash}`,
    `ECDHE-RSA-${cipher}-${hash}`,
    `${cipher}-${hash}`,
  ]);
  expect(await suiteFor(tlsDefaults, cbc.join(':'))).toBeUndefined();
});

test('offers the suites of the flags instead, by their names in Go', async () => {
  const cipherSuites = ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'TLS_AES_128_GCM_SHA256'];
  const settings = { minVersion: '', cipherSuites };
  expect(await suiteFor(settings, 'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA')).toBe(`ECDHE-${kindOf()}-AES128-SHA`);
  expect(await suiteFor(settings, 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256')).toBeUndefined();
});

test('offers no version below the minimum', async () => {
  const both = 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256';
  expect(await suiteFor({ minVersion: 'VersionTLS13', cipherSuites: [] }, both)).toBeUndefined();
  expect(await suiteFor({ minVersion: 'VersionTLS12', cipherSuites: [] }, both)).toBeDefined();
});

test('maps every suite to its OpenSSL name', () => {
  const names = [
    ['TLS_RSA_WITH_AES_128_CBC_SHA256', 'AES128-SHA256'],
    ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
    ['TLS_RSA_WITH_3DES_EDE_CBC_SHA', 'DES-CBC3-SHA'],
    ['TLS_ECDHE_RSA_WITH_RC4_128_SHA', 'ECDHE-RSA-RC4-SHA'],
    ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
    ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ] as const;
  for (const [go, openSsl] of names)
    expect(
      tlsOptions(certificate, { minVersion: '', cipherSuites: [go] }, '')
        .ciphers?.split(':')
        .at(-1),
    ).toBe(openSsl);
});
