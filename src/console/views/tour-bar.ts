import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { sharedStyles } from '../shared-styles.ts';
import { startSteps } from '../terminal/start-steps.ts';

/** The next step of the tour, on every screen. Fires `tour-step` with its index, and `tour-end`. */
export class TourBar extends LitElement {
  static override properties: PropertyDeclarations = { step: { attribute: false } };
  /** The index of the next step. */
  declare step: number;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      div {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 1rem;
        align-items: center;
        justify-content: center;
        padding: 0.375rem 1rem;
        border-block-end: 1px solid var(--line);
        background: var(--accent-soft);
      }
      strong {
        color: var(--accent);
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const steps = startSteps();
    const next = steps[this.step];
    if (next === undefined) return nothing;
    const [number, count] = [this.step + 1, steps.length];
    return html`
      <div role="status">
        <span><strong>${msg(str`Tour, ${number} of ${count}:`)}</strong> ${next.about}</span>
        <button class="button primary" @click=${() => this.#fire('tour-step')}>${'line' in next ? html`<code>${next.line}</code>` : next.title}</button>
        <button class="quiet" @click=${() => this.#fire('tour-end')}>${msg('End the tour')}</button>
      </div>
    `;
  }

  #fire(type: 'tour-step' | 'tour-end'): void {
    this.dispatchEvent(new CustomEvent(type, { detail: this.step, bubbles: true, composed: true }));
  }
}
