import { negotiate } from '../../codec/index.ts';
import type { ApiResponse, JsonObject, ResponseBody } from '../../meta/index.ts';
import type { AggregatedVersion } from '../aggregation/aggregated-apis.ts';
import { documentUrl, type OpenApi } from './openapi.ts';

export interface OpenApiRequest {
  /** Without the query: `/openapi/v3/apis/apps/v1`. */
  readonly path: string;
  /** The query parameter `hash`; empty when absent. */
  readonly hash: string;
  readonly accept: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly nowMs: number;
  readonly aggregated: readonly AggregatedVersion[];
}

const json = 'application/json';
/** Accepted media types; the response always has the first one. */
const gnosticMediaTypes = [
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
] as const;
const [gnostic] = gnosticMediaTypes;
const gnosticV3MediaTypes = [
  'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
] as const;
const [gnosticV3] = gnosticV3MediaTypes;
const yearMs = 365 * 24 * 60 * 60 * 1000;

type Header = readonly [name: string, value: string];

/** Answers everything below `/openapi` (cf. k8s.io/kube-openapi handler, handler3); undefined when it is no path of OpenAPI. */
export async function answerOpenApi(openApi: OpenApi, request: OpenApiRequest): Promise<ApiResponse | undefined> {
  const { path } = request;
  // kube-apiserver sets no content type here: Go detects plain text.
  if (path === '/openapi/v3') {
    const index = withAggregated(await openApi.index(), request.aggregated);
    return answer(200, [['content-type', 'text/plain; charset=utf-8']], index);
  }
  if (path === '/openapi/v2') return answerV2(openApi, request);
  return path.startsWith('/openapi/v3/') ? answerV3(openApi, request, path.slice('/openapi/v3/'.length)) : undefined;
}

/** The index with the documents of aggregated API servers. */
function withAggregated(index: string, aggregated: readonly AggregatedVersion[]): string {
  const further = aggregated.flatMap(({ openApiUrls }) =>
    Object.entries(openApiUrls ?? {}).map(([name, serverRelativeURL]) => [name, { serverRelativeURL }] as const),
  );
  if (further.length === 0) return index;
  const { paths } = JSON.parse(index) as { readonly paths: JsonObject };
  const sorted = Object.entries({ ...paths, ...Object.fromEntries(further) }).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ paths: Object.fromEntries(sorted) })}${index.endsWith('\n') ? '\n' : ''}`;
}

async function answerV2(openApi: OpenApi, { accept, ifNoneMatch }: OpenApiRequest): Promise<ApiResponse> {
  const picked = negotiate(accept, [json, ...gnosticMediaTypes], () => true)?.mediaType;
  if (picked === undefined) return answer(406, [vary]);
  if (picked === json) {
    const { text, hash } = await openApi.v2();
    return tagged([['content-type', json], vary], hash, text, ifNoneMatch);
  }
  const { bytes, hash } = await openApi.v2Protobuf();
  return tagged([['content-type', gnostic], vary], hash, bytes, ifNoneMatch);
}

async function answerV3(openApi: OpenApi, { accept, ifNoneMatch, hash, nowMs }: OpenApiRequest, name: string): Promise<ApiResponse> {
  const document = await openApi.v3(name);
  if (!document) return answer(404, []);
  const picked = negotiate(accept, [json, ...gnosticV3MediaTypes], () => true)?.mediaType;
  if (picked === undefined) return answer(406, [vary]);
  const headers: Header[] = [['content-type', picked === json ? json : gnosticV3], vary];
  if (hash !== '' && hash !== document.hash) {
    return answer(301, [...headers, ['etag', `"${document.hash}"`], ['location', documentUrl(name, document.hash)]]);
  }
  if (hash !== '') headers.push(['cache-control', 'public, immutable'], ['expires', new Date(nowMs + yearMs).toUTCString()]);
  const body = picked === json ? document.text : (await openApi.v3Protobuf(name))?.bytes;
  return tagged(headers, document.hash, body, ifNoneMatch);
}

const vary: Header = ['vary', 'Accept'];

/** Adds an ETag; 304 when it matches If-None-Match. */
function tagged(headers: readonly Header[], hash: string, body: ResponseBody, ifNoneMatch: string | undefined): ApiResponse {
  const etag = `"${hash}"`;
  const known = (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
  const all: readonly Header[] = [...headers, ['etag', etag]];
  return known
    ? answer(
        304,
        all.filter(([name]) => name !== 'content-type'),
      )
    : answer(200, all, body);
}

function answer(status: number, headers: readonly Header[], body?: ResponseBody): ApiResponse {
  return { status, headers, body };
}
