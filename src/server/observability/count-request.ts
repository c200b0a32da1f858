import { type ApiRequest, type ApiResponse, byteLength, isStream } from '../../meta/index.ts';
import { isLongRunning } from '../limits/deadlines.ts';
import { healthRoots } from '../paths/health.ts';
import type { RequestInfo } from '../request-info.ts';
import { onChunk, onResponseEnd, onStreamEnd } from '../response/response-end.ts';
import type { Route } from '../route.ts';
import type { ServerDependencies } from '../server-dependencies.ts';
import type { ResponseLabels } from './metrics/metrics.ts';

/** Values of the metric label `verb`. */
const countedVerbs: Readonly<Record<Route['verb'], string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

interface CountedRequest {
  readonly info: RequestInfo;
  readonly labels: ResponseLabels;
  readonly startMs: number;
}

/**
 * Counts a resource request by its labels, with its duration: of a watch or a connection until it ends. Cf. upstream metrics.MonitorRequest and
 * RecordLongRunning.
 */
export function countRequest(
  { metrics, env }: Pick<ServerDependencies, 'metrics' | 'env'>,
  { info, labels, startMs }: CountedRequest,
  response: ApiResponse,
): ApiResponse {
  const { durations } = metrics.countRequest(labels);
  const observe = (): void => durations.observe((env.clock.nowMs() - startMs) / 1000);
  const lasts = info.verb === 'watch' || isLongRunning(info);
  if (!lasts || !(response.upgrade || isStream(response.body))) {
    observe();
    return response;
  }
  const end = metrics.startLongRunning(labels);
  return onResponseEnd(response, () => {
    end();
    observe();
  });
}

const sizedVerbs: ReadonlySet<string> = new Set(['GET', 'LIST', 'WATCH']);

/** Counts the bytes of the response to a GET, LIST or WATCH: those after compression. Cf. upstream metrics.MonitorRequest. */
export function countResponseSize(
  { metrics }: Pick<ServerDependencies, 'metrics'>,
  labels: ResponseLabels,
  response: ApiResponse,
): ApiResponse {
  if (!sizedVerbs.has(labels.verb) || response.upgrade) return response;
  const { body } = response;
  if (!isStream(body)) {
    metrics.observeResponseSize(labels, body === undefined ? 0 : bytesOf(body));
    return response;
  }
  let bytes = 0;
  const counted = onChunk(body, (chunk) => {
    bytes += bytesOf(chunk);
  });
  return { ...response, body: onStreamEnd(counted, () => metrics.observeResponseSize(labels, bytes)) };
}

const bytesOf = (chunk: string | Uint8Array): number => (typeof chunk === 'string' ? byteLength(chunk) : chunk.length);

/** The labels of a request that is counted. */
export function responseLabels(
  request: ApiRequest,
  info: RequestInfo,
  route: Route | undefined,
  response: ApiResponse,
): ResponseLabels | undefined {
  // The router of the real server has refused it.
  if (response.status === 406) return undefined;
  return route ? resourceLabels(request, info, route, response.status) : pathLabels(request, info.path, response);
}

/** Of the other paths, these are counted where their handlers are instrumented. */
function pathLabels({ method }: ApiRequest, path: string, { status, headers }: ApiResponse): ResponseLabels | undefined {
  const isDiscovery = headers.some(([name, value]) => name === 'content-type' && value.includes('as=APIGroupDiscoveryList'));
  const subresource = isDiscovery ? path.slice(1) : countedPath(path);
  if (subresource === undefined) return undefined;
  const none = { dry_run: '', group: '', resource: '', scope: '', version: '' };
  const verb = method === 'HEAD' ? 'GET' : method;
  return { ...none, code: String(status), component: isDiscovery ? 'apiserver' : '', subresource, verb };
}

function countedPath(path: string): string | undefined {
  if (path === '/openapi/v3') return 'openapi/v3';
  if (path.startsWith('/openapi/v3/')) return 'openapi/v3/';
  return healthRoots.find((root) => root === path);
}

function resourceLabels(request: ApiRequest, info: RequestInfo, { resource, subresource, verb }: Route, status: number): ResponseLabels {
  const isApply = verb === 'patch' && (request.headers.get('content-type') ?? '').startsWith('application/apply-patch');
  return {
    code: String(status),
    component: 'apiserver',
    dry_run: info.query.getAll('dryRun').includes('All') ? 'All' : '',
    group: resource.group,
    resource: resource.name,
    scope: scopeOf(info, verb),
    subresource: subresource?.name ?? '',
    verb: isLongRunning(info) ? 'CONNECT' : isApply ? 'APPLY' : countedVerbs[verb],
    version: resource.version,
  };
}

function scopeOf({ name, namespace }: RequestInfo, verb: Route['verb']): string {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
