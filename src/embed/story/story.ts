import { authenticatedUser, parseServerTiming } from '../../client/index.ts';
import type { Env, Pace } from '../../env/index.ts';
import { type ConsoleShell, createShell } from '../../kubectl/index.ts';
import type { ApiHandler, Product } from '../../meta/index.ts';
import { createMemoryFiles, type FileSystem, sourceOf } from '../../shell/index.ts';
import type { Expectation } from '../expectation.ts';
import type { ExampleSettings } from '../settings.ts';
import { isSameOutput, normalizeOutput } from './compare-output.ts';
import { type ObjectChange, objectChanges, type StoredObject } from './object-changes.ts';
import { OutputRecorder, type OutputStreams, silentStreams } from './output-recorder.ts';
import { splitSession } from './session-commands.ts';

/** The cluster of a story, and its time. */
export interface StoryCluster {
  readonly product: Product;
  /** The API, without credentials. */
  readonly api: ApiHandler;
  /** All stored objects. */
  objects(): Promise<readonly StoredObject[]>;
  /** Evaluates a CEL expression as a check of a lesson. */
  evaluate(expression: string, facts: RunFacts): Promise<CheckResult>;
  /** Resolves with the result of the work. Virtual time advances meanwhile. */
  waitFor<Result>(work: Promise<Result>): Promise<Result>;
  /** Waits until the components have nothing to do, where that is known. */
  settle(): Promise<void>;
  /** Yields to the event loop of the host during long scripts. */
  readonly pace: Pace;
  close(): Promise<void>;
}

/** The initial home of the shell. */
export interface StoryHome {
  readonly directory: string;
  readonly kubeconfigPath: string;
  /** The only origin that the shell can reach. */
  readonly origin: string;
  /** The kubeconfig of a user, and their token, empty for none. */
  user(name: string): { readonly kubeconfig: string; readonly token: string };
}

/** A request of an example. */
export interface RequestRecord {
  readonly user: string;
  readonly method: string;
  readonly path: string;
  readonly code: number;
}

/** Facts beside the objects, for checks (cf. StepFacts of tutorials). */
export interface RunFacts {
  readonly commands: readonly { readonly line: string; readonly exit: number; readonly stdout: string }[];
  readonly requests: readonly RequestRecord[];
  readonly files: Readonly<Record<string, string>>;
  readonly step: { readonly started: string };
}

/** The result of a check. */
export interface CheckResult {
  readonly passed: boolean;
  /** The difference to the expected state; empty when it does not fit in one line. */
  readonly seen: string;
  /** Why the check cannot be evaluated; empty when it can. */
  readonly broken: string;
}

/** One example with its code, which the reader may have edited. */
export interface Example {
  readonly settings: ExampleSettings;
  readonly code: string;
  /** The output in the documentation; undefined when there is none. */
  readonly documentedOutput: string | undefined;
}

/** The result of an example, besides its output. */
export interface ExampleResult {
  readonly exit: number;
  readonly changes: readonly ObjectChange[];
  readonly requests: readonly RequestRecord[];
  /** Why the result is not the expected one; empty when it is, undefined when nothing is expected. */
  readonly mismatch: string | undefined;
}

const requestsMax = 200;
/** Time for controllers to make a check true, and the interval between evaluations. */
const checkLimitMs = 10_000;
const checkIntervalMs = 200;

/** Runs the examples of one cluster, with its files and the variables of its shells. */
export class Story {
  readonly #env: Env;
  readonly #cluster: StoryCluster;
  readonly #home: StoryHome;
  readonly #files: FileSystem;
  readonly #shells = new Map<string, ConsoleShell>();
  readonly #completedSetups = new Set<string>();
  #requests: RequestRecord[] = [];

  constructor(env: Env, cluster: StoryCluster, home: StoryHome) {
    this.#env = env;
    this.#cluster = cluster;
    this.#home = home;
    this.#files = createMemoryFiles({ [`${home.directory}/.profile`]: '' });
  }

  /** Runs an example. A failure of its commands is part of the result. */
  async run(example: Example, streams: OutputStreams): Promise<ExampleResult> {
    const { settings } = example;
    await this.#setUp(settings, streams);
    const before = await this.#cluster.objects();
    this.#requests = [];
    const recorder = new OutputRecorder(streams);
    const exit = await this.#cluster.waitFor(this.#execute(example, recorder));
    await this.#cluster.settle();
    const requests = this.#requests;
    const commands = [{ line: example.code, exit, stdout: recorder.stdout }];
    const facts = { commands, requests, files: {}, step: { started: '' } };
    const mismatch = streams.signal.aborted ? undefined : await this.#mismatch(example, facts, recorder.text, streams.signal);
    return { exit, changes: objectChanges(before, await this.#cluster.objects()), requests, mismatch };
  }

  /** The objects of the cluster. */
  objects(): Promise<readonly StoredObject[]> {
    return this.#cluster.objects();
  }

  close(): Promise<void> {
    return this.#cluster.close();
  }

  /** Runs the setup of an example unless it has run. Its errors are part of the example's output. */
  async #setUp({ setup }: ExampleSettings, { signal, err }: OutputStreams): Promise<void> {
    if (setup === '' || this.#completedSetups.has(setup)) return;
    const recorder = new OutputRecorder(silentStreams(signal));
    const exit = await this.#cluster.waitFor((await this.#shellOf('admin')).run(setup, recorder));
    if (exit === 0) this.#completedSetups.add(setup);
    else err(`setup: ${recorder.text}`);
    await this.#cluster.settle();
  }

  async #execute({ settings, code }: Example, streams: OutputStreams): Promise<number> {
    const shell = await this.#shellOf(settings.user);
    const { language, file } = settings;
    if (language === 'sh') return shell.run(code, streams);
    if (language === 'console') return shell.run(splitSession(code).commands, streams);
    if (file === '') return shell.run('kubectl apply -f -', { ...streams, input: sourceOf(code) });
    await this.#files.write(`${this.#home.directory}/${file}`, new TextEncoder().encode(code));
    return 0;
  }

  async #shellOf(user: string): Promise<ConsoleShell> {
    const existing = this.#shells.get(user);
    if (existing) return existing;
    const { directory, kubeconfigPath, origin } = this.#home;
    const { kubeconfig, token } = this.#home.user(user);
    const path = user === 'admin' ? kubeconfigPath : `${kubeconfigPath}-${encodeURIComponent(user)}`;
    await this.#files.makeDirectory(path.slice(0, path.lastIndexOf('/')));
    await this.#files.write(path, new TextEncoder().encode(kubeconfig));
    const shell = createShell({
      env: this.#env,
      product: this.#cluster.product,
      files: this.#files,
      connect: (other) => (other === origin ? this.#recordedApi : undefined),
      variables: { HOME: directory, PWD: directory, KUBECONFIG: path, APISERVER: origin, TOKEN: token },
      // An endless loop of built-in commands must not block the page, nor the message that stops it.
      beforeCommand: this.#cluster.pace,
    });
    this.#shells.set(user, shell);
    return shell;
  }

  readonly #recordedApi: ApiHandler = async (request) => {
    const response = await this.#cluster.api(request);
    const timing = response.headers.find(([name]) => name.toLowerCase() === 'server-timing')?.[1] ?? '';
    const { method, target } = request;
    if (this.#requests.length < requestsMax)
      this.#requests.push({ user: authenticatedUser(parseServerTiming(timing)), method, path: target, code: response.status });
    return response;
  };

  async #mismatch(
    { settings: { language, expect }, code, documentedOutput }: Example,
    facts: RunFacts,
    output: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const documented = documentedOutput ?? (language === 'console' ? splitSession(code).output : '');
    if (expect === undefined && documented === '') return undefined;
    if (documented !== '' && !isSameOutput(documented, output)) return 'the output differs from the documented one';
    if (expect === undefined) return '';
    if (expect.kind === 'text')
      return normalizeOutput(output).includes(normalizeOutput(expect.text)) ? '' : `the output does not contain "${expect.text}"`;
    return this.#cluster.waitFor(this.#pollCheck(expect, facts, signal));
  }

  /** Evaluates a check until it is true: controllers may need time. */
  async #pollCheck(expectation: Exclude<Expectation, { kind: 'text' }>, facts: RunFacts, signal: AbortSignal): Promise<string> {
    const { clock } = this.#env;
    const untilMs = clock.monotonicMs() + checkLimitMs;
    for (;;) {
      const failure = await this.#evaluate(expectation, facts);
      if (failure === '' || signal.aborted || clock.monotonicMs() >= untilMs) return failure;
      await clock.sleep(checkIntervalMs);
    }
  }

  async #evaluate(expectation: Exclude<Expectation, { kind: 'text' }>, facts: RunFacts): Promise<string> {
    if (expectation.kind === 'cel') {
      const { passed, seen, broken } = await this.#cluster.evaluate(expectation.expression, facts);
      return passed ? '' : broken || seen || `${expectation.expression} is not true`;
    }
    const { resource, path, value } = expectation;
    const recorder = new OutputRecorder(silentStreams(new AbortController().signal));
    const exit = await (await this.#shellOf('admin')).run(`kubectl get ${resource} -o jsonpath='${path}'`, recorder);
    if (exit === 0 && recorder.stdout === value) return '';
    return exit === 0 ? `${path} of ${resource} is "${recorder.stdout}", expected "${value}"` : recorder.text.trim();
  }
}
