/** One stage of a request's way: what decided, how, by which rule, how long. */
export interface StageTrace {
  readonly stage: string;
  readonly verdict: string;
  readonly detail: string;
  readonly ms: number;
}

/** One request as the server saw it; the console's inspector, `Server-Timing` and the audit log are its readers. */
export interface RequestTrace {
  /** The answer's `Audit-Id`. */
  readonly auditId: string;
  /** The request's attempt id (`attemptIdHeader`); empty when it had none. */
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
