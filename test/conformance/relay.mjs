#!/usr/bin/env node
// Serves the API of a cluster in a page, so that clients outside the browser, such as the official conformance suite, can use it:
//   node test/conformance/relay.mjs KUBECONFIG    writes the client configuration there, and serves until it is stopped.
// Each request is a fetch in the page, through its Service Worker. A fetch cannot switch protocols: WebSockets use a message port of the
// worker, as the terminals of the page do. The page refuses upgrades to other protocols.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { createServer } from 'node:https';
import { cryptoProvider, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { WebSocketServer } from 'ws';
import { inBrowser } from '../bench/browser.mjs';
import { relayInPage } from './relay-in-page.mjs';

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
  let relay;
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/~relay') sockets.handleUpgrade(request, socket, head, (webSocket) => sockets.emit('connection', webSocket));
    else relay.switchProtocols(request, socket, head);
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
  relay = relayOver(webSocket);
  server.on('request', relay.serve);
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

/** A message is JSON, or a chunk of a response or of a connection: its number in four bytes, then the bytes. */
function relayOver(webSocket) {
  const pending = new Map();
  let last = 0;
  const send = (message) => webSocket.send(JSON.stringify(message));
  const begin = (call) => {
    const id = ++last;
    pending.set(id, call);
    return id;
  };
  const cancel = (id) => {
    if (pending.delete(id)) send({ id, isCancelled: true });
  };
  webSocket.on('message', (data, isBinary) => {
    if (isBinary) {
      pending.get(data.readUInt32BE(0))?.receive(data.subarray(4));
      return;
    }
    const { id, status, headers, protocol, text, isEnd, failure } = JSON.parse(data.toString());
    const call = pending.get(id);
    if (!call) return;
    if (protocol !== undefined) call.switchTo(protocol);
    if (status !== undefined) call.respond(status, headers);
    if (text !== undefined) call.receive(text);
    if (isEnd || failure !== undefined) pending.delete(id);
    if (isEnd) call.end();
    if (failure !== undefined) call.fail(new Error(failure));
  });
  return {
    async serve(request, response) {
      const id = begin({
        respond(status, headers) {
          response.writeHead(status, headers);
          response.flushHeaders();
        },
        receive: (chunk) => response.write(chunk),
        end: () => response.end(),
        fail: (error) => response.destroy(error),
      });
      response.on('close', () => cancel(id));
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = Object.entries(request.headers).filter(([name]) => !ownHeaders.has(name));
      const body = Buffer.concat(chunks).toString('base64');
      send({ id, method: request.method, target: request.url, headers, body });
    },
    switchProtocols(request, socket, head) {
      let connection;
      const id = begin({
        switchTo(protocol) {
          const server = new WebSocketServer({ noServer: true, handleProtocols: () => protocol || false });
          server.handleUpgrade(request, socket, head, (opened) => {
            connection = opened;
            opened.on('message', (data, isBinary) => {
              if (isBinary) webSocket.send(chunkOf(id, data));
              else send({ id, text: data.toString() });
            });
          });
        },
        // Of a request that was refused.
        respond(status, headers) {
          const lines = headers.flatMap((text, at) => (at % 2 === 0 ? [`${text}: ${headers[at + 1]}`] : []));
          socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'connection: close', ...lines, '', ''].join('\r\n'));
        },
        receive: (message) => (connection ? connection.send(message) : socket.write(message)),
        end: () => (connection ? connection.close(1000) : socket.end()),
        fail: (error) => socket.destroy(error),
      });
      socket.on('error', () => {});
      socket.on('close', () => cancel(id));
      send({ id, method: request.method, target: request.url, headers: Object.entries(request.headers), isUpgrade: true });
    },
  };
}

function chunkOf(id, bytes) {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(id);
  return Buffer.concat([head, bytes]);
}
