import { negotiate, printYaml } from '../codec/index.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Json,
  methodNotAllowed,
  prettyJson,
  resourceNotFound,
  stringifyJson,
} from '../meta/index.ts';
import { answerAggregated } from './discovery/index.ts';
import { answerHealth, isHealthPath, plain } from './health.ts';
import { answerIssuerDocument, issuerDocumentPaths } from './issuer-documents.ts';
import { answerOpenApi } from './openapi/index.ts';
import type { ServerParts } from './parts.ts';
import type { RequestInfo } from './request-info.ts';
import { type Header, isPretty, uncached } from './respond.ts';
import { versionInfo } from './version.ts';

/** What is no resource: discovery, OpenAPI, health, version, the list of paths. */
export async function servePath(server: ServerParts, request: ApiRequest, info: RequestInfo): Promise<ApiResponse> {
  const path = info.path.length > 1 ? info.path.replace(/\/$/, '') : info.path;
  const answer = (await answerOf(server, request, info, path)) ?? pageNotFound();
  return { ...answer, headers: withUncached(answer.headers), body: request.method === 'HEAD' ? undefined : answer.body };
}

export function pageNotFound(): ApiResponse {
  return plain(404, '404 page not found\n');
}

async function answerOf(server: ServerParts, request: ApiRequest, info: RequestInfo, path: string): Promise<ApiResponse | undefined> {
  if (isHealthPath(path)) return answerHealth(path, info.query, server.healthChecks);
  if (path === '/version') {
    readsOnly(request);
    return document(request, info, `${JSON.stringify(versionInfo())}`, true);
  }
  if (path.startsWith('/openapi/')) {
    const { headers } = request;
    return answerOpenApi(server.openApi, {
      path,
      hash: info.query.get('hash') ?? '',
      accept: headers.get('accept') ?? undefined,
      ifNoneMatch: headers.get('if-none-match') ?? undefined,
      nowMs: server.env.clock.nowMs(),
    });
  }
  if (path === '/' || path === '/index.html') return document(request, info, stringifyJson({ paths: rootPaths(server) }), true);
  return (await answerIssuerDocument(server, request, path)) ?? discovery(server, request, info, path);
}

function discovery(server: ServerParts, request: ApiRequest, info: RequestInfo, path: string): ApiResponse | undefined {
  const known = server.discovery.document(path);
  if (known === undefined) return unknownVersion(server, path);
  if (path !== '/apis') readsOnly(request);
  if (path === '/api' || path === '/apis') {
    const aggregated = server.discovery.aggregated(path);
    if (wantsAggregated(server, request)) return answerAggregated(aggregated, request.headers.get('if-none-match'));
  }
  return document(request, info, known.trimEnd(), false);
}

/** A version that a known group does not have is a Status; a group that is not known is no page at all. */
function unknownVersion(server: ServerParts, path: string): undefined {
  const [root, group, version] = path.split('/').slice(1);
  if (root === 'api' && group !== undefined) throw resourceNotFound();
  if (root === 'apis' && version !== undefined && server.catalog.groups.some(({ name }) => name === group)) throw resourceNotFound();
  return undefined;
}

/** @throws StatusError 405 */
function readsOnly({ method }: ApiRequest): void {
  if (method !== 'GET') throw methodNotAllowed();
}

function wantsAggregated({ product }: ServerParts, request: ApiRequest): boolean {
  const group = product.rename('"apidiscovery.k8s.io"').slice(1, -1);
  const accepted = negotiate(
    request.headers.get('accept') ?? '',
    ['application/json'],
    (convert) => convert.group === group && convert.version === 'v2' && convert.kind === 'APIGroupDiscoveryList',
  );
  return accepted?.convert !== undefined;
}

/** JSON, or YAML where it is asked for. `lineFree`: without a line feed at its end. */
function document(request: ApiRequest, info: RequestInfo, text: string, lineFree: boolean): ApiResponse {
  const mediaType =
    negotiate(request.headers.get('accept') ?? '', ['application/json', 'application/yaml'], () => true)?.mediaType ?? 'application/json';
  const headers: Header[] = [['content-type', mediaType]];
  if (mediaType === 'application/yaml') return { status: 200, headers, body: printYaml(JSON.parse(text) as Json) };
  const body = isPretty(request, info.query) || lineFree ? prettyJson(text) : `${text}\n`;
  return { status: 200, headers, body };
}

function withUncached(headers: readonly Header[]): readonly Header[] {
  return headers.some(([name]) => name === 'cache-control') ? headers : [uncached, ...headers];
}

function rootPaths({ catalog, healthChecks }: ServerParts): string[] {
  const groups = catalog.groups
    .filter(({ name }) => name !== '')
    .flatMap(({ name, versions }) => [`/apis/${name}`, ...versions.map((version) => `/apis/${name}/${version}`)]);
  const health = ['/healthz', '/livez', '/readyz'].flatMap((root) => [root, ...healthChecks.map(({ name }) => `${root}/${name}`)]);
  const openApi = ['/openapi/v2', '/openapi/v3', '/openapi/v3/'];
  return ['/api', '/api/v1', '/apis', '/apis/', ...groups, ...health, ...openApi, ...issuerDocumentPaths, '/version'].sort();
}
