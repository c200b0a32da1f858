import { type ShippedLesson, type ShippedTrack, tracks } from 'virtual:tabplane-lessons';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Progress } from '../../tutorials/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { openKeep } from '../model/keep.ts';
import { linkToLesson } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { allProgress, placeIdOf } from './lesson-session.ts';

/** The catalogue: tracks and their lessons, with what is done of them. */
export class LearnScreen extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false }, progress: { state: true } };
  declare model: ConsoleModel;
  declare progress: ReadonlyMap<string, Progress>;

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
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void openKeep()
      .then(allProgress)
      .then((progress) => {
        this.progress = progress;
      });
  }

  override render(): TemplateResult {
    return html`<div class="page">${tracks.map((track) => this.#track(track))}</div>`;
  }

  #track(track: ShippedTrack): TemplateResult {
    const done = track.lessons.filter((lesson) => this.#done(track, lesson) === lesson.steps.length).length;
    const minutes = track.lessons.reduce((sum, lesson) => sum + lesson.minutes, 0);
    return html`
      <h2>${track.title}</h2>
      <p class="about">
        ${track.about} ${track.lessons.length} lessons, ${minutes} minutes${done > 0 ? html`; ${done} done` : nothing}. Every lesson has a cluster of
        its own, and works offline.
      </p>
      <ol aria-label=${track.title}>
        ${track.lessons.map((lesson, at) => this.#lesson(track, lesson, at))}
      </ol>
    `;
  }

  #lesson(track: ShippedTrack, lesson: ShippedLesson, at: number): TemplateResult {
    const done = this.#done(track, lesson);
    const whole = done === lesson.steps.length;
    const state = whole ? 'done' : done > 0 ? `${done} of ${lesson.steps.length} steps` : `${lesson.minutes} min`;
    return html`
      <li class=${whole ? 'done' : ''}>
        <a href=${linkToLesson({ track: track.id, lesson: lesson.id, step: undefined })}>
          <span class="mark" aria-hidden="true">${whole ? '✓' : at + 1}</span>
          <span class="title">${lesson.title}</span>
          <span class="facts">${state}</span>
          <span class="summary">${lesson.summary}${this.#after(track, lesson)}</span>
        </a>
      </li>
    `;
  }

  /** The lessons that should come before, when they are not done. */
  #after(track: ShippedTrack, { requires }: ShippedLesson): string {
    const missing = track.lessons.filter((one) => requires.includes(`${track.id}/${one.id}`) && this.#done(track, one) < one.steps.length);
    return missing.length === 0 ? '' : ` Builds on: ${missing.map(({ title }) => title).join(', ')}.`;
  }

  #done(track: ShippedTrack, lesson: ShippedLesson): number {
    const progress = this.progress.get(placeIdOf({ track: track.id, lesson: lesson.id, step: undefined }));
    return lesson.steps.filter((id) => progress?.done.includes(id)).length;
  }
}
