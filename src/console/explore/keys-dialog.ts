import { msg } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, type TemplateResult } from 'lit';
import { sharedStyles } from '../shared-styles.ts';
import { dialogStyles } from './dialog-styles.ts';
import { areShortcutsEnabled, setShortcutsEnabled, shortcuts } from './grid/shortcuts.ts';

/** The single-key shortcuts, and the switch that disables them. */
export class KeysDialog extends LitElement {
  static override styles: CSSResultGroup = [
    sharedStyles,
    dialogStyles,
    css`
      dl {
        display: grid;
        grid-template-columns: max-content minmax(0, 1fr);
        gap: 0.25rem 1rem;
        margin: 0 0 0.75rem;
      }
      dt {
        font-family: var(--mono);
      }
      dd {
        margin: 0;
      }
      label {
        display: inline-flex;
        gap: 0.5rem;
        align-items: center;
        min-height: 1.75rem;
      }
      input {
        width: 1.125rem;
        height: 1.125rem;
        accent-color: var(--accent);
      }
    `,
  ];

  override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
  }

  override render(): TemplateResult {
    return html`
      <dialog aria-labelledby="title" @close=${() => this.remove()}>
        <h2 id="title">${msg('Keys in a list of objects', { desc: 'of the keyboard' })}</h2>
        <dl>
          ${shortcuts().map(([key, about]) => html`<dt>${key}</dt><dd>${about}</dd>`)}
        </dl>
        <label>
          <input type="checkbox" .checked=${areShortcutsEnabled()} @change=${(event: Event) => setShortcutsEnabled((event.target as HTMLInputElement).checked)} />
          ${msg('use single-key shortcuts')}
        </label>
        <form method="dialog" class="buttons"><button class="button primary">${msg('Close')}</button></form>
      </dialog>
    `;
  }
}
