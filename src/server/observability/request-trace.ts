import type { AuditRecord } from '../../audit/index.ts';
import type { User } from '../../authn/index.ts';
import { type ApiRequest, attemptIdHeader } from '../../meta/index.ts';
import type { ServerDependencies } from '../server-dependencies.ts';
import type { Trace } from './trace.ts';

/** Whether the stages of requests are recorded. */
export function isTraced(server: ServerDependencies): boolean {
  return server.timingHeaders !== 'none' || server.traceListeners.size > 0;
}

interface TracedRequest {
  readonly server: ServerDependencies;
  readonly request: ApiRequest;
  readonly trace: Trace;
  readonly startMs: number;
  readonly audit: AuditRecord;
  readonly user: User | undefined;
  readonly status: number;
}

/** Calls the trace listeners. */
export function reportTrace({ server, request, trace, startMs, audit, user, status }: TracedRequest): void {
  const { auditId } = audit;
  const attemptId = request.headers.get(attemptIdHeader) ?? '';
  const { method, target } = request;
  const { stages, ms } = trace;
  for (const listener of server.traceListeners)
    listener({ auditId, attemptId, method, target, status, user: user?.username ?? '', startMs, ms, stages });
}
