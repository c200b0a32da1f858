import { type RequestTrace, stagesOf } from '../../client/index.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from '../../meta/index.ts';

/** Traces each request from its own headers: what the core says in `Server-Timing` and `Audit-Id`. */
export function traced(handle: ApiHandler, tell: (trace: RequestTrace) => void): ApiHandler {
  return async (request) => {
    const startMs = Date.now();
    const from = performance.now();
    const answer = await handle(request);
    tell(traceOf(request, answer, startMs, performance.now() - from));
    return answer;
  };
}

function traceOf(request: ApiRequest, { status, headers }: ApiResponse, startMs: number, ms: number): RequestTrace {
  const header = (name: string): string => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
  const stages = stagesOf(header('server-timing'));
  return {
    auditId: header('audit-id'),
    requestId: request.headers.get('x-request-id') ?? '',
    method: request.method,
    target: request.target,
    status,
    user: stages.find(({ stage }) => stage === 'authn')?.detail ?? '',
    startMs,
    ms,
    stages,
  };
}
