import type { AuditRecord } from '../audit/index.ts';
import { type User, unauthenticatedGroup } from '../authn/index.ts';
import { type Conversion, negotiate } from '../codec/index.ts';
import { createPace } from '../env/index.ts';
import {
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  attemptIdHeader,
  internalError,
  StatusError,
  toStatus,
} from '../meta/index.ts';
import { toStatusError } from '../registry/index.ts';
import { formatGroupVersion, type Resource, type Subresource } from '../schema/index.ts';
import { createAuditRecord, emitRequestReceived, emitResponseStages } from './audit-request.ts';
import { attributesOf, authorize } from './authorize.ts';
import { bodyTypes, commonTypes, streamTypes } from './body.ts';
import { compressResponse } from './compress.ts';
import { corsAndHstsHeaders, corsPreflightResponse } from './cors-and-hsts.ts';
import { countRequest } from './count-request.ts';
import { DeadlineExceeded, deadlineMsOf, isLongRunning } from './deadlines.ts';
import { impersonateUser } from './impersonate.ts';
import { TooManyRequests } from './in-flight.ts';
import { answerInternalFailure, InternalFailure } from './internal-failure.ts';
import { checkAcceptable, notAcceptable } from './not-acceptable.ts';
import { receiveBody } from './receive-body.ts';
import { replayAnswer } from './replay-answer.ts';
import { type Answer, attemptKeys, type RequestContext } from './request-context.ts';
import { isMalformed, type RequestInfo, readRequestInfo } from './request-info.ts';
import { type Header, respond, respondError, tableTypes } from './respond.ts';
import { onResponseEnd } from './response-end.ts';
import { type Route, routeOf, UnknownPath } from './route.ts';
import { pageNotFound, servePath } from './serve-path.ts';
import type { ServerDependencies } from './server-dependencies.ts';
import { timingHeaders } from './timing-headers.ts';
import { StageRecorder, type Trace, untraced } from './trace.ts';
import { bind, isBinding } from './verbs/binding.ts';
import { isConnection } from './verbs/connect.ts';
import { create } from './verbs/create.ts';
import { remove, removeCollection } from './verbs/delete.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { patch } from './verbs/patch.ts';
import { isReview, review } from './verbs/review.ts';
import { serveSubresource } from './verbs/subresource.ts';
import { update } from './verbs/update.ts';
import { watch } from './verbs/watch.ts';
import { release } from './version.ts';
import { warningHeaders } from './warnings.ts';

/** Header of 403 responses from before the request is routed. */
const noSniff: Header = ['x-content-type-options', 'nosniff'];

const malformed: ApiResponse = { status: 400, headers: [['content-type', 'text/plain; charset=utf-8']], body: '400 Bad Request' };

/** The server as a function. `dependencies` returns the current dependencies: a request uses one set of resources from beginning to end. */
export function createServer(dependencies: () => ServerDependencies): ApiHandler {
  return (request) => (isMalformed(request.target) ? Promise.resolve(malformed) : handleRequest(dependencies(), request));
}

/**
 * The request pipeline, top to bottom, in the order of kube-apiserver's handler chain (docs/architecture.md; cf.
 * k8s.io/apiserver DefaultBuildHandlerChain).
 */
async function handleRequest(server: ServerDependencies, request: ApiRequest): Promise<ApiResponse> {
  const startMs = server.env.clock.nowMs();
  const trace = isTraced(server) ? new StageRecorder(server.env.clock) : untraced;
  const audit = createAuditRecord(server, request, startMs);
  let info: RequestInfo | undefined;
  let route: Route | undefined;
  let user: User | undefined;
  let requester: User | undefined;
  let response: ApiResponse;
  let leave = (): void => {};
  let flow: readonly Header[] = [];
  let allowed = false;
  let warnings = new Set<string>();
  const preflight = corsPreflightResponse(request, server.corsAndHsts);
  if (preflight)
    return close(server, request, preflight, { trace, startMs, audit, user, timing: await timingHeaders(server, trace, user) });
  const late = server.lifecycle.refusalOf(request, server.product.rename('kube-apiserver/'));
  if (late) return close(server, request, late, { trace, startMs, audit, user, timing: [] });
  try {
    info = readRequestInfo(request.method, request.target, server.product);
    const deadlineMs = deadlineMsOf(info);
    requester = await authenticate(server, request, info, { trace, audit, warnings });
    user = requester;
    if (audit.isAudited) await emitRequestReceived(server, audit, info, user);
    user = await impersonate(server, request, user, { trace, audit });
    leave = server.inFlight.enter(info, user);
    flow = flowHeaders(server, info, user);
    await authorize(server, info, user, { trace, audit });
    allowed = true;
    if (info.isResourceRequest) {
      route = routeOf(info, request.method, server.catalog, server.product);
      const remainingMs = await receiveBody(server, request, info, { user, deadlineMs });
      const served = serveResource(server, request, route, { info, user, trace, audit, warnings });
      response = await server.deadlines.enforce(served, remainingMs, info);
    } else response = await servePath(server, request, info, audit);
    trace.close('encode', String(response.status));
  } catch (error) {
    if (info && !user) audit.evaluatePolicy({ ...info, user });
    if (error instanceof DeadlineExceeded || error instanceof TooManyRequests) [flow, warnings] = [[], new Set()];
    const mediaTypes = route ? bodyTypes(server) : commonTypes(server);
    response = errorResponse(error, server, request, { query: info?.query ?? new URLSearchParams(), mediaTypes: mediaTypes, audit });
    trace.close('refused', String(response.status), () => (error instanceof StatusError ? error.message : ''));
  }
  if (info && route) countRequest(server.metrics, request, info, route, response.status);
  // Error responses carry warnings too.
  const closing = closesConnection(server, request, requester) ? [['connection', 'close'] as const] : [];
  const guarded = !allowed && response.status === 403 ? [noSniff] : [];
  const warned = { ...response, headers: [...flow, ...response.headers, ...guarded, ...closing, ...warningHeaders([...warnings])] };
  const answered = await compressResponse(request, onResponseEnd(warned, leave), server.featureGates);
  const timing = trace === untraced ? [] : await timingHeaders(server, trace, requester);
  const closed = close(server, request, answered, { trace, startMs, audit, user, timing });
  if (!audit.isEnabled || !info) return closed;
  const lasts = info.verb === 'watch' || isLongRunning(info);
  return emitResponseStages(audit, closed, { lasts, isReceived: user !== undefined, annotations: deprecationAnnotations(server, route) });
}

/** Headers with the uids of the flow schema and priority level that match a request. */
function flowHeaders({ flows, product }: ServerDependencies, info: RequestInfo, user: User): readonly Header[] {
  if (info.verb !== 'watch' && isLongRunning(info)) return [];
  const flow = flows.flowOf(attributesOf(info, user));
  if (!flow) return [];
  return [
    [product.names.flowSchemaHeader, flow.schemaUid],
    [product.names.priorityLevelHeader, flow.levelUid],
  ];
}

/** Mitigates HTTP/2 abuse: an unauthenticated client gets one request per connection. Cf. upstream endpoints/filters WithAuthentication. */
function closesConnection({ featureGates }: ServerDependencies, { peer }: ApiRequest, requester: User | undefined): boolean {
  if (peer?.isHttp2 !== true || !featureGates.enabled('UnauthenticatedHTTP2DOSMitigation')) return false;
  return requester === undefined || requester.groups.includes(unauthenticatedGroup);
}

type RequestRecorders = Pick<RequestContext, 'trace' | 'audit' | 'warnings'>;

async function authenticate(
  server: ServerDependencies,
  request: ApiRequest,
  { path }: RequestInfo,
  { trace, audit, warnings }: RequestRecorders,
): Promise<User> {
  const { headers, peer } = request;
  const {
    user,
    by,
    warnings: authenticationWarnings,
    annotations,
  } = await server.authentication.authenticate({
    headers,
    path,
    certificates: peer?.certificates ?? [],
  });
  for (const text of authenticationWarnings) warnings.add(text);
  audit.annotate(annotations);
  trace.close('authn', 'authenticated', () => `${user.username} by ${by}`);
  return user;
}

async function impersonate(
  server: ServerDependencies,
  request: ApiRequest,
  user: User,
  { trace, audit }: Pick<RequestContext, 'trace' | 'audit'>,
): Promise<User> {
  const other = await impersonateUser(server, request, user);
  if (!other) return user;
  trace.close('impersonation', 'allowed', () => `${user.username} as ${other.username}`);
  audit.setImpersonatedUser(other);
  return other;
}

type AuthorizedRequest = Pick<RequestContext, 'info' | 'user' | 'trace' | 'audit' | 'warnings'>;

async function serveResource(
  server: ServerDependencies,
  request: ApiRequest,
  route: Route,
  context: AuthorizedRequest,
): Promise<ApiResponse> {
  const { trace } = context;
  const { resource, subresource } = route;
  checkProducedTypes(server, request, route);
  warnOfDeprecation(server, route, context.warnings);
  const accept = negotiateAnswer(server, request, route);
  const attempt = attemptKeys(request, route.verb, context.user);
  const pause = createPace(server.env.clock);
  const requestContext: RequestContext = {
    server,
    request,
    ...context,
    resource,
    subresource,
    kind: server.kinds.of(resource),
    accept,
    attempt,
    pause,
  };
  trace.close('route', route.verb, () => `${resource.name}${subresource ? `/${subresource.name}` : ''}`);
  const answer = (await replayAnswer(requestContext)) ?? (await dispatchVerbOnce(route, requestContext));
  trace.close(route.verb, 'done', () => (answer.form === 'object' && answer.stored ? `revision ${answer.stored.entry.revision}` : ''));
  await pause();
  return respond(requestContext, answer);
}

/**
 * Another server on the same store may have committed this attempt and crashed after `replayAnswer` checked: then the 404 or 409 results
 * from the attempt's own commit. The store commits an attempt once (KeySpace.commit).
 */
async function dispatchVerbOnce(route: Route, context: RequestContext): Promise<Answer> {
  try {
    return await dispatchVerb(route, context);
  } catch (error) {
    const isInTheWay = error instanceof StatusError && (error.code === 404 || error.code === 409);
    const done = isInTheWay ? await replayAnswer(context) : undefined;
    if (!done) throw error;
    return done;
  }
}

function dispatchVerb({ verb, subresource }: Route, context: RequestContext): Promise<Answer> {
  if (subresource) return serveSubresource(verb, context);
  switch (verb) {
    case 'get':
      return get(context);
    case 'list':
      return list(context);
    case 'watch':
      return watch(context);
    case 'create':
      if (isReview(context.resource)) return review(context);
      return isBinding(context.resource) ? bind(context) : create(context);
    case 'update':
      return update(context);
    case 'patch':
      return patch(context);
    case 'delete':
      return remove(context);
    case 'deletecollection':
      return removeCollection(context);
  }
}

/** Returns 406 when the route produces none of the accepted media types (cf. go-restful). @throws StatusError 406 */
function checkProducedTypes(server: ServerDependencies, request: ApiRequest, { subresource, verb }: Route): void {
  const streams = verb === 'list' || verb === 'watch' ? streamTypes(server) : [];
  const texts = subresource?.name === 'log' ? ['text/plain'] : [];
  checkAcceptable(request, [...texts, ...bodyTypes(server), ...streams]);
}

function negotiateAnswer(server: ServerDependencies, request: ApiRequest, { resource, subresource }: Route): RequestContext['accept'] {
  const { product } = server;
  const accept = request.headers.get('accept') ?? '';
  const offered = bodyTypes(server);
  const allows = ({ kind, group, version }: Conversion, mediaType: string): boolean => {
    if (group !== product.names.metaGroup || !['v1', 'v1beta1'].includes(version)) return false;
    if (kind === 'Table') return tableTypes.has(mediaType) && hasTable(resource, subresource);
    return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList';
  };
  // Custom resources have no protobuf encoding, but their metadata do.
  const plainly = (mediaType: string): boolean => !resource.custom || mediaType !== product.names.protobufMediaType;
  const options = negotiate(accept, offered, allows, plainly);
  if (!options) throw notAcceptable(offered);
  return options;
}

/** Reviews, evictions, bindings and connections have no table form. */
function hasTable(resource: Resource, subresource: Subresource | undefined): boolean {
  if (!subresource) return resource.verbs.has('get');
  return subresource.kind === 'Scale' || (subresource.kind === resource.kind && !isConnection(subresource));
}

/** Whether a release such as `1.36` is later than the served one. */
function isFutureRelease(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > Number(release.major) || (major === Number(release.major) && minor > Number(release.minor));
}

function isDeprecated({ custom, lifecycle }: Resource): boolean {
  return custom?.deprecation !== undefined || (lifecycle.deprecated !== undefined && !isFutureRelease(lifecycle.deprecated));
}

/** Audit annotations for calls to deprecated versions (part 9.2). */
function deprecationAnnotations({ product }: ServerDependencies, route: Route | undefined): Readonly<Record<string, string>> {
  if (!route || !isDeprecated(route.resource)) return {};
  const { removed = '' } = route.resource.lifecycle;
  const { deprecatedAuditAnnotation, removedReleaseAuditAnnotation } = product.names;
  return { [deprecatedAuditAnnotation]: 'true', ...(removed === '' ? {} : { [removedReleaseAuditAnnotation]: removed }) };
}

/** Adds a warning to calls to deprecated versions (part 9.2). */
function warnOfDeprecation(server: ServerDependencies, route: Route, warnings: Set<string>): void {
  const { resource } = route;
  if (!isDeprecated(resource)) return;
  const { deprecated, removed, replacement } = resource.lifecycle;
  if (resource.custom?.deprecation !== undefined) warnings.add(resource.custom.deprecation);
  else {
    const unavailable = removed === undefined ? '' : `, unavailable in v${removed}+`;
    const instead = replacement === undefined || replacement === '' ? '' : `; use ${replacement}`;
    warnings.add(`${formatGroupVersion(resource)} ${resource.kind} is deprecated in v${deprecated}+${unavailable}${instead}`);
  }
  server.metrics.noteDeprecated({
    group: resource.group,
    removed_release: removed ?? '',
    resource: resource.name,
    subresource: route.subresource?.name ?? '',
    version: resource.version,
  });
}

interface ErrorContext {
  readonly query: URLSearchParams;
  /** Media types that the error response may have. */
  readonly mediaTypes: readonly string[];
  readonly audit: AuditRecord;
}

function errorResponse(
  cause: unknown,
  server: ServerDependencies,
  request: ApiRequest,
  { query, mediaTypes: spoken, audit }: ErrorContext,
): ApiResponse {
  // An unavailable store is no bug, wherever it was accessed.
  const error = toStatusError(cause);
  if (error instanceof UnknownPath) return pageNotFound();
  if (error instanceof DeadlineExceeded || error instanceof TooManyRequests) return error.response;
  if (error instanceof InternalFailure) return answerInternalFailure(error, request.target);
  const known = error instanceof StatusError;
  // Any other error is a bug: its cause goes to the log, not to the client.
  if (!known) server.env.log.error('request failed', { method: request.method, target: request.target, error });
  else if (error.code >= 500 && error.cause !== undefined)
    server.env.log.warn('request refused', { method: request.method, target: request.target, error });
  const status = known ? error : internalError('unexpected error, see the log', error);
  // A client that accepts no supported media type gets a plain text, which the audit log does not record.
  if (audit.isEnabled && negotiate(request.headers.get('accept') ?? '', spoken, () => false)) audit.logResponseStatus(toStatus(status));
  return respondError(request, query, status, spoken, server.protobuf.encode);
}

interface RequestOutcome {
  readonly trace: Trace;
  readonly startMs: number;
  readonly audit: AuditRecord;
  readonly user: User | undefined;
  readonly timing: readonly Header[];
}

function close(server: ServerDependencies, request: ApiRequest, response: ApiResponse, outcome: RequestOutcome): ApiResponse {
  const { auditId } = outcome.audit;
  if (outcome.trace !== untraced) reportTrace(server, request, response, outcome);
  const outer = corsAndHstsHeaders(request, server.corsAndHsts);
  return { ...response, headers: [['audit-id', auditId], ...outer, ...response.headers, ...outcome.timing] };
}

/** Whether the stages of requests are recorded. */
function isTraced(server: ServerDependencies): boolean {
  return server.timingHeaders !== 'none' || server.traceListeners.size > 0;
}

function reportTrace(
  { traceListeners }: ServerDependencies,
  request: ApiRequest,
  { status }: ApiResponse,
  { trace, startMs, audit, user }: RequestOutcome,
): void {
  const { auditId } = audit;
  const attemptId = request.headers.get(attemptIdHeader) ?? '';
  const { method, target } = request;
  const { stages, ms } = trace;
  for (const listener of traceListeners)
    listener({ auditId, attemptId, method, target, status, user: user?.username ?? '', startMs, ms, stages });
}
