import { base64UrlToBytes, decodeUtf8, type Product } from '../meta/index.ts';

/** The bearer token of a WebSocket request. Pages cannot set an Authorization header there. */
export type WebSocketToken = { readonly token: string | undefined } | { readonly problem: string };

const none: WebSocketToken = { token: undefined };

/**
 * Reads the token from the subprotocols of a WebSocket request, which needs at least one other subprotocol:
 *
 *     Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.<token>, v5.channel.k8s.io
 */
export function readWebSocketToken(headers: { get(name: string): string | null }, product: Product): WebSocketToken {
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket' || !/(?:^|,)\s*upgrade\s*(?:,|$)/i.test(headers.get('connection') ?? ''))
    return none;
  const prefix = product.rename('base64url.bearer.authorization.k8s.io.');
  const protocols = (headers.get('sec-websocket-protocol') ?? '').split(',').map((one) => one.trim());
  const [given, ...more] = protocols.filter((one) => one.startsWith(prefix));
  if (given === undefined) return none;
  if (more.length > 0) return { problem: 'multiple base64.bearer.authorization tokens specified' };
  const encoded = given.slice(prefix.length);
  if (!/^[\w-]*$/.test(encoded) || encoded.length % 4 === 1) return { problem: 'invalid base64.bearer.authorization token encoding' };
  const token = decodeUtf8(base64UrlToBytes(encoded));
  if (token === undefined) return { problem: 'invalid base64.bearer.authorization token' };
  if (token === '') return none;
  return protocols.length === 1 ? { problem: 'missing additional subprotocol' } : { token };
}
