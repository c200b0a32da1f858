/** One stage of the request pipeline: its verdict, the deciding rule, and the duration. */
export interface StageTrace {
  readonly stage: string;
  readonly verdict: string;
  readonly detail: string;
  readonly ms: number;
}

/** The trace of one request; the request inspector, `Server-Timing` and the audit log use it. */
export interface RequestTrace {
  /** The response's `Audit-Id`. */
  readonly auditId: string;
  /** The request's attempt id (`attemptIdHeader`); empty when absent. */
  readonly attemptId: string;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly user: string;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly ms: number;
  readonly stages: readonly StageTrace[];
}
