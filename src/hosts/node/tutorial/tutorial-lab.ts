import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { authenticatedUser, parseServerTiming } from '../../../client/index.ts';
import { clusterOrigin, homeDirectory, kubeconfigPath, newKubeconfig } from '../../../console/model/index.ts';
import type { Env } from '../../../env/index.ts';
import { type ConsoleShell, createShell } from '../../../kubectl/index.ts';
import { type ApiHandler, type ProductName, productByName, withHeaders } from '../../../meta/index.ts';
import { createMemoryFiles, type FileSystem } from '../../../shell/index.ts';
import { parseKeySpaceCopy } from '../../../storage/index.ts';
import type { RequestRecord } from '../../../tutorials/index.ts';
import type { TestLab } from '../../../tutorials/testing/index.ts';
import { adminToken } from '../../browser/users.ts';
import { loadImages } from '../../load-images.ts';
import { VirtualCluster } from '../virtual-cluster.ts';

/** A lesson environment in this process, with the page's users and a virtual clock. */
export class MemoryLab implements TestLab {
  readonly #env: Env;
  readonly #names: ProductName;
  /** That of the lesson, which has the scripts of its images. */
  readonly #folder: string;
  #cluster: VirtualCluster | undefined;
  #files: FileSystem = createMemoryFiles();
  /** The learner's shell, with the commands that the lesson allows, and an unrestricted one for setup. */
  #shells: { readonly learner: ConsoleShell; readonly setup: ConsoleShell } | undefined;
  #requests: RequestRecord[] = [];
  #isRecording = false;

  constructor(env: Env, names: ProductName, folder: string) {
    this.#folder = folder;
    this.#env = env;
    this.#names = names;
  }

  readonly api: ApiHandler = withHeaders((request) => this.#handle(request), [['authorization', `Bearer ${adminToken}`]]);

  async create({ snapshot, allow, nodes, images: scripts }: Parameters<TestLab['create']>[0]): Promise<void> {
    await this.#cluster?.close();
    const copy = snapshot === undefined ? undefined : parseKeySpaceCopy(JSON.parse(snapshot));
    if (snapshot !== undefined && copy === undefined) throw new Error('the snapshot holds no copy of a cluster');
    const urls = Object.entries(scripts).map(([name, path]) => [name, pathToFileURL(join(this.#folder, path)).href]);
    const images = await loadImages(Object.fromEntries(urls), this.#env.log, 'null');
    const cluster = await VirtualCluster.open({ env: this.#env, product: productByName(this.#names), nodes, images, copy });
    this.#cluster = cluster;
    this.#files = createMemoryFiles({ [kubeconfigPath]: newKubeconfig() });
    this.#shells = { learner: this.#newShell(cluster.env, allow), setup: this.#newShell(cluster.env, []) };
  }

  #newShell(env: Env, allow: readonly string[]): ConsoleShell {
    return createShell({
      env,
      product: productByName(this.#names),
      files: this.#files,
      connect: (origin) => (origin === clusterOrigin ? this.#recorded : undefined),
      variables: { HOME: homeDirectory, PWD: homeDirectory, KUBECONFIG: kubeconfigPath, APISERVER: clusterOrigin, TOKEN: adminToken },
      allow,
    });
  }

  async run(lines: string, signal?: AbortSignal): Promise<number> {
    return (await this.#runInShell(lines, false, signal)).exit;
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
    await this.#cluster?.settle();
  }

  async close(): Promise<void> {
    await this.#cluster?.close();
  }

  async #runInShell(
    lines: string,
    isLearner: boolean,
    signal: AbortSignal = new AbortController().signal,
  ): ReturnType<TestLab['runRecorded']> {
    if (!this.#shells || !this.#cluster) throw new Error('the lab is not made yet');
    const shell = isLearner ? this.#shells.learner : this.#shells.setup;
    const texts = { out: '', err: '' };
    this.#isRecording = isLearner;
    const running = shell.run(lines, {
      signal,
      out: (text) => {
        texts.out += text;
      },
      err: (text) => {
        texts.err += text;
      },
    });
    const exit = await this.#cluster.waitFor(running);
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
