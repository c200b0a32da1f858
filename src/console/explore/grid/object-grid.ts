import { msg, str } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ApiResource } from '../../../kubectl/index.ts';
import { announce } from '../../announce.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { rowHeight } from '../../views/row-height.ts';
import { linkToPlace } from '../place.ts';
import { readViewState, saveViewState } from '../view-state.ts';
import { gridStyles } from './grid-styles.ts';
import { parseFilter } from './row-filter.ts';
import { areShortcutsEnabled } from './shortcuts.ts';
import { TableInformer } from './table-informer.ts';
import { cellText, compareCells, compareNames, type GridColumn, type GridRow } from './table-rows.ts';

/** Rows rendered outside the viewport, so that scrolling shows no gap. */
const rowsAround = 12;
/** The number of rows that determine a column's width. */
const measuredRows = 200;

interface ShownColumn extends GridColumn {
  /** The index in the row's cells; -1 is the namespace. */
  readonly at: number;
}

const namespaceColumn = (): ShownColumn => ({ at: -1, name: 'Namespace', priority: 0, about: msg('Namespace of the object') });

const moves: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  j: 1,
  k: -1,
  PageDown: 15,
  PageUp: -15,
  Home: -1e9,
  End: 1e9,
};

/**
 * The watched objects of a type as the server's Table. Only visible rows are rendered. The grid itself has the focus and
 * `aria-activedescendant`, so that row changes do not move the focus. Fires `act` with a key and a row.
 */
export class ObjectGrid extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    type: { attribute: false },
    namespace: { attribute: false },
    filter: { attribute: false },
    sort: { attribute: false },
    wide: { type: Boolean },
  };
  declare model: ConsoleModel;
  declare type: ApiResource;
  declare namespace: string;
  declare filter: string;
  /** A column's name, with the prefix `-` for descending order; empty for the order of the server. */
  declare sort: string;
  declare wide: boolean;
  #table: TableInformer | undefined;
  #queryKey = '';
  readonly #rowHeight = rowHeight(30);
  #active = '';
  #height = 600;
  #top = 0;
  #frame = false;
  #restored = false;
  #ages = new AbortController();
  #announced = '';
  readonly #size = new ResizeObserver(([entry]) => {
    this.#height = entry?.contentRect.height ?? this.#height;
    this.requestUpdate();
  });

  static override styles: CSSResultGroup = [sharedStyles, gridStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ages = new AbortController();
    void this.#refreshAges(this.#ages.signal);
    addEventListener('pagehide', this.#saveView);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#ages.abort();
    this.#size.disconnect();
    this.#table?.close();
    this.#queryKey = '';
    removeEventListener('pagehide', this.#saveView);
  }

  override willUpdate(changed: Map<string, unknown>): void {
    const { labelSelector, passes } = parseFilter(this.filter);
    const { group, version, name } = this.type;
    const queryKey = JSON.stringify([
      this.model.workspace.id,
      group,
      version,
      name,
      this.namespace,
      labelSelector,
      this.model.context.credentials,
    ]);
    if (queryKey !== this.#queryKey) {
      this.#queryKey = queryKey;
      this.#table?.close();
      this.#table = new TableInformer(this.model, { type: this.type, namespace: this.namespace, labelSelector }, () =>
        this.#scheduleUpdate(),
      );
      this.#restored = false;
      this.#order();
      this.#table.rows.filter(passes);
    } else if (changed.has('filter')) this.#table?.rows.filter(passes);
    if (changed.has('sort')) this.#order();
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('.grid')?.focus();
  }

  override render(): TemplateResult {
    const table = this.#table;
    if (table === undefined) return html``;
    const { failure } = table;
    return html`
      ${failure === '' ? nothing : html`<p class="failure" role="alert">${failure}</p>`}
      ${this.#grid(table)}
    `;
  }

  override updated(): void {
    this.#announceCount();
    const grid = this.renderRoot.querySelector<HTMLElement>('.grid');
    if (grid === null) return;
    this.#size.observe(grid);
    if (!this.#restored && this.#table?.listed === true) this.#restoreView(grid);
  }

  /** The current rows and columns. */
  #grid(table: TableInformer): TemplateResult {
    const { shown } = table.rows;
    const columns = this.#columns(table);
    const first = Math.max(0, Math.floor(this.#top / this.#rowHeight) - rowsAround);
    const last = Math.min(shown.length, Math.ceil((this.#top + this.#height) / this.#rowHeight) + rowsAround);
    const now = this.model.env.clock.nowMs();
    const { kind } = this.type;
    const widths = columns.map((column) => widthOf(column, shown, now));
    const least = widths.reduce((sum, width) => sum + width, 0);
    return html`
      <div
        class="grid"
        role="grid"
        aria-label=${msg(str`${kind} objects`)}
        aria-rowcount=${shown.length + 1}
        aria-colcount=${columns.length}
        aria-busy=${table.listed ? 'false' : 'true'}
        aria-activedescendant=${this.#activeShown(table, first, last) ? 'active' : nothing}
        tabindex="0"
        .style=${`--columns: ${widths.map((width) => `minmax(${width}ch, ${width}fr)`).join(' ')}; --least: calc(${least}ch + 1.5rem)`}
        @scroll=${this.#scrolled}
        @scrollend=${this.#saveView}
        @keydown=${this.#onKeydown}
        @focusout=${this.#saveView}
      >
        <div class="row head" role="row" translate="no" aria-rowindex="1">${columns.map((column, at) => this.#header(column, at))}</div>
        <div class="space" translate="no" role=${shown.length > 0 ? 'rowgroup' : 'presentation'} .style=${`height: ${shown.length * this.#rowHeight}px`}>
          ${repeat(
            shown.slice(first, last),
            ({ key }) => key,
            (row, at) => this.#row(table, row, first + at, columns, now),
          )}
        </div>
        ${shown.length > 0 ? nothing : html`<p class="empty">${this.#emptyText(table)}</p>`}
      </div>
    `;
  }

  #emptyText({ listed, failure, rows }: TableInformer): string {
    if (failure !== '') return '';
    const { name } = this.type;
    if (!listed) return msg(str`Loading ${name}…`);
    return rows.size > 0 ? msg('No objects match the filter.') : msg(str`No ${name} found.`);
  }

  #header(column: ShownColumn, at: number): TemplateResult {
    const sorted = this.sort === column.name ? 'ascending' : this.sort === `-${column.name}` ? 'descending' : 'none';
    return html`
      <div role="columnheader" aria-colindex=${at + 1} aria-sort=${sorted}>
        <button title=${column.about} @click=${() => this.#sortBy(column.name, sorted)}>
          ${column.name}<span aria-hidden="true">${{ ascending: ' ↑', descending: ' ↓', none: '' }[sorted]}</span>
        </button>
      </div>
    `;
  }

  #row(table: TableInformer, row: GridRow, at: number, columns: readonly ShownColumn[], now: number): TemplateResult {
    const active = row.key === this.#active;
    const mark = table.rowMark(row, now);
    return html`
      <div
        class="row ${mark}"
        role="row"
        id=${active ? 'active' : nothing}
        aria-rowindex=${at + 2}
        aria-selected=${active ? 'true' : 'false'}
        .style=${`top: ${at * this.#rowHeight}px`}
        @click=${() => this.#act('Enter', row)}
      >
        ${columns.map((column, index) => {
          const text = column.at < 0 ? row.namespace : cellText(row, column.at, column, now);
          return html`<div role="gridcell" aria-colindex=${index + 1} class=${toneOf(column.name, text)} title=${text}>${text}</div>`;
        })}
        ${mark === 'deleted' ? html`<span class="hidden-text">${msg('deleted', { desc: 'of an object' })}</span>` : nothing}
      </div>
    `;
  }

  #columns({ columns }: TableInformer): readonly ShownColumn[] {
    const shown = columns.map((column, at) => ({ ...column, at })).filter(({ priority }) => priority === 0 || this.wide);
    return this.type.namespaced && this.namespace === '' ? [...shown.slice(0, 1), namespaceColumn(), ...shown.slice(1)] : shown;
  }

  #order(): void {
    const table = this.#table;
    if (table === undefined) return;
    const name = this.sort.replace(/^-/, '');
    const at = table.columns.findIndex((column) => column.name === name);
    const column = table.columns[at];
    const order = column === undefined ? compareNames : compareCells(at, column);
    table.rows.sort(this.sort.startsWith('-') ? (a, b) => -order(a, b) : order);
  }

  #sortBy(name: string, sorted: string): void {
    const sort = sorted === 'none' ? name : sorted === 'ascending' ? `-${name}` : '';
    this.dispatchEvent(new CustomEvent('sort', { detail: sort }));
  }

  /** Updates at most once per frame. The first rows are rendered immediately. */
  #scheduleUpdate(): void {
    if (!this.#restored) this.requestUpdate();
    if (this.#frame || !this.#restored) return;
    this.#frame = true;
    requestAnimationFrame(() => {
      this.#frame = false;
      this.requestUpdate();
    });
  }

  #announceCount(): void {
    if (this.#table === undefined) return;
    const { shown, size } = this.#table.rows;
    const passing = shown.length;
    const text = msg(str`${passing} of ${size}`);
    if (text !== this.#announced) announce(this, text);
    this.#announced = text;
  }

  async #refreshAges(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.model?.env.clock.sleep(1_000, signal).catch(() => undefined);
      if (!signal.aborted) this.requestUpdate();
    }
  }

  #activeShown({ rows }: TableInformer, first: number, last: number): boolean {
    const row = rows.get(this.#active);
    const at = row === undefined ? -1 : rows.indexOf(row);
    return at >= first && at < last;
  }

  readonly #scrolled = (event: Event): void => {
    this.#top = (event.currentTarget as HTMLElement).scrollTop;
    this.requestUpdate();
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const { key } = event;
    if (key.length === 1 && !areShortcutsEnabled()) return;
    const step = moves[key];
    const row = this.#table?.rows.get(this.#active);
    if (step !== undefined) this.#move(step);
    else if ((key === 'Enter' || 'dyeoux'.includes(key)) && row !== undefined) this.#act(key, row);
    else if ('/?:w'.includes(key)) this.#act(key);
    else return;
    event.preventDefault();
  };

  #move(step: number): void {
    const { rows } = this.#table ?? {};
    const grid = this.renderRoot.querySelector<HTMLElement>('.grid');
    if (rows === undefined || grid === null || rows.shown.length === 0) return;
    const row = rows.get(this.#active);
    const from = row === undefined ? (step > 0 ? -1 : 0) : rows.indexOf(row);
    const to = Math.min(rows.shown.length - 1, Math.max(0, from + step));
    this.#active = rows.shown[to]?.key ?? '';
    const y = to * this.#rowHeight;
    if (y < grid.scrollTop) grid.scrollTop = y;
    else if (y + 2 * this.#rowHeight > grid.scrollTop + grid.clientHeight) grid.scrollTop = y + 2 * this.#rowHeight - grid.clientHeight;
    // The scroll event follows with the next frame, perhaps after the row is opened and its position saved.
    this.#top = grid.scrollTop;
    this.requestUpdate();
  }

  #act(key: string, row?: GridRow): void {
    if (row !== undefined) this.#active = row.key;
    this.#saveView();
    this.dispatchEvent(new CustomEvent('act', { detail: { key, row } }));
  }

  readonly #saveView = (): void => {
    const { activeElement } = this.renderRoot as ShadowRoot;
    // Skipped when the route has already changed.
    if (this.isConnected && this.#restored && location.hash.startsWith(this.#listLink))
      saveViewState({ row: this.#active, top: this.#top, focused: activeElement !== null });
  };

  get #listLink(): string {
    const { group, version, name: resource } = this.type;
    return linkToPlace({ group, version, resource, namespace: this.namespace });
  }

  #restoreView(grid: HTMLElement): void {
    this.#restored = true;
    const view = readViewState();
    this.#order();
    this.#active = view?.row ?? '';
    if (view === undefined) return;
    grid.scrollTop = view.top;
    if (view.focused) grid.focus({ preventScroll: true });
    this.requestUpdate();
  }
}

/** The width of a column in characters. */
function widthOf(column: ShownColumn, rows: readonly GridRow[], now: number): number {
  let longest = column.name.length + 2;
  for (const row of rows.slice(0, measuredRows)) {
    const length = column.at < 0 ? row.namespace.length : cellText(row, column.at, column, now).length;
    if (length > longest) longest = length;
  }
  // The name column is monospaced; other characters are narrower on average.
  return Math.min(longest, 34) * (column.name === 'Name' ? 1 : 0.9) + 2.5;
}

/** The color of a cell, in addition to its text. */
function toneOf(column: string, text: string): string {
  if (column === 'Name') return 'name';
  if (!/^(Status|State|Phase|Reason|Type)$/.test(column)) return '';
  if (/^(Running|Active|Bound|Ready|Available|Complete|Completed|Succeeded|True|Approved.*)$/.test(text)) return 'good';
  if (/^(Pending|Terminating|Waiting|ContainerCreating|Released|Warning)|SchedulingDisabled/.test(text)) return 'warn';
  return /Fail|Error|BackOff|NotReady|Lost|Denied|Evicted/.test(text) ? 'bad' : '';
}
