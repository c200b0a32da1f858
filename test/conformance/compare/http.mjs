/** Requests of the comparisons. */
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 200 });

/**
 * Resolves with the response when its head has arrived. A URL would resolve the dots and slashes of the path. Rejects when the connection
 * fails, or when nothing arrives for `timeoutMs`.
 */
export function open(
  server,
  token,
  { method, target, headers = [], type = 'application/json', accept = 'application/json', body },
  timeoutMs,
) {
  const { hostname, port } = new URL(server);
  const data = body === undefined ? undefined : JSON.stringify(body);
  const content = data === undefined ? [] : ['content-type', type, 'content-length', String(Buffer.byteLength(data))];
  const own = ['host', `${hostname}:${port}`, 'authorization', `Bearer ${token}`, 'accept', accept, 'user-agent', 'compare'];
  const options = { hostname, port, path: target, method, agent, headers: [...own, ...content, ...headers.flat()], timeout: timeoutMs };
  return new Promise((resolve, reject) => {
    const sent = request(options, resolve);
    sent.on('timeout', () => sent.destroy(new Error(`no response in ${timeoutMs} ms to ${method} ${server}${target}`)));
    sent.on('error', reject);
    sent.end(data);
  });
}

/** Rejects when the connection fails before the end. */
export async function readText(response) {
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The body is parsed when it is an object in JSON. */
export async function send(server, token, message) {
  const response = await open(server, token, message);
  const text = await readText(response);
  const { statusCode: status, headers } = response;
  return { status, warning: headers.warning, body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** Waits until a server serves a definition. @throws Error after 200 attempts */
export async function untilServed(server, token, target) {
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await send(server, token, { method: 'GET', target })).status === 200) return;
    await sleep(50);
  }
  throw new Error(`${server} does not serve ${target}`);
}

export const closeConnections = () => agent.destroy();
