import type { Clock } from '../../env/index.ts';
import type { StageTrace } from '../../meta/index.ts';

/** Recorder of the stages of one request. Texts are functions, evaluated only when a trace is recorded. */
export interface Trace {
  readonly stages: readonly StageTrace[];
  /** Time since the start of the request. */
  readonly ms: number;
  /** Adds a note to the current stage. */
  note(text: () => string): void;
  /** Ends the current stage, which started when the previous one ended. */
  close(stage: string, verdict: string, detail?: () => string): void;
}

/** The recorder of requests without trace listeners. */
export const untraced: Trace = { stages: [], ms: 0, note: () => {}, close: () => {} };

/** Records the stages of a request. */
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
    const details = [detail?.() ?? '', ...this.#notes].filter((text) => text !== '').join('; ');
    this.stages.push({ stage, verdict, detail: details, ms: now - this.#stageBegan });
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

/** Replaces characters outside of printable ASCII, as header values are Latin-1. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/[^\x20-\x7e]/g, '?')}"`;
}
