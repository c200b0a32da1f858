// Requests a second over plain http, compared with a bare node:http server that echoes the same bodies on the same machine.
import http from 'node:http';
import { median } from './measure.mjs';
import { inFolder, serveArguments, start } from './serving.mjs';

export const goals = { "gets, part of the echo's rate": { atLeast: 0.6 }, "creates, part of the echo's rate": { atLeast: 0.6 } };

const filler = 'x'.repeat(700);
const body = (name) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { k: filler } });

const echo = `
const http = require('node:http');
const server = http.createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => { const all = Buffer.concat(parts); response.setHeader('content-type', 'application/json'); response.end(all.length ? all : ${JSON.stringify(body('echo'))}); });
});
server.listen(0, '127.0.0.1', () => console.log('serving on http://127.0.0.1:' + server.address().port));
process.on('SIGTERM', () => process.exit(0));`;

/** Sends `count` requests over `connections` concurrent connections; returns requests per second. */
async function load(url, connections, count, make) {
  const { hostname, port } = new URL(url);
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  const one = (i) =>
    new Promise((resolve, reject) => {
      const { method, path, payload } = make(i);
      const headers = { authorization: 'Bearer admin-token', accept: 'application/json', 'content-type': 'application/json' };
      const request = http.request(
        { hostname, port, path, method, agent, headers: payload ? { ...headers, 'content-length': Buffer.byteLength(payload) } : headers },
        (response) => {
          response.resume();
          response.on('end', () =>
            response.statusCode < 300 ? resolve() : reject(new Error(`${method} ${path}: ${response.statusCode}`)),
          );
        },
      );
      request.on('error', reject);
      request.end(payload);
    });
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < count) await one(next++);
    }),
  );
  agent.destroy();
  return (count / (performance.now() - started)) * 1000;
}

/** @returns {Promise<Record<string, number>>} */
export function benchOverHttp() {
  return inFolder((folder) => besideEcho(serveArguments(folder, '--insecure')));
}

async function besideEcho(serve) {
  const results = {};
  const collection = '/api/v1/namespaces/default/configmaps';
  const rounds = { bare: { get: [], create: [] }, ours: { get: [], create: [] } };
  const servers = {};
  try {
    servers.bare = await start(['-e', echo]);
    servers.ours = await start(serve);
    for (let round = 0; round < 4; round++) {
      for (const [name, { url }] of Object.entries(servers)) {
        const create = await load(url, 16, 1500, (i) => ({ method: 'POST', path: collection, payload: body(`r${round}-${i}`) }));
        const get = await load(url, 16, 3000, (i) => ({ method: 'GET', path: `${collection}/r${round}-${i % 1500}` }));
        // The first round warms up both servers.
        if (round > 0) {
          rounds[name].create.push(create);
          rounds[name].get.push(get);
        }
      }
    }
  } finally {
    for (const { stop } of Object.values(servers)) await stop();
  }
  for (const verb of ['get', 'create']) {
    results[`${verb}s a second, 16 connections`] = median(rounds.ours[verb]);
    results[`${verb}s a second, bare echo`] = median(rounds.bare[verb]);
    results[`${verb}s, part of the echo's rate`] = median(rounds.ours[verb]) / median(rounds.bare[verb]);
  }
  return results;
}
