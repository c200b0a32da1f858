import type { ShippedTrack } from 'virtual:tabplane-lessons';
import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Progress } from '../../tutorials/index.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';

/** Prints the certificate without the surrounding page. */
const frameOnPaper = `@media print {
  :host { display: block !important; height: auto !important; overflow: visible !important; }
  nav, tp-top-bar, .over, [role=navigation], tp-terminal { display: none !important; }
  main { display: block !important; overflow: visible !important; }
}`;

/** The printable certificate of a completed track. The name is not stored. */
export class CertificatePage extends LitElement {
  static override properties: PropertyDeclarations = { track: { attribute: false }, progress: { attribute: false } };
  declare track: ShippedTrack;
  /** By lesson. */
  declare progress: ReadonlyMap<string, Progress>;
  #frame: Document | ShadowRoot | undefined;
  readonly #sheet = new CSSStyleSheet();

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      .sheet {
        display: grid;
        gap: 1rem;
        justify-items: center;
        padding: clamp(1rem, 5vw, 3rem);
        border: 3px double var(--line-strong);
        border-radius: var(--radius);
        background: var(--surface);
        text-align: center;
      }
      h2,
      p,
      ul {
        margin: 0;
      }
      h2 {
        font-size: 1.5rem;
      }
      input {
        width: min(100%, 24rem);
        padding: 0.375rem;
        border: 0;
        border-block-end: 1px solid var(--line-strong);
        background: none;
        font-size: 1.25rem;
        text-align: center;
      }
      ul {
        padding: 0;
        color: var(--muted);
        font-size: 0.8125rem;
        list-style: none;
      }
      .tools {
        display: flex;
        gap: 0.5rem;
        margin-block-end: 1rem;
      }
      .small {
        color: var(--muted);
        font-size: var(--small-size);
      }
      @media print {
        .tools {
          display: none;
        }
        input {
          outline: none !important;
        }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sheet.replaceSync(frameOnPaper);
    const { host } = this.getRootNode() as ShadowRoot;
    this.#frame = host.getRootNode() as Document | ShadowRoot;
    this.#frame.adoptedStyleSheets.push(this.#sheet);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    const frame = this.#frame;
    if (frame !== undefined) frame.adoptedStyleSheets = frame.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
  }

  override render(): TemplateResult {
    const missing = this.track.lessons.filter((lesson) => !lesson.exam && !this.#isDone(lesson));
    if (missing.length > 0) {
      const titles = missing.map(({ title }) => title).join(', ');
      return html`<p>${msg(str`Not yet: ${titles}.`)} <a href=${routeTo('learn')}>${msg('All lessons')}</a></p>`;
    }
    const lessons = this.track.lessons.filter(({ exam }) => !exam);
    return html`
      <div class="tools">
        <button class="button primary" @click=${() => print()}>${msg('Print')}</button><a class="button" href=${routeTo('learn')}>${msg('All lessons')}</a>
      </div>
      <div class="sheet">
        <h2>${this.track.title}</h2>
        <input aria-label=${msg('Your name')} placeholder=${msg('Your name')} autocomplete="name" />
        <p>${this.#summary(lessons.length)}</p>
        <ul>
          ${lessons.map(({ title }) => html`<li>${title}</li>`)}
        </ul>
        <p>${new Date().toLocaleDateString([], { dateStyle: 'long' })}</p>
        ${this.#solutionsShown()}
      </div>
    `;
  }

  /** Continues the sentence after the name. */
  #summary(count: number): string {
    const passed = this.track.lessons.some((lesson) => lesson.exam && this.#isDone(lesson));
    return passed
      ? msg(str`has completed all ${count} lessons of this track and passed its exam.`, { desc: 'goes on from a name' })
      : msg(str`has completed all ${count} lessons of this track.`, { desc: 'goes on from a name' });
  }

  /** A certificate without this would not be credible. */
  #solutionsShown(): TemplateResult | typeof nothing {
    const steps = this.track.lessons.flatMap(({ steps }) => steps).length;
    const own = this.track.lessons.map(({ id }) => this.progress.get(`${this.track.id}/${id}`));
    const shown = own.reduce((sum, progress) => sum + (progress?.shown.length ?? 0), 0);
    return shown === 0 ? nothing : html`<p class="small">${msg(str`In ${shown} of ${steps} steps the solution was shown.`)}</p>`;
  }

  #isDone({ id, steps }: ShippedTrack['lessons'][number]): boolean {
    const done = this.progress.get(`${this.track.id}/${id}`)?.done ?? [];
    return steps.every((step) => done.includes(step));
  }
}
