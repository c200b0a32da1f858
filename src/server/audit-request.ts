import { AuditRecord } from '../audit/index.ts';
import type { User } from '../authn/index.ts';
import type { ApiObject, ApiRequest, ApiResponse } from '../meta/index.ts';
import { endingWith, isStream } from './body-end.ts';
import type { Call } from './call.ts';
import { InternalFailure } from './internal-failure.ts';
import type { ServerParts } from './parts.ts';
import type { RequestInfo } from './request-info.ts';

/** Takes down a request from its first moment on; nothing is told of it before the policy was asked. */
export function openRecord({ env, auditing, metrics }: ServerParts, request: ApiRequest, receivedMs: number): AuditRecord {
  const given = request.headers.get('audit-id') ?? '';
  const auditId = given === '' ? env.random.uuid() : given;
  const policy = auditing?.policy;
  const counted = policy && auditing ? { policy, sink: auditing.sink, counts: metrics } : undefined;
  return new AuditRecord({ auditId, request, receivedMs }, env.clock, counted);
}

/** Tells that a request has come, once it is known who makes it. @throws InternalFailure when it must be told and cannot be */
export async function tellReceived({ metrics }: ServerParts, audit: AuditRecord, info: RequestInfo, user: User): Promise<void> {
  audit.judge({ ...info, user });
  if (!audit.isOn || (await audit.tell('RequestReceived'))) return;
  metrics.countAuditRejected();
  throw new InternalFailure('failed to store audit event');
}

export interface Ending {
  /** Whether the request may take as long as it likes: then its beginning is told too. */
  readonly lasts: boolean;
  /** Whether it came so far that its reception was told; a refusal before that has one stage alone. */
  readonly isReceived: boolean;
  /** What is only known at the end. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Tells how a request was answered; of a stream, at its end. */
export async function tellAnswered(
  audit: AuditRecord,
  response: ApiResponse,
  { lasts, isReceived, annotations }: Ending,
): Promise<ApiResponse> {
  audit.answersCode(response.status);
  if (lasts || !isReceived) await audit.tell('ResponseStarted');
  if (!isReceived) return response;
  const complete = async (): Promise<void> => {
    audit.annotate(annotations);
    await audit.tell('ResponseComplete');
  };
  const { body } = response;
  if (isStream(body)) return { ...response, body: endingWith(body, complete) };
  await complete();
  return response;
}

/** What a call wants written, as the real server's own form of it is. */
export function noteObject({ audit, kind }: Call, object: ApiObject): void {
  audit.asksFor(object.metadata, () => {
    const whole = kind.withDefaults(object);
    return kind.strategy.normalize?.(whole) ?? whole;
  });
}
