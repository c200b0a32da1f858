import type { ApiResponse, WebSocketConnection } from '../../meta/index.ts';

export function plainText(status: number, message: string): ApiResponse {
  return { status, headers: [['content-type', 'text/plain; charset=utf-8']], body: message };
}

/** Switches to a WebSocket with a subprotocol. */
export function switchToWebSocket(protocol: string | undefined, serve: (socket: WebSocketConnection) => Promise<void>): ApiResponse {
  return { status: 101, headers: [], body: undefined, upgrade: { kind: 'websocket', protocol, serve, cancel: () => {} } };
}
