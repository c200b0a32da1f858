import { base64UrlToBytes, decodeUtf8, isWebSocketRequest, offeredProtocols, type Product, tokenProtocolPrefix } from '../meta/index.ts';

/** The bearer token of a WebSocket request. Pages cannot set an Authorization header there. */
export type WebSocketToken = { readonly token: string | undefined } | { readonly problem: string };

const none: WebSocketToken = { token: undefined };

/**
 * Reads the token from the subprotocols of a WebSocket request, which needs at least one other subprotocol:
 *
 *     Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.<token>, v5.channel.k8s.io
 */
export function readWebSocketToken(headers: { get(name: string): string | null }, product: Product): WebSocketToken {
  if (!isWebSocketRequest(headers)) return none;
  const prefix = tokenProtocolPrefix(product);
  const protocols = offeredProtocols(headers);
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
