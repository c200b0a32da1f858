import {
  type ApiResponse,
  badRequest,
  internalError,
  isWebSocketRequest,
  joinHostPort,
  offeredStreamProtocols,
  StatusError,
} from '../../../meta/index.ts';
import { KubeletError, type LogRequest } from '../../../streaming/index.ts';
import type { Answer, RequestContext } from '../../request-context.ts';
import { uncached } from '../../response/respond.ts';
import { kubeletOf } from './kubelet.ts';
import { type LogOptions, logQuery, readLogOptions } from './log-options.ts';
import { bytesOverWebSocket } from './log-over-websocket.ts';
import { containerOf, podOf } from './pod-container.ts';
import { dialProblem } from './unreachable.ts';

/** The log of a container, as a stream. Cf. upstream registry/core/pod/strategy LogLocation. */
export async function showLog(context: RequestContext): Promise<Answer> {
  const options = readLogOptions(context);
  const pod = await podOf(context);
  const container = containerOf(context, pod);
  const node = pod.spec?.nodeName ?? '';
  // Without a node there is nothing to show yet, of whichever container.
  if (node === '') return { form: 'response', response: { status: container === '' ? 200 : 204, headers: [uncached], body: undefined } };
  const { namespace, name } = context.info;
  const { host, port, kubelet } = await kubeletOf(context, node);
  if (!kubelet) {
    const query = logQuery(options);
    const path = `/containerLogs/${namespace}/${name}/${container}${query === '' ? '' : `?${query}`}`;
    throw new StatusError(500, '', `Get ${JSON.stringify(`https://${joinHostPort(host, port)}${path}`)}: ${dialProblem(host, port)}`);
  }
  const target = { namespace, name, uid: pod.metadata?.uid ?? '', container };
  const log = await kubelet.containerLogs(logRequest(target, options), context.request.signal).catch((error: unknown) => {
    throw statusOfKubelet(error, context);
  });
  return { form: 'response', response: respondLog(context, log) };
}

function logRequest(target: Pick<LogRequest, 'namespace' | 'name' | 'uid' | 'container'>, options: LogOptions): LogRequest {
  const { stream } = options;
  return { ...target, ...options, stream: stream === 'Stdout' || stream === 'Stderr' ? stream : 'All' };
}

function respondLog({ request, server }: RequestContext, log: AsyncIterable<Uint8Array>): ApiResponse {
  if (request.acceptsUpgrade && isWebSocketRequest(request.headers))
    return bytesOverWebSocket(offeredStreamProtocols(request.headers, server.product), log, server.product);
  const headers = [uncached, ['content-type', 'text/plain']] as const;
  // It may last, and is neither compressed nor limited in time.
  return { status: 200, headers, body: log, isEventStream: true };
}

/** The Status for an error response of a kubelet. Cf. upstream GenericHttpResponseChecker. */
function statusOfKubelet(error: unknown, { info }: RequestContext): unknown {
  if (!(error instanceof KubeletError)) return error;
  const { status, message } = error;
  if (status === 500) return internalError(message);
  if (status === 400) return badRequest(message);
  return status === 404 ? notFoundByKubelet(info.name) : new StatusError(status, '', message);
}

/** Cf. upstream NewGenericServerResponse. */
function notFoundByKubelet(name: string): StatusError {
  return new StatusError(404, 'NotFound', `the server could not find the requested resource ( pods/log ${name})`, {
    name,
    kind: 'pods/log',
  });
}
