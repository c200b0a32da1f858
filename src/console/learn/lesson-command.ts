import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { CommandPart, Mode } from '../../tutorials/index.ts';
import { commandLines } from '../../tutorials/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { sharedStyles } from '../shared-styles.ts';
import { type ExplainedWord, explainCommand } from './explain-command.ts';

/** A command of a lesson. Fires `lesson-insert` and `lesson-run` with its lines. */
export class LessonCommand extends LitElement {
  static override properties: PropertyDeclarations = {
    command: { attribute: false },
    model: { attribute: false },
    mode: { attribute: false },
    words: { state: true },
  };
  declare command: CommandPart;
  declare model: ConsoleModel;
  declare mode: Mode;
  declare words: readonly ExplainedWord[] | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: block;
        border: 1px solid var(--line);
        border-inline-start: 3px solid var(--accent);
        border-radius: var(--radius-small);
        background: var(--surface);
      }
      pre {
        margin: 0;
        padding: 0.5rem 0.75rem;
        font: 500 0.8125rem/1.55 var(--mono);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      /* A line breaks between words, not after the hyphens of a flag. */
      .word {
        display: inline-block;
        max-width: 100%;
      }
      .tools {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 0.375rem;
        align-items: center;
        padding: 0 0.5rem 0.375rem 0.75rem;
      }
      .note {
        flex: 1;
        color: var(--muted);
        font-size: var(--small-size);
      }
      dl {
        display: grid;
        grid-template-columns: max-content minmax(0, 1fr);
        gap: 0.25rem 0.75rem;
        margin: 0;
        padding: 0.375rem 0.75rem 0.625rem;
        border-block-start: 1px solid var(--line);
        font-size: 0.8125rem;
      }
      dt {
        font-family: var(--mono);
        font-weight: 600;
      }
      dd {
        margin: 0;
        color: var(--muted);
      }
    `,
  ];

  constructor() {
    super();
    this.words = undefined;
  }

  override render(): TemplateResult {
    const lines = commandLines(this.command);
    const { expect } = this.command;
    const fire = (type: string) => () => this.dispatchEvent(new CustomEvent(type, { detail: lines, bubbles: true, composed: true }));
    return html`
      <pre>${lines.split(/(\s+)/).map((word) => (word.trim() === '' ? word : html`<span class="word">${word}</span>`))}</pre>
      <div class="tools">
        <span class="note">${expect === 0 ? nothing : msg(str`This command is expected to fail (exit ${expect}).`)}</span>
        <button class="quiet" aria-expanded=${this.words === undefined ? 'false' : 'true'} @click=${this.#explain}>${msg('explain', { desc: 'the words of a command' })}</button>
        ${
          this.mode === 'read'
            ? html`<button class="button" @click=${fire('lesson-insert')}>${msg('Insert')}</button>
                <button class="button primary" @click=${fire('lesson-run')}>${msg('Run', { desc: 'a command' })}</button>`
            : html`<button class="button primary" title=${msg('Inserts the command into the console; press Enter to run it')} @click=${fire('lesson-insert')}>${msg('Insert')}</button>`
        }
      </div>
      ${this.words === undefined ? nothing : this.#meanings(this.words)}
    `;
  }

  #meanings(words: readonly ExplainedWord[]): TemplateResult {
    if (words.length === 0) return html`<dl><dt>—</dt><dd>${msg('No explanation is available for this command.')}</dd></dl>`;
    return html`<dl>${words.map(({ word, about }) => html`<dt>${word}</dt><dd>${about}</dd>`)}</dl>`;
  }

  readonly #explain = async (): Promise<void> => {
    this.words = this.words === undefined ? await explainCommand(commandLines(this.command), this.model) : undefined;
  };
}
