import { createConnectionPort, createPortHandler, readText } from '../../client/index.ts';
import { type ByteSource, type ByteStream, createMessagePair, type MessageConnection } from '../../env/index.ts';
import {
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  createHeaders,
  hostErrorResponse,
  type ResponseBody,
  type WebSocketMessage,
} from '../../meta/index.ts';
import { NetworkError } from '../../network/index.ts';
import { type Dialer, type DialTarget, KubeletError, type Kubelets, type RemoteKubelet } from '../../streaming/index.ts';
import { byteStreamOver, type NodeCall, nodesPath, notAccepted } from './node-call.ts';

/**
 * The nodes of a cluster in another thread, which connects to the API server (`serve-nodes.ts`): here are their kubelets, and connections
 * into their network. Cf. konnectivity, where the agents of the nodes connect to the API server, too.
 */
export class RemoteNodes implements Kubelets, Dialer {
  /** By the name of a node. */
  readonly #handlers = new Map<string, ApiHandler>();
  readonly #connections = new Set<MessageConnection<unknown>>();

  /** Handles requests to `/~nodes`, and passes all others to `next`. */
  wrapHandler(next: ApiHandler): ApiHandler {
    return async (request) => {
      const [path, query] = request.target.split('?');
      if (path !== nodesPath) return next(request);
      if (!request.acceptsUpgrade) return hostErrorResponse(400, 'the nodes connect by a message port');
      const nodes = new URLSearchParams(query).getAll('node');
      return {
        status: 101,
        headers: [],
        body: undefined,
        upgrade: { kind: 'port', serve: (connection) => this.#serve(nodes, connection), cancel: () => {} },
      };
    };
  }

  kubeletOf(node: string): RemoteKubelet | undefined {
    const handle = this.#handlers.get(node);
    if (!handle) return undefined;
    return {
      containerLogs: (request, signal) => readLog(handle, { kind: 'logs', node, request }, signal),
      http: (request) => handle({ ...request, target: targetOf({ kind: 'http', node, target: request.target }) }),
      serveStreams: (request, call) => handle({ ...request, target: targetOf({ kind: 'streams', node, call }) }),
    };
  }

  /** @throws NetworkError EHOSTUNREACH when nothing accepts the connection: functions of a page may answer in its place */
  async dial(to: DialTarget, signal: AbortSignal): Promise<ByteStream> {
    const [handle] = this.#handlers.values();
    if (!handle) throw new NetworkError('EHOSTUNREACH', `dial tcp ${to.host}:${to.port}: connect: no route to host`);
    const { status, upgrade, body } = await handle(requestOf({ kind: 'dial', to }, signal));
    if (upgrade?.kind !== 'websocket') {
      const text = await readText(body);
      throw status === notAccepted ? new NetworkError('EHOSTUNREACH', text) : new Error(text);
    }
    const [theirs, ours] = createMessagePair<WebSocketMessage>();
    void upgrade.serve(theirs).catch(() => ours.close());
    return byteStreamOver(ours);
  }

  /** Ends the connections: the thread of the nodes connects again to the next owner of the cluster. */
  close(): void {
    for (const connection of this.#connections) void connection.close();
  }

  async #serve(nodes: readonly string[], connection: MessageConnection<unknown>): Promise<void> {
    const { port, run } = createConnectionPort(connection);
    const { handle, markClosed } = createPortHandler(port);
    for (const node of nodes) this.#handlers.set(node, handle);
    this.#connections.add(connection);
    await run();
    markClosed();
    this.#connections.delete(connection);
    for (const node of nodes) if (this.#handlers.get(node) === handle) this.#handlers.delete(node);
  }
}

const targetOf = (call: NodeCall): string => JSON.stringify(call);

function requestOf(call: NodeCall, signal: AbortSignal): ApiRequest {
  return { method: 'GET', target: targetOf(call), headers: createHeaders([]), body: undefined, acceptsUpgrade: true, signal };
}

/** @throws KubeletError */
async function readLog(handle: ApiHandler, call: NodeCall, signal: AbortSignal): Promise<ByteSource> {
  const { status, body }: ApiResponse = await handle(requestOf(call, signal));
  if (status !== 200) throw new KubeletError(status, await readText(body));
  return bytesOf(body);
}

async function* bytesOf(body: ResponseBody): ByteSource {
  const chunks = body === undefined || typeof body === 'string' || body instanceof Uint8Array ? [body ?? ''] : body;
  for await (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}
