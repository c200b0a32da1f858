import {
  type ApiRequest,
  type ApiResponse,
  isWebSocketRequest,
  offeredStreamProtocols,
  type WebSocketConnection,
} from '../../../meta/index.ts';
import type { Chunk, EventStream } from '../../../watch/index.ts';
import type { RequestContext } from '../../request-context.ts';

/** Whether the request is for a WebSocket and the host can open one. */
export function canUseWebSocket(request: ApiRequest): boolean {
  return request.acceptsUpgrade === true && isWebSocketRequest(request.headers);
}

/**
 * A watch whose events are messages: of text in JSON, binary in other media types. Cf. upstream WatchServer.HandleWS, whose handshake
 * requires the header Origin and accepts any one subprotocol.
 */
export function watchOverWebSocket(context: RequestContext, events: EventStream): ApiResponse {
  const { headers } = context.request;
  const protocols = offeredStreamProtocols(headers, context.server.product);
  const refusal = (headers.get('origin') ?? '') === '' ? 403 : protocols.length > 1 ? 400 : undefined;
  if (refusal !== undefined) {
    events.end();
    return { status: refusal, headers: [], body: undefined };
  }
  const isProtobuf = context.accept.mediaType === context.server.product.names.protobufMediaType;
  return {
    status: 101,
    headers: [],
    body: undefined,
    upgrade: {
      kind: 'websocket',
      protocol: protocols[0],
      serve: (socket) => sendEvents(events, socket, isProtobuf ? withoutLength : (chunk) => chunk),
      cancel: () => events.end(),
    },
  };
}

/** A message has its length already: the frame of a protobuf event is sent without it. */
function withoutLength(chunk: Chunk): Chunk {
  return typeof chunk === 'string' ? chunk : chunk.subarray(4);
}

async function sendEvents(events: EventStream, socket: WebSocketConnection, messageOf: (chunk: Chunk) => Chunk): Promise<void> {
  const closed = ignoreMessages(socket).finally(() => events.end());
  for await (const chunk of events.separately()) await socket.send(messageOf(chunk));
  await socket.close();
  await closed;
}

/** Clients of a watch have nothing to send; resolves when the client has closed the connection. */
async function ignoreMessages({ messages }: WebSocketConnection): Promise<void> {
  for await (const _ of messages);
}
