import type { AuditRecord } from '../audit/index.ts';
import type { User } from '../authn/index.ts';
import type { MediaTypeOptions } from '../codec/index.ts';
import { type ApiObject, type ApiRequest, type ApiResponse, formatTime, type Status } from '../meta/index.ts';
import { managerFromUserAgent } from '../patch/index.ts';
import type { Listed, Requester, StoredObject, WriteContext } from '../registry/index.ts';
import type { Resource, Subresource } from '../schema/index.ts';
import { checksum } from '../storage/index.ts';
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
  /** See `requestIdOf`. */
  readonly requestId: string | undefined;
  /** Texts of Warning headers, in order. */
  readonly warnings: string[];
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
  if (!call.warnings.includes(text)) call.warnings.push(text);
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
    requestId: call.requestId,
    warn: (text) => warn(call, text),
  };
}

const writes: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * The key under which a repeated request finds what it already did; of the user, so that nobody meets another's, and of what is asked for,
 * since to the real server the header means nothing: clients may send the same one with everything. Undefined for reads.
 */
export function requestIdOf({ method, target, headers, body }: ApiRequest, user: User): string | undefined {
  const id = headers.get('x-request-id');
  if (id === null || id === '' || !writes.has(method)) return undefined;
  return `${user.username}\n${id}\n${checksum(`${method} ${target}\n${new TextDecoder().decode(body)}`).toString(36)}`;
}

/** Who a write is attributed to: what it says, else the first word of the User-Agent (upstream managerOrUserAgent). */
export function managerOf({ request }: Call, options: WriteOptions): string {
  if (options.fieldManager !== '') return options.fieldManager;
  return managerFromUserAgent(request.headers.get('user-agent') ?? '');
}
