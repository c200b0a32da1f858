import type { Clock } from '../../env/index.ts';
import type { CheckStanding } from '../checks/check-step.ts';
import type { SeenCommand, SeenRequest, StepFacts } from '../checks/expressions.ts';
import type { Looked } from '../checks/look.ts';
import type { Check, Lesson, Step } from '../lesson.ts';
import { CollectionWatch } from './collection-watch.ts';
import { beginLesson, type Lab, layOut, solveStep } from './lab.ts';
import { noProgress, type Progress, type ProgressStore, readProgress } from './progress.ts';
import { SeenLog } from './seen-log.ts';

export interface LessonRunOptions {
  readonly lesson: Lesson;
  readonly lab: Lab;
  readonly store: ProgressStore;
  readonly clock: Clock;
}

/** A check and how it stands. */
export interface CheckState extends CheckStanding {
  readonly check: Check;
}

/** Changes come in bunches: one look for all. */
const lookAfterMs = 100;

/**
 * A lesson on its way. Every step begins from a copy of its lab that is kept: a reset goes back to it, and so does whoever comes
 * again after the cluster has gone. A step that nobody came to by the one before it begins as the solutions leave the lab.
 */
export class LessonRun {
  lesson: Lesson;
  progress: Progress = noProgress;
  /** How the checks of the step stand, in their order; none while it is looked for the first time. */
  states: readonly CheckState[] = [];
  /** While the lab is being changed. */
  busy = true;
  readonly #options: LessonRunOptions;
  readonly #watch: CollectionWatch;
  readonly #seen: SeenLog;
  readonly #stopped = new AbortController();
  readonly #listeners = new Set<() => void>();
  #cancelLook: () => void = () => undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: LessonRunOptions) {
    const { lesson, lab, clock } = options;
    this.lesson = lesson;
    this.#options = options;
    this.#seen = new SeenLog(options.store);
    this.#watch = new CollectionWatch(lab.api, clock, () => this.lookSoon());
  }

  get step(): Step | undefined {
    return this.lesson.steps[this.progress.step];
  }

  /** Whether all that must hold does. A step without checks is done by reading it. */
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

  /** Goes on where the learner was, or begins; with `step`, at that one. */
  async open(step?: number): Promise<void> {
    const kept = readProgress(await this.#options.store.get('progress'));
    if (kept && kept.step < this.lesson.steps.length) this.progress = kept;
    if (!kept) await this.#begin();
    else if (!(await this.#options.lab.exists())) await this.#restore(this.progress.step);
    await this.#seen.load();
    if (step !== undefined && step !== this.progress.step) await this.goTo(step);
    else this.#enter();
  }

  /** The next step keeps what the learner made of this one, when this one is done; every other begins from its own start. */
  async goTo(step: number): Promise<void> {
    if (step < 0 || step >= this.lesson.steps.length) return;
    const natural = step === this.progress.step + 1 && this.passed;
    this.#leave();
    if (natural) {
      const next = this.lesson.steps[step];
      if (next) await layOut(this.#options.lab, next);
      await this.#keepStart(step);
    } else await this.#restore(step);
    await this.#remember({ step, startedMs: this.#options.clock.nowMs() });
    this.#enter();
  }

  /** Exactly as the step began. */
  async reset(): Promise<void> {
    this.#leave();
    await this.#restore(this.progress.step);
    await this.#remember({ startedMs: this.#options.clock.nowMs() });
    this.#enter();
  }

  /** The whole lesson anew. */
  async startOver(): Promise<void> {
    this.#leave();
    for (const [index] of this.lesson.steps.entries()) await this.#options.store.delete(startKey(index));
    this.progress = noProgress;
    await this.#begin();
    this.#enter();
  }

  /** Its author changed it, or its reader reads it in another language: one stays where one is. */
  change(lesson: Lesson): void {
    this.lesson = lesson;
    this.progress = { ...this.progress, step: Math.max(0, Math.min(this.progress.step, lesson.steps.length - 1)) };
    this.states = [];
    this.lookSoon();
    this.#tell();
  }

  async showHint(): Promise<void> {
    const { step } = this;
    if (!step || this.hintsShown >= step.hints.length) return;
    await this.#remember({ hints: { ...this.progress.hints, [step.id]: this.hintsShown + 1 } });
  }

  /** The learner had the solution shown. */
  async noteShown(): Promise<void> {
    const id = this.step?.id ?? '';
    if (!this.progress.shown.includes(id)) await this.#remember({ shown: [...this.progress.shown, id] });
  }

  noteCommand(command: SeenCommand): void {
    this.#seen.noteCommand(command);
    this.lookSoon();
  }

  noteRequest(request: SeenRequest): void {
    this.#seen.noteRequest(request);
  }

  lookSoon(): void {
    this.#cancelLook();
    this.#cancelLook = this.#options.clock.schedule(lookAfterMs, () => {
      this.#looking = this.#looking.then(() => this.#look());
    });
  }

  close(): void {
    this.#stopLooking();
    this.#stopped.abort();
  }

  async #begin(): Promise<void> {
    const { lab, clock } = this.#options;
    await beginLesson(lab, this.lesson);
    const [first] = this.lesson.steps;
    if (first) await layOut(lab, first);
    await this.#keepStart(0);
    await this.#remember({ step: 0, startedMs: clock.nowMs() });
  }

  /** Brings the lab to the start of a step: by its copy, or from the nearest one before it by the solutions between. */
  async #restore(step: number): Promise<void> {
    const { lab, store } = this.#options;
    let from = step;
    let copy: unknown;
    for (; from >= 0 && copy === undefined; from--) copy = await store.get(startKey(from));
    if (copy === undefined) await beginLesson(lab, this.lesson);
    else await lab.restore(copy);
    const known = copy === undefined ? 0 : from + 1;
    if (known === step && copy !== undefined) return;
    for (const passed of this.lesson.steps.slice(known, step)) await solveStep(lab, passed);
    const reached = this.lesson.steps[step];
    if (reached) await layOut(lab, reached);
    await this.#keepStart(step);
  }

  async #keepStart(step: number): Promise<void> {
    await this.#options.store.set(startKey(step), await this.#options.lab.copy());
  }

  /** What is done from now on is not of this step as it is. */
  #leave(): void {
    this.#stopLooking();
    void this.#seen.clear();
    this.#tell();
  }

  #stopLooking(): void {
    this.busy = true;
    this.#cancelLook();
    this.#watch.follow([]);
  }

  #enter(): void {
    this.busy = false;
    this.states = [];
    this.#looking = this.#looking.then(() => this.#look());
    this.#tell();
  }

  async #look(): Promise<void> {
    if (this.busy) return;
    const { step } = this;
    const checks = step?.checks ?? [];
    const cels = checks.map(({ cel }) => cel);
    const { standings, asked } = cels.length === 0 ? nothingAsked : await this.#lookAt(cels);
    // The learner may have gone on, or reset, meanwhile.
    if (this.busy || this.#stopped.signal.aborted || this.step !== step) return;
    this.states = checks.flatMap((check, at) => (standings[at] ? { check, ...standings[at] } : []));
    this.#watch.follow(asked);
    if (step && this.passed && !this.progress.done.includes(step.id)) await this.#remember({ done: [...this.progress.done, step.id] });
    this.#tell();
  }

  /** Where nobody answers, that is how all of them stand. */
  async #lookAt(cels: readonly string[]): Promise<Looked> {
    try {
      return await this.#options.lab.look(cels, await this.#facts());
    } catch (error) {
      const broken = error instanceof Error ? error.message : String(error);
      return { standings: cels.map(() => ({ passed: false, seen: '', broken })), asked: [] };
    }
  }

  async #facts(): Promise<StepFacts> {
    return {
      commands: this.#seen.commands,
      requests: this.#seen.requests,
      files: await this.#options.lab.files(),
      step: { started: new Date(this.progress.startedMs).toISOString() },
    };
  }

  async #remember(change: Partial<Progress>): Promise<void> {
    this.progress = { ...this.progress, ...change };
    await this.#options.store.set('progress', this.progress);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const nothingAsked: Looked = { standings: [], asked: [] };

function startKey(step: number): string {
  return `start:${step}`;
}
