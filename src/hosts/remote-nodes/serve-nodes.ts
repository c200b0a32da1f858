import { createConnectionPort, servePort } from '../../client/index.ts';
import { type Clock, createMessagePair, errorMessage } from '../../env/index.ts';
import { type ApiHandler, type ApiRequest, type ApiResponse, createHeaders } from '../../meta/index.ts';
import { NetworkError } from '../../network/index.ts';
import { type Dialer, type KubeletApi, KubeletError, type StreamProtocols, serveStreamCall } from '../../streaming/index.ts';
import { byteStreamOver, type NodeCall, nodesPath, notAccepted, relayBytes } from './node-call.ts';

export interface ServedNodes {
  /** Undefined: there is no node of this name. */
  readonly kubeletOf: (node: string) => KubeletApi | undefined;
  readonly dialer: Dialer;
  readonly protocols: StreamProtocols;
}

export interface NodesConnection {
  /** The API of the cluster, which accepts switches of the protocol. */
  readonly api: ApiHandler;
  /** Names of the nodes. */
  readonly nodes: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Delay after a connection has ended. */
const retryMs = 500;

/** Makes nodes reachable for an API server in another thread, again after each end of the connection, until the signal is aborted. */
export async function serveNodes(served: ServedNodes, { api, nodes, clock, signal }: NodesConnection): Promise<void> {
  const handle = createNodesHandler(served);
  const target = `${nodesPath}?${new URLSearchParams(nodes.map((node) => ['node', node]))}`;
  const headers = createHeaders([]);
  while (!signal.aborted) {
    try {
      const { upgrade } = await api({ method: 'POST', target, headers, body: undefined, acceptsUpgrade: true, signal });
      // The API server has no such path.
      if (upgrade?.kind !== 'port') return;
      const [theirs, ours] = createMessagePair<unknown>();
      const { port, run } = createConnectionPort(ours);
      const endRequests = servePort(port, handle);
      const connected = upgrade.serve(theirs).finally(() => theirs.close());
      await run();
      endRequests();
      await connected;
    } catch {
      // The API server cannot be reached, or has ended: it may be starting.
    }
    await clock.sleep(retryMs, signal).catch(() => {});
  }
}

/** Answers NodeCalls. */
function createNodesHandler({ kubeletOf, dialer, protocols }: ServedNodes): ApiHandler {
  const reach = (node: string): KubeletApi => {
    const kubelet = kubeletOf(node);
    if (!kubelet) throw new KubeletError(500, `there is no node ${node}`);
    return kubelet;
  };
  const answer = async (request: ApiRequest): Promise<ApiResponse> => {
    const call = JSON.parse(request.target) as NodeCall;
    switch (call.kind) {
      case 'logs':
        return { status: 200, headers: [], body: await reach(call.node).containerLogs(call.request, request.signal) };
      case 'streams':
        return serveStreamCall(call.call, request, protocols, () => reach(call.node));
      case 'http':
        return reach(call.node).http({ ...request, target: call.target });
      case 'dial':
        return dial(dialer, call, request.signal);
    }
  };
  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      if (!(error instanceof KubeletError)) throw error;
      return { status: error.status, headers: [], body: error.message };
    }
  };
}

function dialFailure(error: unknown): ApiResponse {
  const isRefused = error instanceof NetworkError && (error.code === 'ECONNREFUSED' || error.code === 'EHOSTUNREACH');
  return { status: isRefused ? notAccepted : 500, headers: [], body: errorMessage(error) };
}

async function dial(dialer: Dialer, { to }: Extract<NodeCall, { kind: 'dial' }>, signal: AbortSignal): Promise<ApiResponse> {
  const connection = await dialer.dial(to, signal).catch(dialFailure);
  if ('status' in connection) return connection;
  return {
    status: 101,
    headers: [],
    body: undefined,
    upgrade: {
      kind: 'websocket',
      protocol: undefined,
      async serve(socket) {
        socket.signal.addEventListener('abort', () => connection.abort(new Error('the client has disconnected')), { once: true });
        await relayBytes(connection, byteStreamOver(socket));
      },
      cancel: () => connection.abort(new Error('the client has disconnected')),
    },
  };
}
