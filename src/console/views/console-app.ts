import { msg } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { Announcer } from '../announce.ts';
import { defineElements } from '../define-elements.ts';
import { linkToPlace } from '../explore/place.ts';
import type { LessonScreen } from '../learn/lesson-screen.ts';
import { loadScreen } from '../load-screen.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { parseRoute, type Route, routeTo, type Screen, screens } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import type { TerminalScreen } from '../terminal/terminal-screen.ts';
import { frameStyles } from './frame-styles.ts';
import { findIcon, screenIcon } from './icons.ts';

/** Screens in the bar of a narrow page. The palette lists all screens. */
const narrowScreens: ReadonlySet<Screen> = new Set(['console', 'explore', 'requests', 'learn']);
const wide = '(min-width: 48.01rem)';

/** The tab of the dock below a screen. Empty: no dock. */
export type DockTab = '' | 'console' | 'requests' | 'events';

/** The frame: top bar, navigation rail and the current screen. */
export class ConsoleApp extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    route: { state: true },
    dock: { state: true },
    pane: { state: true },
  };
  /** The model of the current cluster. */
  declare model: ConsoleModel;
  declare options: ConsoleOptions;
  declare route: Route;
  /** The open tab of the dock. */
  declare dock: DockTab;
  /** The visible half of a lesson on a narrow page. */
  declare pane: 'lesson' | 'console';
  /** Models of all opened clusters. Their terminals stay in the page. */
  #models: readonly ConsoleModel[] = [];
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model);
  readonly #announcer = new Announcer(this);
  #openedFor: string | undefined;

  static override styles: CSSResultGroup = [sharedStyles, frameStyles];

  constructor() {
    super();
    this.route = parseRoute(location.hash);
    this.dock = '';
    this.pane = 'lesson';
  }

  /** Switches all screens to another cluster. */
  show(model: ConsoleModel): void {
    if (!this.#models.includes(model))
      this.#models = [...this.#models.filter(({ workspace }) => workspace.id !== model.workspace.id), model];
    this.model?.recordUse();
    this.model = model;
    model.recordUse();
    this.options.onShow?.(model.workspace);
    model.onPalette = () => void this.#openPalette();
    model.onInsert = (line) => {
      this.#toConsole();
      this.#terminal?.insert(line);
    };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', this.#onHashChange);
    addEventListener('keydown', this.#onKeydown);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#onHashChange);
    removeEventListener('keydown', this.#onKeydown);
  }

  /** `vi FILE` opens the files screen. */
  override willUpdate(): void {
    const editing = this.model.editing?.path;
    if (editing !== undefined && editing !== this.#openedFor) location.hash = routeTo('files', editing);
    this.#openedFor = editing;
    void loadScreen(this.route.screen);
  }

  override render(): TemplateResult {
    const { screen } = this.route;
    const inLesson = screen === 'author' || (this.route.screen === 'learn' && this.route.lesson !== undefined);
    const docked = this.dock !== '' && screen !== 'console' && !inLesson;
    return html`
      <div role="navigation" aria-label=${msg('Skip', { desc: 'the skip link' })}><a class="skip" href="#main" @click=${this.#skip}>${msg('Skip to content')}</a></div>
      <tp-top-bar .model=${this.model}></tp-top-bar>
      <tp-notices .model=${this.model}></tp-notices>
      <nav aria-label=${msg('Screens')}>
        <ul>
          ${screens.map(
            ([name, title]) =>
              html`<li class=${narrowScreens.has(name) ? '' : 'wide'}>
                <a href=${routeTo(name)} aria-current=${name === screen ? 'page' : nothing}>${screenIcon(name)}${title()}</a>
              </li>`,
          )}
          <li><button title=${msg('Find anything (Ctrl or ⌘, and K)')} @click=${this.#openPalette}>${findIcon}${msg('Find…')}</button></li>
        </ul>
      </nav>
      <main id="main" tabindex="-1" class=${inLesson ? `beside ${this.pane}` : docked ? `docked ${this.dock}` : ''}>
        ${this.#screen()} ${docked ? html`<tp-dock .model=${this.model} .tab=${this.dock} @dock=${this.#onDock}></tp-dock>` : nothing}
        ${this.#models.map((model) => this.#terminalOf(model, (inLesson ? model.workspace.kind === 'lesson' : screen === 'console' || (docked && this.dock === 'console')) && model === this.model))}
      </main>
      ${this.#announcer.render()}
    `;
  }

  readonly #onDock = ({ detail }: CustomEvent<DockTab>): void => {
    this.dock = detail;
  };

  override firstUpdated(): void {
    this.#applyRoute();
    this.addEventListener('run-command', this.#runCommand);
    this.addEventListener('open-place', (event) => {
      if (event instanceof CustomEvent) this.show(event.detail as ConsoleModel);
    });
    this.addEventListener('leave-place', this.#leaveWorkspace);
    this.addEventListener('readdressed', this.#onHashChange);
    this.addEventListener('transcript', () => this.#terminal?.downloadTranscript());
    this.addEventListener('pane', (event) => {
      if (event instanceof CustomEvent) this.pane = event.detail as 'lesson' | 'console';
    });
    this.addEventListener('lesson-insert', this.#lessonInsert);
    this.addEventListener('lesson-run', (event) => {
      if (event instanceof CustomEvent) this.#terminal?.run(String(event.detail));
    });
  }

  #terminalOf(model: ConsoleModel, shown: boolean): TemplateResult {
    return html`<tp-terminal data-place=${model.workspace.id} ?hidden=${!shown} .model=${model}></tp-terminal>`;
  }

  readonly #lessonInsert = async (event: Event): Promise<void> => {
    if (!(event instanceof CustomEvent)) return;
    for (const half of event.composedPath())
      if (half instanceof HTMLElement && /^tp-(lesson|exam)$/.test(half.localName)) (half as LessonScreen).show('console');
    await this.updateComplete;
    this.#terminal?.insert(String(event.detail));
  };

  /** Switches back to the default cluster. */
  readonly #leaveWorkspace = (): void => {
    const [own] = this.#models;
    if (own === undefined) return;
    this.show(own);
    location.hash = this.route.screen === 'learn' ? routeTo('learn') : routeTo('console');
  };

  #screen(): TemplateResult | typeof nothing {
    const { route } = this;
    switch (route.screen) {
      case 'console':
        return nothing;
      case 'explore':
        return html`<tp-explore .model=${this.model} .place=${route.place}></tp-explore>`;
      case 'access':
        return html`<tp-access .model=${this.model} .view=${route.view} .query=${route.query}></tp-access>`;
      case 'requests':
        return html`<tp-requests .model=${this.model} .chosen=${route.id}></tp-requests>`;
      case 'learn':
        return route.lesson === undefined
          ? html`<tp-learn .model=${this.model}></tp-learn>`
          : html`<tp-lesson .place=${route.lesson} .options=${this.options}></tp-lesson>`;
      case 'author':
        return html`<tp-author .options=${this.options}></tp-author>`;
      case 'clusters':
        return html`<tp-clusters .model=${this.model} .options=${this.options}></tp-clusters>`;
      case 's':
        return html`<tp-shared .payload=${route.payload} .options=${this.options}></tp-shared>`;
      case 'files':
        return html`<tp-files .model=${this.model} .path=${route.path}></tp-files>`;
      case 'settings':
        return html`<tp-settings .model=${this.model} .release=${this.options.release}></tp-settings>`;
      default:
        return route satisfies never;
    }
  }

  readonly #onHashChange = (): void => {
    const before = this.route.screen;
    this.route = parseRoute(location.hash);
    if (this.route.screen === 'console' && before !== 'console') void this.updateComplete.then(() => this.#terminal?.focus());
    this.#applyRoute();
  };

  /** Handles links with a command line, which is inserted but not run, and links to a block. */
  #applyRoute(): void {
    const { route } = this;
    if (route.screen !== 'console') return;
    const { line, block } = route;
    void this.updateComplete.then(async () => {
      await this.#terminal?.updateComplete;
      if (line !== undefined) this.#terminal?.insert(line);
      if (block !== undefined) this.#terminal?.show(block);
    });
  }

  get #terminal(): TerminalScreen | null {
    return this.renderRoot.querySelector<TerminalScreen>(`tp-terminal[data-place="${this.model.workspace.id}"]`);
  }

  /**
   * The menus of the bar run commands, so that users learn them; the current screen stays open. In Explore the selected namespace
   * is also opened.
   */
  readonly #runCommand = (event: Event): void => {
    if (!(event instanceof CustomEvent) || typeof event.detail !== 'string') return;
    this.#terminal?.run(event.detail);
    const namespace = /--namespace=(\S+)$/.exec(event.detail)?.[1];
    const { route } = this;
    if (namespace === undefined || route.screen !== 'explore' || route.place.namespace === '' || route.place.name !== '') return;
    location.hash = linkToPlace({ ...route.place, namespace });
  };

  #toConsole(): void {
    if (this.route.screen !== 'console' && matchMedia(wide).matches) this.dock = 'console';
    else location.hash = routeTo('console');
    void this.updateComplete.then(() => this.#terminal?.focus());
  }

  /** Global shortcuts: Ctrl-` focuses the command line, Ctrl-K or ⌘-K opens the palette. */
  readonly #onKeydown = (event: KeyboardEvent): void => {
    const palette = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
    if (palette && !this.#inLine(event)) {
      event.preventDefault();
      void this.#openPalette();
    } else if ((event.ctrlKey || event.metaKey) && event.shiftKey && event.key.toLowerCase() === 's') {
      event.preventDefault();
      location.hash = routeTo('clusters');
    } else if (event.ctrlKey && event.key === '`') {
      event.preventDefault();
      this.#toConsole();
    }
  };

  /** Whether Ctrl-K deletes to the end of a non-empty command line, as in every shell. */
  #inLine(event: KeyboardEvent): boolean {
    const target = event.composedPath()[0];
    return event.ctrlKey && target instanceof HTMLTextAreaElement && target.value !== '' && this.#terminal?.contains(target) === true;
  }

  readonly #openPalette = async (): Promise<void> => {
    const { Palette } = await import('./palette.ts');
    defineElements({ 'tp-palette': Palette });
    const open = this.renderRoot.querySelector('tp-palette') ?? new Palette();
    Object.assign(open, { model: this.model });
    this.renderRoot.append(open);
  };

  readonly #skip = (event: Event): void => {
    event.preventDefault();
    if (this.route.screen === 'console') this.#terminal?.focus();
    else this.renderRoot.querySelector<HTMLElement>('#main')?.focus();
  };
}
