import { msg } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { GridRow } from '../explore/grid/table-rows.ts';
import { linkToPlace } from '../explore/place.ts';
import { typesOf } from '../explore/resource-types.ts';
import { loadScreen } from '../load-screen.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { sharedStyles } from '../shared-styles.ts';
import type { DockTab } from './console-app.ts';

const tabs: readonly (readonly [DockTab, title: () => string])[] = [
  ['console', () => msg('Console')],
  ['requests', () => msg('Requests')],
  ['events', () => msg('Events')],
];

/**
 * The panel below the screen: its bar, moved by the pointer and by arrow keys, and its tabs except the console, whose terminals
 * belong to the frame. Fires `dock` with the chosen tab, empty when it is closed.
 */
export class Dock extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    tab: { reflect: true },
    height: { state: true },
    sort: { state: true },
  };
  declare model: ConsoleModel;
  declare tab: DockTab;
  /** Height in percent of the page. */
  declare height: number;
  declare sort: string;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => (this.tab === 'events' ? typesOf(this.model) : this.model));

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        min-height: 0;
      }
      .edge {
        display: flex;
        gap: 0.25rem;
        align-items: center;
        padding-inline: 0.75rem 0.25rem;
        border-block: 1px solid var(--line);
        background: var(--raised);
        font-size: var(--small-size);
      }
      [role='separator'] {
        flex: 1;
        min-height: 1.5rem;
        cursor: row-resize;
        touch-action: none;
      }
      .empty {
        padding: 1rem;
        color: var(--muted);
      }
    `,
  ];

  constructor() {
    super();
    this.tab = 'console';
    this.height = 40;
    this.sort = '';
  }

  override willUpdate(): void {
    if (this.tab === 'events') void loadScreen('explore');
  }

  override render(): TemplateResult {
    return html`
      <div class="edge">
        ${tabs.map(
          ([tab, title]) =>
            html`<button class="quiet" aria-pressed=${tab === this.tab ? 'true' : 'false'} @click=${() => this.#choose(tab)}>${title()}</button>`,
        )}
        <div
          role="separator"
          tabindex="0"
          aria-label=${msg('Height of the panel')}
          aria-orientation="horizontal"
          aria-valuenow=${this.height}
          aria-valuemin="15"
          aria-valuemax="85"
          @keydown=${({ key }: KeyboardEvent) => this.#resize(this.height + (key === 'ArrowUp' ? 5 : key === 'ArrowDown' ? -5 : 0))}
          @pointerdown=${(event: PointerEvent) => (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)}
          @pointermove=${this.#drag}
        ></div>
        <button class="quiet" aria-label=${msg('Lower', { desc: 'makes what is below the screen lower' })} @click=${() => this.#resize(this.height - 10)}>−</button>
        <button class="quiet" aria-label=${msg('Higher', { desc: 'makes what is below the screen higher' })} @click=${() => this.#resize(this.height + 10)}>+</button>
        <button class="quiet" aria-label=${msg('Close the panel')} @click=${() => this.#choose('')}>✕</button>
      </div>
      ${this.tab === 'requests' ? html`<tp-requests .model=${this.model}></tp-requests>` : this.tab === 'events' ? this.#events() : nothing}
    `;
  }

  #events(): TemplateResult {
    const type = typesOf(this.model).find({ group: '', version: 'v1', resource: 'events' });
    if (type === undefined) return html`<p class="empty" role="status">${msg('Loading…')}</p>`;
    const open = ({ detail }: CustomEvent<{ key: string; row?: GridRow }>): void => {
      const { row } = detail;
      if (row) location.hash = linkToPlace({ version: 'v1', resource: 'events', namespace: row.namespace, name: row.name });
    };
    return html`
      <tp-object-grid
        .model=${this.model}
        .type=${type}
        .namespace=${''}
        .filter=${''}
        .sort=${this.sort}
        @sort=${({ detail }: CustomEvent<string>) => {
          this.sort = detail;
        }}
        @act=${open}
      ></tp-object-grid>
    `;
  }

  #choose(tab: DockTab): void {
    this.dispatchEvent(new CustomEvent('dock', { detail: tab }));
  }

  #resize(percent: number): void {
    this.height = Math.round(Math.min(85, Math.max(15, percent)));
    this.parentElement?.style.setProperty('--dock', `${this.height}%`);
  }

  readonly #drag = (event: PointerEvent): void => {
    if (!(event.currentTarget as HTMLElement).hasPointerCapture(event.pointerId)) return;
    const box = this.parentElement?.getBoundingClientRect();
    if (box !== undefined) this.#resize(((box.bottom - event.clientY) / box.height) * 100);
  };
}
