import { readFile, writeFile } from 'node:fs/promises';
import { type DocumentExample, type ExampleSelection, readExamples } from '../../../embed/markdown/index.ts';
import { Story, type StoryCluster } from '../../../embed/story/index.ts';
import {
  type DocumentReport,
  isFailed,
  type Reporter,
  reporters,
  type StoryOpener,
  testDocument,
  updateDocument,
} from '../../../embed/testing/index.ts';
import { createPace, createSeededRandom, type Env } from '../../../env/index.ts';
import { isProductName, type Product, type ProductName, productByName } from '../../../meta/index.ts';
import { evaluateChecksAsAdmin } from '../../browser/lesson-checks.ts';
import { storyHome } from '../../embed/story-home.ts';
import { FlagError } from '../flags/flags.ts';
import { VirtualCluster } from '../virtual-cluster.ts';
import { expandGlob } from './expand-glob.ts';

const docsUsage = `Usage: tabplane docs test PATTERN… [--names svc|kubernetes] [--all] [--update]
                                   [--reporter text|junit|github] [--timeout SECONDS]

Runs the examples of Markdown documents: the fenced blocks with the word "tabplane" after their language, in order, against a new cluster
for each document. Compares their output with the block that follows with the word "output", and evaluates their "expect".

  --names     the API group names of clusters whose examples have none; default: svc
  --all       also runs blocks without the word, in the languages yaml, json, sh and console
  --update    replaces documented outputs that differ
  --reporter  the format of the report; default: text
  --timeout   time limit of one example; default: 60
`;

export interface DocsTestOptions {
  readonly names: ProductName;
  readonly selection: ExampleSelection;
  readonly update: boolean;
  /** Time limit of one example. */
  readonly timeoutMs: number;
}

/** `tabplane docs …`; the exit code. @throws FlagError */
export async function docs(words: readonly string[], env: Env, print: (text: string) => void): Promise<number> {
  const [command, ...rest] = words;
  if (command === undefined || rest.includes('--help') || command === '--help') {
    print(docsUsage);
    return 0;
  }
  if (command !== 'test') throw new FlagError(`unknown words "docs ${words.join(' ')}"\n${docsUsage}`);
  const { patterns, reporter, ...options } = parseWords(rest);
  const files = (await Promise.all(patterns.map(expandGlob))).flat();
  if (files.length === 0) throw new FlagError(`no file matches ${patterns.join(' ')}`);
  const reports: DocumentReport[] = [];
  for (const file of new Set(files)) reports.push(await testFile(file, options, env));
  const tested = reports.filter(({ examples }) => examples.length > 0);
  print(reporter(tested));
  return tested.some(({ examples }) => examples.some(isFailed)) ? 1 : 0;
}

function parseWords(words: readonly string[]): DocsTestOptions & { readonly patterns: readonly string[]; readonly reporter: Reporter } {
  const patterns: string[] = [];
  const flags = new Map<string, string>();
  const separate = words.flatMap((word) => (word.startsWith('--') && word.includes('=') ? splitOnce(word) : [word]));
  for (let at = 0; at < separate.length; at++) {
    const word = separate[at] ?? '';
    if (word === '--all' || word === '--update') flags.set(word, 'true');
    else if (['--names', '--reporter', '--timeout'].includes(word)) flags.set(word, separate[++at] ?? '');
    else if (word.startsWith('-')) throw new FlagError(`unknown flag ${word}\n${docsUsage}`);
    else patterns.push(word);
  }
  const names = flags.get('--names') ?? 'svc';
  const reporter = reporters.get(flags.get('--reporter') ?? 'text');
  if (!isProductName(names)) throw new FlagError(`--names is svc or kubernetes, not "${names}"`);
  if (!reporter) throw new FlagError(`--reporter is ${[...reporters.keys()].join(', ')}, not "${flags.get('--reporter')}"`);
  const seconds = Number(flags.get('--timeout') ?? 60);
  if (!(seconds > 0)) throw new FlagError(`--timeout is a number of seconds, not "${flags.get('--timeout')}"`);
  if (patterns.length === 0) throw new FlagError(`which documents?\n${docsUsage}`);
  return {
    patterns,
    names,
    reporter,
    selection: flags.has('--all') ? 'all' : 'marked',
    update: flags.has('--update'),
    timeoutMs: seconds * 1_000,
  };
}

function splitOnce(word: string): readonly [string, string] {
  const at = word.indexOf('=');
  return [word.slice(0, at), word.slice(at + 1)];
}

/** Tests the examples of one file, and updates their documented outputs. An updated example has passed. */
export async function testFile(file: string, options: DocsTestOptions, env: Env): Promise<DocumentReport> {
  const { selection, update } = options;
  const source = await readFile(file, 'utf8');
  const examples = readExamples(source, selection);
  const reports = await testDocument(examples, new MemoryStories(env, options));
  if (!update) return { file, examples: reports };
  const updated = updateDocument(source, examples, reports);
  if (updated !== source) await writeFile(file, updated);
  return { file, examples: reports.map((report, at) => (isUpdatable(examples[at]) ? { ...report, failure: '' } : report)) };
}

const isUpdatable = (example: DocumentExample | undefined): boolean => example?.output !== undefined;

/** Clusters start at the same time with the same random values, so that they print the same forever. */
const startMs = Date.UTC(2026, 0, 1);

/** Stories on clusters in this process, each of them new and deterministic. */
class MemoryStories implements StoryOpener {
  readonly #env: Env;
  readonly #options: DocsTestOptions;

  constructor(env: Env, options: DocsTestOptions) {
    this.#env = env;
    this.#options = options;
  }

  async open({ settings, nodes }: Parameters<StoryOpener['open']>[0]): ReturnType<StoryOpener['open']> {
    const host = { ...this.#env, random: createSeededRandom(1), clock: { ...this.#env.clock, nowMs: () => startMs } };
    const product = productByName(settings.names ?? this.#options.names);
    const cluster = await VirtualCluster.open({ env: host, product, nodes });
    // Controllers create the default service account.
    await cluster.waitFor(cluster.env.clock.sleep(1_000));
    const { timeoutMs } = this.#options;
    const { clock } = this.#env;
    const story = new Story(cluster.env, this.#storyCluster(cluster, product), storyHome);
    return {
      story,
      newSignal() {
        const limit = new AbortController();
        clock.schedule(timeoutMs, () => limit.abort(new Error(`does not end within ${timeoutMs / 1_000} s`)));
        return limit.signal;
      },
    };
  }

  #storyCluster(cluster: VirtualCluster, product: Product): StoryCluster {
    return {
      product,
      api: cluster.handle,
      pace: createPace(this.#env.clock),
      objects: async () => (await cluster.copy()).entries,
      waitFor: (work) => cluster.waitFor(work),
      settle: () => cluster.settle(),
      close: () => cluster.close(),
      async evaluate(expression, facts) {
        const { signal } = new AbortController();
        const { standings } = await evaluateChecksAsAdmin({ cels: [expression], facts }, cluster.handle, product, signal);
        return standings[0] ?? { passed: false, seen: '', broken: 'there is no result' };
      },
    };
  }
}
