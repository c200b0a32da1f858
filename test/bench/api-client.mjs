// A client for any Kubernetes API server, over HTTP/1.1 with a fixed number of connections.
import http from 'node:http';
import https from 'node:https';

/** @param {{ baseUrl: string, token: string, connections: number }} options */
export function createApiClient({ baseUrl, token, connections }) {
  const { protocol, hostname, port } = new URL(baseUrl);
  const { Agent, request } = protocol === 'https:' ? https : http;
  // A benchmark does not verify the server's certificate.
  const agent = new Agent({ keepAlive: true, maxSockets: connections, rejectUnauthorized: false });
  const open = (method, path, payload, type, onResponse, onError) => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(payload === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(payload) }),
    };
    const sent = request({ hostname, port, path, method, agent, headers }, onResponse);
    sent.on('error', onError);
    sent.end(payload);
    return sent;
  };
  return {
    /** Resolves with the body's bytes when `withBody` is set, else with their number. */
    send: (method, path, payload, { type = 'application/json', withBody = false } = {}) =>
      new Promise((resolve, reject) => {
        open(method, path, payload, type, (response) => readResponse(response, withBody, `${method} ${path}`, resolve, reject), reject);
      }),
    /** Resolves with a function that stops it when the watch has started; calls `onLine` for every line. */
    watch: (path, onLine) =>
      new Promise((resolve, reject) => {
        const sent = open(
          'GET',
          path,
          undefined,
          '',
          (response) => {
            response.on('data', (chunk) => {
              for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) onLine();
            });
            response.on('error', () => {});
            resolve(() => sent.destroy());
          },
          reject,
        );
      }),
    end: () => agent.destroy(),
  };
}

function readResponse(response, withBody, request, resolve, reject) {
  const chunks = [];
  let length = 0;
  response.on('data', (chunk) => {
    length += chunk.length;
    if (withBody || response.statusCode >= 300) chunks.push(chunk);
  });
  response.on('error', reject);
  response.on('end', () => {
    const body = Buffer.concat(chunks);
    if (response.statusCode < 300) resolve(withBody ? body : length);
    else reject(new Error(`${request}: ${response.statusCode} ${body.toString().slice(0, 300)}`));
  });
}
