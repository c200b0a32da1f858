import { msg } from '@lit/localize';
import { listAndWatch, ownClusterId, type TransportStatus } from '../../client/index.ts';
import type { Env, OutboundTls } from '../../env/index.ts';
import type { Completion, ConsoleShell, KnownPlugins } from '../../kubectl/index.ts';
import { type ApiHandler, type ApiRequest, isJsonObject, type Product } from '../../meta/index.ts';
import type { ResourceTypes } from '../explore/resource-types.ts';
import type { Command, CommandView } from './commands.ts';
import type { ClusterConnection, ConsoleOptions, Place } from './connection.ts';
import { createConsoleShell } from './console-shell.ts';
import { CommandHistory } from './history.ts';
import { type CurrentContext, credentialHeaders, currentContext, homeDirectory, kubeconfigPath } from './identities.ts';
import { type Keep, openKeep, placeKeep, usedKey } from './keep.ts';
import { RequestLog, type RequestSource } from './request-log.ts';
import { TabChannel } from './tab-channel.ts';
import type { UserWays } from './user-ways.ts';
import type { HomeChange, VirtualHome } from './virtual-home.ts';

/** Of what a command prints, this much is kept for who listens. */
const stdoutMax = 64 * 1024;

/** All that the console knows; its elements show it and call it. */
export class ConsoleModel {
  readonly place: Place;
  readonly connection: ClusterConnection;
  readonly env: Env;
  readonly product: Product;
  readonly requests: RequestLog;
  readonly keep: Keep;
  readonly history: CommandHistory;
  readonly home: VirtualHome;
  readonly shell: ConsoleShell;
  /** The file that `vi` or the files screen has open, and what to call when it is done. */
  editing: { readonly path: string; readonly done: (saved: boolean) => void } | undefined;
  /** The server's types, once a screen has asked for them. */
  types: ResourceTypes | undefined;
  /** Told of each command that is done, with what it printed; a lesson listens. */
  onRan: (command: Command, stdout: string) => void = () => undefined;
  /** The terminal sets what `clear` does. */
  onClear: () => void = () => undefined;
  /** The frame sets how a line is put before the user, who presses Enter. */
  onInsert: (line: string) => void = () => undefined;
  /** The frame sets how everything with a name is looked for. */
  onPalette: () => void = () => undefined;
  context: CurrentContext = currentContext('');
  namespaces: readonly string[] = [];
  /** The newest revision that an answer told. */
  revision = 0;
  readonly #listeners = new Set<() => void>();
  #running: { readonly command: Command; readonly view: CommandView; readonly abort: AbortController } | undefined;
  #lastCommand = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #watching = new AbortController();
  #watchedFor: string | undefined;
  readonly #plugins: KnownPlugins = new Map();
  readonly #ways: () => Promise<UserWays>;
  /** The way of the current user. */
  #current: Promise<ApiHandler> | undefined;

  /** With a place: the console of another cluster of the same host. */
  static async open(options: ConsoleOptions, place: Place = ownPlace(options)): Promise<ConsoleModel> {
    const all = await openKeep();
    const keep = placeKeep(all, place.id);
    const tabs = new TabChannel(place.id);
    const history = new CommandHistory(keep, (line) => tabs.tell({ kind: 'history', line }));
    const tell = (change: HomeChange): void => tabs.tell({ kind: 'file', ...change });
    const [home] = await Promise.all([
      import('./virtual-home.ts').then(({ openVirtualHome }) => openVirtualHome(keep, () => place.files(), tell)),
      history.load(),
    ]);
    const connection = place.id === '' ? options.connection : options.connection.beside(place.id);
    const model = new ConsoleModel({ ...options, connection }, { place, keep, history, home });
    tabs.hear((message) => {
      if (message.kind === 'history') history.hear(message.line);
      else void home.hear(message);
    });
    await model.#readContext();
    return model;
  }

  private constructor(
    { connection, plugins, env, product }: ConsoleOptions,
    { place, keep, history, home }: Pick<ConsoleModel, 'place' | 'keep' | 'history' | 'home'>,
  ) {
    this.place = place;
    this.connection = connection;
    this.env = env;
    this.product = product;
    this.keep = keep;
    this.history = history;
    this.home = home;
    this.requests = new RequestLog(env);
    const user = {
      api: (request: ApiRequest) => connection.api(request),
      home,
      product,
      clock: env.clock,
      host: plugins,
      known: this.#plugins,
    };
    let ways: Promise<UserWays> | undefined;
    this.#ways = () => {
      ways ??= import('./user-ways.ts').then(({ UserWays }) => new UserWays(user));
      return ways;
    };
    this.shell = createConsoleShell({
      env,
      product,
      home,
      allow: place.allow ?? [],
      api: (tls) => (request) => this.#shellApi(request, tls),
      internalApi: this.internalApi,
      plugins,
      knownPlugins: this.#plugins,
      edit: (path) => this.edit(path),
      clear: () => this.onClear(),
    });
    connection.onTrace((traces) => this.requests.hear(traces));
    connection.onStatus(() => this.#changed());
    this.requests.onChange(() => this.#noteRevision());
    home.onChange((path) => {
      if (path === kubeconfigPath) void this.#readContext();
    });
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get status(): TransportStatus {
    return this.connection.status();
  }

  get running(): Command | undefined {
    return this.#running?.command;
  }

  /** Notes when the cluster was last looked at; the list of clusters tells it. In a full store the time before stays. */
  noteUse(): void {
    this.keep.set(usedKey, this.env.clock.nowMs()).catch(() => undefined);
  }

  /** What the user sees before the line. */
  get prompt(): string {
    const { user, namespace } = this.context;
    return user === 'admin' || user === '' ? namespace : `${user}@${namespace}`;
  }

  /** Makes the command of a line, which runs when those before it are done. */
  newCommand(line: string): Command {
    return { id: ++this.#lastCommand, line, prompt: this.prompt, requests: [], exit: undefined, ms: 0, state: 'waiting' };
  }

  run(command: Command, view: CommandView): Promise<void> {
    void this.history.add(command.line);
    const turn = this.#queue.then(() => this.#runNow(command, view));
    this.#queue = turn;
    return turn;
  }

  /** Ctrl-C. */
  interrupt(): boolean {
    this.editing?.done(false);
    this.#running?.abort.abort();
    return this.#running !== undefined;
  }

  complete(line: string, cursor: number, signal: AbortSignal): Promise<Completion> {
    return this.shell.complete(line, cursor, signal);
  }

  /** Opens a file for editing; resolves with whether it was saved. */
  edit(path: string): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (saved: boolean): void => {
        this.editing = undefined;
        this.#changed();
        resolve(saved);
      };
      this.editing = { path, done };
      this.#changed();
    });
  }

  /** The API for the console's own needs: menus and completion, as the current identity. */
  readonly internalApi: ApiHandler = (request) => this.#asMyself({ kind: 'internal' })(request);

  /** The API for what the user does on a screen, whose name the list of requests shows. */
  actionApi(screen: string): ApiHandler {
    return this.#asMyself({ kind: 'action', screen, at: location.hash });
  }

  /** The API of another one of this browser's clusters, under the same name; its requests are not of this cluster's list. */
  elsewhereApi(cluster: string): ApiHandler {
    const { api } = this.connection.beside(cluster || ownClusterId);
    return (request) => api(this.#withCredentials(request));
  }

  #asMyself(source: RequestSource): ApiHandler {
    const api = this.requests.recording((request) => this.#send(request), source);
    return (request) => api(this.#withCredentials(request));
  }

  #withCredentials(request: ApiRequest): ApiRequest {
    const headers = new Headers([...request.headers]);
    if (!headers.has('authorization') && !headers.has('impersonate-user'))
      for (const [name, value] of credentialHeaders(this.context.credentials)) headers.append(name, value);
    return { ...request, headers };
  }

  /** Users whom a token does not name have a way of their own, below what the list of requests shows. */
  async #send(request: ApiRequest): ReturnType<ApiHandler> {
    if (!this.context.credentials.ownWay || request.headers.get('authorization') !== null) return this.connection.api(request);
    this.#current ??= this.#ways().then((ways) => ways.asCurrent());
    return (await this.#current)(request);
  }

  #shellApi(request: ApiRequest, tls?: OutboundTls): ReturnType<ApiHandler> {
    if (this.#running === undefined) return this.internalApi(request);
    const { command, view } = this.#running;
    const { identity } = tls ?? {};
    const send: ApiHandler = async (sent) => (identity ? (await this.#ways()).as(identity)(sent) : this.connection.api(sent));
    const recording = this.requests.recording(send, { kind: 'command', id: command.id }, (record) => command.requests.push(record));
    // Its chip and, for a stream, the button that pauses it.
    return recording(request).finally(() => view.changed());
  }

  async #runNow(command: Command, view: CommandView): Promise<void> {
    const abort = new AbortController();
    this.#running = { command, view, abort };
    command.state = 'running';
    view.changed();
    this.#changed();
    const from = this.env.clock.monotonicMs();
    let stdout = '';
    try {
      const write = (text: string): void => {
        if (stdout.length < stdoutMax) stdout += text;
        view.write(text, 'out');
      };
      const out = Object.assign(write, { gone: (revision: string) => view.gone(revision) });
      const err = (text: string): void => view.write(text, 'err');
      command.exit = await this.shell.run(command.line, { out, err, signal: abort.signal });
    } catch (error) {
      view.write(`${error instanceof Error ? error.message : String(error)}\n`, 'err');
      command.exit = abort.signal.aborted ? 130 : 1;
    }
    command.ms = this.env.clock.monotonicMs() - from;
    command.state = 'done';
    this.#running = undefined;
    view.changed();
    this.#changed();
    this.onRan(command, stdout);
  }

  async #readContext(): Promise<void> {
    this.context = currentContext(await this.home.readText(kubeconfigPath));
    this.#current = undefined;
    this.#changed();
    if (this.#watchedFor !== this.#asker) this.#watchNamespaces();
  }

  /** Changes with who one is: what was read as somebody else is then read again. */
  get #asker(): string {
    return JSON.stringify([this.context.user, this.context.credentials]);
  }

  #watchNamespaces(): void {
    this.#watchedFor = this.#asker;
    this.#watching.abort();
    this.#watching = new AbortController();
    const names = new Set<string>();
    const show = (): void => {
      this.namespaces = [...names].sort();
      this.#changed();
    };
    show();
    void listAndWatch(
      { api: this.internalApi, clock: this.env.clock, path: '/api/v1/namespaces' },
      {
        listed: (items) => {
          names.clear();
          for (const item of items) names.add(nameOf(item));
          show();
        },
        changed: ({ type, object }) => {
          if (type === 'DELETED') names.delete(nameOf(object));
          else names.add(nameOf(object));
          show();
        },
        // One who may not list namespaces is not asked for them again and again.
        state: (state, cause) => {
          if (state === 'waiting' && isRefusal(cause)) this.#watching.abort();
        },
      },
      this.#watching.signal,
    );
  }

  #noteRevision(): void {
    const body = this.requests.records.at(-1)?.responseBody ?? '';
    const version = Number(/"resourceVersion":\s*"(\d+)"/.exec(body.slice(0, 4_000))?.[1] ?? 0);
    if (version <= this.revision) return;
    this.revision = version;
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The cluster that the page opens with. */
function ownPlace({ product }: ConsoleOptions): Place {
  const files = async (): Promise<Record<string, string>> => {
    const { default: shop } = await import('../sample/shop.yaml?raw');
    return { [`${homeDirectory}/shop.yaml`]: product.rename(shop) };
  };
  return {
    id: '',
    kind: 'own',
    // In the language that the page has when it is looked at.
    get name() {
      return msg('My cluster');
    },
    files,
  };
}

function nameOf(object: unknown): string {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  return isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
}

function isRefusal(cause: unknown): boolean {
  return cause instanceof Error && 'status' in cause && (cause.status === 403 || cause.status === 401);
}
