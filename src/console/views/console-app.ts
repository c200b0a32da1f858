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
import { type Route, readRoute, routeTo, type Screen, screens } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import type { TerminalScreen } from '../terminal/terminal-screen.ts';
import { frameStyles } from './frame-styles.ts';
import { findIcon, screenIcon } from './icons.ts';

/** On a narrow page the bar has room for these, and for the palette, which has all of them. */
const narrowScreens: ReadonlySet<Screen> = new Set(['console', 'explore', 'requests', 'learn']);
const wide = '(min-width: 48.01rem)';

/** What may stand below a screen; empty: nothing. */
export type DockTab = '' | 'console' | 'requests' | 'events';

/** The frame: top bar, rail, and the screen that the address names. */
export class ConsoleApp extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    route: { state: true },
    dock: { state: true },
    pane: { state: true },
  };
  /** The console of the cluster that is looked at. */
  declare model: ConsoleModel;
  declare options: ConsoleOptions;
  declare route: Route;
  /** What stands below the screen. */
  declare dock: DockTab;
  /** The half of a lesson that a narrow page shows. */
  declare pane: 'lesson' | 'console';
  /** Of all clusters that were looked at: what their terminals show stays. */
  #models: readonly ConsoleModel[] = [];
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model);
  readonly #announcer = new Announcer(this);
  #openedFor: string | undefined;

  static override styles: CSSResultGroup = [sharedStyles, frameStyles];

  constructor() {
    super();
    this.route = readRoute(location.hash);
    this.dock = '';
    this.pane = 'lesson';
  }

  /** Makes another cluster the one that all screens look at. */
  show(model: ConsoleModel): void {
    if (!this.#models.includes(model)) this.#models = [...this.#models.filter(({ place }) => place.id !== model.place.id), model];
    this.model?.noteUse();
    this.model = model;
    model.noteUse();
    model.onPalette = () => void this.#openPalette();
    model.onInsert = (line) => {
      this.#toConsole();
      this.#terminal?.insert(line);
    };
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
    void loadScreen(this.route.screen);
  }

  override render(): TemplateResult {
    const { screen } = this.route;
    const inLesson = screen === 'author' || (this.route.screen === 'learn' && this.route.lesson !== undefined);
    const docked = this.dock !== '' && screen !== 'console' && !inLesson;
    return html`
      <div role="navigation" aria-label=${msg('Skip', { desc: 'the part of the page that leads past the others' })}><a class="skip" href="#main" @click=${this.#skip}>${msg('Skip to the screen')}</a></div>
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
        ${this.#screen()} ${docked ? html`<tp-dock .model=${this.model} .tab=${this.dock} @dock=${this.#docked}></tp-dock>` : nothing}
        ${this.#models.map((model) => this.#terminalOf(model, (inLesson ? model.place.kind === 'lesson' : screen === 'console' || (docked && this.dock === 'console')) && model === this.model))}
      </main>
      ${this.#announcer.render()}
    `;
  }

  readonly #docked = ({ detail }: CustomEvent<DockTab>): void => {
    this.dock = detail;
  };

  override firstUpdated(): void {
    this.#takeLine();
    this.addEventListener('run-command', this.#runCommand);
    this.addEventListener('open-place', (event) => {
      if (event instanceof CustomEvent) this.show(event.detail as ConsoleModel);
    });
    this.addEventListener('leave-place', this.#leavePlace);
    this.addEventListener('readdressed', this.#routed);
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
    return html`<tp-terminal data-place=${model.place.id} ?hidden=${!shown} .model=${model}></tp-terminal>`;
  }

  readonly #lessonInsert = async (event: Event): Promise<void> => {
    if (!(event instanceof CustomEvent)) return;
    for (const half of event.composedPath())
      if (half instanceof HTMLElement && /^tp-(lesson|exam)$/.test(half.localName)) (half as LessonScreen).show('console');
    await this.updateComplete;
    this.#terminal?.insert(String(event.detail));
  };

  /** Back to the cluster that the page opened with. */
  readonly #leavePlace = (): void => {
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

  readonly #routed = (): void => {
    const before = this.route.screen;
    this.route = readRoute(location.hash);
    if (this.route.screen === 'console' && before !== 'console') void this.updateComplete.then(() => this.#terminal?.focus());
    this.#takeLine();
  };

  /** A link may bring a line, which who came by it runs, or not; or lead to what a command printed. */
  #takeLine(): void {
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
    return this.renderRoot.querySelector<TerminalScreen>(`tp-terminal[data-place="${this.model.place.id}"]`);
  }

  /**
   * The bar's menus act by commands, so that one sees how it is done by hand; elsewhere than in the console the screen stays.
   * In Explore the namespace chosen is also the one looked at.
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

  /** Ctrl-` goes to the line from everywhere; Ctrl-K or ⌘-K finds anything. */
  readonly #key = (event: KeyboardEvent): void => {
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

  /** In a line that is not empty Ctrl-K deletes to its end, as in every shell. */
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
