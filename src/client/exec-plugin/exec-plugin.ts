import { type Clock, errorMessage } from '../../env/index.ts';
import type { Json } from '../../meta/index.ts';
import type { ExecCluster, ExecConfig } from './exec-config.ts';
import { decodingError, ExecPluginError, type PluginCredentials, readExecCredential } from './exec-credential.ts';

/** One run of a plugin. */
export interface PluginRun {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the host's environment; later entries override earlier ones. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Whether the plugin may prompt on standard input. */
  readonly interactive: boolean;
}

/** The result of a run: an exit code with the output, or the reason why the program did not start. */
export type PluginResult =
  | { readonly how: 'ended'; readonly exitCode: number; readonly output: string }
  | { readonly how: 'not-found' }
  | { readonly how: 'failed'; readonly why: string };

/** Runs programs or, in a page, the functions registered under that name. Implemented by hosts. */
export interface PluginHost {
  /** Whether standard input is a terminal. */
  isTerminal(): boolean;
  run(plugin: PluginRun): Promise<PluginResult>;
}

export interface ExecPluginOptions {
  readonly config: ExecConfig;
  /** Sent to plugins with `provideClusterInfo`. */
  readonly cluster: ExecCluster;
  readonly host: PluginHost;
  readonly clock: Clock;
  readonly rename: (text: string) => string;
  /** Parses the output: JSON or YAML. */
  readonly parse: (output: string) => Promise<Json>;
}

const hourMs = 60 * 60 * 1000;
/** The install hint of a missing plugin is printed at most this often an hour. */
const adviceMaxPerHour = 10;
const advice = `

It looks like you are trying to use a client-go credential plugin that is not installed.

To learn more about this feature, consult the documentation available at:
      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins`;

/** A credential plugin with its cached credentials (part 5.5). They are valid until they expire or a server rejects them. */
export class ExecPlugin {
  readonly #options: ExecPluginOptions;
  #cached: PluginCredentials | undefined;
  /** Runs are serialized: a plugin may be prompting the user. */
  #queue: Promise<unknown> = Promise.resolve();
  #adviceWindow = { fromMs: 0, count: 0 };

  constructor(options: ExecPluginOptions) {
    this.#options = options;
  }

  /** `stdinUsed`: why standard input is not available, empty when it is. @throws ExecPluginError */
  credentials(stdinUsed: string): Promise<PluginCredentials> {
    return this.#enqueue(async () => (this.#cached && !this.#isExpired(this.#cached) ? this.#cached : this.#runPlugin(stdinUsed)));
  }

  /** Runs the plugin again after a server rejected `used`, unless the cache was refreshed in the meantime. @throws ExecPluginError */
  async refresh(used: PluginCredentials, stdinUsed: string): Promise<void> {
    await this.#enqueue(async () => (used === this.#cached ? this.#runPlugin(stdinUsed) : used));
  }

  #isExpired({ expiresMs }: PluginCredentials): boolean {
    return expiresMs !== undefined && this.#options.clock.nowMs() > expiresMs;
  }

  async #runPlugin(stdinUsed: string): Promise<PluginCredentials> {
    const { config, cluster, host, rename, parse } = this.#options;
    const interactive = this.#isInteractive(stdinUsed);
    const spec = { ...(config.provideClusterInfo ? { cluster } : {}), interactive };
    const execInfo = { kind: 'ExecCredential', apiVersion: config.apiVersion, spec };
    const env = [...config.env, { name: rename('KUBERNETES_EXEC_INFO'), value: `${JSON.stringify(execInfo)}\n` }];
    const end = await host.run({ command: config.command, args: config.args, env, interactive });
    if (end.how !== 'ended' || end.exitCode !== 0) throw this.#runError(end);
    const output = await parse(end.output).catch((error: unknown) => {
      throw decodingError(`couldn't get version/kind; json parse error: ${errorMessage(error)}`);
    });
    this.#cached = readExecCredential(output, config.apiVersion, rename);
    return this.#cached;
  }

  #isInteractive(stdinUsed: string): boolean {
    const { config, host } = this.#options;
    const interactiveModeError = (why: string): ExecPluginError =>
      new ExecPluginError(`exec plugin cannot support interactive mode: ${why}`);
    switch (config.interactiveMode) {
      case 'Never':
        return false;
      case 'IfAvailable':
        return stdinUsed === '' && host.isTerminal();
      case 'Always':
        if (!host.isTerminal()) throw interactiveModeError('standard input is not a terminal');
        if (stdinUsed !== '') throw interactiveModeError(`standard input is unavailable: ${stdinUsed}`);
        return true;
    }
  }

  #runError(end: PluginResult): ExecPluginError {
    const { command } = this.#options.config;
    switch (end.how) {
      case 'ended':
        return new ExecPluginError(`exec: executable ${command} failed with exit code ${end.exitCode}`);
      case 'not-found':
        return new ExecPluginError(`exec: executable ${command} not found${this.#nextAdvice()}`);
      case 'failed':
        return new ExecPluginError(`exec: ${end.why}`);
    }
  }

  #nextAdvice(): string {
    const { clock, config } = this.#options;
    const nowMs = clock.nowMs();
    if (nowMs - this.#adviceWindow.fromMs >= hourMs) this.#adviceWindow = { fromMs: nowMs, count: 0 };
    if (++this.#adviceWindow.count > adviceMaxPerHour) return '';
    return config.installHint === '' ? advice : `${advice}\n\n${config.installHint}`;
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}
