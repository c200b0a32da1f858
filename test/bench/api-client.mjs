// Any server that speaks the API, over HTTP/1.1: its base URL, a token, and as many connections as asked for.
import http from 'node:http';
import https from 'node:https';

/** @param {{ baseUrl: string, token: string, connections: number }} options */
export function createApiClient({ baseUrl, token, connections }) {
  const { protocol, hostname, port } = new URL(baseUrl);
  const { Agent, request } = protocol === 'https:' ? https : http;
  // Whoever measures knows whom they ask.
  const agent = new Agent({ keepAlive: true, maxSockets: connections, rejectUnauthorized: false });
  const open = (method, path, payload, type, onAnswer, onError) => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(payload === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(payload) }),
    };
    const sent = request({ hostname, port, path, method, agent, headers }, onAnswer);
    sent.on('error', onError);
    sent.end(payload);
    return sent;
  };
  return {
    /** The answer's body, as bytes when `keep` says so, else only its length. */
    send: (method, path, payload, { type = 'application/json', keep = false } = {}) =>
      new Promise((resolve, reject) => {
        open(method, path, payload, type, (answer) => read(answer, keep, `${method} ${path}`, resolve, reject), reject);
      }),
    /** Resolves when the watch is in place; every line is told of. The answer ends it. */
    watch: (path, onLine) =>
      new Promise((resolve, reject) => {
        const sent = open(
          'GET',
          path,
          undefined,
          '',
          (answer) => {
            answer.on('data', (chunk) => {
              for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) onLine();
            });
            answer.on('error', () => {});
            resolve(() => sent.destroy());
          },
          reject,
        );
      }),
    end: () => agent.destroy(),
  };
}

function read(answer, keep, what, resolve, reject) {
  const chunks = [];
  let length = 0;
  answer.on('data', (chunk) => {
    length += chunk.length;
    if (keep || answer.statusCode >= 300) chunks.push(chunk);
  });
  answer.on('error', reject);
  answer.on('end', () => {
    const body = Buffer.concat(chunks);
    if (answer.statusCode < 300) resolve(keep ? body : length);
    else reject(new Error(`${what}: ${answer.statusCode} ${body.toString().slice(0, 300)}`));
  });
}
