import type { nothing, TemplateResult } from 'lit';
import { addressInCluster, explicitAddress } from '../address.ts';
import { defineElements } from '../define-elements.ts';
import { linkToPlace } from '../explore/place.ts';
import type { LessonScreen } from '../learn/lesson-screen.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { isLessonRoute, type Route, routeTo, type Screen } from '../routes.ts';
import { startSteps } from '../terminal/start-steps.ts';
import { addClusterToLink, clusterInAddress, initialCluster, writeCluster } from './cluster-navigation.ts';
import type { ConsoleApp } from './console-app.ts';
import { frameScreen } from './frame-screen.ts';
import { rememberCluster } from './last-cluster.ts';

const wide = '(min-width: 48.01rem)';
/** Before them, links get the cluster of the console. */
const linkEvents = ['pointerdown', 'click', 'auxclick', 'contextmenu', 'dragstart'] as const;

/** The behaviour of the frame: its screens, the clusters of addresses, events of screens, and shortcuts. */
export class FrameController {
  readonly #app: ConsoleApp;
  /** The id of the cluster that was shown before a lesson. */
  #homeId = '';
  #openedFor: string | undefined;
  /** The pane to which a closed editor returns. */
  #paneBefore: 'lesson' | 'console' = 'lesson';

  constructor(app: ConsoleApp) {
    this.#app = app;
  }

  /** Attaches to the frame and opens the cluster of the address. `model` is that of the default cluster. */
  begin(model: ConsoleModel): void {
    const app = this.#app;
    for (const type of linkEvents) app.addEventListener(type, (event) => addClusterToLink(event, app.route, app.model), { capture: true });
    for (const [type, handle] of this.#events) {
      app.addEventListener(type, (event) => event instanceof CustomEvent && handle(event.detail ?? undefined, event));
    }
    addEventListener('keydown', this.#onKeydown);
    const id = initialCluster(app.options, app.route);
    app.controller = this;
    if (!app.models.includes(model)) app.models = [model];
    app.model = model;
    if (isLessonRoute(app.route)) this.#homeId = id;
    else if (id === '') app.show(model);
    else void this.openCluster(id).then(() => app.applyRoute());
  }

  /** The element of the current screen. */
  screen(): TemplateResult | typeof nothing {
    return frameScreen(this.#app);
  }

  onShown(model: ConsoleModel): void {
    const { workspace } = model;
    const { options, route } = this.#app;
    // The components of a new cluster begin when it exists.
    void (workspace.ready ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        if (this.#app.model === model) options.onShow?.(workspace);
      });
    if (workspace.kind !== 'lesson') {
      this.#homeId = workspace.id;
      rememberCluster(workspace.id);
    }
    if (!isLessonRoute(route)) writeCluster(workspace.id);
  }

  /** Opens the cluster of a new address, which is that of the previous screen if it names none. A lesson opens its own. */
  async openClusterOfAddress(before: Route): Promise<void> {
    const app = this.#app;
    if (isLessonRoute(app.route)) {
      app.opening = undefined;
      return;
    }
    app.lesson = undefined;
    const id = isLessonRoute(before) ? this.#homeId : app.model.workspace.id;
    await this.openCluster(clusterInAddress(app.options, this.#modelOf(id)) ?? id);
  }

  /** Shows the cluster with this id, which is empty for the default one. */
  async openCluster(id: string): Promise<void> {
    const app = this.#app;
    const open = this.#modelOf(id);
    if (open !== undefined) return app.show(open);
    app.opening = { id, failure: undefined };
    writeCluster(id);
    const { opening } = app;
    const fail = (failure: string): void => {
      if (app.opening === opening) app.opening = { id, failure };
    };
    try {
      const { openClusterModel } = await import('../share/open-cluster.ts');
      const model = await openClusterModel(app.options, id);
      if (model === undefined) fail('');
      // The user may have navigated away in the meantime.
      else if (app.opening === opening) app.show(model);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  }

  /** `vi FILE` opens the files screen, or the editor in place of a lesson's text. */
  openEditor(): void {
    const app = this.#app;
    const editing = app.model.editing?.path;
    if (editing === this.#openedFor) return;
    if (isLessonRoute(app.route)) {
      if (this.#openedFor === undefined) this.#paneBefore = app.pane;
      app.pane = editing === undefined ? this.#paneBefore : 'lesson';
    } else if (editing !== undefined) location.hash = routeTo('files', editing);
    this.#openedFor = editing;
  }

  insert(line: string): void {
    this.#toConsole();
    this.#app.terminal?.insert(line);
  }

  async openPalette(): Promise<void> {
    const { Palette } = await import('./palette.ts');
    defineElements({ 'tp-palette': Palette });
    const { renderRoot, model } = this.#app;
    const open = renderRoot.querySelector('tp-palette') ?? new Palette();
    Object.assign(open, { model });
    renderRoot.append(open);
  }

  /** Opens the menu of the screens that are not in the bar of a narrow page. */
  async openMore(inBar: ReadonlySet<Screen>): Promise<void> {
    const { MoreMenu } = await import('./more-menu.ts');
    defineElements({ 'tp-more': MoreMenu });
    const menu = Object.assign(new MoreMenu(), { inBar });
    menu.addEventListener('find', () => void this.openPalette());
    this.#app.renderRoot.append(menu);
  }

  /** The events of the screens, with their details. */
  get #events(): readonly (readonly [type: string, handle: (detail: unknown, event: Event) => void])[] {
    const app = this.#app;
    return [
      ['run-command', (line) => this.#runCommand(String(line))],
      ['open-place', (model) => this.#onOpenPlace(model as ConsoleModel | undefined)],
      ['leave-place', () => this.#leaveWorkspace()],
      ['readdressed', () => dispatchEvent(new HashChangeEvent('hashchange'))],
      ['run-elsewhere', (command) => this.#runElsewhere(command as { readonly cluster: string; readonly line: string })],
      ['transcript', () => app.terminal?.downloadTranscript()],
      [
        'pane',
        (pane) => {
          app.pane = pane as 'lesson' | 'console';
        },
      ],
      ['lesson-insert', (line, event) => this.#lessonInsert(String(line), event)],
      ['lesson-run', (line) => app.terminal?.run(String(line))],
      ['tour-step', (step) => this.#takeTourStep(Number(step))],
      [
        'tour-end',
        () => {
          app.tour = undefined;
        },
      ],
    ];
  }

  #modelOf(id: string): ConsoleModel | undefined {
    return this.#app.models.find(({ workspace }) => workspace.id === id);
  }

  /** A screen has opened a cluster; undefined: a lesson begins to open its own. */
  #onOpenPlace(model: ConsoleModel | undefined): void {
    if (isLessonRoute(this.#app.route)) this.#app.lesson = model;
    if (model !== undefined) this.#app.show(model);
  }

  /** Switches from a lesson to the cluster before it, and from another cluster to the default one. */
  #leaveWorkspace(): void {
    const { model, route } = this.#app;
    const screen = route.screen === 'learn' || route.screen === 'clusters' ? route.screen : 'console';
    const id = model.workspace.kind === 'lesson' ? this.#homeId : '';
    // At once: the event of the new address comes later, and so may another address.
    const open = this.#modelOf(id);
    if (open !== undefined) this.#app.show(open);
    location.hash = explicitAddress(routeTo(screen), id);
  }

  /** Runs a line in the console of another cluster. */
  async #runElsewhere({ cluster, line }: { readonly cluster: string; readonly line: string }): Promise<void> {
    await this.openCluster(cluster);
    await this.#app.updateComplete;
    if (this.#app.model.workspace.id === cluster) this.#app.terminal?.run(line);
  }

  /** Runs the command of a step in the console, or opens its screen, and offers the next step. */
  #takeTourStep(index: number): void {
    const app = this.#app;
    const step = startSteps()[index];
    if (step === undefined) return;
    app.tour = index + 1;
    if ('line' in step) {
      this.#toConsole();
      app.terminal?.run(step.line);
    } else location.hash = addressInCluster(step.href, app.model.workspace.id);
  }

  async #lessonInsert(line: string, event: Event): Promise<void> {
    for (const half of event.composedPath())
      if (half instanceof HTMLElement && /^tp-(lesson|exam)$/.test(half.localName)) (half as LessonScreen).show('console');
    await this.#app.updateComplete;
    this.#app.terminal?.insert(line);
  }

  /**
   * The menus of the bar run commands, so that users learn them; the current screen stays open. In Explore the selected namespace
   * is also opened.
   */
  #runCommand(line: string): void {
    const { terminal, route } = this.#app;
    terminal?.run(line);
    const namespace = /--namespace=(\S+)$/.exec(line)?.[1];
    if (namespace === undefined || route.screen !== 'explore' || route.place.namespace === '' || route.place.name !== '') return;
    location.hash = linkToPlace({ ...route.place, namespace });
  }

  #toConsole(): void {
    const app = this.#app;
    if (app.route.screen !== 'console' && matchMedia(wide).matches) app.dock = 'console';
    else location.hash = routeTo('console');
    void app.updateComplete.then(() => app.terminal?.focus());
  }

  /** Global shortcuts: Ctrl-` focuses the command line, Ctrl-K or ⌘-K opens the palette. */
  readonly #onKeydown = (event: KeyboardEvent): void => {
    const palette = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
    if (palette && !this.#inLine(event)) {
      event.preventDefault();
      void this.openPalette();
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
    return event.ctrlKey && target instanceof HTMLTextAreaElement && target.value !== '' && this.#app.terminal?.contains(target) === true;
  }
}
