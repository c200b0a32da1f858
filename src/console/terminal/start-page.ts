import { msg } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ConsoleModel } from '../model/console-model.ts';
import { sharedStyles } from '../shared-styles.ts';
import { type StartStep, startSteps } from './start-steps.ts';

/** The first text of the console. Fires `tour-step` with the index of the step that a card stands for. */
export class StartPage extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false } };
  declare model: ConsoleModel;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      section {
        max-width: 44rem;
        padding-block: clamp(0.5rem, 6vh, 4rem) 1rem;
      }
      h2 {
        margin: 0 0 0.375rem;
        font-size: 1.375rem;
        font-weight: 650;
        letter-spacing: -0.01em;
        text-wrap: balance;
      }
      p {
        margin: 0 0 1rem;
        color: var(--muted);
      }
      p .button {
        margin-inline-start: 0.5rem;
      }
      ol {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr));
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .card {
        display: grid;
        gap: 0.0625rem;
        width: 100%;
        height: 100%;
        padding: 0.5rem 0.75rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        text-align: start;
        align-content: start;
      }
      .card:hover {
        border-color: var(--accent);
      }
      .card code,
      .card strong {
        color: var(--accent);
        font-size: 0.8125rem;
        overflow-wrap: anywhere;
      }
      .card code {
        font-weight: 500;
      }
      .card span {
        color: var(--muted);
        font-size: var(--small-size);
      }
    `,
  ];

  override render(): TemplateResult {
    return html`
      <section aria-labelledby="welcome">
        <h2 id="welcome">${msg('A Kubernetes control plane in this tab')}</h2>
        <p>${msg('Nothing to install; no data leaves this browser. Each command shows its real HTTP requests.')}</p>
        <tp-cluster-choice .model=${this.model}></tp-cluster-choice>
        <p>${msg('Run a command below, or take the tour of 30 seconds.')} <button class="button" @click=${() => this.#takeStep(0)}>${msg('Start the tour')}</button></p>
        <ol>
          ${startSteps().map((step, at) => html`<li><button class="card" @click=${() => this.#takeStep(at)}>${cardTitle(step)}<span>${step.about}</span></button></li>`)}
        </ol>
      </section>
    `;
  }

  #takeStep(step: number): void {
    this.dispatchEvent(new CustomEvent('tour-step', { detail: step, bubbles: true, composed: true }));
  }
}

function cardTitle(step: StartStep): TemplateResult {
  return 'line' in step ? html`<code>${step.line}</code>` : html`<strong>${step.title}</strong>`;
}
