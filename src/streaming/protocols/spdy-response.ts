import type { ByteStream } from '../../env/index.ts';
import type { ApiResponse, RequestHeaders } from '../../meta/index.ts';
import { plainText } from './responses.ts';

const protocolHeader = 'x-stream-protocol-version';

/** Whether a request can switch to SPDY. @returns the error response when it cannot */
export function checkSpdy(headers: RequestHeaders): ApiResponse | undefined {
  if (headers.get('upgrade')?.toLowerCase().includes('spdy/3.1')) return undefined;
  return plainText(400, `unable to upgrade: missing upgrade headers in request: ${JSON.stringify(Object.fromEntries(headers))}`);
}

/** The first protocol of the client that the server has, or the error response. Cf. upstream httpstream.Handshake. */
export function negotiateSpdyProtocol(headers: RequestHeaders, supported: readonly string[]): string | ApiResponse {
  const offered = (headers.get(protocolHeader) ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (offered.length === 0) return plainText(400, 'unable to upgrade: X-Stream-Protocol-Version is required\n');
  const chosen = offered.find((one) => supported.includes(one));
  if (chosen !== undefined) return chosen;
  const message = `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${supported.join(' ')}]\n`;
  const refusal = plainText(403, message);
  return { ...refusal, headers: [...supported.map((one) => ['x-accepted-stream-protocol-versions', one] as const), ...refusal.headers] };
}

/** Switches to SPDY/3.1 with a protocol of its streams. */
export function switchToSpdy(protocol: string, serve: (stream: ByteStream) => Promise<void>): ApiResponse {
  const headers = [
    ['connection', 'Upgrade'],
    ['upgrade', 'SPDY/3.1'],
    [protocolHeader, protocol],
  ] as const;
  return { status: 101, headers, body: undefined, upgrade: { kind: 'bytes', serve, cancel: () => {} } };
}
