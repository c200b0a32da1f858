import type { Clock } from '../env/index.ts';
import type { StageTrace } from '../meta/index.ts';

/** Takes down the stages of one request. */
export class Trace {
  readonly stages: StageTrace[] = [];
  readonly startMs: number;
  readonly #clock: Clock;
  readonly #began: number;
  #stageBegan: number;
  #notes: string[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.startMs = clock.nowMs();
    this.#began = clock.monotonicMs();
    this.#stageBegan = this.#began;
  }

  get ms(): number {
    return this.#clock.monotonicMs() - this.#began;
  }

  /** Something to be told of the stage that is under way. */
  note(text: string): void {
    this.#notes.push(text);
  }

  /** Closes a stage, which began where the one before it ended. */
  close(stage: string, verdict: string, detail = ''): void {
    const now = this.#clock.monotonicMs();
    const told = [detail, ...this.#notes].filter((text) => text !== '').join('; ');
    this.stages.push({ stage, verdict, detail: told, ms: now - this.#stageBegan });
    this.#stageBegan = now;
    this.#notes = [];
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
