import { msg, str } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { errorMessage } from '../../env/index.ts';
import { type CheckState, commandLines, ExamRun, LessonRun, type Mode, modes, type Step, solutionCommands } from '../../tutorials/index.ts';
import { languageName } from '../languages/choose-language.ts';
import { MediaWatcher } from '../media-watcher.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { type LessonPlace, linkToLesson, routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { lessonPanes, lessonPart } from './lesson-part.ts';
import { type LessonSession, openSession } from './lesson-session.ts';
import { languageKey, modeKey, preferredLanguage, readSetting, writeSetting } from './lesson-settings.ts';
import { lessonStyles, phone } from './lesson-styles.ts';
import { workspaceIdOf } from './lesson-workspace.ts';
import { loadLesson } from './load-lesson.ts';
import { proseStyles } from './prose-styles.ts';

const modeNames: Readonly<Record<Mode, () => string>> = {
  read: () => msg('Read: run with buttons'),
  type: () => msg('Type it yourself'),
  challenge: () => msg('Challenge: goals only'),
};

/**
 * A lesson: its text with the checks of the step, next to the console of its cluster. Fires `open-place` with the console's model, and
 * with undefined while there is none,
 * `lesson-insert` and `lesson-run` with lines for it, and `pane` when a narrow page should show the other pane.
 */
export class LessonScreen extends LitElement {
  static override properties: PropertyDeclarations = {
    place: { attribute: false },
    options: { attribute: false },
    models: { attribute: false },
    session: { state: true },
    failure: { state: true },
    mode: { state: true },
    pane: { reflect: true },
  };
  declare place: LessonPlace;
  declare options: ConsoleOptions;
  /** The open consoles. */
  declare models: readonly ConsoleModel[];
  declare session: LessonSession | undefined;
  declare failure: string;
  declare mode: Mode | undefined;
  declare pane: 'lesson' | 'console';
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.session?.run);
  readonly #phone = new MediaWatcher(this, phone);
  #address = '';

  static override styles: CSSResultGroup = [sharedStyles, proseStyles, lessonStyles];

  constructor() {
    super();
    this.models = [];
    this.session = undefined;
    this.failure = '';
    this.mode = modes.find((mode) => mode === readSetting(modeKey));
    this.pane = 'lesson';
  }

  override willUpdate(): void {
    const address = linkToLesson(this.place);
    if (address === this.#address) return;
    this.#address = address;
    void this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.session?.close();
  }

  override render(): TemplateResult {
    const { session } = this;
    if (session === undefined) return this.#unopened();
    const { run } = session;
    if (run instanceof ExamRun) return html`<tp-exam .session=${session}></tp-exam>`;
    return html`${this.#top(session, run)} ${this.#text(session, run)} ${this.#footer(run)}`;
  }

  #unopened(): TemplateResult {
    if (this.failure === '') return html`<p class="text" role="status">${msg('Creating the lesson’s cluster…')}</p>`;
    return html`
      <div class="text">
        <p role="alert">${this.failure}</p>
        <p><a class="button primary" href=${routeTo('learn')}>${msg('All lessons')}</a></p>
      </div>
    `;
  }

  /** The route may have another lesson, or another step of this one. */
  async #open(): Promise<void> {
    const { place } = this;
    const run = this.#run;
    if (this.session?.key === workspaceIdOf(place)) {
      if (place.step !== undefined && place.step - 1 !== run?.progress.step) await run?.goTo(place.step - 1);
      return;
    }
    await this.#reopen();
  }

  /** Reloads the lesson after a change or in another language, at the same step. */
  async reread(): Promise<void> {
    const { session } = this;
    const run = this.#run;
    const found = await loadLesson(this.place, preferredLanguage(), this.options);
    // The user may have opened another lesson in the meantime.
    if (session !== undefined && this.session !== session) return;
    if (session === undefined || run === undefined || found === undefined || found.lesson.exam !== undefined) return this.#reopen();
    // The console needs other commands then.
    if (String(found.lesson.allow) !== String(session.lesson.allow)) return this.#reopen();
    run.replaceLesson(found.lesson);
    this.session = { ...session, ...found };
  }

  async #reopen(): Promise<void> {
    const { place } = this;
    this.session?.close();
    this.session = undefined;
    this.failure = '';
    this.dispatchEvent(new CustomEvent('open-place', { detail: undefined, bubbles: true, composed: true }));
    try {
      const found = await loadLesson(place, preferredLanguage(), this.options);
      const session = found && (await openSession(place, found, this.options, this.models));
      // The user may have opened another lesson in the meantime.
      if (workspaceIdOf(this.place) !== workspaceIdOf(place)) return session?.close();
      if (session === undefined) this.failure = msg('There is no lesson with this name.');
      else this.dispatchEvent(new CustomEvent('open-place', { detail: session.model, bubbles: true, composed: true }));
      this.session = session;
    } catch (error) {
      const reason = errorMessage(error);
      this.failure = msg(str`The lesson cannot be opened: ${reason}`);
    }
  }

  #top(session: LessonSession, run: LessonRun): TemplateResult {
    return html`
      <div class="top">
        ${this.#phone.matches ? nothing : this.#crumbs(session, run)}
        <div class="bar">
          <ol class="steps" aria-label=${msg('Steps')}>
            ${run.lesson.steps.map((step, at) => this.#stepLink(step, at, run.progress.done.includes(step.id)))}
          </ol>
          ${lessonPanes(this.pane, (pane) => this.show(pane))}
        </div>
      </div>
    `;
  }

  #crumbs(session: LessonSession, run: LessonRun): TemplateResult {
    const mode = this.mode ?? run.lesson.mode;
    return html`
        <div class="crumbs">
          <h2><a href=${routeTo('learn')}>${msg('Learn')}</a> · <span lang=${session.language}>${run.lesson.title}</span></h2>
          ${this.#language(session)}
          <label class="ways">
            ${msg('Mode', { desc: 'of a lesson' })}
            <select @change=${this.#chooseMode}>
              ${modes.map((one) => html`<option value=${one} ?selected=${one === mode}>${modeNames[one]()}</option>`)}
            </select>
          </label>
        </div>
    `;
  }

  #language({ language, languages }: LessonSession): TemplateResult | typeof nothing {
    if (languages.length < 2) return nothing;
    return html`
      <label class="ways">
        ${msg('Language')}
        <select @change=${this.#chooseLanguage}>
          ${languages.map((one) => html`<option value=${one} lang=${one} ?selected=${one === language}>${languageName(one)}</option>`)}
        </select>
      </label>
    `;
  }

  #stepLink(step: Step, at: number, done: boolean): TemplateResult {
    const current = at === this.#run?.progress.step;
    const { title } = step;
    const number = at + 1;
    const label = done ? msg(str`Step ${number}: ${title}, done`) : msg(str`Step ${number}: ${title}`);
    return html`
      <li class=${done ? 'done' : ''}>
        <a href=${linkToLesson({ ...this.place, step: number })} aria-current=${current ? 'step' : nothing} aria-label=${label}>
          ${done ? '✓' : number}<span lang=${this.session?.language ?? nothing}> ${title}</span>
        </a>
      </li>
    `;
  }

  #text(session: LessonSession, run: LessonRun): TemplateResult {
    const { language, model } = session;
    const { step } = run;
    const mode = this.mode ?? run.lesson.mode;
    if (step === undefined) return html`<div class="text"></div>`;
    const parts = mode === 'challenge' ? step.parts.filter(({ kind }) => kind === 'file') : step.parts;
    return html`
      <div class="text" tabindex="0" role="region" aria-label=${msg('Lesson')}>
        ${this.#phone.matches ? this.#crumbs(session, run) : nothing}
        <div class="parts" lang=${language}>
          ${run.progress.step === 0 && mode !== 'challenge' ? run.lesson.intro.map((part) => lessonPart(part, mode, model)) : nothing}
          <h3>${run.progress.step + 1}. ${step.title}</h3>
          ${parts.map((part) => lessonPart(part, mode, model))} ${this.#hints(step, run.hintsShown)} ${this.#checks(run.states)} ${this.#praise()}
        </div>
      </div>
    `;
  }

  #hints(step: Step, shown: number): readonly TemplateResult[] {
    return step.hints.slice(0, shown).map((hint) => html`<div class="hint prose" role="note">${unsafeHTML(hint)}</div>`);
  }

  #checks(states: readonly CheckState[]): TemplateResult | typeof nothing {
    if (states.length === 0) return nothing;
    const passed = states.filter((state) => state.passed).length;
    const all = states.length;
    return html`
      <section class="checks" aria-label=${msg('Checks')}>
        <h4>${msg('To do')} <span role="status">${msg(str`(${passed} of ${all})`)}</span></h4>
        <ul>
          ${states.map((state) => this.#check(state))}
        </ul>
      </section>
    `;
  }

  #check({ check, passed, seen, broken }: CheckState): TemplateResult {
    const detail = broken === '' ? seen : broken;
    return html`
      <li class="check ${passed ? 'passed' : ''}">
        <span class="mark" aria-hidden="true">${passed ? '✓' : '○'}</span>
        <span>
          <span class="hidden-text">${passed ? msg('Done:') : msg('Not yet:')}</span> ${passed ? (check.done ?? msg('This check passes.')) : check.message}
          ${check.optional ? msg('(optional)') : nothing} ${detail === '' ? nothing : html`<span class="seen">${detail}</span>`}
        </span>
      </li>
    `;
  }

  #praise(): TemplateResult | typeof nothing {
    const run = this.#run;
    if (run === undefined || run.busy || !run.passed || run.states.length === 0) return nothing;
    const last = run.progress.step === run.lesson.steps.length - 1;
    return html`<p class="good" role="status">${last ? html`${msg('That was the last step. Well done.')}${this.#nextLink()}` : msg('Done. Continue with Next.')}</p>`;
  }

  /** The link to the next lesson. */
  #nextLink(): TemplateResult | typeof nothing {
    const next = this.session?.next;
    if (next === undefined) return nothing;
    const { title } = next;
    const link = linkToLesson(next.place);
    return html` ${msg(html`Next: <a href=${link}>${title}</a>`)}`;
  }

  #footer(run: LessonRun): TemplateResult {
    const { step, progress, busy } = run;
    const last = progress.step === run.lesson.steps.length - 1;
    const goTo = (at: number) => () => {
      location.hash = linkToLesson({ ...this.place, step: at + 1 });
    };
    const hints = (step?.hints.length ?? 0) - run.hintsShown;
    return html`
      <footer>
        <button class="button" ?disabled=${busy || progress.step === 0} @click=${goTo(progress.step - 1)}>${msg('Back')}</button>
        <button class="button" ?disabled=${busy} @click=${() => run.reset()}>${msg('Reset step')}</button>
        ${hints > 0 ? html`<button class="button" @click=${() => run.showHint()}>${msg(str`Hint (${hints})`)}</button>` : nothing}
        <button class="button" ?disabled=${busy || step === undefined || solutionCommands(step).length === 0} @click=${this.#showMe}>${msg('Show me')}</button>
        <span class="space"></span>
        ${
          last
            ? html`<a class="button ${run.passed ? 'primary' : ''}" href=${routeTo('learn')}>${msg('All lessons')}</a>`
            : html`<button class="button ${run.passed ? 'primary' : ''}" ?disabled=${busy} @click=${goTo(progress.step + 1)}>${run.passed ? msg('Next') : msg('Skip', { desc: 'continues without completing the step' })}</button>`
        }
      </footer>
    `;
  }

  /** Selects the pane of a narrow page. */
  show(pane: 'lesson' | 'console'): void {
    this.pane = pane;
    this.dispatchEvent(new CustomEvent('pane', { detail: pane, bubbles: true, composed: true }));
  }

  /** Runs the solution visibly in the console. */
  readonly #showMe = async (): Promise<void> => {
    const run = this.#run;
    if (run?.step === undefined) return;
    await run.recordSolutionShown();
    for (const part of solutionCommands(run.step)) {
      this.dispatchEvent(new CustomEvent('lesson-run', { detail: commandLines(part), bubbles: true, composed: true }));
    }
  };

  readonly #chooseMode = (event: Event): void => {
    this.mode = modes.find((mode) => mode === (event.target as HTMLSelectElement).value);
    writeSetting(modeKey, this.mode ?? '');
  };

  readonly #chooseLanguage = (event: Event): void => {
    writeSetting(languageKey, (event.target as HTMLSelectElement).value);
    void this.reread();
  };

  get #run(): LessonRun | undefined {
    return this.session?.run instanceof LessonRun ? this.session.run : undefined;
  }
}
