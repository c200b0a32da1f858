import { AuditRecord } from '../../audit/index.ts';
import type { User } from '../../authn/index.ts';
import { type ApiObject, type ApiRequest, type ApiResponse, isStream } from '../../meta/index.ts';
import type { RequestContext } from '../request-context.ts';
import type { RequestInfo } from '../request-info.ts';
import { InternalFailure } from '../response/internal-failure.ts';
import { onStreamEnd, onSwitchEnd } from '../response/response-end.ts';
import type { ServerDependencies } from '../server-dependencies.ts';

/** Creates the audit record of a request. Nothing is sent to the backend before the policy is evaluated. */
export function createAuditRecord({ env, auditing, metrics }: ServerDependencies, request: ApiRequest, receivedMs: number): AuditRecord {
  const given = request.headers.get('audit-id') ?? '';
  const auditId = given === '' ? env.random.uuid() : given;
  const policy = auditing?.policy;
  const counted = policy && auditing ? { policy, sink: auditing.sink, counts: metrics } : undefined;
  return new AuditRecord({ auditId, request, receivedMs }, env.clock, counted);
}

/** Emits the stage RequestReceived, once the user is authenticated. @throws InternalFailure when a blocking backend rejects the event */
export async function emitRequestReceived(
  { metrics }: ServerDependencies,
  audit: AuditRecord,
  info: RequestInfo,
  user: User,
): Promise<void> {
  audit.evaluatePolicy({ ...info, user });
  if (!audit.isEnabled || (await audit.emitEvent('RequestReceived'))) return;
  metrics.countAuditRejected();
  throw new InternalFailure('failed to store audit event');
}

export interface ResponseStageOptions {
  /** Whether the request is long-running: then ResponseStarted is emitted too. */
  readonly lasts: boolean;
  /** Whether RequestReceived was emitted. A request refused before that emits ResponseStarted only. */
  readonly isReceived: boolean;
  /** Annotations that are only known at the end. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Emits the stages of the response; for a stream, ResponseComplete follows at its end. */
export async function emitResponseStages(
  audit: AuditRecord,
  response: ApiResponse,
  { lasts, isReceived, annotations }: ResponseStageOptions,
): Promise<ApiResponse> {
  audit.logResponseCode(response.status);
  if (lasts || !isReceived) await audit.emitEvent('ResponseStarted');
  if (!isReceived) return response;
  const complete = async (): Promise<void> => {
    audit.annotate(annotations);
    await audit.emitEvent('ResponseComplete');
  };
  const { body, upgrade } = response;
  if (upgrade) return { ...response, upgrade: onSwitchEnd(upgrade, complete) };
  if (isStream(body)) return { ...response, body: onStreamEnd(body, complete) };
  await complete();
  return response;
}

/** Records the request object with defaults, in its normalized form, as kube-apiserver does. */
export function recordRequestObject({ audit, kind }: RequestContext, object: ApiObject): void {
  audit.logRequestObject(object.metadata, () => kind.withDefaults(object));
}
