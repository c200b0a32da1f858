import { msg } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { defineElements } from '../define-elements.ts';
import { dialogStyles } from '../explore/dialog-styles.ts';
import { sharedStyles } from '../shared-styles.ts';

/** A question over the screen. */
export interface Question {
  readonly title: string;
  readonly text?: string;
  /** The label of the button that agrees, as an imperative: Delete. */
  readonly action: string;
  /** Whether it deletes something. */
  readonly isDangerous?: boolean;
  /** A text field. */
  readonly field?: { readonly label: string; readonly value: string; readonly maxLength: number };
  /** A choice of one option. The first one is the default. */
  readonly choice?: { readonly label: string; readonly options: readonly Option[] };
}

export interface Option {
  readonly value: string;
  readonly title: string;
  readonly about: string;
}

/** The entered text and the chosen option; empty for those that the question does not have. */
export interface Answer {
  readonly text: string;
  readonly option: string;
}

/** A dialog with a question. `answer` is called once, with undefined when it was cancelled. */
class PromptDialog extends LitElement {
  static override properties: PropertyDeclarations = { question: { attribute: false } };
  declare question: Question;
  answer: (answer: Answer | undefined) => void = () => undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    dialogStyles,
    css`
      .field {
        display: grid;
        gap: 0.25rem;
        margin-block-end: 0.75rem;
      }
      input[type='text'] {
        min-height: 2.25rem;
        padding: 0 0.625rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: var(--raised);
        font-size: 1rem;
      }
      fieldset {
        display: grid;
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        margin-block-end: 0.25rem;
        padding: 0;
      }
      .option {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 0 0.5rem;
        align-items: center;
        min-height: 1.75rem;
      }
      .option .note {
        grid-column: 2;
      }
      input[type='radio'] {
        width: 1.125rem;
        height: 1.125rem;
        accent-color: var(--accent);
      }
    `,
  ];

  override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
    this.renderRoot.querySelector<HTMLInputElement>('input[type="text"]')?.select();
  }

  override render(): TemplateResult {
    const { title, text, action, isDangerous, field } = this.question;
    return html`
      <dialog aria-labelledby="title" @close=${this.#close}>
        <form method="dialog" @submit=${this.#agree}>
          <h2 id="title">${title}</h2>
          ${text === undefined ? nothing : html`<p>${text}</p>`}
          ${
            field === undefined
              ? nothing
              : html`<label class="field">${field.label} <input type="text" name="text" autocomplete="off" required maxlength=${field.maxLength} .value=${field.value} /></label>`
          }
          ${this.#choice()}
          <div class="buttons">
            <button class="button" type="button" ?autofocus=${field === undefined} @click=${() => this.renderRoot.querySelector('dialog')?.close()}>${msg('Cancel')}</button>
            <button class="button ${isDangerous ? 'danger' : 'primary'}">${action}</button>
          </div>
        </form>
      </dialog>
    `;
  }

  #choice(): TemplateResult | typeof nothing {
    const { choice } = this.question;
    if (choice === undefined) return nothing;
    return html`
      <fieldset>
        <legend>${choice.label}</legend>
        ${choice.options.map(
          ({ value, title, about }, at) => html`
            <label class="option">
              <input type="radio" name="option" value=${value} .checked=${at === 0} /> <span>${title}</span> <span class="note">${about}</span>
            </label>
          `,
        )}
      </fieldset>
    `;
  }

  readonly #agree = (event: SubmitEvent): void => {
    const data = new FormData(event.currentTarget as HTMLFormElement);
    this.#finish({ text: String(data.get('text') ?? ''), option: String(data.get('option') ?? '') });
  };

  readonly #close = (): void => {
    this.#finish(undefined);
    this.remove();
  };

  #finish(answer: Answer | undefined): void {
    const call = this.answer;
    this.answer = () => undefined;
    call(answer);
  }
}

/** Shows a question. Resolves to undefined when the dialog is cancelled. */
export function promptUser(question: Question): Promise<Answer | undefined> {
  defineElements({ 'tp-prompt': PromptDialog });
  const dialog = new PromptDialog();
  dialog.question = question;
  return new Promise((resolve) => {
    dialog.answer = resolve;
    document.body.append(dialog);
  });
}
