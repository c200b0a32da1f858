import { msg } from '@lit/localize';
import { mainClusterId, type TransportStatus } from '../../client/index.ts';
import { type Env, hostTime, type OutboundTls, type TimeState, withClusterTime } from '../../env/index.ts';
import type { Completion, ConsoleShell, PluginCache } from '../../kubectl/index.ts';
import { type ApiHandler, type ApiRequest, type Product, type ProductName, productByName } from '../../meta/index.ts';
import type { ResourceTypes } from '../explore/resource-types.ts';
import { CommandQueue } from './command-queue.ts';
import type { Command, CommandView } from './commands.ts';
import type { ClusterConnection, ConsoleOptions, Workspace } from './connection.ts';
import { createConsoleShell } from './console-shell.ts';
import { CurrentUser } from './current-user.ts';
import { CommandHistory } from './history.ts';
import { type CurrentContext, homeDirectory, kubeconfigPath } from './identities.ts';
import { type KeyValueStore, lastUsedKey, openStore, workspaceStore } from './key-value-store.ts';
import { RequestLog, type RequestSource } from './request-log.ts';
import { TabChannel } from './tab-channel.ts';
import type { HomeChange, VirtualHome } from './virtual-home.ts';

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
  namespaces: readonly string[] = [];
  /** The cluster's time. Undefined until it is known, and for remote servers, which have the time of this host. */
  time: TimeState | undefined;
  /** The highest resourceVersion found in a response. */
  revision = 0;
  readonly #listeners = new Set<() => void>();
  readonly #commands: CommandQueue;
  readonly #user: CurrentUser;
  /** Ends the watch of namespaces. */
  #watching = new AbortController();
  readonly #plugins: PluginCache = new Map();

  /** Opens the console of the default cluster, or of the given workspace. */
  static async open(options: ConsoleOptions, workspace: Workspace = defaultWorkspace(options)): Promise<ConsoleModel> {
    // While the store is opened, since each of them takes a round trip of the network.
    const files = workspace.files();
    const homeModule = import('./virtual-home.ts');
    const rootStore = await openStore();
    const store = workspaceStore(rootStore, workspace.id);
    const tabs = new TabChannel(workspace.id);
    const history = new CommandHistory(store, (line) => tabs.post({ kind: 'history', line }));
    const broadcast = (change: HomeChange): void => tabs.post({ kind: 'file', ...change });
    const [home] = await Promise.all([
      homeModule.then(({ openVirtualHome }) => openVirtualHome(store, () => files, broadcast)),
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
    const api: ApiHandler = (request) => connection.api(request);
    this.#user = new CurrentUser(api, async () => {
      const { UserTransports } = await import('./user-transports.ts');
      return new UserTransports({ api, home, product, clock: env.clock, host: plugins, known: this.#plugins });
    });
    this.#commands = new CommandQueue({
      clock: env.clock,
      shell: () => this.shell,
      onChange: () => this.#changed(),
      onEnd: (command, stdout) => this.onCommandEnd(command, stdout),
    });
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

  get context(): CurrentContext {
    return this.#user.context;
  }

  get running(): Command | undefined {
    return this.#commands.running?.command;
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
    return this.#commands.newCommand(line, this.prompt);
  }

  run(command: Command, view: CommandView): Promise<void> {
    void this.history.add(command.line);
    return this.#commands.run(command, view);
  }

  /** Handles Ctrl-C. Returns whether a command was running. */
  interrupt(): boolean {
    this.editing?.done(false);
    this.#commands.running?.abort.abort();
    return this.#commands.running !== undefined;
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
    return (request) => api(this.#user.withCredentials(request));
  }

  #recordingApi(source: RequestSource): ApiHandler {
    const api = this.requests.withRecording(this.#user.send, source);
    return (request) => api(this.#user.withCredentials(request));
  }

  #shellApi(request: ApiRequest, tls?: OutboundTls): ReturnType<ApiHandler> {
    if (this.#commands.running === undefined) return this.internalApi(request);
    const { command, view } = this.#commands.running;
    const send: ApiHandler = (sent) => this.#user.sendWith(tls?.identity, sent);
    const recording = this.requests.withRecording(send, { kind: 'command', id: command.id }, (record) => command.requests.push(record));
    // Updates the request chip and the pause button of a stream.
    return recording(request).finally(() => view.changed());
  }

  async #updateContext(): Promise<void> {
    const userChanged = this.#user.update(await this.home.readText(kubeconfigPath));
    this.#changed();
    if (userChanged) this.#watchNamespaces();
  }

  #watchNamespaces(): void {
    this.#watching.abort();
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    const show = (names: readonly string[]): void => {
      if (signal.aborted) return;
      this.namespaces = names;
      this.#changed();
    };
    show([]);
    void import('./namespace-names.ts').then(({ watchNamespaceNames }) =>
      watchNamespaceNames({ api: this.internalApi, clock: this.env.clock }, show, signal),
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
