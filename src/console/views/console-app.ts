import { msg } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { Announcer } from '../announce.ts';
import { loadScreen } from '../load-screen.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { isLessonRoute, parseRoute, type Route, routeTo, type Screen, screens } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import type { TerminalScreen } from '../terminal/terminal-screen.ts';
import type { FrameController } from './frame-controller.ts';
import { frameStyles } from './frame-styles.ts';
import { findIcon, moreIcon, screenIcon } from './icons.ts';

/** Screens in the bar of a narrow page. Its menu lists the others. */
const narrowScreens: ReadonlySet<Screen> = new Set(['console', 'explore', 'requests', 'learn']);

/** The tab of the dock below a screen. Empty: no dock. */
export type DockTab = '' | 'console' | 'requests' | 'events';

/** The frame: top bar, navigation rail and the current screen. */
export class ConsoleApp extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    route: { state: true },
    dock: { state: true },
    pane: { state: true },
    opening: { state: true },
    lesson: { state: true },
    controller: { state: true },
    tour: { state: true },
  };
  /** The model of the current cluster. */
  declare model: ConsoleModel;
  declare options: ConsoleOptions;
  declare route: Route;
  /** The open tab of the dock. */
  declare dock: DockTab;
  /** The visible half of a lesson on a narrow page. */
  declare pane: 'lesson' | 'console';
  /** The id of the cluster that is being opened, or that this browser does not have. */
  declare opening: { readonly id: string; readonly failure: string | undefined } | undefined;
  /** The console of the open lesson. */
  declare lesson: ConsoleModel | undefined;
  /** The next step of the tour, while it runs. */
  declare tour: number | undefined;
  /** Handles everything but the first render and the console. Undefined until it is loaded. */
  declare controller: FrameController | undefined;
  /** Models of all opened clusters. Their terminals stay in the page. */
  models: readonly ConsoleModel[] = [];
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model);
  readonly #announcer = new Announcer(this);

  static override styles: CSSResultGroup = [sharedStyles, frameStyles];

  constructor() {
    super();
    this.route = parseRoute(location.hash);
    this.opening = undefined;
    this.lesson = undefined;
    this.controller = undefined;
    this.tour = undefined;
    this.dock = '';
    this.pane = 'lesson';
  }

  /** Switches all screens to another cluster. */
  show(model: ConsoleModel): void {
    if (!this.models.includes(model)) this.models = [...this.models.filter(({ workspace }) => workspace.id !== model.workspace.id), model];
    this.model?.recordUse();
    this.model = model;
    this.opening = undefined;
    model.recordUse();
    if (this.controller === undefined) this.options.onShow?.(model.workspace);
    else this.controller.onShown(model);
    model.onPalette = () => void this.controller?.openPalette();
    model.onInsert = (line) => this.controller?.insert(line);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', this.#onHashChange);
    // The address may have changed while the console was loaded.
    this.route = parseRoute(location.hash);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#onHashChange);
  }

  override willUpdate(): void {
    this.controller?.openEditor();
    void loadScreen(this.route.screen);
  }

  override render(): TemplateResult {
    const { screen } = this.route;
    const inLesson = isLessonRoute(this.route);
    const docked = this.dock !== '' && screen !== 'console' && !inLesson;
    return html`
      <div role="navigation" aria-label=${msg('Skip', { desc: 'the skip link' })}><a class="skip" href="#main" @click=${this.#skip}>${msg('Skip to content')}</a></div>
      <tp-top-bar .model=${this.model} .route=${this.route} .isOpening=${this.opening !== undefined || (inLesson && this.lesson === undefined)}></tp-top-bar>
      <div class="notices"><tp-notices .model=${this.model}></tp-notices>${this.tour === undefined ? nothing : html`<tp-tour .step=${this.tour}></tp-tour>`}</div>
      <nav aria-label=${msg('Screens')}>
        <ul>
          ${screens.map(
            ([name, title]) =>
              html`<li class=${narrowScreens.has(name) ? '' : 'wide'}>
                <a href=${routeTo(name)} aria-current=${name === screen ? 'page' : nothing}>${screenIcon(name)}${title()}</a>
              </li>`,
          )}
          <li class="narrow"><button aria-haspopup="dialog" @click=${() => this.controller?.openMore(narrowScreens)}>${moreIcon}${msg('More', { desc: 'more screens' })}</button></li>
          <li class="wide"><button title=${msg('Find anything (Ctrl or ⌘, and K)')} @click=${() => this.controller?.openPalette()}>${findIcon}${msg('Find…')}</button></li>
        </ul>
      </nav>
      <main id="main" tabindex="-1" class=${inLesson ? `beside ${this.pane}` : docked ? `docked ${this.dock}` : ''}>
        ${this.controller?.screen() ?? nothing} ${docked ? html`<tp-dock .model=${this.model} .tab=${this.dock} @dock=${this.#onDock}></tp-dock>` : nothing}
        ${this.models.map((model) => this.#terminalOf(model, model === this.model && this.opening === undefined && (inLesson ? model === this.lesson : screen === 'console' || (docked && this.dock === 'console'))))}
      </main>
      ${this.#announcer.render()}
    `;
  }

  readonly #onDock = ({ detail }: CustomEvent<DockTab>): void => {
    this.dock = detail;
  };

  override firstUpdated(): void {
    this.applyRoute();
  }

  #terminalOf(model: ConsoleModel, shown: boolean): TemplateResult {
    return html`<tp-terminal data-place=${model.workspace.id} ?hidden=${!shown} .model=${model}></tp-terminal>`;
  }

  readonly #onHashChange = async (): Promise<void> => {
    const before = this.route;
    this.route = parseRoute(location.hash);
    await this.controller?.openClusterOfAddress(before);
    if (this.route.screen === 'console' && before.screen !== 'console') void this.updateComplete.then(() => this.terminal?.focus());
    this.applyRoute();
  };

  /** Handles links with a command line, which is inserted but not run, and links to a block. */
  applyRoute(): void {
    const { route } = this;
    if (route.screen !== 'console' || this.opening !== undefined) return;
    const { line, block } = route;
    void this.updateComplete.then(async () => {
      await this.terminal?.updateComplete;
      if (line !== undefined) this.terminal?.insert(line);
      if (block !== undefined) this.terminal?.show(block);
    });
  }

  get terminal(): TerminalScreen | null {
    return this.renderRoot.querySelector<TerminalScreen>(`tp-terminal[data-place="${this.model.workspace.id}"]`);
  }

  readonly #skip = (event: Event): void => {
    event.preventDefault();
    if (this.route.screen === 'console') this.terminal?.focus();
    else this.renderRoot.querySelector<HTMLElement>('#main')?.focus();
  };
}
