import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { type ApiResource, itemsOf, metadataOf, qualifiedResourceName, resourcePath } from '../../kubectl/index.ts';
import { addressInCluster } from '../address.ts';
import { createClient, metadataListAccept } from '../explore/api.ts';
import { linkToPlace } from '../explore/place.ts';
import { typesOf } from '../explore/resource-types.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { linkToLesson, routeTo, screens } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { fuzzyScore } from './fuzzy.ts';
import { isDisabled } from './preferences.ts';

interface PaletteItem {
  readonly text: string;
  readonly kind: string;
  readonly about: string;
  /** Link target. Undefined: the text is inserted into the console. */
  readonly href?: string;
}

const shownMax = 60;
/** Maximum objects read per type. The grid can filter larger lists. */
const namesMax = 500;

/**
 * Everything that has a name, found by a few letters: screens, lessons, types, objects, commands.
 * It announces the number of results itself, since screen readers ignore live regions behind an open dialog.
 */
export class Palette extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    typed: { state: true },
    active: { state: true },
    objects: { state: true },
    commands: { state: true },
    lessons: { state: true },
  };
  declare model: ConsoleModel;
  declare typed: string;
  declare active: number;
  declare objects: readonly PaletteItem[];
  declare commands: readonly PaletteItem[];
  declare lessons: readonly PaletteItem[];
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => typesOf(this.model));
  readonly #life = new AbortController();
  readonly #requested = new Set<string>();
  #previousFocus: HTMLElement | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      dialog {
        width: min(40rem, calc(100vw - 1rem));
        max-height: min(34rem, calc(100dvh - 2rem));
        margin: 8vh auto auto;
        padding: 0;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius);
        background: var(--surface);
        color: var(--text);
        box-shadow: var(--shadow);
        overflow: hidden;
      }
      dialog[open] {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
      }
      dialog::backdrop {
        background: rgb(5 20 18 / 35%);
      }
      .line {
        padding: 0.5rem;
        border-block-end: 1px solid var(--line);
      }
      input {
        width: 100%;
        min-height: 2.25rem;
        padding: 0 0.625rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: var(--raised);
        font-size: 1rem;
      }
      ul {
        margin: 0;
        padding: 0.25rem;
        overflow-y: auto;
        list-style: none;
      }
      li {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.75rem;
        align-items: center;
        min-height: 2rem;
        padding: 0.125rem 0.625rem;
        border-radius: var(--radius-small);
        cursor: pointer;
      }
      li[aria-selected='true'] {
        background: var(--accent-soft);
        box-shadow: inset 3px 0 0 var(--accent);
      }
      .text {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .about,
      .kind {
        color: var(--muted);
        font-size: var(--small-size);
      }
      .about {
        margin-inline-start: 0.5rem;
      }
      .empty {
        margin: 0;
        padding: 1rem;
        color: var(--muted);
      }
      @media (pointer: coarse) {
        li {
          min-height: 2.75rem;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.typed = '';
    this.active = 0;
    this.objects = [];
    this.commands = [];
    this.lessons = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#previousFocus = deepActiveElement();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
  }

  override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
    void this.model.complete('kubectl ', 8, this.#life.signal).then(({ candidates }) => {
      this.commands = candidates.map(({ text, about }) => ({ text: `kubectl ${text}`, kind: msg('command'), about }));
    });
    const { workspace, hostNames } = this.model;
    const names = workspace.names === hostNames ? undefined : workspace.names;
    void import('virtual:tabplane-lessons').then(({ tracks }) => {
      this.lessons = tracks.flatMap((track) =>
        track.lessons.map(({ id, title, summary }): PaletteItem => {
          const href = linkToLesson({ track: track.id, lesson: id, step: undefined, names });
          return { text: title, kind: msg('lesson'), about: summary, href };
        }),
      );
    });
  }

  override willUpdate(): void {
    for (const type of typesOf(this.model).listed) {
      const count = typesOf(this.model).countOf(type);
      if (typeof count === 'number' && count > 0 && !this.#requested.has(qualifiedResourceName(type))) void this.#readNames(type);
    }
  }

  override render(): TemplateResult {
    const found = this.#matches();
    const active = Math.min(this.active, found.length - 1);
    const count = found.length;
    return html`
      <dialog aria-label=${msg('Find anything')} @close=${this.#close} @click=${this.#clicked}>
        <div class="line">
          <input
            role="combobox"
            aria-label=${msg('Find screens, lessons, types, objects and commands')}
            aria-expanded="true"
            aria-controls="found"
            aria-autocomplete="list"
            aria-activedescendant=${count > 0 ? `found-${active}` : nothing}
            placeholder=${msg('Screens, lessons, types, objects, commands')}
            autocomplete="off"
            spellcheck="false"
            @input=${this.#input}
            @keydown=${(event: KeyboardEvent) => this.#key(event, found, active)}
          />
        </div>
        ${
          count === 0
            ? html`<p class="empty" id="found">${msg('No results.')}</p>`
            : html`<ul id="found" role="listbox" aria-label=${msg('Results', { desc: 'what was found' })}>
                ${found.map((item, at) => this.#row(item, at, at === active))}
              </ul>`
        }
        <p class="hidden-text" role="status">${isDisabled('announcements') ? '' : msg(str`${count} found`)}</p>
      </dialog>
    `;
  }

  override updated(): void {
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  #row(item: PaletteItem, at: number, active: boolean): TemplateResult {
    return html`
      <li role="option" id="found-${at}" aria-selected=${active ? 'true' : 'false'} @click=${() => this.#choose(item)}>
        <span class="text">${item.text}<span class="about">${item.about}</span></span><span class="kind">${item.kind}</span>
      </li>
    `;
  }

  #items(): readonly PaletteItem[] {
    const types = typesOf(this.model).listed.map((type): PaletteItem => {
      const { group, version, name, kind } = type;
      return {
        text: qualifiedResourceName(type),
        kind: msg('type', { desc: 'of objects' }),
        about: kind,
        href: linkToPlace({ group, version, resource: name }),
      };
    });
    const screen = msg('screen', { desc: 'a page of the console' });
    const views = screens.map(([name, title]): PaletteItem => ({ text: title(), kind: screen, about: '', href: routeTo(name) }));
    const author: PaletteItem = { text: msg('Write a lesson'), kind: screen, about: '', href: routeTo('author') };
    return [...views, author, ...this.lessons, ...this.objects, ...types, ...this.commands];
  }

  #matches(): readonly PaletteItem[] {
    const items = this.#items();
    if (this.typed.trim() === '') return items.slice(0, shownMax);
    return items
      .flatMap((item) => {
        const score = fuzzyScore(this.typed, `${item.text} ${item.about}`);
        return score === undefined ? [] : [{ item, score }];
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, shownMax)
      .map(({ item }) => item);
  }

  async #readNames(type: ApiResource): Promise<void> {
    this.#requested.add(qualifiedResourceName(type));
    const accept = metadataListAccept(this.model);
    const { signal } = this.#life;
    const list = await createClient(this.model, { signal })
      .read('GET', resourcePath(type, ''), { accept, query: { limit: String(namesMax) } })
      // Ignores types that were deleted or may not be listed.
      .catch(() => ({}));
    const { group, version, name: resource } = type;
    const items = itemsOf(list).map((object): PaletteItem => {
      const { name, namespace } = metadataOf(object);
      const place = { group, version, resource, namespace: String(namespace ?? ''), name: String(name) };
      return { text: place.name, kind: type.kind, about: place.namespace, href: linkToPlace(place) };
    });
    if (!signal.aborted) this.objects = [...this.objects, ...items];
  }

  readonly #input = (event: Event): void => {
    this.typed = (event.target as HTMLInputElement).value;
    this.active = 0;
  };

  #key(event: KeyboardEvent, found: readonly PaletteItem[], active: number): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    const item = found[active];
    if (step !== undefined) {
      event.preventDefault();
      this.active = Math.max(0, Math.min(found.length - 1, active + step));
    } else if (event.key === 'Enter' && item !== undefined) {
      event.preventDefault();
      this.#choose(item);
    }
  }

  #choose({ href, text }: PaletteItem): void {
    this.#previousFocus = undefined;
    this.renderRoot.querySelector('dialog')?.close();
    // Objects and types are those of this cluster, also when a lesson is open.
    if (href !== undefined) location.hash = href.startsWith('#/o/') ? addressInCluster(href, this.model.workspace.id) : href;
    else this.model.onInsert(`${text} `);
  }

  readonly #clicked = (event: Event): void => {
    const dialog = event.currentTarget as HTMLDialogElement;
    if (event.target === dialog) dialog.close();
  };

  readonly #close = (): void => {
    this.remove();
    this.#previousFocus?.focus();
  };
}

function deepActiveElement(): HTMLElement | undefined {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : undefined;
}
