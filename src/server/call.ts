import type { AuditRecord } from '../audit/index.ts';
import type { User } from '../authn/index.ts';
import type { MediaTypeOptions } from '../codec/index.ts';
import { type ApiObject, type ApiRequest, type ApiResponse, attemptIdHeader, formatTime, type Status, StatusError } from '../meta/index.ts';
import { managerFromUserAgent } from '../patch/index.ts';
import type { Listed, Requester, StoredObject, WriteContext } from '../registry/index.ts';
import type { Resource, Subresource } from '../schema/index.ts';
import { fingerprint } from './discovery/fingerprint.ts';
import type { Kind } from './kinds.ts';
import type { WriteOptions } from './options.ts';
import type { ServerParts } from './parts.ts';
import type { RequestInfo } from './request-info.ts';
import type { Trace } from './trace.ts';

/** A request for a resource, with all that is known of it once it may be served. */
export interface Call {
  readonly server: ServerParts;
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: User;
  readonly trace: Trace;
  readonly audit: AuditRecord;
  readonly resource: Resource;
  readonly subresource: Subresource | undefined;
  readonly kind: Kind;
  /** What the answer shall look like. */
  readonly accept: MediaTypeOptions;
  /** Undefined for a request that is not recognised when it is repeated. */
  readonly attempt: AttemptKeys | undefined;
  /** Texts of Warning headers, in order. */
  readonly warnings: Set<string>;
  /** To be awaited between the stages of a write: while a large object is handled, other requests get their turns there. */
  readonly pause: () => Promise<void> | undefined;
}

/** What a verb has to say, before it is written in the client's media type. */
export type Answer =
  | { readonly form: 'object'; readonly status: number; readonly object: ApiObject | Status; readonly stored?: StoredObject | undefined }
  | { readonly form: 'list'; readonly listed: Listed; readonly kind: string }
  | { readonly form: 'response'; readonly response: ApiResponse };

/** The time of the request, as the API writes it. */
export function nowOf({ server }: Call): string {
  return formatTime(server.env.clock.nowMs());
}

export function warn(call: Call, text: string): void {
  // More than so many are never shown, however short they are (see warningHeaders).
  if (call.warnings.size < 4096) call.warnings.add(text);
}

/** @throws StatusError, which nobody reads, when the client has disconnected: what is still to be done is not worth doing */
export function requireClient({ request }: Call): void {
  if (request.signal.aborted) throw new StatusError(500, '', 'context canceled');
}

export function requesterOf({ user }: Call): Requester {
  return user;
}

export function writeContext(call: Call, dryRun: boolean): WriteContext {
  const { server, subresource } = call;
  return {
    env: server.env,
    product: server.product,
    gates: server.featureGates,
    random: server.env.random,
    now: nowOf(call),
    requester: requesterOf(call),
    subresource: subresource?.name ?? '',
    dryRun,
    requestId: call.attempt?.own,
    pause: call.pause,
    warn: (text) => warn(call, text),
  };
}

/** The keys under which the store knows an attempt at a write (`KeySpace.committedBy`). */
export interface AttemptKeys {
  /** Stored with what this request commits. */
  readonly own: string;
  /** The own one, then those of its earlier repetitions. */
  readonly keys: readonly string[];
}

/** Verbs that commit at most one change, so that the commit tells the whole answer. */
const repeatableVerbs: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);
/** Stored with each write: bounded, and printable. */
const attemptIdPattern = /^[\w:-]{1,100}$/;

/**
 * Keys of an attempt are scoped to its user, so that nobody meets another's answer, and to method, target and body, so that an id
 * that a client uses for several requests by mistake names none of the others.
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

/** Who a write is attributed to: what it says, else the first word of the User-Agent (upstream managerOrUserAgent). */
export function managerOf({ request }: Call, options: WriteOptions): string {
  if (options.fieldManager !== '') return options.fieldManager;
  return managerFromUserAgent(request.headers.get('user-agent') ?? '');
}
