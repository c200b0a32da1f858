import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { errorMessage } from '../../env/index.ts';
import type { ExamRun, ExamState } from '../../tutorials/index.ts';
import { MediaWatcher } from '../media-watcher.ts';
import { downloadFile } from '../model/download-file.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { clockText, examReport } from './exam-report.ts';
import { lessonPanes, lessonPart } from './lesson-part.ts';
import type { LessonSession } from './lesson-session.ts';
import { lessonStyles, phone } from './lesson-styles.ts';
import { proseStyles } from './prose-styles.ts';

/** Factors of the exam's minutes; 0 is no limit. An accessibility requirement (WCAG 2.2.1, timing adjustable). */
const allowances: readonly (readonly [times: number, words: () => string])[] = [
  [1, () => msg('standard', { desc: 'the time of an exam' })],
  [1.5, () => msg('50 % extra', { desc: 'the time of an exam' })],
  [2, () => msg('double', { desc: 'the time of an exam' })],
  [0, () => msg('no limit', { desc: 'the time of an exam' })],
];

/** An exam: the introduction, the tasks with a timer, and the result. Fires `pane` like a lesson. */
export class ExamView extends LitElement {
  static override properties: PropertyDeclarations = {
    session: { attribute: false },
    pane: { reflect: true },
    task: { state: true },
    times: { state: true },
    failure: { state: true },
  };
  declare session: LessonSession;
  declare pane: 'lesson' | 'console';
  declare task: number;
  declare times: number;
  declare failure: string;
  readonly #phone = new MediaWatcher(this, phone);
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.#run);
  #ticking: ReturnType<typeof setInterval> | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    proseStyles,
    lessonStyles,
    css`
      .bar {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 0.75rem;
        align-items: center;
      }
      .steps {
        flex: 1;
        min-width: 0;
      }
      .clock {
        font-variant-numeric: tabular-nums;
        font-weight: 600;
      }
      table {
        width: 100%;
        border-collapse: collapse;
        font-size: 0.8125rem;
      }
      th,
      td {
        padding: 0.375rem 0.5rem;
        border-block-end: 1px solid var(--line);
        text-align: start;
        vertical-align: top;
      }
    `,
  ];

  constructor() {
    super();
    this.pane = 'lesson';
    this.task = 0;
    this.times = 1;
    this.failure = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ticking = setInterval(() => this.#run.remainingMs !== undefined && this.requestUpdate(), 1_000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#ticking);
  }

  override render(): TemplateResult {
    const { state, busy } = this.#run;
    if (busy) return html`<p class="text" role="status">${state?.endedMs === undefined ? msg('Loading…') : ''}</p>`;
    if (state === undefined) return this.#frame(this.#before());
    return state.endedMs === undefined ? this.#frame(this.#tasks(), this.#footer()) : this.#frame(this.#outcome(state));
  }

  get #run(): ExamRun {
    return this.session.run as ExamRun;
  }

  #frame(body: TemplateResult, footer: TemplateResult | typeof nothing = nothing): TemplateResult {
    const { remainingMs } = this.#run;
    const { lesson, language } = this.session;
    const time = remainingMs === undefined ? '' : clockText(remainingMs);
    const clock = time === '' ? nothing : html`<span class="clock" role="timer">${msg(str`${time} left`)}</span>`;
    const title = html`<div class="crumbs"><h2><a href=${routeTo('learn')}>${msg('Learn')}</a> · <span lang=${language}>${lesson.title}</span></h2></div>`;
    return html`
      <div class="top">
        ${this.#phone.matches ? nothing : title}
        ${footer === nothing ? nothing : html`<div class="bar">${this.#taskLinks()} ${lessonPanes(this.pane, (pane) => this.show(pane))} ${clock}</div>`}
      </div>
      <div class="text" tabindex="0" role="region" aria-label=${msg('Exam')}>${this.#phone.matches ? title : nothing}<div class="parts">${body}</div></div>
      ${footer}
    `;
  }

  #before(): TemplateResult {
    const { lesson, exam } = this.#run;
    const tasks = lesson.steps.length;
    const points = lesson.steps.reduce((sum, step) => sum + this.#run.weightOf(step), 0);
    const { pass, minutes } = exam;
    const choose = (event: Event): void => {
      this.times = Number((event.target as HTMLSelectElement).value);
    };
    return html`
      ${lesson.intro.map((part) => lessonPart(part, 'challenge', this.session.model))}
      <p>
        ${msg(str`${tasks} tasks, ${points} points, pass mark ${pass} %. You have ${minutes} minutes and no hints; results are shown at the end.`)}
      </p>
      <label>
        ${msg('Time', { desc: 'the time of an exam' })}
        <select @change=${choose}>
          ${allowances.map(([times, words]) => html`<option value=${times} ?selected=${times === this.times}>${words()}</option>`)}
        </select>
      </label>
      ${this.failure === '' ? nothing : html`<p role="alert">${this.failure}</p>`}
      <p><button class="button primary" @click=${this.#start}>${msg('Start')}</button></p>
    `;
  }

  #taskLinks(): TemplateResult {
    return html`
      <ol class="steps" aria-label=${msg('Tasks')}>
        ${this.session.lesson.steps.map(({ title }, at) => this.#taskLink(title, at))}
      </ol>
    `;
  }

  #taskLink(title: string, at: number): TemplateResult {
    const number = at + 1;
    return html`
      <li>
        <button aria-current=${at === this.task ? 'step' : nothing} aria-label=${msg(str`Task ${number}: ${title}`)} @click=${() => this.#go(at)}>
          ${number}<span lang=${this.session.language}> ${title}</span>
        </button>
      </li>
    `;
  }

  #tasks(): TemplateResult {
    const step = this.session.lesson.steps[this.task];
    if (step === undefined) return html``;
    const weight = this.#run.weightOf(step);
    return html`
      <h3>${this.task + 1}. <span lang=${this.session.language}>${step.title}</span> <span class="points">${weight === 1 ? msg('(1 point)') : msg(str`(${weight} points)`)}</span></h3>
      ${step.parts.map((part) => lessonPart(part, 'type', this.session.model))}
    `;
  }

  #footer(): TemplateResult {
    const last = this.session.lesson.steps.length - 1;
    return html`
      <footer>
        <button class="button" ?disabled=${this.task === 0} @click=${() => this.#go(this.task - 1)}>${msg('Back')}</button>
        <button class="button" ?disabled=${this.task === last} @click=${() => this.#go(this.task + 1)}>${msg('Next task')}</button>
        <span class="space"></span>
        <button class="button ${this.task === last ? 'primary' : ''}" @click=${this.#handIn}>${msg('Submit')}</button>
      </footer>
    `;
  }

  #outcome({ results }: ExamState): TemplateResult {
    const { points, exam } = this.#run;
    const { percent, reached, all } = points;
    const needed = exam.pass;
    const { language } = this.session;
    return html`
      <p class=${points.passed ? 'good' : 'hint'} role="status">
        ${
          points.passed
            ? msg(str`Passed with ${percent} %: ${reached} of ${all} points. ${needed} % required.`)
            : msg(str`Not passed with ${percent} %: ${reached} of ${all} points. ${needed} % required.`)
        }
      </p>
      <table>
        <thead>
          <tr><th scope="col">${msg('Task')}</th><th scope="col">${msg('Checks')}</th><th scope="col">${msg('Missing')}</th></tr>
        </thead>
        <tbody>
          ${results.map(
            ({ title, passed, checks, missing }) =>
              html`<tr><td lang=${language}>${title}</td><td>${msg(str`${passed} of ${checks}`)}</td><td>${missing.length === 0 ? msg('✓ nothing', { desc: 'nothing is missing' }) : html`<span lang=${language}>${missing.join(' ')}</span>`}</td></tr>`,
          )}
        </tbody>
      </table>
      ${this.failure === '' ? nothing : html`<p role="alert">${this.failure}</p>`}
      <p>
        <button class="button primary" @click=${this.#save}>${msg('Save report')}</button>
        <button class="button" @click=${this.#start}>${msg('Retake the exam')}</button>
      </p>
    `;
  }

  #go(task: number): void {
    this.task = task;
  }

  show(pane: 'lesson' | 'console'): void {
    this.pane = pane;
    this.dispatchEvent(new CustomEvent('pane', { detail: pane, bubbles: true, composed: true }));
  }

  readonly #start = async (): Promise<void> => {
    this.task = 0;
    this.failure = '';
    const minutes = this.times === 0 ? undefined : this.#run.exam.minutes * this.times;
    await this.#run.start(minutes).catch((error: unknown) => {
      this.failure = errorMessage(error);
    });
  };

  readonly #handIn = async (): Promise<void> => {
    const { promptUser } = await import('../views/prompt-dialog.ts');
    const text = msg("Your cluster's current state will be graded.");
    if ((await promptUser({ title: msg('Submit the exam?'), text, action: msg('Submit') })) !== undefined) void this.#run.finish();
  };

  readonly #save = (): void => downloadFile(`${this.session.lesson.title}.md`, examReport(this.#run), 'text/markdown');
}
