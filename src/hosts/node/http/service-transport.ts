import type { IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { ServiceTransport } from '../../../cluster/index.ts';
import { OutboundError, type OutboundTls } from '../../../env/index.ts';
import { joinHostPort } from '../../../meta/index.ts';
import { connectionError, createAgentPool } from './outbound.ts';

type HeaderLines = Parameters<ServiceTransport['send']>[0]['headers'];

/** Reaches aggregated API servers, with the client certificate by which they trust the headers with the user. */
export function createHttpsTransport(identity: OutboundTls['identity'] | undefined): ServiceTransport {
  const agentFor = createAgentPool();
  return {
    send: ({ host, port, tls, method, target, headers, body, signal }) =>
      new Promise((resolve, reject) => {
        const url = `https://${joinHostPort(host, port)}`;
        const fail = (error: unknown): void =>
          reject(signal.aborted ? new OutboundError('timeout', String(signal.reason), error) : connectionError(error, url));
        const options = { method, headers: headersByName(headers), signal, agent: agentFor({ ...tls, identity }) };
        const sent = secureRequest(`${url}${target}`, options, (incoming) =>
          resolve({ status: incoming.statusCode ?? 0, headers: headerLines(incoming), body: incoming }),
        );
        sent.on('error', fail);
        sent.end(body);
      }),
  };
}

function headersByName(lines: HeaderLines): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (const [name, value] of lines) headers[name] = [...(headers[name] ?? []), value];
  return headers;
}

function headerLines({ rawHeaders }: IncomingMessage): HeaderLines {
  const lines: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    lines.push([(rawHeaders[index] ?? '').toLowerCase(), rawHeaders[index + 1] ?? '']);
  return lines;
}
