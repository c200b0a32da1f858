import { msg } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, type TemplateResult } from 'lit';
import { dialogStyles } from '../explore/dialog-styles.ts';
import { routeTo, type Screen, screens } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { findIcon, screenIcon } from './icons.ts';

/** The screens that the bar of a narrow page does not have, and the palette. Fires `find`. */
export class MoreMenu extends LitElement {
  /** The screens of the bar. */
  inBar: ReadonlySet<Screen> = new Set();

  static override styles: CSSResultGroup = [
    sharedStyles,
    dialogStyles,
    css`
      dialog {
        margin: auto auto 0.5rem;
        padding: 0.5rem;
      }
      ul {
        display: grid;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      :is(a, li button) {
        display: flex;
        gap: 0.75rem;
        align-items: center;
        width: 100%;
        min-height: 2.75rem;
        padding: 0 0.75rem;
        border: 0;
        border-radius: var(--radius-small);
        background: none;
        color: var(--text);
        font-size: 1rem;
        text-decoration: none;
      }
      svg {
        width: 1.25rem;
        height: 1.25rem;
        fill: none;
        stroke: currentColor;
        stroke-width: 1.6;
        stroke-linecap: round;
        stroke-linejoin: round;
      }
    `,
  ];

  override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
  }

  override render(): TemplateResult {
    const close = (): void => this.renderRoot.querySelector('dialog')?.close();
    const find = (): void => {
      close();
      this.dispatchEvent(new CustomEvent('find'));
    };
    return html`
      <dialog aria-label=${msg('More screens')} @close=${() => this.remove()} @click=${close}>
        <ul>
          ${screens
            .filter(([name]) => !this.inBar.has(name))
            .map(([name, title]) => html`<li><a href=${routeTo(name)}>${screenIcon(name)}${title()}</a></li>`)}
          <li><button @click=${find}>${findIcon}${msg('Find…')}</button></li>
          <li><button @click=${close}>${msg('Close')}</button></li>
        </ul>
      </dialog>
    `;
  }
}
