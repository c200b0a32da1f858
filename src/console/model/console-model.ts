import { msg } from '@lit/localize';
import { listAndWatch, mainClusterId, type TransportStatus } from '../../client/index.ts';
import { type Env, errorMessage, hostTime, type OutboundTls, type TimeState, withClusterTime } from '../../env/index.ts';
import type { Completion, ConsoleShell, PluginCache } from '../../kubectl/index.ts';
import { type ApiHandler, type ApiRequest, isJsonObject, type Product, type ProductName, productByName } from '../../meta/index.ts';
import type { ResourceTypes } from '../explore/resource-types.ts';
import type { Command, CommandView } from './commands.ts';
import type { ClusterConnection, ConsoleOptions, Workspace } from './connection.ts';
import { createConsoleShell } from './console-shell.ts';
import { CommandHistory } from './history.ts';
import { type CurrentContext, credentialHeaders, homeDirectory, kubeconfigPath, parseCurrentContext } from './identities.ts';
import { type KeyValueStore, lastUsedKey, openStore, workspaceStore } from './key-value-store.ts';
import { RequestLog, type RequestSource } from './request-log.ts';
import { TabChannel } from './tab-channel.ts';
import type { UserTransports } from './user-transports.ts';
import type { HomeChange, VirtualHome } from './virtual-home.ts';

/** Maximum stdout, in characters, passed to `onCommandEnd`. */
const stdoutMax = 64 * 1024;

/** The state of the console and its operations. Elements render the state and call the operations. */
export class ConsoleModel {
  readonly workspace: Workspace;
  readonly connection: ClusterConnection;
  /** Its clock has the dates of the cluster. */
  readonly env: Env;
  readonly product: Product;
  /** The API group names of the host's default cluster. */
  readonly hostNames: ProductName;
  readonly requests: RequestLog;
  readonly store: KeyValueStore;
  readonly history: CommandHistory;
  readonly home: VirtualHome;
  readonly shell: ConsoleShell;
  /** The file open in `vi` or the files screen, with its completion callback. */
  editing: { readonly path: string; readonly done: (saved: boolean) => void } | undefined;
  /** The resource types of the server. Undefined until a screen needs them. */
  types: ResourceTypes | undefined;
  /** Called with each finished command and its stdout. Lessons set it. */
  onCommandEnd: (command: Command, stdout: string) => void = () => undefined;
  /** Implements `clear`. Set by the terminal. */
  onClear: () => void = () => undefined;
  /** Inserts a line into the terminal without running it. Set by the frame. */
  onInsert: (line: string) => void = () => undefined;
  /** Opens the palette. Set by the frame. */
  onPalette: () => void = () => undefined;
  context: CurrentContext = parseCurrentContext('');
  namespaces: readonly string[] = [];
  /** The cluster's time. Undefined until it is known, and for remote servers, which have the time of this host. */
  time: TimeState | undefined;
  /** The highest resourceVersion found in a response. */
  revision = 0;
  readonly #listeners = new Set<() => void>();
  #running: { readonly command: Command; readonly view: CommandView; readonly abort: AbortController } | undefined;
  #lastCommand = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #watching = new AbortController();
  #watchedIdentity: string | undefined;
  readonly #plugins: PluginCache = new Map();
  readonly #transports: () => Promise<UserTransports>;
  /** The transport of the current user. */
  #userTransport: Promise<ApiHandler> | undefined;

  /** Opens the console of the default cluster, or of the given workspace. */
  static async open(options: ConsoleOptions, workspace: Workspace = defaultWorkspace(options)): Promise<ConsoleModel> {
    const rootStore = await openStore();
    const store = workspaceStore(rootStore, workspace.id);
    const tabs = new TabChannel(workspace.id);
    const history = new CommandHistory(store, (line) => tabs.post({ kind: 'history', line }));
    const broadcast = (change: HomeChange): void => tabs.post({ kind: 'file', ...change });
    const [home] = await Promise.all([
      import('./virtual-home.ts').then(({ openVirtualHome }) => openVirtualHome(store, () => workspace.files(), broadcast)),
      history.load(),
    ]);
    const connection = connectionTo(workspace, options);
    const model = new ConsoleModel({ ...options, connection }, { workspace: workspace, store: store, history, home });
    tabs.onMessage((message) => {
      if (message.kind === 'history') history.append(message.line);
      else void home.applyChange(message);
    });
    await model.#updateContext();
    return model;
  }

  private constructor(
    { connection, plugins, env: hostEnv, names }: ConsoleOptions,
    { workspace, store, history, home }: Pick<ConsoleModel, 'workspace' | 'store' | 'history' | 'home'>,
  ) {
    this.workspace = workspace;
    this.connection = connection;
    const env = { ...hostEnv, clock: withClusterTime(hostEnv.clock, () => this.time ?? hostTime) };
    this.env = env;
    const product = productByName(workspace.names);
    this.product = product;
    this.hostNames = names;
    this.store = store;
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
    let transports: Promise<UserTransports> | undefined;
    this.#transports = () => {
      transports ??= import('./user-transports.ts').then(({ UserTransports }) => new UserTransports(user));
      return transports;
    };
    this.shell = createConsoleShell({
      env,
      product,
      home,
      allow: workspace.allow ?? [],
      api: (tls) => (request) => this.#shellApi(request, tls),
      internalApi: this.internalApi,
      plugins,
      knownPlugins: this.#plugins,
      edit: (path) => this.edit(path),
      clear: () => this.onClear(),
    });
    connection.onTrace((traces) => this.requests.addTraces(traces));
    connection.onStatus(() => this.#changed());
    this.requests.onChange(() => this.#updateRevision());
    home.onChange((path) => {
      if (path === kubeconfigPath) void this.#updateContext();
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

  setTime(time: TimeState): void {
    this.time = time;
    this.#changed();
  }

  /** Stores the time of last use for the list of clusters. Retains the previous time when the storage is full. */
  recordUse(): void {
    this.store.set(lastUsedKey, this.env.clock.nowMs()).catch(() => undefined);
  }

  /** The prompt: the namespace, or `user@namespace`. */
  get prompt(): string {
    const { user, namespace } = this.context;
    return user === 'admin' || user === '' ? namespace : `${user}@${namespace}`;
  }

  /** Creates a command. It waits for earlier commands to finish. */
  newCommand(line: string): Command {
    return { id: ++this.#lastCommand, line, prompt: this.prompt, requests: [], exit: undefined, ms: 0, state: 'waiting' };
  }

  run(command: Command, view: CommandView): Promise<void> {
    void this.history.add(command.line);
    const turn = this.#queue.then(() => this.#runNow(command, view));
    this.#queue = turn;
    return turn;
  }

  /** Handles Ctrl-C. Returns whether a command was running. */
  interrupt(): boolean {
    this.editing?.done(false);
    this.#running?.abort.abort();
    return this.#running !== undefined;
  }

  complete(line: string, cursor: number, signal: AbortSignal): Promise<Completion> {
    return this.shell.complete(line, cursor, signal);
  }

  /** Opens a file for editing. Resolves to whether it was saved. */
  edit(path: string): Promise<boolean> {
    this.editing?.done(false);
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

  /** The API for internal requests (menus, completion), as the current user. */
  readonly internalApi: ApiHandler = (request) => this.#recordingApi({ kind: 'internal' })(request);

  /** The API for user actions on a screen. The list of requests shows the screen. */
  actionApi(screen: string): ApiHandler {
    return this.#recordingApi({ kind: 'action', screen, at: location.hash });
  }

  /** The API of another cluster of this browser, with the same credentials. Its requests are not logged. */
  apiOfCluster(cluster: string): ApiHandler {
    const { api } = this.connection.beside(cluster || mainClusterId);
    return (request) => api(this.#withCredentials(request));
  }

  #recordingApi(source: RequestSource): ApiHandler {
    const api = this.requests.withRecording((request) => this.#send(request), source);
    return (request) => api(this.#withCredentials(request));
  }

  #withCredentials(request: ApiRequest): ApiRequest {
    const headers = new Headers([...request.headers]);
    if (!headers.has('authorization') && !headers.has('impersonate-user'))
      for (const [name, value] of credentialHeaders(this.context.credentials)) headers.append(name, value);
    return { ...request, headers };
  }

  /** Users with a client certificate or an exec plugin need their own transport. It is below the request log. */
  async #send(request: ApiRequest): ReturnType<ApiHandler> {
    if (!this.context.credentials.needsTransport || request.headers.get('authorization') !== null) return this.connection.api(request);
    this.#userTransport ??= this.#transports().then((transports) => transports.forCurrentUser());
    return (await this.#userTransport)(request);
  }

  #shellApi(request: ApiRequest, tls?: OutboundTls): ReturnType<ApiHandler> {
    if (this.#running === undefined) return this.internalApi(request);
    const { command, view } = this.#running;
    const { identity } = tls ?? {};
    const send: ApiHandler = async (sent) =>
      identity ? (await this.#transports()).forCertificate(identity)(sent) : this.connection.api(sent);
    const recording = this.requests.withRecording(send, { kind: 'command', id: command.id }, (record) => command.requests.push(record));
    // Updates the request chip and the pause button of a stream.
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
      const out = Object.assign(write, { onDeleted: (revision: string) => view.markDeleted(revision) });
      const err = (text: string): void => view.write(text, 'err');
      command.exit = await this.shell.run(command.line, { out, err, signal: abort.signal });
    } catch (error) {
      view.write(`${errorMessage(error)}\n`, 'err');
      command.exit = abort.signal.aborted ? 130 : 1;
    }
    command.ms = this.env.clock.monotonicMs() - from;
    command.state = 'done';
    this.#running = undefined;
    view.changed();
    this.#changed();
    this.onCommandEnd(command, stdout);
  }

  async #updateContext(): Promise<void> {
    this.context = parseCurrentContext(await this.home.readText(kubeconfigPath));
    this.#userTransport = undefined;
    this.#changed();
    if (this.#watchedIdentity !== this.#identityKey) this.#watchNamespaces();
  }

  /** Identifies the current user. A change causes a new list of namespaces. */
  get #identityKey(): string {
    return JSON.stringify([this.context.user, this.context.credentials]);
  }

  #watchNamespaces(): void {
    this.#watchedIdentity = this.#identityKey;
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
        onListed: (items) => {
          names.clear();
          for (const item of items) names.add(nameOf(item));
          show();
        },
        onEvent: ({ type, object }) => {
          if (type === 'DELETED') names.delete(nameOf(object));
          else names.add(nameOf(object));
          show();
        },
        // Stops when the user may not list namespaces.
        onStateChange: (state, cause) => {
          if (state === 'waiting' && isDenied(cause)) this.#watching.abort();
        },
      },
      this.#watching.signal,
    );
  }

  #updateRevision(): void {
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

function connectionTo({ id, ready }: Workspace, options: ConsoleOptions): ClusterConnection {
  if (id === '') return options.connection;
  const connection = options.connection.beside(id);
  if (ready === undefined) return connection;
  // Its own rejection is reported by the first request.
  ready.catch(() => undefined);
  return { ...connection, api: (request) => ready.then(() => connection.api(request)) };
}

/** The initial files of the home of a cluster with these names: the sample shop. */
export async function sampleFiles(names: ProductName): Promise<Record<string, string>> {
  const { default: shop } = await import('../sample/shop.yaml?raw');
  return { [`${homeDirectory}/shop.yaml`]: productByName(names).rename(shop) };
}

/** The default cluster of the page. */
function defaultWorkspace({ names }: ConsoleOptions): Workspace {
  return {
    id: '',
    kind: 'own',
    names,
    // A getter, so that the name follows the language of the page.
    get name() {
      return msg('My cluster');
    },
    files: () => sampleFiles(names),
  };
}

function nameOf(object: unknown): string {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  return isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
}

function isDenied(cause: unknown): boolean {
  return cause instanceof Error && 'status' in cause && (cause.status === 403 || cause.status === 401);
}
