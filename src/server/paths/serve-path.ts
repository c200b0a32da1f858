import type { AuditRecord } from '../../audit/index.ts';
import { negotiate, printYaml } from '../../codec/index.ts';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from '../../flowcontrol/index.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Json,
  type JsonObject,
  methodNotAllowed,
  prettyJson,
  resourceNotFound,
  stringifyJson,
  trimEnd,
  versionInfo,
} from '../../meta/index.ts';
import { commonTypes } from '../body/body.ts';
import { answerAggregated } from '../discovery/index.ts';
import { answerMetrics, answerSlis } from '../observability/metrics/answer-metrics.ts';
import { answerOpenApi } from '../openapi/index.ts';
import type { RequestInfo } from '../request-info.ts';
import { checkAcceptable, notAcceptable } from '../response/not-acceptable.ts';
import { type Header, isPretty, uncached } from '../response/respond.ts';
import { isCustomGroup } from '../route.ts';
import type { HostPage, ServerDependencies } from '../server-dependencies.ts';
import { answerDebugPath } from './debug-paths.ts';
import { answerHealth, healthPaths, isHealthPath, plain } from './health.ts';
import { answerIssuerDocument, issuerDocumentPaths } from './issuer-documents.ts';

/** Serves non-resource paths: discovery, OpenAPI, health, version, the list of paths. */
export async function servePath(
  server: ServerDependencies,
  request: ApiRequest,
  info: RequestInfo,
  audit: AuditRecord,
): Promise<ApiResponse> {
  const path = withoutLastSlashes(info.path);
  const answer = (await answerOf(server, request, info, path)) ?? pageNotFound();
  if (audit.isEnabled) recordDocument(audit, server, path, answer);
  return { ...answer, headers: withUncached(answer.headers), body: request.method === 'HEAD' ? undefined : answer.body };
}

/** Records discovery documents as response objects, whatever their encoding. */
function recordDocument(audit: AuditRecord, { discovery }: ServerDependencies, path: string, { status, body }: ApiResponse): void {
  const known = discovery.document(path);
  if (known === undefined || status !== 200) return;
  const shown = typeof body === 'string' && body.startsWith('{') ? body : known;
  audit.logResponseObject(() => JSON.parse(shown) as JsonObject);
}

/** Health paths match exactly, and leading or lone slashes match nothing. */
function withoutLastSlashes(path: string): string {
  const exact =
    path === '/' ||
    path.startsWith('//') ||
    path === '/apis//' ||
    path.startsWith('/openapi/') ||
    path.startsWith('/debug/') ||
    path.startsWith('/metrics/') ||
    isHealthPath(path);
  return exact ? path : trimEnd(path, '/');
}

export function pageNotFound(): ApiResponse {
  return plain(404, '404 page not found\n');
}

async function answerOf(
  server: ServerDependencies,
  request: ApiRequest,
  info: RequestInfo,
  path: string,
): Promise<ApiResponse | undefined> {
  if (isHealthPath(info.path))
    return answerHealth(info.path, info.query, server.healthChecks(), (labels) => server.metrics.countHealthCheck(labels));
  if (path === '/metrics') return resetOf(server, request, 'reset') ?? answerMetrics(server);
  const hostPage = server.hostPages.get(path);
  if (hostPage) return answerHostPage(server, request, hostPage);
  if (path === '/metrics/slis') return resetOf(server, request, 'resetHealthChecks') ?? answerSlis(server.healthChecks(), server.metrics);
  if (path === '/version') {
    requireGet(request);
    checkAcceptable(request, ['application/json']);
    return indented({ ...versionInfo(server.emulatedMinor) });
  }
  if (path.startsWith('/version/')) throw resourceNotFound();
  if (path.startsWith('/openapi/')) {
    const { headers } = request;
    return answerOpenApi(server.openApi(), {
      path,
      hash: info.query.get('hash') ?? '',
      accept: headers.get('accept') ?? undefined,
      ifNoneMatch: headers.get('if-none-match') ?? undefined,
      nowMs: server.env.clock.nowMs(),
      aggregated: server.aggregated.versions,
    });
  }
  if (path.startsWith('/debug/')) return answerDebug(server, request, info, path);
  if (path === '/' || path === '/index.html') return indented({ paths: rootPaths(server) });
  return (await answerIssuerDocument(server, request, path)) ?? discovery(server, request, info, path);
}

/** With profiling, DELETE resets metrics. Cf. component-base metrics HandlerWithReset. */
function resetOf(
  { profiling, metrics }: ServerDependencies,
  { method }: ApiRequest,
  reset: 'reset' | 'resetHealthChecks',
): ApiResponse | undefined {
  if (!profiling || method !== 'DELETE') return undefined;
  metrics[reset]();
  return { status: 200, headers: [['content-type', 'text/plain; charset=utf-8']], body: 'metrics reset\n' };
}

/** Cf. component-base zpages/httputil: without an Accept header nothing is acceptable. */
function answerHostPage(server: ServerDependencies, request: ApiRequest, page: HostPage): ApiResponse {
  const accept = request.headers.get('accept');
  if (!accept || !negotiate(accept, ['text/plain'], () => false)) {
    const refused = plain(406, 'media type not acceptable, must be: text/plain\n');
    return { ...refused, headers: [...refused.headers, ['x-content-type-options', 'nosniff']] };
  }
  return plain(200, page({ paths: rootPaths(server), version: versionInfo(server.emulatedMinor) }));
}

async function answerDebug(
  server: ServerDependencies,
  request: ApiRequest,
  { query }: RequestInfo,
  path: string,
): Promise<ApiResponse | undefined> {
  const dump = dumpOf(server, path, query);
  if (dump !== undefined) return plain(200, dump);
  const profile = server.profiling ? await answerDebugPath(request, path) : undefined;
  return profile ?? debugDocument(server, request, path);
}

/** The diagnostics of flow control, which no list of paths shows. */
function dumpOf({ flowControl }: ServerDependencies, path: string, query: URLSearchParams): string | undefined {
  if (!flowControl) return undefined;
  const folder = '/debug/api_priority_and_fairness/';
  if (path === `${folder}dump_priority_levels`) return dumpPriorityLevels(flowControl.levels);
  if (path === `${folder}dump_queues`) return dumpQueues(flowControl.levels);
  return path === `${folder}dump_requests`
    ? dumpRequests(flowControl.levels, (query.get('includeRequestDetails') ?? '') !== '')
    : undefined;
}

function debugDocument(server: ServerDependencies, request: ApiRequest, path: string): ApiResponse | undefined {
  const document = server.debugDocument?.(path);
  if (document !== undefined) requireGet(request);
  return document && indented(document);
}

function discovery(server: ServerDependencies, request: ApiRequest, info: RequestInfo, path: string): ApiResponse | undefined {
  const known = server.discovery.document(path);
  if (known === undefined) return unknownVersion(server, path);
  // Documents of groups and of custom versions are served without the router, for any method.
  const ofGroups = path === '/apis' || /^\/apis\/[^/]+$/.test(path);
  const [, , group = ''] = path.split('/');
  if (!ofGroups && !isCustomGroup(group, server.catalog)) requireGet(request);
  if (path === '/api' || path === '/apis') {
    const aggregated = server.discovery.aggregated(path);
    if (wantsAggregated(server, request)) return answerAggregated(aggregated, request.headers.get('if-none-match'));
  }
  if (!ofGroups) checkAcceptable(request, commonTypes(server));
  return document(server, request, info, known.trimEnd());
}

/** An unknown version of a known group is a Status; an unknown group is a plain 404. */
function unknownVersion(server: ServerDependencies, path: string): undefined {
  const [root, group, version] = path.split('/').slice(1);
  if (root === 'api' && group !== undefined) throw resourceNotFound();
  const isBuiltIn = server.catalog.groups.some(({ name }) => name === group) && !isCustomGroup(group ?? '', server.catalog);
  if (root === 'apis' && group !== '' && version !== undefined && isBuiltIn) throw resourceNotFound();
  return undefined;
}

/** @throws StatusError 405 */
function requireGet({ method }: ApiRequest): void {
  if (method !== 'GET') throw methodNotAllowed();
}

function wantsAggregated({ product }: ServerDependencies, request: ApiRequest): boolean {
  const group = product.rename('"apidiscovery.k8s.io"').slice(1, -1);
  const accepted = negotiate(
    request.headers.get('accept') ?? '',
    ['application/json'],
    (convert) => convert.group === group && convert.version === 'v2' && convert.kind === 'APIGroupDiscoveryList',
  );
  return accepted?.convert !== undefined;
}

/** A document in the client's media type. @throws StatusError 406 */
function document(server: ServerDependencies, request: ApiRequest, info: RequestInfo, text: string): ApiResponse {
  const offered = commonTypes(server);
  const accepted = negotiate(request.headers.get('accept') ?? '', offered, () => false);
  if (!accepted) throw notAcceptable(offered);
  const { mediaType, pretty } = accepted;
  const headers: Header[] = [['content-type', mediaType]];
  if (mediaType === 'application/yaml') return { status: 200, headers, body: printYaml(JSON.parse(text) as Json) };
  if (mediaType !== 'application/json') return { status: 200, headers, body: server.protobuf.encode(JSON.parse(text) as JsonObject) };
  return { status: 200, headers, body: pretty || isPretty(request, info.query) ? prettyJson(text) : `${text}\n` };
}

/** Indented JSON, whatever the client accepts. */
function indented(value: JsonObject): ApiResponse {
  return { status: 200, headers: [['content-type', 'application/json']], body: prettyJson(stringifyJson(value)) };
}

function withUncached(headers: readonly Header[]): readonly Header[] {
  return headers.some(([name]) => name === 'cache-control') ? headers : [uncached, ...headers];
}

function rootPaths({ discovery: { groups: all }, healthChecks, hostPages }: ServerDependencies): string[] {
  const groups = all
    .filter(({ name }) => name !== '')
    .flatMap(({ name, versions }) => [`/apis/${name}`, ...versions.map((version) => `/apis/${name}/${version}`)]);
  const openApi = ['/openapi/v2', '/openapi/v3', '/openapi/v3/'];
  return [
    '/api',
    '/api/v1',
    '/apis',
    '/apis/',
    ...groups,
    ...healthPaths(healthChecks()),
    ...openApi,
    ...issuerDocumentPaths,
    '/metrics',
    '/metrics/slis',
    '/version',
    ...hostPages.keys(),
  ].sort();
}
