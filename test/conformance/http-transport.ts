import { request as httpsRequest } from 'node:https';
import type { Received, Sent } from './scenario.d.mts';

/** Sends a scenario's requests over https. `fetch` cannot be used, since it adds its own headers. */
export function httpTransport(baseUrl: string): (sent: Sent) => Promise<Received> {
  const { hostname, port } = new URL(baseUrl);
  return ({ method, target, headers, body, cert }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const request = httpsRequest(
        { hostname, port, path: target, method, headers: { ...headers, ...length }, rejectUnauthorized: false, ...cert },
        (response) => {
          const { rawHeaders } = response;
          const list = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
          resolve({ status: response.statusCode ?? 0, headers: list, chunks: response, close: () => response.destroy() });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
}
