import type { AuditRecord } from '../audit/index.ts';
import type { User } from '../authn/index.ts';
import type { MediaTypeOptions } from '../codec/index.ts';
import { type ApiObject, type ApiRequest, type ApiResponse, attemptIdHeader, formatTime, type Status, StatusError } from '../meta/index.ts';
import { managerFromUserAgent } from '../patch/index.ts';
import type { ListResult, Requester, StoredObject, WriteContext } from '../registry/index.ts';
import type { DescribeColumn, Resource, Subresource } from '../schema/index.ts';
import { fingerprint } from './discovery/fingerprint.ts';
import type { Kind } from './kinds.ts';
import type { Trace } from './observability/trace.ts';
import type { WriteOptions } from './parameters/options.ts';
import type { RequestInfo } from './request-info.ts';
import type { ServerDependencies } from './server-dependencies.ts';

/** The context of a resource request that was routed and authorized. */
export interface RequestContext {
  readonly server: ServerDependencies;
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: User;
  readonly trace: Trace;
  readonly audit: AuditRecord;
  readonly resource: Resource;
  readonly subresource: Subresource | undefined;
  readonly kind: Kind;
  /** The negotiated response format. */
  readonly accept: MediaTypeOptions;
  /** For tables only. */
  readonly describeColumn: DescribeColumn;
  /** Idempotency keys; undefined when repetitions of the request are not detected. */
  readonly attempt: AttemptKeys | undefined;
  /** Texts of Warning headers, in order. */
  readonly warnings: Set<string>;
  /** Awaited between the stages of a write: yields to other requests while a large object is processed. */
  readonly pause: () => Promise<void> | undefined;
}

/** The result of a verb, before it is encoded in the negotiated media type. */
export type Answer =
  | { readonly form: 'object'; readonly status: number; readonly object: ApiObject | Status; readonly stored?: StoredObject | undefined }
  | { readonly form: 'list'; readonly listed: ListResult; readonly kind: string }
  | { readonly form: 'response'; readonly response: ApiResponse };

/** The current time in the API's format (RFC 3339, whole seconds). */
export function nowOf({ server }: RequestContext): string {
  return formatTime(server.env.clock.nowMs());
}

export function warn(context: RequestContext, text: string): void {
  // More are never sent, however short they are (see warningHeaders).
  if (context.warnings.size < 4096) context.warnings.add(text);
}

/** @throws StatusError when the client has disconnected: the remaining work is pointless, and the error is not read */
export function requireClient({ request }: RequestContext): void {
  if (request.signal.aborted) throw new StatusError(500, '', 'context canceled');
}

function requesterOf({ user }: RequestContext): Requester {
  return user;
}

export function writeContext(context: RequestContext, dryRun: boolean): WriteContext {
  const { server, subresource } = context;
  return {
    env: server.env,
    product: server.product,
    gates: server.featureGates,
    random: server.env.random,
    now: nowOf(context),
    requester: requesterOf(context),
    subresource: subresource?.name ?? '',
    ruleTimer: server.metrics.access.ruleTimer,
    dryRun,
    requestId: context.attempt?.own,
    pause: context.pause,
    warn: (text) => warn(context, text),
  };
}

/** The idempotency keys of a write in the store (`KeySpace.findCommit`). */
export interface AttemptKeys {
  /** Stored with the commit of this request. */
  readonly own: string;
  /** `own`, then those of earlier attempts. */
  readonly keys: readonly string[];
}

/** Verbs that commit at most one change, so that the response can be rebuilt from the commit. */
const repeatableVerbs: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);
/** Stored with each write: bounded, and printable. */
const attemptIdPattern = /^[\w:-]{1,100}$/;

/**
 * Keys contain the user, so that no user gets the response of another, and method, target and body, so that a client that reuses an id by
 * mistake matches no other request.
 */
export function attemptKeys(request: ApiRequest, verb: string, user: User): AttemptKeys | undefined {
  const { method, target, body, headers } = request;
  const attempt = request.attempt ?? { id: headers.get(attemptIdHeader) ?? '', earlierIds: [] };
  if (!attemptIdPattern.test(attempt.id) || !repeatableVerbs.has(verb)) return undefined;
  const content = fingerprint(`${method} ${target}\n`, body);
  const keyOf = (id: string): string => `${user.username}\n${id}\n${content}`;
  const own = keyOf(attempt.id);
  return { own, keys: [own, ...attempt.earlierIds.map(keyOf)] };
}

/** The field manager of a write: the `fieldManager` option, else the first word of the User-Agent (upstream managerOrUserAgent). */
export function managerOf({ request }: RequestContext, options: WriteOptions): string {
  if (options.fieldManager !== '') return options.fieldManager;
  return managerFromUserAgent(request.headers.get('user-agent') ?? '');
}
