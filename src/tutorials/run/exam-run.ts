import type { Clock } from '../../env/index.ts';
import type { CommandRecord, RequestRecord } from '../checks/expressions.ts';
import type { Exam, Lesson, Step } from '../lesson.ts';
import { ActivityLog } from './activity-log.ts';
import { type Lab, setUpLesson, writeStepFiles } from './lab.ts';
import { noProgress, type ProgressStore } from './progress.ts';
import { runChecks } from './run-checks.ts';

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
  /** Number of passed checks. */
  readonly passed: number;
  readonly checks: number;
  /** Messages of the failed checks. */
  readonly missing: readonly string[];
}

/** Times are in milliseconds since 1970. */
export interface ExamState {
  readonly startedMs: number;
  /** Undefined when the exam has no time limit. */
  readonly endsMs: number | undefined;
  /** Undefined while the exam is running. */
  readonly endedMs: number | undefined;
  readonly results: readonly TaskResult[];
}

const key = 'exam';
const retryDelayMs = 2_000;

/** A run of an exam: all tasks in one cluster, graded once, when it is submitted or its time is over. A reload resumes it. */
export class ExamRun {
  readonly lesson: Lesson;
  readonly exam: Exam;
  /** Undefined before the start. */
  state: ExamState | undefined;
  busy = false;
  readonly #options: ExamRunOptions;
  readonly #activity: ActivityLog;
  readonly #listeners = new Set<() => void>();
  #cancelEnd: () => void = () => undefined;

  constructor(options: ExamRunOptions) {
    this.lesson = options.lesson;
    this.exam = options.exam;
    this.#options = options;
    this.#activity = new ActivityLog(options.store);
  }

  get points(): { readonly reached: number; readonly all: number; readonly percent: number; readonly passed: boolean } {
    const results = this.state?.results ?? [];
    const all = results.reduce((sum, { weight }) => sum + weight, 0);
    const reached = results.reduce((sum, { weight, passed, checks }) => sum + (checks === 0 ? weight : (weight * passed) / checks), 0);
    const percent = all === 0 ? 0 : Math.floor((100 * reached) / all);
    return { reached: Math.round(reached * 10) / 10, all, percent, passed: percent >= this.exam.pass };
  }

  /** Undefined without a time limit, and when the exam is not running. */
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
    const stored = (await store.get(key)) as ExamState | undefined;
    if (stored !== undefined && (stored.endedMs !== undefined || (await lab.exists()))) {
      this.state = stored;
      await this.#activity.load();
      if (stored.endedMs === undefined) this.#scheduleEnd();
    }
  }

  /** Starts or restarts the exam. `minutes` undefined: no time limit. */
  async start(minutes: number | undefined): Promise<void> {
    const { lab, clock } = this.#options;
    await this.#whileBusy(async () => {
      await this.#activity.clear();
      await setUpLesson(lab, this.lesson);
      for (const step of this.lesson.steps) await writeStepFiles(lab, step);
      const startedMs = clock.nowMs();
      const endsMs = minutes === undefined ? undefined : startedMs + minutes * 60_000;
      await this.#saveState({ startedMs, endsMs, endedMs: undefined, results: [] });
    });
    this.#scheduleEnd();
  }

  /** Submits the exam: grades the current state. */
  async finish(): Promise<void> {
    const { state } = this;
    if (state === undefined || state.endedMs !== undefined || this.busy) return;
    this.#cancelEnd();
    await this.#whileBusy(async () => {
      const results = await this.#grade();
      await this.#saveState({
        ...state,
        endedMs: Math.min(this.#options.clock.nowMs(), state.endsMs ?? Number.POSITIVE_INFINITY),
        results,
      });
      // A lesson that was passed once stays completed.
      if (this.points.passed) await this.#options.store.set('progress', { ...noProgress, done: this.lesson.steps.map(({ id }) => id) });
    });
  }

  recordCommand(command: CommandRecord): void {
    this.#activity.recordCommand(command);
  }

  recordRequest(request: RequestRecord): void {
    this.#activity.recordRequest(request);
  }

  close(): void {
    this.#cancelEnd();
  }

  #scheduleEnd(): void {
    const { remainingMs } = this;
    if (remainingMs !== undefined) this.#finishAfter(remainingMs);
  }

  /** Retries when the cluster does not respond at that moment. */
  #finishAfter(ms: number): void {
    this.#cancelEnd = this.#options.clock.schedule(ms, () => void this.finish().catch(() => this.#finishAfter(retryDelayMs)));
  }

  async #grade(): Promise<readonly TaskResult[]> {
    const { lab, clock } = this.#options;
    const { commands, requests } = this.#activity;
    const started = new Date(this.state?.startedMs ?? 0).toISOString();
    const facts = { commands, requests, files: await lab.files(), step: { started } };
    const results: TaskResult[] = [];
    for (const step of this.lesson.steps) {
      const checks = step.checks.filter(({ optional }) => !optional);
      const { standings } = await runChecks(checks, { lab, evaluate: (cels) => lab.evaluateChecks(cels, facts), clock });
      const missing = checks.filter((_, at) => standings[at]?.passed !== true).map(({ message }) => message);
      const passed = checks.length - missing.length;
      results.push({ title: step.title, weight: this.weightOf(step), passed, checks: checks.length, missing });
    }
    return results;
  }

  async #whileBusy(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.#notify();
    try {
      await work();
    } finally {
      this.busy = false;
      this.#notify();
    }
  }

  async #saveState(state: ExamState): Promise<void> {
    this.state = state;
    await this.#options.store.set(key, state);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
