import { type ShippedLesson, type ShippedTrack, tracks } from 'virtual:tabplane-lessons';
import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { errorMessage } from '../../env/index.ts';
import type { ProductName } from '../../meta/index.ts';
import type { Progress } from '../../tutorials/index.ts';
import { defineElements } from '../define-elements.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { downloadFile } from '../model/download-file.ts';
import { openStore } from '../model/key-value-store.ts';
import { linkToLesson, routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { addProgress, readAllProgress } from './lesson-session.ts';
import { translatedTexts } from './lesson-settings.ts';
import { formatProgressFile, parseProgressFile } from './progress-file.ts';

/** The catalogue: tracks and their lessons, with progress. */
export class LearnScreen extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    progress: { state: true },
    certificate: { state: true },
    message: { state: true },
  };
  declare model: ConsoleModel;
  declare progress: ReadonlyMap<string, Progress>;
  /** The track whose certificate is shown. */
  declare certificate: string;
  declare message: string;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: block;
        overflow-y: auto;
      }
      .page {
        max-width: 56rem;
        margin-inline: auto;
        padding: clamp(0.75rem, 3vw, 2rem);
      }
      h2 {
        margin: 0;
        font-size: 1.375rem;
        font-weight: 650;
        letter-spacing: -0.01em;
      }
      .about {
        margin: 0.25rem 0 1rem;
        color: var(--muted);
      }
      ol {
        margin: 0 0 2rem;
        padding: 0;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        list-style: none;
        overflow: clip;
      }
      li + li {
        border-block-start: 1px solid var(--line);
      }
      li a {
        display: grid;
        grid-template-columns: 1.75rem minmax(0, 1fr) auto;
        gap: 0.125rem 0.75rem;
        align-items: center;
        padding: 0.625rem 0.875rem;
        color: inherit;
        text-decoration: none;
      }
      li a:hover {
        background: var(--raised);
      }
      li a:focus-visible {
        outline-offset: -2px;
      }
      .mark {
        display: grid;
        grid-row: span 2;
        place-items: center;
        width: 1.75rem;
        height: 1.75rem;
        border: 1px solid var(--line-strong);
        border-radius: 50%;
        color: var(--muted);
        font-size: var(--small-size);
        font-variant-numeric: tabular-nums;
      }
      .done .mark {
        border-color: var(--good);
        background: var(--good-soft);
        color: var(--good);
        font-weight: 700;
      }
      .title {
        color: var(--text);
        font-weight: 600;
      }
      .summary {
        grid-column: 2 / -1;
        color: var(--muted);
        font-size: 0.8125rem;
      }
      h3 {
        margin: 0;
        font-size: 1rem;
        font-weight: 650;
      }
      .tools {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1rem;
        align-items: center;
        margin: 0;
      }
      .facts {
        color: var(--muted);
        font-size: var(--small-size);
        white-space: nowrap;
      }
    `,
  ];

  constructor() {
    super();
    this.progress = new Map();
    this.certificate = '';
    this.message = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', this.#readAddress);
    this.#readAddress();
    void this.#readProgress();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#readAddress);
  }

  override render(): TemplateResult {
    const track = tracks.find(({ id }) => id === this.certificate);
    if (track) return html`<div class="page"><tp-certificate .track=${track} .progress=${this.progress}></tp-certificate></div>`;
    return html`<div class="page">${tracks.map((one) => this.#track(one))} ${this.#footer()}</div>`;
  }

  #footer(): TemplateResult {
    const pick = (event: Event): void => {
      const input = event.target as HTMLInputElement;
      const [file] = input.files ?? [];
      if (file !== undefined) void this.#load(file);
      input.value = '';
    };
    const author = routeTo('author');
    return html`
      <h3>${msg('Your progress')}</h3>
      <p class="about">${msg('Your progress is stored in this browser only. Save it as a file to use it elsewhere.')}</p>
      <p class="tools">
        <button class="button" @click=${() => downloadFile('progress.json', formatProgressFile(this.progress), 'application/json')}>${msg('Save as a file')}</button>
        <label>${msg('Add from a file:')} <input type="file" accept=".json" @change=${pick} /></label>
      </p>
      <p role="status">${this.message}</p>
      <h3>${msg('Your own lessons')}</h3>
      <p class="about">${msg(html`A lesson is a Markdown file. <a href=${author}>Write one</a>, or open one that you received.`)}</p>
    `;
  }

  async #load(file: File): Promise<void> {
    try {
      await addProgress(await openStore(), parseProgressFile(await file.text()));
      await this.#readProgress();
      this.message = msg('Added.');
    } catch (error) {
      this.message = errorMessage(error);
    }
  }

  async #readProgress(): Promise<void> {
    this.progress = await readAllProgress(await openStore());
  }

  readonly #readAddress = (): void => {
    this.certificate = new URLSearchParams(location.hash.split('?')[1]).get('certificate') ?? '';
    if (this.certificate !== '')
      void import('./certificate-page.ts').then((page) => defineElements({ 'tp-certificate': page.CertificatePage }));
  };

  #track(track: ShippedTrack): TemplateResult {
    const lessons = track.lessons.filter(({ exam }) => !exam);
    const done = lessons.filter((lesson) => this.#stepsDone(track, lesson) === lesson.steps.length).length;
    const minutes = lessons.reduce((sum, lesson) => sum + lesson.minutes, 0);
    const count = lessons.length;
    const hasExam = count < track.lessons.length;
    const extent = hasExam ? msg(str`${count} lessons and an exam, ${minutes} minutes.`) : msg(str`${count} lessons, ${minutes} minutes.`);
    const { title, about, language } = translatedTexts({ title: track.title, about: track.about }, track.translations);
    return html`
      <h2 id=${track.id} lang=${language}>${title}</h2>
      <p class="about">
        <span lang=${language}>${about}</span> ${extent} ${done > 0 ? msg(str`${done} done.`) : nothing} ${msg('Every lesson has its own cluster and works offline.')}
        ${done >= count ? html`<a href=${routeTo('learn', '', { certificate: track.id })}>${msg('Your certificate')}</a>` : nothing}
      </p>
      <ol aria-labelledby=${track.id}>
        ${track.lessons.map((lesson, at) => this.#lesson(track, lesson, at))}
      </ol>
    `;
  }

  #lesson(track: ShippedTrack, lesson: ShippedLesson, at: number): TemplateResult {
    const done = this.#stepsDone(track, lesson);
    const whole = done === lesson.steps.length;
    const { title, summary, language } = textsOf(lesson);
    return html`
      <li class=${whole ? 'done' : ''}>
        <a href=${linkToLesson({ track: track.id, lesson: lesson.id, step: undefined, names: lessonNames(this.model) })}>
          <span class="mark" aria-hidden="true">${whole ? '✓' : lesson.exam ? '★' : at + 1}</span>
          <span class="title" lang=${language}>${title}</span>
          <span class="facts">${stateText(lesson, done)}</span>
          <span class="summary"><span lang=${language}>${summary}</span>${this.#prerequisites(lesson)}</span>
        </a>
      </li>
    `;
  }

  /** The incomplete prerequisites, in this track or another one. */
  #prerequisites({ requires }: ShippedLesson): string {
    const missing = tracks.flatMap((track) =>
      track.lessons.filter((one) => requires.includes(`${track.id}/${one.id}`) && this.#stepsDone(track, one) < one.steps.length),
    );
    const titles = missing.map((one) => textsOf(one).title).join(', ');
    return titles === '' ? '' : ` ${msg(str`Prerequisites: ${titles}.`)}`;
  }

  #stepsDone(track: ShippedTrack, lesson: ShippedLesson): number {
    const progress = this.progress.get(`${track.id}/${lesson.id}`);
    return lesson.steps.filter((id) => progress?.done.includes(id)).length;
  }
}

/** The title and the summary, translated if available. */
function textsOf({ title, summary, translations }: ShippedLesson): ReturnType<typeof translatedTexts<{ title: string; summary: string }>> {
  return translatedTexts({ title, summary }, translations);
}

/** Lessons use the names of the open cluster. Undefined: those of the page's default cluster. */
function lessonNames({ workspace, hostNames }: Pick<ConsoleModel, 'workspace' | 'hostNames'>): ProductName | undefined {
  return workspace.names === hostNames ? undefined : workspace.names;
}

/** The progress of a lesson, or its duration before the first completed step. */
function stateText({ exam, minutes, steps }: ShippedLesson, done: number): string {
  const all = steps.length;
  if (done === all) return exam ? msg('passed', { desc: 'an exam' }) : msg('done', { desc: 'a lesson' });
  return done > 0 ? msg(str`${done} of ${all} steps`) : msg(str`${minutes} min`);
}
