import type { Clock } from '../../env/index.ts';
import type { Json } from '../../meta/index.ts';
import type { ExecCluster, ExecConfig } from './exec-config.ts';
import { ExecPluginError, type PluginCredentials, readExecCredential, undecoded } from './exec-credential.ts';

/** One run of a plugin. */
export interface PluginRun {
  readonly command: string;
  readonly args: readonly string[];
  /** Set beside what the host's environment has, later ones over earlier. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Whether the plugin may ask the user on the standard input. */
  readonly interactive: boolean;
}

/** How a run ended: with a code and what was printed, or it could not begin. */
export type PluginEnd =
  | { readonly how: 'ended'; readonly exitCode: number; readonly output: string }
  | { readonly how: 'not-found' }
  | { readonly how: 'failed'; readonly why: string };

/** Runs programs, or, in a page, functions of that name; given by hosts. */
export interface PluginHost {
  /** Whether the standard input is a terminal. */
  isTerminal(): boolean;
  run(plugin: PluginRun): Promise<PluginEnd>;
}

export interface ExecPluginOptions {
  readonly config: ExecConfig;
  /** Told to plugins that are to know it. */
  readonly cluster: ExecCluster;
  readonly host: PluginHost;
  readonly clock: Clock;
  readonly rename: (text: string) => string;
  /** Reads what was printed: JSON or YAML. */
  readonly parse: (output: string) => Promise<Json>;
}

const hourMs = 60 * 60 * 1000;
/** So often an hour the advice for a missing plugin is repeated. */
const advicesMax = 10;
const advice = `

It looks like you are trying to use a client-go credential plugin that is not installed.

To learn more about this feature, consult the documentation available at:
      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins`;

/** A credential plugin with what it gave last (part 5.5): kept until it expires or a server refuses it. */
export class ExecPlugin {
  readonly #options: ExecPluginOptions;
  #kept: PluginCredentials | undefined;
  /** One run at a time: a plugin may be asking the user. */
  #turn: Promise<unknown> = Promise.resolve();
  #advices = { fromMs: 0, count: 0 };

  constructor(options: ExecPluginOptions) {
    this.#options = options;
  }

  /** `stdinUsed`: by whom the standard input is read already, empty for nobody. @throws ExecPluginError */
  credentials(stdinUsed: string): Promise<PluginCredentials> {
    return this.#inTurn(async () => (this.#kept && !this.#isOver(this.#kept) ? this.#kept : this.#ask(stdinUsed)));
  }

  /** After a server refused `used`: asks anew, unless somebody has done so since. @throws ExecPluginError */
  async refresh(used: PluginCredentials, stdinUsed: string): Promise<void> {
    await this.#inTurn(async () => (used === this.#kept ? this.#ask(stdinUsed) : used));
  }

  #isOver({ expiresMs }: PluginCredentials): boolean {
    return expiresMs !== undefined && this.#options.clock.nowMs() > expiresMs;
  }

  async #ask(stdinUsed: string): Promise<PluginCredentials> {
    const { config, cluster, host, rename, parse } = this.#options;
    const interactive = this.#isInteractive(stdinUsed);
    const spec = { ...(config.provideClusterInfo ? { cluster } : {}), interactive };
    const told = { kind: 'ExecCredential', apiVersion: config.apiVersion, spec };
    const env = [...config.env, { name: rename('KUBERNETES_EXEC_INFO'), value: `${JSON.stringify(told)}\n` }];
    const end = await host.run({ command: config.command, args: config.args, env, interactive });
    if (end.how !== 'ended' || end.exitCode !== 0) throw this.#unrun(end);
    const output = await parse(end.output).catch((error: unknown) => {
      throw undecoded(`couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : String(error)}`);
    });
    this.#kept = readExecCredential(output, config.apiVersion, rename);
    return this.#kept;
  }

  #isInteractive(stdinUsed: string): boolean {
    const { config, host } = this.#options;
    const refused = (why: string): ExecPluginError => new ExecPluginError(`exec plugin cannot support interactive mode: ${why}`);
    switch (config.interactiveMode) {
      case 'Never':
        return false;
      case 'IfAvailable':
        return stdinUsed === '' && host.isTerminal();
      case 'Always':
        if (!host.isTerminal()) throw refused('standard input is not a terminal');
        if (stdinUsed !== '') throw refused(`standard input is unavailable: ${stdinUsed}`);
        return true;
    }
  }

  #unrun(end: PluginEnd): ExecPluginError {
    const { command } = this.#options.config;
    switch (end.how) {
      case 'ended':
        return new ExecPluginError(`exec: executable ${command} failed with exit code ${end.exitCode}`);
      case 'not-found':
        return new ExecPluginError(`exec: executable ${command} not found${this.#advice()}`);
      case 'failed':
        return new ExecPluginError(`exec: ${end.why}`);
    }
  }

  #advice(): string {
    const { clock, config } = this.#options;
    const nowMs = clock.nowMs();
    if (nowMs - this.#advices.fromMs >= hourMs) this.#advices = { fromMs: nowMs, count: 0 };
    if (++this.#advices.count > advicesMax) return '';
    return config.installHint === '' ? advice : `${advice}\n\n${config.installHint}`;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
