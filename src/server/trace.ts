import type { Clock } from '../env/index.ts';

/** One stage of a request's way: what decided, by which rule, how long. */
export interface StageTrace {
  readonly stage: string;
  readonly verdict: string;
  readonly detail: string;
  readonly ms: number;
}

/** One request as the server saw it; the console's inspector, `Server-Timing` and the audit log are its readers. */
export interface RequestTrace {
  readonly auditId: string;
  /** The request's `X-Request-Id`; empty when it had none. */
  readonly requestId: string;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly user: string;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly ms: number;
  readonly stages: readonly StageTrace[];
}

/** Takes down the stages of one request. */
export class Trace {
  readonly stages: StageTrace[] = [];
  readonly startMs: number;
  readonly #clock: Clock;
  readonly #began: number;
  #stageBegan: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.startMs = clock.nowMs();
    this.#began = clock.monotonicMs();
    this.#stageBegan = this.#began;
  }

  get ms(): number {
    return this.#clock.monotonicMs() - this.#began;
  }

  /** Closes a stage, which began where the one before it ended. */
  close(stage: string, verdict: string, detail = ''): void {
    const now = this.#clock.monotonicMs();
    this.stages.push({ stage, verdict, detail, ms: now - this.#stageBegan });
    this.#stageBegan = now;
  }

  /** The value of a `Server-Timing` header: `authz;dur=0.2;verdict="allow";desc="group system:masters"`. */
  serverTiming(): string {
    return this.stages
      .map(({ stage, verdict, detail, ms }) => `${stage};dur=${ms.toFixed(2)};verdict=${quoted(verdict)};desc=${quoted(detail)}`)
      .join(', ');
  }
}

/** Header values are Latin-1; what is not becomes a question mark. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/[^\x20-\x7e]/g, '?')}"`;
}
