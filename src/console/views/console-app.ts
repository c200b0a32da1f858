import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { type Route, readRoute, routeTo, type Screen } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import type { TerminalScreen } from '../terminal/terminal-screen.ts';
import { screenIcon } from './icons.ts';

const screens: readonly (readonly [Screen, string])[] = [
  ['console', 'Console'],
  ['requests', 'Requests'],
  ['files', 'Files'],
  ['settings', 'Settings'],
];

/** The frame: top bar, rail, and the screen that the address names. */
export class ConsoleApp extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false }, route: { state: true } };
  declare model: ConsoleModel;
  declare route: Route;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model);
  #openedFor: string | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template: auto auto minmax(0, 1fr) / auto minmax(0, 1fr);
        grid-template-areas: 'top top' 'offer offer' 'rail main';
        height: 100dvh;
        background: var(--ground);
      }
      [role='navigation'] {
        position: absolute;
      }
      .skip {
        position: absolute;
        width: max-content;
        inset: 0.25rem auto auto 0.25rem;
        z-index: 5;
        padding: 0.5rem 0.75rem;
        border-radius: var(--radius-small);
        background: var(--accent);
        color: var(--accent-text);
      }
      .skip:not(:focus) {
        clip-path: inset(50%);
      }
      tp-top-bar {
        grid-area: top;
      }
      .offer {
        grid-area: offer;
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1rem;
        align-items: center;
        justify-content: center;
        padding: 0.375rem 1rem;
        background: var(--info-soft);
        color: var(--info);
      }
      nav {
        grid-area: rail;
        width: 4.75rem;
        padding: 0.5rem 0.375rem;
        border-inline-end: 1px solid var(--line);
        background: var(--surface);
      }
      nav ul {
        display: grid;
        gap: 0.25rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      nav a {
        width: 4rem;
        display: grid;
        justify-items: center;
        gap: 0.125rem;
        padding: 0.5rem 0.25rem 0.375rem;
        border-radius: var(--radius);
        color: var(--muted);
        font-size: 0.6875rem;
        text-decoration: none;
      }
      nav a:hover {
        background: var(--sunken);
      }
      nav a[aria-current] {
        background: var(--accent-soft);
        color: var(--accent);
        font-weight: 600;
      }
      nav svg {
        width: 1.25rem;
        height: 1.25rem;
        fill: none;
        stroke: currentColor;
        stroke-width: 1.6;
        stroke-linecap: round;
        stroke-linejoin: round;
      }
      main {
        grid-area: main;
        min-width: 0;
        min-height: 0;
      }
      main > * {
        height: 100%;
      }
      @media (max-width: 48rem) {
        :host {
          grid-template: auto auto minmax(0, 1fr) auto / minmax(0, 1fr);
          grid-template-areas: 'top' 'offer' 'main' 'rail';
        }
        nav {
          width: auto;
          padding: 0.25rem;
          border-inline-end: 0;
          border-block-start: 1px solid var(--line);
        }
        nav ul {
          grid-auto-flow: column;
          grid-auto-columns: 1fr;
        }
        nav a {
          width: auto;
          min-height: 2.75rem;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.route = readRoute(location.hash);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', this.#routed);
    addEventListener('keydown', this.#key);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#routed);
    removeEventListener('keydown', this.#key);
  }

  /** `vi FILE` opens the editor by itself. */
  override willUpdate(): void {
    const editing = this.model.editing?.path;
    if (editing !== undefined && editing !== this.#openedFor) location.hash = routeTo('files', editing);
    this.#openedFor = editing;
  }

  override render(): TemplateResult {
    const { screen } = this.route;
    return html`
      <div role="navigation" aria-label="Skip"><a class="skip" href="#main" @click=${this.#skip}>Skip to the screen</a></div>
      <tp-top-bar .model=${this.model}></tp-top-bar>
      ${this.#offer()}
      <nav aria-label="Screens">
        <ul>
          ${screens.map(
            ([name, title]) =>
              html`<li><a href=${routeTo(name)} aria-current=${name === screen ? 'page' : nothing}>${screenIcon(name)}${title}</a></li>`,
          )}
        </ul>
      </nav>
      <main id="main" tabindex="-1">
        <tp-terminal ?hidden=${screen !== 'console'} .model=${this.model}></tp-terminal>
        ${this.#screen()}
      </main>
    `;
  }

  override firstUpdated(): void {
    this.addEventListener('run-command', this.#runCommand);
  }

  #screen(): TemplateResult | typeof nothing {
    const { route } = this;
    switch (route.screen) {
      case 'console':
        return nothing;
      case 'requests':
        return html`<tp-requests .model=${this.model} .chosen=${route.id}></tp-requests>`;
      case 'files':
        return html`<tp-files .model=${this.model} .path=${route.path}></tp-files>`;
      case 'settings':
        return html`<tp-settings .model=${this.model}></tp-settings>`;
      default:
        return route satisfies never;
    }
  }

  #offer(): TemplateResult | typeof nothing {
    const { offer } = this.model.status;
    if (offer === 'none') return nothing;
    const words =
      offer === 'update'
        ? ['A new version is ready.', 'Restart with it']
        : ['The saved cluster can be had again; what was made in this page since would be left.', 'Go to the saved cluster'];
    return html`
      <div class="offer" role="status">
        <span>${words[0]}</span>
        <button class="button" @click=${this.#accept}>${words[1]}</button>
      </div>
    `;
  }

  readonly #accept = async (): Promise<void> => {
    const { offer } = this.model.status;
    await this.model.connection.acceptOffer();
    if (offer === 'update') location.reload();
  };

  readonly #routed = (): void => {
    const before = this.route.screen;
    this.route = readRoute(location.hash);
    if (this.route.screen === 'console' && before !== 'console') void this.updateComplete.then(() => this.#terminal?.focus());
  };

  get #terminal(): TerminalScreen | null {
    return this.renderRoot.querySelector<TerminalScreen>('tp-terminal');
  }

  /** The bar's menus act by commands, so that one sees how it is done by hand. */
  readonly #runCommand = (event: Event): void => {
    if (!(event instanceof CustomEvent) || typeof event.detail !== 'string') return;
    location.hash = routeTo('console');
    this.#terminal?.run(event.detail);
  };

  /** Ctrl-` goes to the line from everywhere. */
  readonly #key = (event: KeyboardEvent): void => {
    if (!event.ctrlKey || event.key !== '`') return;
    event.preventDefault();
    location.hash = routeTo('console');
    this.#terminal?.focus();
  };

  readonly #skip = (event: Event): void => {
    event.preventDefault();
    if (this.route.screen === 'console') this.#terminal?.focus();
    else this.renderRoot.querySelector<HTMLElement>('#main')?.focus();
  };
}
