import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { announce } from '../announce.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import type { RequestRecord } from '../model/request-log.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { formatDuration } from '../terminal/command-block.ts';
import { rowHeight } from '../views/row-height.ts';
import { isBackgroundRequest, sourceName } from './request-source.ts';
import { stateText } from './state-text.ts';
import { statusTone } from './status-tone.ts';

/** Rows rendered outside the viewport, so that scrolling shows no gap. */
const rowsAround = 12;

/** All requests, newest first: a virtualized grid, and the details of the selected request. */
export class RequestsScreen extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    chosen: { attribute: false },
    filter: { state: true },
    quiet: { state: true },
    top: { state: true },
    height: { state: true },
  };
  declare model: ConsoleModel;
  /** The id of the request in the route. */
  declare chosen: string | undefined;
  declare filter: string;
  /** Whether watches and the console's own requests are hidden. */
  declare quiet: boolean;
  declare top: number;
  declare height: number;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model.requests);
  readonly #rowHeight = rowHeight(34);
  #shown: readonly RequestRecord[] = [];
  #size: ResizeObserver | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        height: 100%;
        min-height: 0;
      }
      .tools {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 0.75rem;
        align-items: center;
        padding: 0.75rem clamp(0.5rem, 2vw, 1.5rem);
      }
      .tools h2 {
        margin: 0 0.5rem 0 0;
        font-size: 1rem;
      }
      .tools input[type='search'] {
        flex: 1 1 12rem;
        max-width: 24rem;
        min-height: 2rem;
        padding: 0 0.625rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
      }
      label {
        display: inline-flex;
        gap: 0.375rem;
        align-items: center;
        min-height: 1.75rem;
      }
      input[type='checkbox'] {
        width: 1.125rem;
        height: 1.125rem;
        accent-color: var(--accent);
      }
      .count {
        color: var(--muted);
        font-size: var(--small-size);
      }
      .panes {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        min-height: 0;
        border-block-start: 1px solid var(--line);
      }
      .panes.two {
        grid-template-columns: minmax(20rem, 2fr) minmax(24rem, 3fr);
      }
      .grid {
        min-height: 0;
        background: var(--surface);
        overflow: auto;
      }
      .grid:focus-visible {
        outline-offset: -2px;
      }
      .space {
        position: relative;
      }
      .row {
        position: absolute;
        inset-inline: 0;
        display: grid;
        grid-template-columns: 5.25rem 4.25rem minmax(8rem, 1fr) 3.5rem 4.5rem minmax(6rem, 14rem) minmax(5.5rem, 8rem);
        gap: 0.5rem;
        align-items: center;
        height: 34px;
        padding-inline: clamp(0.5rem, 2vw, 1.5rem);
        border-block-end: 1px solid var(--line);
        font-size: 0.8125rem;
        cursor: pointer;
      }
      @media (pointer: coarse) {
        .row {
          height: 44px;
        }
      }
      .panes.two .row {
        grid-template-columns: 4.25rem minmax(8rem, 1fr) 3.5rem;
        padding-inline: 0.75rem;
      }
      .panes.two :is(.when, .took, .user, .from) {
        display: none;
      }
      .row:hover {
        background: var(--raised);
      }
      .row[aria-selected='true'] {
        background: var(--accent-soft);
        box-shadow: inset 3px 0 0 var(--accent);
      }
      .head {
        position: sticky;
        inset-block-start: 0;
        z-index: 1;
        background: var(--raised);
        color: var(--muted);
        font-size: var(--small-size);
        font-weight: 600;
        cursor: default;
      }
      .row > * {
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .method,
      .target {
        font-family: var(--mono);
        font-size: 0.78125rem;
      }
      .method {
        font-weight: 600;
      }
      .when,
      .took {
        color: var(--muted);
        font-variant-numeric: tabular-nums;
      }
      .took {
        text-align: end;
      }
      .user,
      .from {
        color: var(--muted);
      }
      .empty {
        padding: 3rem 1.5rem;
        color: var(--muted);
        text-align: center;
      }
      tp-request-detail {
        min-height: 0;
        border-inline-start: 1px solid var(--line);
      }
      @media (max-width: 56rem) {
        .panes.two {
          grid-template-columns: minmax(0, 1fr);
        }
        .panes.two .grid,
        .tools:has(+ .two) {
          display: none;
        }
        .row {
          grid-template-columns: 4.25rem minmax(0, 1fr) 3.5rem;
        }
        :is(.when, .took, .user, .from) {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.chosen = undefined;
    this.filter = '';
    this.quiet = true;
    this.top = 0;
    this.height = 600;
  }

  override render(): TemplateResult {
    this.#shown = this.#filtered();
    const detail = this.chosen === undefined ? undefined : this.model.requests.find(this.chosen);
    const shown = this.#shown.length;
    const all = this.model.requests.records.length;
    return html`
      <div class="tools">
        <h2>${msg('Requests')}</h2>
        <input
          type="search"
          aria-label=${msg('Filter requests')}
          placeholder=${msg('Filter: pods, !get, 403, alice')}
          .value=${this.filter}
          @input=${(event: Event) => {
            this.filter = (event.target as HTMLInputElement).value;
          }}
        />
        <label>
          <input
            type="checkbox"
            .checked=${this.quiet}
            @change=${() => {
              this.quiet = !this.quiet;
            }}
          />
          ${msg('hide watches and console requests')}
        </label>
        <span class="count">${msg(str`${shown} of ${all}`)}</span>
        <button class="button" @click=${() => this.model.requests.clear()}>${msg('Clear')}</button>
      </div>
      <div class="panes ${detail === undefined ? '' : 'two'}">
        ${shown === 0 ? this.#nothing() : this.#grid()}
        ${detail === undefined ? nothing : html`<tp-request-detail .model=${this.model} .record=${detail}></tp-request-detail>`}
      </div>
    `;
  }

  override updated(changed: Map<string, unknown>): void {
    const count = this.#shown.length;
    if (changed.get('filter') !== undefined) announce(this, count === 1 ? msg('1 found') : msg(str`${count} found`));
    const grid = this.renderRoot.querySelector('.grid');
    if (grid === null || this.#size !== undefined) return;
    this.#size = new ResizeObserver(() => {
      if (grid.clientHeight > 0) this.height = grid.clientHeight;
    });
    this.#size.observe(grid);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size?.disconnect();
    this.#size = undefined;
  }

  #nothing(): TemplateResult {
    const any = this.model.requests.records.length > 0;
    return html`<p class="empty">${any ? msg('No requests match the filter.') : msg('No requests yet. Run a command in the console to see its requests here.')}</p>`;
  }

  #grid(): TemplateResult {
    const first = Math.max(0, Math.floor(this.top / this.#rowHeight) - rowsAround);
    const last = Math.min(this.#shown.length, Math.ceil((this.top + this.height) / this.#rowHeight) + rowsAround);
    const rows = this.#shown.slice(first, last);
    const active = rows.findIndex(({ id }) => id === this.chosen);
    return html`
      <div
        class="grid"
        role="grid"
        aria-label=${msg('Requests, newest first')}
        aria-rowcount=${this.#shown.length + 1}
        aria-activedescendant=${active < 0 ? nothing : `row-${first + active}`}
        tabindex="0"
        @scroll=${(event: Event) => {
          this.top = (event.currentTarget as HTMLElement).scrollTop;
        }}
        @keydown=${this.#onKeydown}
      >
        <div class="row head" role="row" aria-rowindex="1">
          <span class="when" role="columnheader">${msg('Time')}</span><span role="columnheader">${msg('Method', { desc: 'of HTTP' })}</span><span role="columnheader">${msg('Path')}</span
          ><span role="columnheader">${msg('Code', { desc: 'the status code of a response' })}</span><span class="took" role="columnheader">${msg('Took', { desc: 'how long a request took' })}</span
          ><span class="user" role="columnheader">${msg('User')}</span><span class="from" role="columnheader">${msg('Source', { desc: 'the sender of a request' })}</span>
        </div>
        <div class="space" role="rowgroup" .style=${`height: ${this.#shown.length * this.#rowHeight}px`}>
          ${rows.map((record, at) => this.#row(record, first + at))}
        </div>
      </div>
    `;
  }

  #row(record: RequestRecord, at: number): TemplateResult {
    const { id, method, target, status, ms, user, state, startMs } = record;
    return html`
      <div
        class="row"
        role="row"
        id="row-${at}"
        aria-rowindex=${at + 2}
        aria-selected=${id === this.chosen ? 'true' : 'false'}
        .style=${`top: ${at * this.#rowHeight}px`}
        @click=${() => this.#choose(id)}
      >
        <span class="when" role="gridcell">${formatTime(startMs)}</span>
        <span class="method" role="gridcell" translate="no">${method}</span>
        <span class="target" role="gridcell" translate="no" title=${target}>${target}</span>
        <span role="gridcell"><span class="chip ${statusTone(status)}">${status === 0 ? '…' : status}</span></span>
        <span class="took" role="gridcell">${state === 'done' ? formatDuration(ms) : stateText(state)}</span>
        <span class="user" role="gridcell" translate="no" title=${user}>${user}</span>
        <span class="from" role="gridcell">${sourceName(record)}</span>
      </div>
    `;
  }

  #choose(id: string): void {
    location.hash = routeTo('requests', id);
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      j: 1,
      k: -1,
      PageDown: 15,
      PageUp: -15,
      Home: -1e9,
      End: 1e9,
    };
    const step = steps[event.key];
    if (event.key === 'Escape') location.hash = routeTo('requests');
    if (step === undefined) return;
    event.preventDefault();
    const from = this.#shown.findIndex(({ id }) => id === this.chosen);
    const to = Math.min(this.#shown.length - 1, Math.max(0, from + step));
    const record = this.#shown[to];
    if (record === undefined) return;
    this.#choose(record.id);
    const grid = event.currentTarget as HTMLElement;
    const y = to * this.#rowHeight;
    if (y < grid.scrollTop) grid.scrollTop = y;
    else if (y + 2 * this.#rowHeight > grid.scrollTop + grid.clientHeight) grid.scrollTop = y + 2 * this.#rowHeight - grid.clientHeight;
  };

  #filtered(): readonly RequestRecord[] {
    const words = this.filter
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const passes = (record: RequestRecord): boolean => {
      if (this.quiet && isBackgroundRequest(record)) return false;
      const text = `${record.method} ${record.target} ${record.status} ${record.user} ${sourceName(record)}`.toLowerCase();
      return words.every((word) => (word.startsWith('!') && word.length > 1 ? !text.includes(word.slice(1)) : text.includes(word)));
    };
    return this.model.requests.records.filter(passes).reverse();
  }
}

export function formatTime(ms: number): string {
  return new Date(ms).toLocaleTimeString([], { hour12: false });
}
