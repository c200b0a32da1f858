import type { Clock } from '../env/index.ts';
import type { StageTrace } from '../meta/index.ts';

/** Where the stages of one request are taken down. Texts are functions: they are only made when somebody reads them. */
export interface Trace {
  readonly stages: readonly StageTrace[];
  /** Since the request has begun. */
  readonly ms: number;
  /** Something to be told of the stage that is under way. */
  note(text: () => string): void;
  /** Closes a stage, which began where the one before it ended. */
  close(stage: string, verdict: string, detail?: () => string): void;
}

/** Of a request that nobody listens to. */
export const untraced: Trace = { stages: [], ms: 0, note: () => {}, close: () => {} };

/** Takes down the stages of a request that somebody listens to. */
export class StageRecorder implements Trace {
  readonly stages: StageTrace[] = [];
  readonly #clock: Clock;
  readonly #began: number;
  #stageBegan: number;
  #notes: string[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#began = clock.monotonicMs();
    this.#stageBegan = this.#began;
  }

  get ms(): number {
    return this.#clock.monotonicMs() - this.#began;
  }

  note(text: () => string): void {
    this.#notes.push(text());
  }

  close(stage: string, verdict: string, detail?: () => string): void {
    const now = this.#clock.monotonicMs();
    const told = [detail?.() ?? '', ...this.#notes].filter((text) => text !== '').join('; ');
    this.stages.push({ stage, verdict, detail: told, ms: now - this.#stageBegan });
    this.#stageBegan = now;
    this.#notes = [];
  }
}

/** The value of a `Server-Timing` header: `authz;dur=0.2;verdict="allow";desc="group system:masters"`. */
export function serverTiming(stages: readonly StageTrace[]): string {
  return stages
    .map(({ stage, verdict, detail, ms }) => `${stage};dur=${ms.toFixed(2)};verdict=${quoted(verdict)};desc=${quoted(detail)}`)
    .join(', ');
}

/** Header values are Latin-1; what is not becomes a question mark. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/[^\x20-\x7e]/g, '?')}"`;
}
