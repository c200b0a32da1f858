#!/usr/bin/env node
// Serves the API of a cluster in a page, so that clients outside the browser, such as the official conformance suite, can use it:
//   node test/conformance/relay.mjs KUBECONFIG    writes the client configuration there, and serves until it is stopped.
// Each request is a fetch in the page, through its Service Worker. Upgrades are refused: a fetch cannot switch protocols.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { cryptoProvider, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { WebSocketServer } from 'ws';
import { inBrowser } from '../bench/browser.mjs';

/** Headers of the connection, which the page's fetch sets itself. */
const ownHeaders = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding']);

const [kubeconfig = 'kubeconfig'] = process.argv.slice(2);

await inBrowser(async ({ browser, server: site }) => {
  const context = await browser.newContext({ bypassCSP: true, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`${site.url}?names=kubernetes`);
  await page.waitForFunction(() => globalThis.tabplane?.status().transport === 'service-worker');
  // Clients send no tokens over plain connections.
  const tls = await createCertificate();
  const server = createServer(tls);
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/~relay') sockets.handleUpgrade(request, socket, head, (webSocket) => sockets.emit('connection', webSocket));
    else socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${server.address().port}`;
  const connected = once(sockets, 'connection');
  const relayed = page.evaluate(relayInPage, { address: `wss://${address}/~relay`, authority: tls.cert });
  relayed.catch((error) => {
    console.error(error);
    process.exit(1);
  });
  const [webSocket] = await connected;
  server.on('request', relayOver(webSocket));
  writeFileSync(kubeconfig, JSON.stringify(configOf(`https://${address}`, tls.cert), null, 2));
  console.log(`serving on https://${address}`);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  server.closeAllConnections();
  server.close();
});

/** A certificate for 127.0.0.1 that signs itself. */
async function createCertificate() {
  cryptoProvider.set(webcrypto);
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const extensions = [new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])];
  const certificate = await X509CertificateGenerator.createSelfSigned({ name: 'CN=relay', keys, signingAlgorithm, extensions });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return { cert: certificate.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n` };
}

function configOf(server, certificate) {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'page', cluster: { server, 'certificate-authority-data': Buffer.from(certificate).toString('base64') } }],
    users: [{ name: 'admin', user: { token: 'admin-token' } }],
    contexts: [{ name: 'page', context: { cluster: 'page', user: 'admin' } }],
    'current-context': 'page',
  };
}

/** A message is JSON, or a chunk of a response: its number in four bytes, then the bytes. */
function relayOver(webSocket) {
  const pending = new Map();
  let last = 0;
  webSocket.on('message', (data, isBinary) => {
    if (isBinary) {
      pending.get(data.readUInt32BE(0))?.write(data.subarray(4));
      return;
    }
    const { id, status, headers, isEnd, failure } = JSON.parse(data.toString());
    const response = pending.get(id);
    if (!response) return;
    if (status !== undefined) {
      response.writeHead(status, headers);
      response.flushHeaders();
    }
    if (failure !== undefined) response.destroy(new Error(failure));
    if (isEnd) response.end();
  });
  return async (request, response) => {
    const id = ++last;
    pending.set(id, response);
    response.on('close', () => {
      pending.delete(id);
      if (!response.writableFinished) webSocket.send(JSON.stringify({ id, isCancelled: true }));
    });
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.entries(request.headers).filter(([name]) => !ownHeaders.has(name));
    const body = Buffer.concat(chunks).toString('base64');
    webSocket.send(JSON.stringify({ id, method: request.method, target: request.url, headers, body }));
  };
}

/** Runs in the page. */
function relayInPage({ address, authority }) {
  const base = globalThis.tabplane.beside('kubernetes').baseUrl;
  void publishAuthority(`${base}/api/v1/namespaces`);
  const socket = new WebSocket(address);
  const running = new Map();
  const send = (message) => socket.send(JSON.stringify(message));
  const chunkOf = (id, bytes) => {
    const chunk = new Uint8Array(bytes.length + 4);
    new DataView(chunk.buffer).setUint32(0, id);
    chunk.set(bytes, 4);
    return chunk;
  };
  /** As kube-controller-manager with `--root-ca-file`: a page has no authority of its own, and the suite waits for it in each namespace. */
  async function publishAuthority(namespaces) {
    const init = { headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' } };
    const body = JSON.stringify({ metadata: { name: 'kube-root-ca.crt' }, data: { 'ca.crt': authority } });
    for (;;) {
      const { body: events } = await fetch(`${namespaces}?watch=true`, init);
      let rest = '';
      for await (const text of events.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const { type, object } of lines.map((line) => JSON.parse(line)))
          if (type === 'ADDED') void fetch(`${namespaces}/${object.metadata.name}/configmaps`, { ...init, method: 'POST', body });
      }
    }
  }
  async function run({ id, method, target, headers, body }) {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const all = new Headers(headers);
      // Chromium overwrites this header.
      all.set('x-tabplane-user-agent', all.get('user-agent') ?? '');
      const init = { method, headers: all, signal: abort.signal, cache: 'no-store', redirect: 'manual' };
      const bytes = Uint8Array.from(atob(body), (char) => char.charCodeAt(0));
      const response = await fetch(base + target, bytes.length > 0 ? { ...init, body: bytes } : init);
      send({ id, status: response.status, headers: [...response.headers].filter(([name]) => name !== 'content-length').flat() });
      if (response.body) for await (const part of response.body) socket.send(chunkOf(id, part));
      send({ id, isEnd: true });
    } catch (error) {
      if (!abort.signal.aborted) send({ id, failure: String(error) });
    } finally {
      running.delete(id);
    }
  }
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    if (message.isCancelled) running.get(message.id)?.abort();
    else void run(message);
  });
  return new Promise((_, reject) => {
    socket.addEventListener('close', () => reject(new Error('the relay was closed')));
  });
}
