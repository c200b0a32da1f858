import type { AuditRecord } from '../audit/index.ts';
import { type User, unauthenticatedGroup } from '../authn/index.ts';
import { Rejected } from '../flowcontrol/index.ts';
import { type ApiHandler, type ApiRequest, type ApiResponse, StatusError } from '../meta/index.ts';
import { aggregatedVersionOf } from './aggregation/aggregated-apis.ts';
import { proxyToService } from './aggregation/proxy-to-service.ts';
import { attributesOf, authorize } from './authorize.ts';
import { bodyTypes, commonTypes } from './body/body.ts';
import { receiveBody } from './body/receive-body.ts';
import { corsAndHstsHeaders, corsPreflightResponse } from './cors-and-hsts.ts';
import { impersonateUser } from './impersonate.ts';
import { DeadlineExceeded, deadlineMsOf, isLongRunning } from './limits/deadlines.ts';
import { TooManyRequests } from './limits/in-flight.ts';
import { createAuditRecord, emitRequestReceived, emitResponseStages } from './observability/audit-request.ts';
import { countRequest, countResponseSize, responseLabels } from './observability/count-request.ts';
import { isTraced, reportTrace } from './observability/request-trace.ts';
import { timingHeaders } from './observability/timing-headers.ts';
import { StageRecorder, type Trace, untraced } from './observability/trace.ts';
import { servePath } from './paths/serve-path.ts';
import { isMalformed, type RequestInfo, readRequestInfo } from './request-info.ts';
import { compressResponse } from './response/compress.ts';
import { deprecationAnnotations } from './response/deprecation.ts';
import { errorResponse } from './response/error-response.ts';
import type { Header } from './response/respond.ts';
import { onResponseEnd } from './response/response-end.ts';
import { warningHeaders } from './response/warnings.ts';
import { type Route, routeOf } from './route.ts';
import { serveResource } from './serve-resource.ts';
import type { ServerDependencies } from './server-dependencies.ts';

/** Header of 403 responses from before the request is routed. */
const noSniff: Header = ['x-content-type-options', 'nosniff'];

const malformed: ApiResponse = { status: 400, headers: [['content-type', 'text/plain; charset=utf-8']], body: '400 Bad Request' };

/** The server as a function. `dependencies` returns the current dependencies: a request uses one set of resources from beginning to end. */
export function createServer(dependencies: () => ServerDependencies): ApiHandler {
  return (request) => (isMalformed(request.target) ? Promise.resolve(malformed) : handleRequest(dependencies(), request));
}

/** A request, and the recorders of its outcome. */
interface ReceivedRequest {
  readonly server: ServerDependencies;
  readonly request: ApiRequest;
  readonly startMs: number;
  readonly trace: Trace;
  readonly audit: AuditRecord;
  /** Texts of Warning headers, in order. */
  readonly warnings: Set<string>;
}

/** The results of the stages of a request, as far as they ran: error responses depend on them too. */
class Progress {
  info: RequestInfo | undefined;
  /** The user before impersonation. */
  requester: User | undefined;
  user: User | undefined;
  /** Ends the count of the request among those in flight. */
  leave: () => void = () => {};
  flow: readonly Header[] = [];
  isAuthorized = false;
  route: Route | undefined;
  /** The response has neither flow headers nor warnings. */
  isInterrupted = false;
}

async function handleRequest(server: ServerDependencies, request: ApiRequest): Promise<ApiResponse> {
  const received = receiveRequest(server, request);
  const preflight = corsPreflightResponse(request, server.corsAndHsts);
  if (preflight) return close(received, preflight, { user: undefined, timing: await timingHeaders(server, received.trace, undefined) });
  const late = server.lifecycle.refusalOf(request);
  if (late) return close(received, late, { user: undefined, timing: [] });
  const progress = new Progress();
  let response: ApiResponse;
  try {
    response = await runStages(received, progress);
    received.trace.close('encode', String(response.status));
  } catch (error) {
    response = failureResponse(received, progress, error);
  }
  return await finish(received, progress, response);
}

function receiveRequest(server: ServerDependencies, request: ApiRequest): ReceivedRequest {
  const startMs = server.env.clock.nowMs();
  const trace = isTraced(server) ? new StageRecorder(server.env.clock) : untraced;
  return { server, request, startMs, trace, audit: createAuditRecord(server, request, startMs), warnings: new Set<string>() };
}

/**
 * The stages of a request, in the order of kube-apiserver's handler chain (docs/architecture.md; cf. k8s.io/apiserver
 * DefaultBuildHandlerChain). Each records its result before the next one runs. @throws the error that ends the request
 */
async function runStages(received: ReceivedRequest, progress: Progress): Promise<ApiResponse> {
  const { server, request, audit } = received;
  const info = readRequestInfo(request.method, request.target, server.product);
  progress.info = info;
  const deadlineMs = deadlineMsOf(info, server.timeouts.requestMs);
  const requester = await authenticate(received, info);
  progress.requester = requester;
  progress.user = requester;
  if (audit.isAudited) await emitRequestReceived(server, audit, info, requester);
  const user = await impersonate(received, requester);
  progress.user = user;
  progress.leave = server.inFlight.enter(info, user);
  await enterFlow(server, { request, info, user }, progress);
  await authorize(server, info, user, received);
  progress.isAuthorized = true;
  const aggregated = aggregatedVersionOf(server.aggregated, info.path);
  if (aggregated) return proxyToService(aggregated, request, user);
  if (!info.isResourceRequest) return servePath(server, request, info, audit);
  const route = routeOf(info, request.method, server.catalog, server.product);
  progress.route = route;
  const remainingMs = await receiveBody(server, request, info, { user, deadlineMs });
  const { trace, warnings } = received;
  const served = serveResource({ server, request, info, user, trace, audit, warnings }, route);
  return await server.deadlines.enforce(served, remainingMs, info);
}

async function authenticate({ server, request, trace, audit, warnings }: ReceivedRequest, { path }: RequestInfo): Promise<User> {
  const { headers, peer } = request;
  const certificates = peer?.certificates ?? [];
  const startMs = server.env.clock.monotonicMs();
  const { access } = server.metrics;
  const authentication = await server.authentication.authenticate({ headers, path, certificates }).catch((error: unknown) => {
    // Without credentials there is nothing to fail.
    const isWrong = headers.get('authorization') !== null || certificates.length > 0;
    access.observeAuthentication(isWrong ? 'error' : 'failure', undefined, startMs);
    throw error;
  });
  const { user } = authentication;
  access.observeAuthentication('success', user.username, startMs);
  for (const text of authentication.warnings) warnings.add(text);
  audit.annotate(authentication.annotations);
  trace.close('authn', 'authenticated', () => `${user.username} by ${authentication.by}`);
  return user;
}

async function impersonate({ server, request, trace, audit }: ReceivedRequest, user: User): Promise<User> {
  const other = await impersonateUser(server, request, user);
  if (!other) return user;
  trace.close('impersonation', 'allowed', () => `${user.username} as ${other.username}`);
  audit.setImpersonatedUser(other);
  return other;
}

/** Waits for a seat of the request's priority level. @throws TooManyRequests */
async function enterFlow(
  { flowControl, product }: ServerDependencies,
  { request, info, user }: { readonly request: ApiRequest; readonly info: RequestInfo; readonly user: User },
  progress: Progress,
): Promise<void> {
  if (!flowControl || (info.verb !== 'watch' && isLongRunning(info))) return;
  const attributes = attributesOf(info, user);
  const flow = flowControl.flowOf(attributes);
  if (!flow) return;
  try {
    const entered = flowControl.enter(flow, attributes, request.signal);
    const leaveLevel = typeof entered === 'function' ? entered : await entered;
    const leaveCount = progress.leave;
    progress.leave = () => {
      leaveLevel();
      leaveCount();
    };
  } catch (error) {
    throw error instanceof Rejected ? new TooManyRequests() : error;
  }
  // The uids of the flow schema and of the priority level.
  progress.flow = [
    [product.names.flowSchemaHeader, flow.schemaUid],
    [product.names.priorityLevelHeader, flow.levelUid],
  ];
}

/** The response of a request that a stage has ended by an error. */
function failureResponse({ server, request, audit, trace }: ReceivedRequest, progress: Progress, error: unknown): ApiResponse {
  const { info, requester, route } = progress;
  if (info && !requester) audit.evaluatePolicy({ ...info, user: undefined });
  progress.isInterrupted = error instanceof DeadlineExceeded || error instanceof TooManyRequests;
  const mediaTypes = route ? bodyTypes(server) : commonTypes(server);
  const response = errorResponse(error, server, request, { query: info?.query ?? new URLSearchParams(), mediaTypes, audit });
  trace.close('refused', String(response.status), () => (error instanceof StatusError ? error.message : ''));
  return response;
}

/** Counts the request, adds the headers of all responses, and emits audit events and the trace. */
async function finish(received: ReceivedRequest, progress: Progress, response: ApiResponse): Promise<ApiResponse> {
  const { server, request, audit, trace, startMs } = received;
  const { info, route, requester, user, leave, isAuthorized } = progress;
  const labels = info && (route || isAuthorized) ? responseLabels(request, info, route, response) : undefined;
  const counted = info && labels ? countRequest(server, { info, labels, startMs }, response) : response;
  const whole = { ...counted, headers: headersOf(received, progress, response) };
  // A watch has a seat until its response begins.
  if (info?.verb === 'watch') leave();
  const compressed = await compressResponse(request, onResponseEnd(whole, leave), server.featureGates);
  const answered = labels ? countResponseSize(server, labels, compressed) : compressed;
  const timing = trace === untraced ? [] : await timingHeaders(server, trace, requester);
  const closed = close(received, answered, { user, timing });
  if (!audit.isEnabled || !info) return closed;
  const lasts = info.verb === 'watch' || isLongRunning(info);
  return emitResponseStages(audit, closed, { lasts, isReceived: user !== undefined, annotations: deprecationAnnotations(server, route) });
}

/** Error responses carry warnings too. */
function headersOf({ server, request, warnings }: ReceivedRequest, progress: Progress, response: ApiResponse): readonly Header[] {
  const { requester, flow, isAuthorized, isInterrupted } = progress;
  const closing = closesConnection(server, request, requester) ? [['connection', 'close'] as const] : [];
  const guarded = !isAuthorized && response.status === 403 ? [noSniff] : [];
  if (isInterrupted) return [...response.headers, ...guarded, ...closing];
  return [...flow, ...response.headers, ...guarded, ...closing, ...warningHeaders([...warnings])];
}

const chanceSteps = 1_000_000;

/**
 * Mitigates HTTP/2 abuse: an unauthenticated client gets one request per connection (cf. upstream endpoints/filters WithAuthentication). Other
 * connections are closed by chance, so that clients spread over several servers (WithProbabilisticGoaway).
 */
function closesConnection(server: ServerDependencies, { peer }: ApiRequest, requester: User | undefined): boolean {
  const { env, goawayChance, featureGates } = server;
  if (peer?.isHttp2 !== true) return false;
  if (goawayChance > 0 && env.random.integer(chanceSteps) < goawayChance * chanceSteps) return true;
  if (!featureGates.enabled('UnauthenticatedHTTP2DOSMitigation')) return false;
  return requester === undefined || requester.groups.includes(unauthenticatedGroup);
}

interface ClosingFacts {
  readonly user: User | undefined;
  /** The header Server-Timing, if the response has it. */
  readonly timing: readonly Header[];
}

function close(received: ReceivedRequest, response: ApiResponse, { user, timing }: ClosingFacts): ApiResponse {
  const { server, request, audit, trace } = received;
  if (trace !== untraced) reportTrace({ user, status: response.status, ...received });
  const outer = corsAndHstsHeaders(request, server.corsAndHsts);
  return { ...response, headers: [['audit-id', audit.auditId], ...outer, ...response.headers, ...timing] };
}
