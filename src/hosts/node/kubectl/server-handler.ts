import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { OutboundTls } from '../../../env/index.ts';
import type { ApiHandler } from '../../../meta/index.ts';
import { connectionError, createAgentPool } from '../http/outbound.ts';
import { pairsOf } from './raw-headers.ts';

/** Connects to remote servers; connections are pooled per TLS configuration. */
export function createServerConnect(): (origin: string, tls?: OutboundTls) => ApiHandler {
  const agentFor = createAgentPool();
  return (origin, tls) =>
    ({ method, target, headers, body, signal }) => {
      const agent = origin.startsWith('https:') ? agentFor(tls ?? defaultTls) : undefined;
      if (headers.get('upgrade') === 'websocket')
        return import('./open-web-socket.ts').then(({ openWebSocket }) => openWebSocket({ url: origin + target, headers, agent, signal }));
      return new Promise((resolve, reject) => {
        const sent: Record<string, string> = Object.fromEntries(headers);
        if (body) sent['content-length'] = String(body.length);
        const answer = (response: IncomingMessage): void =>
          resolve({ status: response.statusCode ?? 0, headers: [...pairsOf(response.rawHeaders)], body: response });
        const outgoing = agent
          ? secureRequest(origin + target, { method, headers: sent, agent }, answer)
          : plainRequest(origin + target, { method, headers: sent }, answer);
        outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : connectionError(error, origin)));
        const stop = (): void => void outgoing.destroy();
        signal.addEventListener('abort', stop, { once: true });
        outgoing.on('close', () => signal.removeEventListener('abort', stop));
        outgoing.end(body);
      });
    };
}

/** TLS settings of a kubeconfig without certificates. */
const defaultTls: OutboundTls = { authorities: undefined, identity: undefined, serverName: undefined, unverified: false };
