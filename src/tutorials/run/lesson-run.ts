import { type Clock, errorMessage } from '../../env/index.ts';
import type { CheckResult } from '../checks/compile-check.ts';
import type { CheckResults } from '../checks/evaluate-checks.ts';
import type { CommandRecord, RequestRecord, StepFacts } from '../checks/expressions.ts';
import type { Check, Lesson, Step } from '../lesson.ts';
import { ActivityLog } from './activity-log.ts';
import { CollectionWatch } from './collection-watch.ts';
import { type Lab, runSolution, setUpLesson, writeStepFiles } from './lab.ts';
import { noProgress, type Progress, type ProgressStore, parseProgress } from './progress.ts';
import { runChecks } from './run-checks.ts';

export interface LessonRunOptions {
  readonly lesson: Lesson;
  readonly lab: Lab;
  readonly store: ProgressStore;
  readonly clock: Clock;
}

/** A check with its result. */
export interface CheckState extends CheckResult {
  readonly check: Check;
}

/** Debounces changes: one evaluation for several events. */
const checkDelayMs = 100;

/**
 * A run of a lesson. The start of every step is saved as a copy of its lab: a reset restores it, and so does reopening the lesson after the
 * cluster was deleted. A step that was not reached from the one before starts from the solutions of the steps between.
 */
export class LessonRun {
  lesson: Lesson;
  progress: Progress = noProgress;
  /** Results of the step's checks, in their order; empty until the first evaluation. */
  states: readonly CheckState[] = [];
  /** True while the lab is being changed. */
  busy = true;
  readonly #options: LessonRunOptions;
  readonly #watch: CollectionWatch;
  readonly #activity: ActivityLog;
  readonly #stopped = new AbortController();
  readonly #listeners = new Set<() => void>();
  #cancelScheduledChecks: () => void = () => undefined;
  #evaluation: Promise<void> = Promise.resolve();

  constructor(options: LessonRunOptions) {
    const { lesson, lab, clock } = options;
    this.lesson = lesson;
    this.#options = options;
    this.#activity = new ActivityLog(options.store);
    this.#watch = new CollectionWatch(lab.api, clock, () => this.scheduleChecks());
  }

  get step(): Step | undefined {
    return this.lesson.steps[this.progress.step];
  }

  /** Whether all required checks pass. A step without checks always passes. */
  get passed(): boolean {
    const required = this.states.filter(({ check }) => !check.optional);
    return !this.busy && this.states.length === this.step?.checks.length && required.every(({ passed }) => passed);
  }

  get hintsShown(): number {
    return this.progress.hints[this.step?.id ?? ''] ?? 0;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resumes or starts the lesson; with `step`, at that step. */
  async open(step?: number): Promise<void> {
    const stored = parseProgress(await this.#options.store.get('progress'));
    if (stored && stored.step < this.lesson.steps.length) this.progress = stored;
    if (!stored) await this.#start();
    else if (!(await this.#options.lab.exists())) await this.#restore(this.progress.step);
    await this.#activity.load();
    if (step !== undefined && step !== this.progress.step) await this.goTo(step);
    else this.#enterStep();
  }

  /** The next step continues with the learner's state when this one is passed. Every other step starts from its own start state. */
  async goTo(step: number): Promise<void> {
    if (step < 0 || step >= this.lesson.steps.length) return;
    const natural = step === this.progress.step + 1 && this.passed;
    this.#leaveStep();
    if (natural) {
      const next = this.lesson.steps[step];
      if (next) await writeStepFiles(this.#options.lab, next);
      await this.#saveStart(step);
    } else await this.#restore(step);
    await this.#saveProgress({ step, startedMs: this.#options.clock.nowMs() });
    this.#enterStep();
  }

  /** Restores the start of the step. */
  async reset(): Promise<void> {
    this.#leaveStep();
    await this.#restore(this.progress.step);
    await this.#saveProgress({ startedMs: this.#options.clock.nowMs() });
    this.#enterStep();
  }

  /** Restarts the lesson. */
  async startOver(): Promise<void> {
    this.#leaveStep();
    for (const [index] of this.lesson.steps.entries()) await this.#options.store.delete(startKey(index));
    this.progress = noProgress;
    await this.#start();
    this.#enterStep();
  }

  /** Replaces the lesson after an edit or a change of language. The current step stays. */
  replaceLesson(lesson: Lesson): void {
    this.lesson = lesson;
    this.progress = { ...this.progress, step: Math.max(0, Math.min(this.progress.step, lesson.steps.length - 1)) };
    this.states = [];
    this.scheduleChecks();
    this.#notify();
  }

  async showHint(): Promise<void> {
    const { step } = this;
    if (!step || this.hintsShown >= step.hints.length) return;
    await this.#saveProgress({ hints: { ...this.progress.hints, [step.id]: this.hintsShown + 1 } });
  }

  /** Records that the learner revealed the solution. */
  async recordSolutionShown(): Promise<void> {
    const id = this.step?.id ?? '';
    if (!this.progress.shown.includes(id)) await this.#saveProgress({ shown: [...this.progress.shown, id] });
  }

  recordCommand(command: CommandRecord): void {
    this.#activity.recordCommand(command);
    this.scheduleChecks();
  }

  recordRequest(request: RequestRecord): void {
    this.#activity.recordRequest(request);
  }

  scheduleChecks(): void {
    this.#cancelScheduledChecks();
    this.#cancelScheduledChecks = this.#options.clock.schedule(checkDelayMs, () => {
      this.#evaluation = this.#evaluation.then(() => this.#runChecks());
    });
  }

  close(): void {
    this.#suspendChecks();
    this.#stopped.abort();
  }

  async #start(): Promise<void> {
    const { lab, clock } = this.#options;
    await setUpLesson(lab, this.lesson);
    const [first] = this.lesson.steps;
    if (first) await writeStepFiles(lab, first);
    await this.#saveStart(0);
    await this.#saveProgress({ step: 0, startedMs: clock.nowMs() });
  }

  /** Restores the start of a step: from its copy, or from the nearest earlier copy by applying the solutions between. */
  async #restore(step: number): Promise<void> {
    const { lab, store } = this.#options;
    let from = step;
    let copy: unknown;
    for (; from >= 0 && copy === undefined; from--) copy = await store.get(startKey(from));
    if (copy === undefined) await setUpLesson(lab, this.lesson);
    else await lab.restore(copy);
    const known = copy === undefined ? 0 : from + 1;
    if (known === step && copy !== undefined) return;
    for (const passed of this.lesson.steps.slice(known, step)) await runSolution(lab, passed);
    const reached = this.lesson.steps[step];
    if (reached) await writeStepFiles(lab, reached);
    await this.#saveStart(step);
  }

  async #saveStart(step: number): Promise<void> {
    await this.#options.store.set(startKey(step), await this.#options.lab.copy());
  }

  /** Suspends checks and clears the recorded activity before the lab changes. */
  #leaveStep(): void {
    this.#suspendChecks();
    void this.#activity.clear();
    this.#notify();
  }

  #suspendChecks(): void {
    this.busy = true;
    this.#cancelScheduledChecks();
    this.#watch.setPaths([]);
  }

  #enterStep(): void {
    this.busy = false;
    this.states = [];
    this.#evaluation = this.#evaluation.then(() => this.#runChecks());
    this.#notify();
  }

  async #runChecks(): Promise<void> {
    if (this.busy) return;
    const { step } = this;
    const checks = step?.checks ?? [];
    const { standings, queriedPaths } = checks.length === 0 ? noResults : await this.#evaluateChecks(checks);
    // The learner may have moved on or reset the step in the meantime.
    if (this.busy || this.#stopped.signal.aborted || this.step !== step) return;
    this.states = checks.flatMap((check, at) => (standings[at] ? { check, ...standings[at] } : []));
    this.#watch.setPaths(queriedPaths);
    if (step && this.passed && !this.progress.done.includes(step.id)) await this.#saveProgress({ done: [...this.progress.done, step.id] });
    this.#notify();
  }

  /** When the lab does not respond, all checks are `broken`. */
  async #evaluateChecks(checks: readonly Check[]): Promise<CheckResults> {
    const { lab, clock } = this.#options;
    try {
      const facts = await this.#facts();
      return await runChecks(checks, { lab, evaluate: (cels) => lab.evaluateChecks(cels, facts), clock });
    } catch (error) {
      const broken = errorMessage(error);
      return { standings: checks.map(() => ({ passed: false, seen: '', broken })), queriedPaths: [] };
    }
  }

  async #facts(): Promise<StepFacts> {
    return {
      commands: this.#activity.commands,
      requests: this.#activity.requests,
      files: await this.#options.lab.files(),
      step: { started: new Date(this.progress.startedMs).toISOString() },
    };
  }

  async #saveProgress(change: Partial<Progress>): Promise<void> {
    this.progress = { ...this.progress, ...change };
    await this.#options.store.set('progress', this.progress);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

const noResults: CheckResults = { standings: [], queriedPaths: [] };

function startKey(step: number): string {
  return `start:${step}`;
}
