import { names as defaultNames } from 'virtual:tabplane-build';
import type { FromEngine, StoryKey, ToEngine } from '../../embed/index.ts';
import { type ExampleResult, Story, type StoryCluster } from '../../embed/story/index.ts';
import { createPace, errorMessage } from '../../env/index.ts';
import { type Product, productByName, withHeaders } from '../../meta/index.ts';
import { createBrowserEnv } from '../browser/browser-env.ts';
import type { RunningCluster } from '../browser/running-cluster.ts';
import { adminToken } from '../browser/users.ts';
import { linkPayload } from './playground-link.ts';
import type { LoadedScripts } from './scripts.ts';
import { storyHome } from './story-home.ts';

const env = createBrowserEnv();

/** The part of a worker's scope, or of a message port, that the engine uses. */
export interface EngineScope {
  postMessage(message: FromEngine): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToEngine>) => void): void;
}

/** Serves examples: one cluster for each story. All scripts are loaded. */
export function serveEngine(scope: EngineScope, scripts: LoadedScripts): void {
  // Where the built kubectl loads it.
  Object.assign(globalThis, { tabplaneLoadKustomize: scripts.loadKustomize });
  const engine = new Engine(scripts, (message) => scope.postMessage(message));
  scope.addEventListener('message', ({ data }) => void engine.handle(data));
  scope.postMessage({ kind: 'ready' });
}

interface OpenStory {
  readonly story: Story;
  readonly cluster: RunningCluster;
  readonly product: Product;
  /** The objects of the cluster before the first example. */
  readonly initial: Awaited<ReturnType<RunningCluster['copy']>>;
}

/** The exit code of an interrupted command. */
const stoppedResult: ExampleResult = { exit: 130, changes: [], requests: [], mismatch: undefined };

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}

class Engine {
  readonly #scripts: LoadedScripts;
  readonly #post: (message: FromEngine) => void;
  readonly #stories = new Map<string, Promise<OpenStory>>();
  readonly #runs = new Map<number, AbortController>();
  /** The last run of each story: examples of one cluster run one after the other. */
  readonly #lastRuns = new Map<string, Promise<unknown>>();

  constructor(scripts: LoadedScripts, post: (message: FromEngine) => void) {
    this.#scripts = scripts;
    this.#post = post;
  }

  /** Answers a message. Unexpected errors are part of the answer. */
  async handle(message: ToEngine): Promise<void> {
    if (message.kind === 'stop') return this.#runs.get(message.id)?.abort(new Error('stopped'));
    const { id } = message;
    try {
      this.#post(await this.#answer(message));
    } catch (error) {
      env.log.warn('an example failed', { error });
      this.#post({ kind: 'failed', id, message: errorMessage(error) });
    }
  }

  async #answer(message: Exclude<ToEngine, { kind: 'stop' }>): Promise<FromEngine> {
    const { id, kind, story } = message;
    if (kind === 'run') return this.#inOrder(story, () => this.#run(message));
    if (kind === 'link') return { kind: 'done', id, text: await linkPayload(await this.#open(story)) };
    await this.#inOrder(story, () => this.#reset(story));
    return { kind: 'done', id, text: '' };
  }

  async #run({ id, story, example }: Extract<ToEngine, { kind: 'run' }>): Promise<FromEngine> {
    const controller = new AbortController();
    this.#runs.set(id, controller);
    const write = (stream: 'out' | 'err') => (text: string) => this.#post({ kind: 'output', id, text, stream });
    try {
      const opened = await Promise.race([this.#open(story), whenAborted(controller.signal)]);
      // Stopped while the cluster starts.
      if (opened === undefined) return { kind: 'result', id, result: stoppedResult };
      const streams = { signal: controller.signal, out: write('out'), err: write('err') };
      return { kind: 'result', id, result: await opened.story.run(example, streams) };
    } finally {
      this.#runs.delete(id);
    }
  }

  async #reset({ id }: StoryKey): Promise<void> {
    const opened = this.#stories.get(id);
    this.#stories.delete(id);
    await (await opened)?.story.close();
  }

  #inOrder<Result>({ id }: StoryKey, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#lastRuns.get(id) ?? Promise.resolve()).then(work);
    this.#lastRuns.set(
      id,
      result.catch(() => undefined),
    );
    return result;
  }

  #open(key: StoryKey): Promise<OpenStory> {
    const existing = this.#stories.get(key.id);
    if (existing) return existing;
    const opening = openStory(key, this.#scripts);
    this.#stories.set(key.id, opening);
    opening.catch(() => this.#stories.delete(key.id));
    return opening;
  }
}

async function openStory(
  { names = defaultNames, nodes }: StoryKey,
  { core, loadComponents, loadDescriptions }: LoadedScripts,
): Promise<OpenStory> {
  const product = productByName(names);
  const running = await core.openMemoryCluster({ names, folder: '/', controllers: 'run-at-once', loadDescriptions });
  const stop = nodes > 0 ? await startNodes(running, nodes, product, { core, loadComponents }) : () => undefined;
  await untilControllersHaveStarted(running);
  const cluster: StoryCluster = {
    product,
    api: running.handle,
    pace: createPace(env.clock),
    objects: async () => (await running.copy()).entries,
    waitFor: (work) => work,
    settle: async () => undefined,
    async evaluate(expression, facts) {
      const { signal } = new AbortController();
      const { standings } = await core.evaluateChecksAsAdmin({ cels: [expression], facts }, running.handle, product, signal);
      return standings[0] ?? { passed: false, seen: '', broken: 'there is no result' };
    },
    async close() {
      stop();
      await running.close();
    },
  };
  return { story: new Story(env, cluster, storyHome), cluster: running, product, initial: await running.copy() };
}

async function startNodes(
  { handle }: RunningCluster,
  nodes: number,
  product: Product,
  { core, loadComponents }: Pick<LoadedScripts, 'core' | 'loadComponents'>,
): Promise<() => void> {
  const { startComponents, Explanations } = await loadComponents();
  const loadDeviceSelectors = async (): Promise<typeof core.compileDeviceSelector> => core.compileDeviceSelector;
  return startComponents({
    api: handle,
    alwaysApi: handle,
    env,
    product,
    nodes,
    images: {},
    explanations: new Explanations(),
    loadDeviceSelectors,
  });
}

const accountPath = '/api/v1/namespaces/default/serviceaccounts/default';
const pollMs = 50;
const pollsMax = 100;

/** Waits for the default service account, which pods need, and for the other first writes of controllers: they are no changes of an example. */
async function untilControllersHaveStarted({ handle, copy }: RunningCluster): Promise<void> {
  const api = withHeaders(handle, [['authorization', `Bearer ${adminToken}`]]);
  const { signal } = new AbortController();
  let lastRevision = 0;
  for (let polls = 0; polls < pollsMax; polls++) {
    const { status } = await api({ method: 'GET', target: accountPath, headers: new Headers(), body: undefined, signal });
    const { revision } = await copy();
    if (status === 200 && revision === lastRevision) return;
    lastRevision = revision;
    await env.clock.sleep(pollMs);
  }
}
