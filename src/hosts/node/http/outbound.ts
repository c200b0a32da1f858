import { request as plainRequest } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { type Outbound, type OutboundAnswer, OutboundError, type OutboundRequest, type OutboundTls } from '../../../env/index.ts';
import { joinHostPort } from '../../../meta/index.ts';

/** Sends requests to other servers; connections are pooled per TLS configuration. */
export function createOutbound(): Outbound {
  const agentFor = createAgentPool();
  return { send: (request) => sendRequest(request, agentFor) };
}

/** Returns one agent per TLS configuration. */
export function createAgentPool(): (tls: OutboundTls) => Agent {
  const agents = new Map<string, Agent>();
  return (tls) => {
    const key = JSON.stringify(tls);
    let agent = agents.get(key);
    if (!agent) {
      agent = new Agent({
        keepAlive: true,
        rejectUnauthorized: !tls.unverified,
        ...(tls.authorities === undefined ? {} : { ca: tls.authorities }),
        ...(tls.identity ? { cert: tls.identity.certificate, key: tls.identity.key } : {}),
        ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
      });
      agents.set(key, agent);
    }
    return agent;
  };
}

function sendRequest(
  { method, url, headers, body, timeoutMs, tls }: OutboundRequest,
  agentFor: (tls: OutboundTls) => Agent,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { method, headers: { ...headers, ...length }, signal };
    const fail = (error: unknown): void => reject(signal.aborted ? timeoutError(error) : connectionError(error, url));
    const answer = (incoming: Parameters<NonNullable<Parameters<typeof plainRequest>[2]>>[0]): void => {
      const named = Object.entries(incoming.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')] as const],
      );
      text(incoming).then((whole) => resolve({ status: incoming.statusCode ?? 0, headers: Object.fromEntries(named), body: whole }), fail);
    };
    const sent = url.startsWith('https:')
      ? secureRequest(url, { ...options, agent: agentFor(tls) }, answer)
      : plainRequest(url, options, answer);
    sent.on('error', fail);
    sent.end(body);
  });
}

function timeoutError(error: unknown): OutboundError {
  return new OutboundError('timeout', 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)', error);
}

/** Converts a connection error to Go's message, as far as Node's error code allows. */
export function connectionError(error: unknown, url: string): OutboundError {
  const { code = '', message } = error as { readonly code?: string; readonly message: string };
  const { hostname } = new URL(url);
  switch (code) {
    case 'ECONNREFUSED':
      return new OutboundError('unreachable', `dial tcp ${dialedAddress(error, url)}: connect: connection refused`, error);
    case 'ECONNRESET':
      return new OutboundError('reset', 'EOF', error);
    case 'ENOTFOUND':
      return new OutboundError('unreachable', `dial tcp: lookup ${hostname}: no such host`, error);
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return new OutboundError('unreachable', 'tls: failed to verify certificate: x509: certificate signed by unknown authority', error);
    default:
      return new OutboundError('unreachable', message, error);
  }
}

/** The address that refused the connection, the first one of a host with several; that of the URL if the error has none. */
function dialedAddress(error: unknown, url: string): string {
  const [{ address, port } = {}] = (error as { readonly errors?: readonly DialError[] }).errors ?? [error as DialError];
  if (address !== undefined) return joinHostPort(address, port);
  const parsed = new URL(url);
  return `${parsed.hostname}:${parsed.port === '' ? (parsed.protocol === 'https:' ? 443 : 80) : parsed.port}`;
}

/** Node's error for one address. */
interface DialError {
  readonly address?: string;
  readonly port?: number;
}
