import type { Product } from '../product.ts';

interface ReadableHeaders {
  get(name: string): string | null;
}

/** Whether a request is for a WebSocket, by its headers alone. */
export function isWebSocketRequest(headers: ReadableHeaders): boolean {
  return headers.get('upgrade')?.toLowerCase() === 'websocket' && /(?:^|,)\s*upgrade\s*(?:,|$)/i.test(headers.get('connection') ?? '');
}

/** The subprotocols that a WebSocket request offers, in order, as sent. */
export function offeredProtocols(headers: ReadableHeaders): readonly string[] {
  const text = (headers.get('sec-websocket-protocol') ?? '').trim();
  return text === '' ? [] : text.split(',').map((one) => one.trim());
}

/** What a bearer token in a subprotocol begins with. */
export function tokenProtocolPrefix(product: Product): string {
  return product.rename('base64url.bearer.authorization.k8s.io.');
}

/** The offered subprotocols without the one that has the bearer token. */
export function offeredStreamProtocols(headers: ReadableHeaders, product: Product): readonly string[] {
  const prefix = tokenProtocolPrefix(product);
  return offeredProtocols(headers).filter((one) => !one.startsWith(prefix));
}
