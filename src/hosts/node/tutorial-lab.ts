import { authenticatedUser, parseServerTiming } from '../../client/index.ts';
import {
  allControllers,
  authenticationDefaults,
  type Cluster,
  type ClusterOptions,
  clusterDefaults,
  createCluster,
  startControllers,
} from '../../cluster/index.ts';
import { clusterOrigin, homeDirectory, kubeconfigPath, newKubeconfig } from '../../console/model/index.ts';
import { createManualClock, type Env } from '../../env/index.ts';
import { type ConsoleShell, createShell } from '../../kubectl/index.ts';
import { type ApiHandler, type ProductName, productByName, withHeaders } from '../../meta/index.ts';
import { createMemoryFiles, type FileSystem } from '../../shell/index.ts';
import { createMemoryKeySpace, parseKeySpaceCopy } from '../../storage/index.ts';
import type { RequestRecord } from '../../tutorials/index.ts';
import type { TestLab } from '../../tutorials/testing/index.ts';
import { pageUsers } from '../browser/users.ts';
import { VirtualTime } from '../library/virtual-time.ts';
import { nodeStarter, schedulerStarter } from '../library/whole-cluster.ts';
import { createSigningKey } from '../signing-key.ts';

const adminToken = 'admin-token';

/** A lesson environment in this process, with the page's users and a virtual clock. */
export class MemoryLab implements TestLab {
  readonly #env: Env;
  readonly #time: VirtualTime;
  readonly #names: ProductName;
  #cluster: Cluster | undefined;
  #files: FileSystem = createMemoryFiles();
  /** The learner's shell, with the commands that the lesson allows, and an unrestricted one for setup. */
  #shells: { readonly learner: ConsoleShell; readonly setup: ConsoleShell } | undefined;
  #requests: RequestRecord[] = [];
  #nodes = 0;
  #isRecording = false;

  constructor(env: Env, names: ProductName) {
    const clock = createManualClock(env.clock.nowMs());
    this.#env = { ...env, clock };
    this.#time = new VirtualTime(clock, env.clock);
    this.#names = names;
  }

  readonly api: ApiHandler = withHeaders((request) => this.#handle(request), [['authorization', `Bearer ${adminToken}`]]);

  async create({ snapshot, allow, nodes }: Parameters<TestLab['create']>[0]): Promise<void> {
    await this.#cluster?.close();
    this.#nodes = nodes;
    const copy = snapshot === undefined ? undefined : parseKeySpaceCopy(JSON.parse(snapshot));
    if (snapshot !== undefined && copy === undefined) throw new Error('the snapshot holds no copy of a cluster');
    const starting = createCluster({
      ...clusterDefaults,
      env: this.#env,
      storage: createMemoryKeySpace(this.#env.clock, copy),
      product: productByName(this.#names),
      authentication: { ...authenticationDefaults, tokens: pageUsers },
      createSigningKey,
      ...partsOf(nodes),
      timingHeaders: 'everybody',
    });
    this.#cluster = await this.#time.runUntilSettled(starting);
    this.#time.observe(this.#cluster);
    this.#files = createMemoryFiles({ [kubeconfigPath]: newKubeconfig() });
    this.#shells = { learner: this.#newShell(allow), setup: this.#newShell([]) };
  }

  #newShell(allow: readonly string[]): ConsoleShell {
    return createShell({
      env: this.#env,
      product: productByName(this.#names),
      files: this.#files,
      connect: (origin) => (origin === clusterOrigin ? this.#recorded : undefined),
      variables: { HOME: homeDirectory, PWD: homeDirectory, KUBECONFIG: kubeconfigPath, APISERVER: clusterOrigin, TOKEN: adminToken },
      allow,
    });
  }

  async run(lines: string): Promise<number> {
    return (await this.#runInShell(lines, false)).exit;
  }

  async runRecorded(lines: string): ReturnType<TestLab['runRecorded']> {
    return this.#runInShell(lines, true);
  }

  takeRequests(): readonly RequestRecord[] {
    return this.#requests.splice(0);
  }

  async writeFile(name: string, text: string): Promise<void> {
    await this.#files.write(`${homeDirectory}/${name}`, new TextEncoder().encode(text));
  }

  async files(): Promise<Readonly<Record<string, string>>> {
    const names = await this.#files.list(homeDirectory);
    const texts = names.map(async (name): Promise<[string, string] | undefined> => {
      const content = await this.#files.read(`${homeDirectory}/${name}`);
      return content && [name, new TextDecoder().decode(content)];
    });
    return Object.fromEntries((await Promise.all(texts)).filter((one) => one !== undefined));
  }

  async settle(): Promise<void> {
    if (this.#nodes > 0) await this.#time.runUntilIdle();
  }

  async close(): Promise<void> {
    await this.#cluster?.close();
  }

  async #runInShell(lines: string, isLearner: boolean): ReturnType<TestLab['runRecorded']> {
    if (!this.#shells) throw new Error('the lab is not made yet');
    const shell = isLearner ? this.#shells.learner : this.#shells.setup;
    const texts = { out: '', err: '' };
    this.#isRecording = isLearner;
    const running = shell.run(lines, {
      signal: new AbortController().signal,
      out: (text) => {
        texts.out += text;
      },
      err: (text) => {
        texts.err += text;
      },
    });
    const exit = await this.#time.runUntilSettled(running);
    this.#isRecording = false;
    return { line: lines, exit, stdout: texts.out, stderr: texts.err };
  }

  readonly #recorded: ApiHandler = async (request) => {
    const response = await this.#handle(request);
    const timing = response.headers.find(([name]) => name.toLowerCase() === 'server-timing')?.[1] ?? '';
    const { method, target } = request;
    if (this.#isRecording)
      this.#requests.push({ user: authenticatedUser(parseServerTiming(timing)), method, path: target, code: response.status });
    return response;
  };

  readonly #handle: ApiHandler = (request) => {
    if (!this.#cluster) throw new Error('the lab is not made yet');
    return this.#cluster.handle(request);
  };
}

function partsOf(nodes: number): Pick<ClusterOptions, 'controllers' | 'scheduler' | 'nodes'> {
  if (nodes === 0) return { controllers: startControllers, scheduler: 'none', nodes: 'none' };
  const selection = { available: allControllers, enabled: ['*'] };
  return { controllers: (options) => startControllers(options, selection), scheduler: schedulerStarter({}), nodes: nodeStarter(nodes) };
}
