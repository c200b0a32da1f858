/** The wire protocols of connections to containers: channels over WebSocket, streams over SPDY. */
export { createStreamProtocols, createWebSocketProtocols } from './create-stream-protocols.ts';
export type { HeaderCompression } from './spdy/header-compression.ts';
