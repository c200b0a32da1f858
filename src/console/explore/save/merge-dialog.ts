import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { sharedStyles } from '../../shared-styles.ts';
import { dialogStyles } from '../dialog-styles.ts';
import { type Conflict, isConflict, type MergePart } from './merge-texts.ts';
import { ResultDialog } from './result-dialog.ts';

type Side = 'mine' | 'theirs';

/** Resolves merge conflicts, with both versions and the base. Fires `merged` with the text, and `left`. */
export class MergeDialog extends ResultDialog {
  static override properties: PropertyDeclarations = {
    parts: { attribute: false },
    revision: { attribute: false },
    sides: { state: true },
  };
  declare parts: readonly MergePart[];
  /** The revision of the newer object. */
  declare revision: string;
  /** The chosen side of each conflict. */
  declare sides: readonly Side[];

  static override styles: CSSResultGroup = [
    sharedStyles,
    dialogStyles,
    css`
      dialog {
        width: min(64rem, calc(100vw - 1rem));
      }
      fieldset {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        gap: 0.5rem;
        margin: 0 0 0.75rem;
        padding: 0.5rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
      }
      pre {
        margin: 0.25rem 0 0;
        padding: 0.375rem 0.5rem;
        border-radius: var(--radius-small);
        background: var(--sunken);
        font-size: 0.78125rem;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      label {
        display: flex;
        gap: 0.5rem;
        align-items: center;
        min-height: 1.625rem;
      }
      input {
        width: 1.125rem;
        height: 1.125rem;
        accent-color: var(--accent);
      }
      @media (max-width: 40rem) {
        fieldset {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('parts')) this.sides = this.parts.filter(isConflict).map(() => 'mine');
  }

  override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
  }

  override render(): TemplateResult {
    const { parts, revision } = this;
    const conflicts = parts.filter(isConflict);
    return html`
      <dialog aria-labelledby="title" @close=${this.leave}>
        <h2 id="title">${msg(str`You and revision ${revision} changed the same lines`)}</h2>
        <p class="note">${msg('All other changes are merged. Choose which lines to use; the result opens in the editor and is not saved yet.')}</p>
        ${conflicts.map((conflict, at) => this.#conflict(conflict, at))}
        <div class="buttons">
          <button class="button" @click=${() => this.close()}>${msg('Not now')}</button>
          <button class="button primary" @click=${this.#merge}>${msg('Merge')}</button>
        </div>
      </dialog>
    `;
  }

  #conflict({ base, mine, theirs }: Conflict, at: number): TemplateResult {
    const number = at + 1;
    const noLines = msg('(no lines)');
    const side = (name: Side, label: string, text: string): TemplateResult => html`
      <div>
        <label>
          <input type="radio" name="side-${at}" .checked=${this.sides[at] === name} @change=${() => this.#choose(at, name)} /> ${label}
        </label>
        <pre>${text || noLines}</pre>
      </div>
    `;
    return html`
      <fieldset aria-label=${msg(str`Conflict ${number}`)}>
        ${side('mine', msg('yours', { desc: 'lines that you changed' }), mine)}
        <div><label>${msg('before', { desc: 'lines before the changes' })}</label><pre>${base || noLines}</pre></div>
        ${side('theirs', msg('theirs', { desc: 'lines changed by another user' }), theirs)}
      </fieldset>
    `;
  }

  #choose(at: number, side: Side): void {
    this.sides = this.sides.map((one, index) => (index === at ? side : one));
  }

  readonly #merge = (): void => {
    let at = 0;
    const text = this.parts.map((part) => (isConflict(part) ? part[this.sides[at++] ?? 'mine'] : part)).join('');
    this.close(new CustomEvent('merged', { detail: text }));
  };
}
