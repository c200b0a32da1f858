import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { type ApiResource, formatGroupVersion, qualifiedResourceName } from '../../kubectl/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { sharedStyles } from '../shared-styles.ts';
import { type ExplorePlace, linkToPlace } from './place.ts';
import { typesOf } from './resource-types.ts';
import { groupTypes, type TypeGroup } from './type-groups.ts';

/** All resource types by purpose, with object counts. Types without objects are folded away. */
export class TypeTree extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    place: { attribute: false },
    typed: { state: true },
  };
  declare model: ConsoleModel;
  declare place: ExplorePlace;
  declare typed: string;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => typesOf(this.model));
  #scrolledFor: ExplorePlace | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        min-height: 0;
        background: var(--ground);
      }
      .tools {
        display: grid;
        gap: 0.375rem;
        padding: 0.625rem 0.75rem;
        border-block-end: 1px solid var(--line);
      }
      h2 {
        margin: 0;
        font-size: 1rem;
      }
      input[type='search'] {
        width: 100%;
        min-height: 1.875rem;
        padding: 0 0.5rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
      }
      nav {
        min-height: 0;
        padding: 0.375rem;
        overflow-y: auto;
      }
      summary {
        display: flex;
        align-items: center;
        min-height: 1.625rem;
        padding-inline: 0.375rem;
        border-radius: var(--radius-small);
        color: var(--muted);
        font-size: var(--small-size);
        font-weight: 600;
        cursor: pointer;
      }
      summary::before {
        content: '▸';
        width: 1rem;
      }
      details[open] > summary::before {
        content: '▾';
      }
      summary span {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .empty summary {
        padding-inline-start: 1.375rem;
        font-weight: 400;
      }
      ul {
        margin: 0 0 0.25rem;
        padding: 0;
        list-style: none;
      }
      a {
        display: flex;
        gap: 0.5rem;
        align-items: center;
        justify-content: space-between;
        min-height: 1.625rem;
        padding-inline: 1.375rem 0.5rem;
        border-radius: var(--radius-small);
        color: var(--text);
        font-size: 0.8125rem;
        text-decoration: none;
      }
      a:hover {
        background: var(--sunken);
      }
      a[aria-current] {
        background: var(--accent-soft);
        color: var(--accent);
        font-weight: 600;
      }
      a span:first-child {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .count {
        color: var(--muted);
        font-size: var(--small-size);
        font-variant-numeric: tabular-nums;
      }
      .failure {
        margin: 0.75rem;
        color: var(--bad);
      }
      @media (pointer: coarse) {
        a,
        summary {
          min-height: 2.75rem;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.typed = '';
  }

  override render(): TemplateResult {
    const { failure, types } = typesOf(this.model);
    return html`
      <div class="tools">
        <h2>${msg('Explore')}</h2>
        <input type="search" aria-label=${msg('Filter types')} placeholder=${msg('Filter types')} @input=${this.#input} />
      </div>
      <nav aria-label=${msg('Types', { desc: 'all resource types' })}>
        ${failure === '' ? nothing : html`<p class="failure" role="alert">${failure}</p>`}
        ${types.length === 0 && failure === '' ? html`<p role="status">${msg('Loading…')}</p>` : nothing}
        ${groupTypes(this.#found(), this.model.product).map((group) => this.#group(group))}
      </nav>
    `;
  }

  /** Scrolls to the current type once for each place. The types may be loaded after it is set. */
  override updated(): void {
    if (this.#scrolledFor === this.place) return;
    const current = this.renderRoot.querySelector('[aria-current]');
    if (current === null) return;
    this.#scrolledFor = this.place;
    current.scrollIntoView({ block: 'nearest' });
  }

  /** The types that match the filter. */
  #found(): readonly ApiResource[] {
    const typed = this.typed.toLowerCase();
    return typesOf(this.model).listed.filter((type) =>
      [qualifiedResourceName(type), type.kind, ...type.shortNames].join(' ').toLowerCase().includes(typed),
    );
  }

  #isUsed(type: ApiResource): boolean {
    return typesOf(this.model).countOf(type) !== 0 || this.#isCurrent(type);
  }

  /** A new custom type has no objects yet: custom types are always shown. */
  #group({ title, types, isCustom }: TypeGroup): TemplateResult {
    const used = types.filter((type) => isCustom || this.#isUsed(type));
    const empty = types.filter((type) => !used.includes(type));
    return html`
      <details open>
        <summary><span>${title}</span></summary>
        <ul translate="no">
          ${used.map((type) => this.#type(type))}
        </ul>
        ${empty.length === 0 ? nothing : this.#emptyTypes(empty)}
      </details>
    `;
  }

  #emptyTypes(types: readonly ApiResource[]): TemplateResult {
    const { length } = types;
    return html`
      <details class="empty" ?open=${this.typed !== ''}>
        <summary><span>${length === 1 ? msg('1 type without objects') : msg(str`${length} types without objects`)}</span></summary>
        <ul translate="no">
          ${types.map((type) => this.#type(type))}
        </ul>
      </details>
    `;
  }

  #type(type: ApiResource): TemplateResult {
    const { group, version, name, namespaced, kind } = type;
    const count = typesOf(this.model).countOf(type);
    const namespace = namespaced && this.place.name === '' ? this.place.namespace : '';
    return html`
      <li>
        <a href=${linkToPlace({ group, version, resource: name, namespace })} aria-current=${this.#isCurrent(type) ? 'page' : nothing} title=${`${kind} (${formatGroupVersion(type)})`}>
          <span>${name}</span>
          <span class="count">${count === 'refused' ? html`<span translate="yes" title=${msg('listing is not allowed')}>${msg('no access')}</span>` : count}</span>
        </a>
      </li>
    `;
  }

  #isCurrent({ group, name }: ApiResource): boolean {
    return group === this.place.group && name === this.place.resource;
  }

  readonly #input = (event: Event): void => {
    this.typed = (event.target as HTMLInputElement).value;
  };
}
