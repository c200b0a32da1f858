import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ApiResource } from '../../kubectl/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { sharedStyles } from '../shared-styles.ts';
import { DeleteDialog } from './delete-dialog.ts';
import type { ObjectGrid } from './grid/object-grid.ts';
import type { GridRow } from './grid/table-rows.ts';
import { KeysDialog } from './keys-dialog.ts';
import { controllerOf } from './owners.ts';
import { type ExplorePlace, linkToPlace } from './place.ts';
import { typesOf } from './resource-types.ts';

/** The tabs opened by shortcut keys. */
const queryOfKey: Readonly<Record<string, ExplorePlace['query']>> = {
  Enter: {},
  d: {},
  y: { tab: 'yaml' },
  e: { tab: 'yaml', edit: '1' },
  u: { tab: 'ownership' },
};

/** The type tree, next to the grid of a type or one object. */
export class ExploreScreen extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false }, place: { attribute: false } };
  declare model: ConsoleModel;
  declare place: ExplorePlace;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => typesOf(this.model));
  #shown = '';

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: 15rem minmax(0, 1fr);
        min-height: 0;
      }
      tp-type-tree {
        border-inline-end: 1px solid var(--line);
      }
      section {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        min-width: 0;
        min-height: 0;
      }
      tp-explore-home {
        grid-row: 1 / -1;
      }
      .tools {
        display: flex;
        flex-wrap: wrap;
        gap: 0.375rem 0.75rem;
        align-items: center;
        padding: 0.5rem 0.75rem;
        border-block-end: 1px solid var(--line);
      }
      h2 {
        margin: 0;
        font-size: 0.9375rem;
      }
      h2 span {
        color: var(--muted);
        font-weight: 400;
      }
      .back {
        display: none;
      }
      input[type='search'] {
        flex: 1 1 10rem;
        max-width: 24rem;
        min-height: 1.875rem;
        padding: 0 0.5rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
      }
      select {
        max-width: 12rem;
      }
      .empty {
        max-width: 40rem;
        padding: 2rem 1.5rem;
        color: var(--muted);
      }
      @media (max-width: 48rem) {
        :host {
          grid-template-columns: minmax(0, 1fr);
        }
        :host([chosen]) tp-type-tree,
        :host(:not([chosen])) section {
          display: none;
        }
        .back {
          display: inline-flex;
        }
      }
    `,
  ];

  override willUpdate(): void {
    this.toggleAttribute('chosen', this.place.resource !== '');
  }

  override render(): TemplateResult {
    return html`
      <tp-type-tree .model=${this.model} .place=${this.place}></tp-type-tree>
      <section aria-labelledby="here">
        <span id="here" hidden>${this.place.name || this.place.resource || msg('Objects')}</span>
        ${this.#content()}
      </section>
    `;
  }

  /** Moves the focus to the opened list or object. */
  override updated(): void {
    const { group, resource, namespace, name } = this.place;
    const shown = JSON.stringify([group, resource, namespace, name]);
    if (this.#shown !== '' && this.#shown !== shown) this.renderRoot.querySelector<HTMLElement>('tp-object-grid, tp-object-page')?.focus();
    this.#shown = shown;
  }

  get #grid(): ObjectGrid | null {
    return this.renderRoot.querySelector<ObjectGrid>('tp-object-grid');
  }

  #content(): TemplateResult {
    const { place } = this;
    if (place.resource === '') return html`<tp-explore-home .model=${this.model}></tp-explore-home>`;
    const types = typesOf(this.model);
    const type = types.find(place);
    if (type === undefined) {
      if (types.types.length === 0) return html`<p class="empty" role="status">${types.failure || msg('Loading…')}</p>`;
      const { resource, group, version } = place;
      const groupVersion = `${group || 'core'}/${version}`;
      return html`<p class="empty" role="status">${msg(str`The server has no resource type "${resource}" in ${groupVersion}.`)}</p>`;
    }
    if (place.name !== '') return html`<tp-object-page .model=${this.model} .type=${type} .place=${place}></tp-object-page>`;
    return html`${this.#tools(type)} ${this.#objects(type)}`;
  }

  #tools(type: ApiResource): TemplateResult {
    const { place } = this;
    const namespaces = [...new Set([...this.model.namespaces, ...(place.namespace === '' ? [] : [place.namespace])])].sort();
    return html`
      <div class="tools">
        <a class="button back" href=${linkToPlace({})}>${msg('Types', { desc: 'all resource types' })}</a>
        <h2 translate="no">${type.name} <span>${type.group === '' ? type.version : `${type.group}/${type.version}`}</span></h2>
        ${
          type.namespaced
            ? html`<select aria-label=${msg('Namespace shown')} @change=${(event: Event) => this.#go({ namespace: (event.target as HTMLSelectElement).value })}>
                <option value="" ?selected=${place.namespace === ''}>${msg('all namespaces')}</option>
                ${namespaces.map((name) => html`<option translate="no" value=${name} ?selected=${name === place.namespace}>${name}</option>`)}
              </select>`
            : nothing
        }
        <input
          type="search"
          id="filter"
          aria-label=${msg('Filter objects')}
          placeholder=${msg('/ filter: web, !web, -l app=web, -f wb')}
          .value=${place.query['filter'] ?? ''}
          @input=${this.#filter}
          @keydown=${this.#filterKey}
        />
        <button class="button" aria-pressed=${this.#wide ? 'true' : 'false'} @click=${this.#toggleWide}>${msg('All columns')}</button>
        <button class="quiet" aria-label=${msg('Keys', { desc: 'of the keyboard' })} @click=${() => this.renderRoot.append(new KeysDialog())}>?</button>
      </div>
    `;
  }

  #objects(type: ApiResource): TemplateResult {
    const { namespace, query } = this.place;
    return html`
      <tp-object-grid
        .model=${this.model}
        .type=${type}
        .namespace=${namespace}
        .filter=${query['filter'] ?? ''}
        .sort=${query['sort'] ?? ''}
        ?wide=${this.#wide}
        @sort=${({ detail }: CustomEvent<string>) => this.#setQuery('sort', detail)}
        @act=${({ detail }: CustomEvent<{ key: string; row?: GridRow }>) => this.#act(type, detail.key, detail.row)}
      ></tp-object-grid>
    `;
  }

  get #wide(): boolean {
    return this.place.query['wide'] !== undefined;
  }

  readonly #toggleWide = (): void => this.#setQuery('wide', this.#wide ? '' : '1');

  readonly #filter = (event: Event): void => this.#setQuery('filter', (event.target as HTMLInputElement).value);

  readonly #filterKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.#setQuery('filter', '');
    if (event.key !== 'Escape' && event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    this.#grid?.focus();
  };

  /** Changes the route without a new history entry. */
  #setQuery(name: string, value: string): void {
    const { [name]: _, ...rest } = this.place.query;
    const place = { ...this.place, query: value === '' ? rest : { ...rest, [name]: value } };
    history.replaceState(history.state, '', linkToPlace(place));
    this.place = place;
    // Otherwise the frame would restore the old place at its next render.
    this.dispatchEvent(new CustomEvent('readdressed', { bubbles: true, composed: true }));
  }

  #go(change: Partial<ExplorePlace>): void {
    location.hash = linkToPlace({ ...this.place, ...change });
  }

  #act(type: ApiResource, key: string, row: GridRow | undefined): void {
    if (key === '/') this.renderRoot.querySelector<HTMLElement>('#filter')?.focus();
    else if (key === 'w') this.#toggleWide();
    else if (key === '?') this.renderRoot.append(new KeysDialog());
    else if (key === ':') this.model.onPalette();
    else if (row !== undefined) this.#actOn(type, key, row);
  }

  #actOn(type: ApiResource, key: string, { namespace, name, metadata }: GridRow): void {
    const place = { group: type.group, version: type.version, resource: type.name, namespace, name };
    const query = queryOfKey[key];
    if (key === 'x') this.#delete(type, place);
    else if (key === 'o') {
      const owner = controllerOf(metadata, typesOf(this.model));
      if (owner !== undefined) location.hash = linkToPlace(owner);
    } else if (query !== undefined) location.hash = linkToPlace({ ...place, query });
  }

  #delete(type: ApiResource, place: Omit<ExplorePlace, 'query'>): void {
    const dialog = new DeleteDialog();
    Object.assign(dialog, { model: this.model, kind: type.kind, place });
    this.renderRoot.append(dialog);
  }
}
