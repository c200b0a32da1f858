/** Requests of the comparisons that send objects of their own. */
import { Agent, request } from 'node:https';

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 64 });

/** Sends a request; the body of the answer is parsed when it is JSON. A URL would resolve the dots and slashes of the path. */
export function send(server, token, { method, target, headers: more = [], type = 'application/json', accept = 'application/json', body }) {
  const { hostname, port } = new URL(server);
  const data = body === undefined ? undefined : JSON.stringify(body);
  const content = data === undefined ? [] : ['content-type', type, 'content-length', String(Buffer.byteLength(data))];
  const own = ['host', `${hostname}:${port}`, 'authorization', `Bearer ${token}`, 'accept', accept, 'user-agent', 'compare'];
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: target, method, agent, headers: [...own, ...content, ...more.flat()] }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { statusCode: status, headers } = response;
        resolve({ status, warning: headers.warning, body: text.startsWith('{') ? JSON.parse(text) : text });
      });
    });
    sent.on('error', reject);
    sent.end(data);
  });
}

export const closeConnections = () => agent.destroy();
