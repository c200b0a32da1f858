import type { Clock } from '../../env/index.ts';
import type { SeenCommand, SeenRequest } from '../checks/expressions.ts';
import type { Exam, Lesson, Step } from '../lesson.ts';
import { beginLesson, type Lab, layOut } from './lab.ts';
import { noProgress, type ProgressStore } from './progress.ts';
import { SeenLog } from './seen-log.ts';

export interface ExamRunOptions {
  readonly lesson: Lesson;
  readonly exam: Exam;
  readonly lab: Lab;
  readonly store: ProgressStore;
  readonly clock: Clock;
}

export interface TaskResult {
  readonly title: string;
  readonly weight: number;
  /** Of its checks. */
  readonly passed: number;
  readonly checks: number;
  /** What those say that do not hold. */
  readonly missing: readonly string[];
}

/** Times are in milliseconds since 1970. */
export interface ExamState {
  readonly startedMs: number;
  /** Undefined: whoever takes it asked for all the time in the world. */
  readonly endsMs: number | undefined;
  /** Undefined while it goes on. */
  readonly endedMs: number | undefined;
  readonly results: readonly TaskResult[];
}

const key = 'exam';
const againMs = 2_000;

/** An exam: its tasks in one cluster, judged once, when it is handed in or its time is up. A reload goes on where it was. */
export class ExamRun {
  readonly lesson: Lesson;
  readonly exam: Exam;
  /** Undefined before it was begun. */
  state: ExamState | undefined;
  busy = false;
  readonly #options: ExamRunOptions;
  readonly #seen: SeenLog;
  readonly #listeners = new Set<() => void>();
  #cancelEnd: () => void = () => undefined;

  constructor(options: ExamRunOptions) {
    this.lesson = options.lesson;
    this.exam = options.exam;
    this.#options = options;
    this.#seen = new SeenLog(options.store);
  }

  get points(): { readonly reached: number; readonly all: number; readonly percent: number; readonly passed: boolean } {
    const results = this.state?.results ?? [];
    const all = results.reduce((sum, { weight }) => sum + weight, 0);
    const reached = results.reduce((sum, { weight, passed, checks }) => sum + (checks === 0 ? weight : (weight * passed) / checks), 0);
    const percent = all === 0 ? 0 : Math.floor((100 * reached) / all);
    return { reached: Math.round(reached * 10) / 10, all, percent, passed: percent >= this.exam.pass };
  }

  /** Undefined when there is no limit, or it is not going on. */
  get remainingMs(): number | undefined {
    const { endsMs, endedMs } = this.state ?? {};
    return endsMs === undefined || endedMs !== undefined ? undefined : Math.max(0, endsMs - this.#options.clock.nowMs());
  }

  weightOf({ id }: Step): number {
    return this.exam.weights[id] ?? 1;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async open(): Promise<void> {
    const { store, lab } = this.#options;
    const kept = (await store.get(key)) as ExamState | undefined;
    if (kept !== undefined && (kept.endedMs !== undefined || (await lab.exists()))) {
      this.state = kept;
      await this.#seen.load();
      if (kept.endedMs === undefined) this.#schedule();
    }
  }

  /** Begins, or begins anew. `minutes` undefined: without a limit. */
  async start(minutes: number | undefined): Promise<void> {
    const { lab, clock } = this.#options;
    await this.#while(async () => {
      await this.#seen.clear();
      await beginLesson(lab, this.lesson);
      for (const step of this.lesson.steps) await layOut(lab, step);
      const startedMs = clock.nowMs();
      const endsMs = minutes === undefined ? undefined : startedMs + minutes * 60_000;
      await this.#keep({ startedMs, endsMs, endedMs: undefined, results: [] });
    });
    this.#schedule();
  }

  /** Hands it in: what holds now is what counts. */
  async finish(): Promise<void> {
    const { state } = this;
    if (state === undefined || state.endedMs !== undefined || this.busy) return;
    this.#cancelEnd();
    await this.#while(async () => {
      const results = await this.#judge();
      await this.#keep({ ...state, endedMs: Math.min(this.#options.clock.nowMs(), state.endsMs ?? Number.POSITIVE_INFINITY), results });
      // Passed once is passed.
      if (this.points.passed) await this.#options.store.set('progress', { ...noProgress, done: this.lesson.steps.map(({ id }) => id) });
    });
  }

  noteCommand(command: SeenCommand): void {
    this.#seen.noteCommand(command);
  }

  noteRequest(request: SeenRequest): void {
    this.#seen.noteRequest(request);
  }

  close(): void {
    this.#cancelEnd();
  }

  #schedule(): void {
    const { remainingMs } = this;
    if (remainingMs !== undefined) this.#endIn(remainingMs);
  }

  /** A cluster that does not answer at that moment is asked again. */
  #endIn(ms: number): void {
    this.#cancelEnd = this.#options.clock.schedule(ms, () => void this.finish().catch(() => this.#endIn(againMs)));
  }

  async #judge(): Promise<readonly TaskResult[]> {
    const { lab } = this.#options;
    const { commands, requests } = this.#seen;
    const started = new Date(this.state?.startedMs ?? 0).toISOString();
    const facts = { commands, requests, files: await lab.files(), step: { started } };
    const results: TaskResult[] = [];
    for (const step of this.lesson.steps) {
      const checks = step.checks.filter(({ optional }) => !optional);
      const cels = checks.map(({ cel }) => cel);
      const { standings } = await lab.look(cels, facts);
      const missing = checks.filter((_, at) => standings[at]?.passed !== true).map(({ message }) => message);
      const passed = checks.length - missing.length;
      results.push({ title: step.title, weight: this.weightOf(step), passed, checks: checks.length, missing });
    }
    return results;
  }

  async #while(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.#tell();
    try {
      await work();
    } finally {
      this.busy = false;
      this.#tell();
    }
  }

  async #keep(state: ExamState): Promise<void> {
    this.state = state;
    await this.#options.store.set(key, state);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
