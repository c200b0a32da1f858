import { relayMessages } from '../../client/index.ts';
import { createMessagePair } from '../../env/index.ts';
import {
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  bytesToBase64Url,
  offeredProtocols,
  type ProductName,
  productByName,
  tokenProtocolPrefix,
  type WebSocketMessage,
} from '../../meta/index.ts';

export interface WebSocketServer {
  /** Absolute base URL of its API. */
  readonly baseUrl: string;
  /** The product names of its API. */
  readonly names: ProductName;
  /** Sends the request by fetch, which cannot switch protocols: the response is a refusal, with its reason. */
  readonly refusalOf: ApiHandler;
}

/**
 * Opens a WebSocket to a remote server; the result is the response 101, or the one with which the server refuses. A page can set no headers
 * of a WebSocket: the token of the user is a subprotocol. Nor does it see why a handshake failed.
 *
 * @throws Error for a request as another user, which a subprotocol cannot name
 */
export async function openWebSocket(request: ApiRequest, { baseUrl, names, refusalOf }: WebSocketServer): Promise<ApiResponse> {
  const { signal, target } = request;
  signal.throwIfAborted();
  const protocols = [...offeredProtocols(request.headers), ...credentialsOf(request, names)];
  const webSocket = new WebSocket(baseUrl.replace(/^http/, 'ws').replace(/\/$/, '') + target, protocols);
  webSocket.binaryType = 'arraybuffer';
  const close = (): void => webSocket.close();
  signal.addEventListener('abort', close, { once: true });
  const [near, far] = createMessagePair<WebSocketMessage>();
  webSocket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    void far.send(typeof data === 'string' ? data : new Uint8Array(data));
  });
  const isOpen = await new Promise<boolean>((resolve) => {
    webSocket.addEventListener('open', () => resolve(true));
    webSocket.addEventListener('close', () => {
      signal.removeEventListener('abort', close);
      void far.close();
      resolve(false);
    });
  });
  signal.throwIfAborted();
  if (!isOpen) return refusalOf(request);
  const send = (message: unknown): void => {
    if (webSocket.readyState === WebSocket.OPEN) webSocket.send(message as string | Uint8Array<ArrayBuffer>);
  };
  return {
    status: 101,
    headers: [],
    body: undefined,
    upgrade: {
      kind: 'websocket',
      protocol: webSocket.protocol || undefined,
      serve: (client) => relayMessages(client, { received: near.messages, send, close }),
      cancel: close,
    },
  };
}

function credentialsOf({ headers }: ApiRequest, names: ProductName): readonly string[] {
  if (headers.get('impersonate-user') !== null || headers.get('impersonate-group') !== null)
    throw new Error('a WebSocket of a page cannot impersonate a user: use a context with credentials of this user');
  const [, token] = /^bearer\s+(\S+)/i.exec(headers.get('authorization') ?? '') ?? [];
  if (token === undefined) return [];
  return [tokenProtocolPrefix(productByName(names)) + bytesToBase64Url(new TextEncoder().encode(token))];
}
