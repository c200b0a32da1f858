import { type Product, productByName } from '../../src/meta/index.ts';
import { checkHistory, checkStore } from './checker/check-history.ts';
import { check, rules } from './checker/violation.ts';
import { type Coverage, createEnvironment, type Environment } from './environment.ts';
import { CommitHistory } from './model/commit-history.ts';
import { type SimulatedKind, simulatedKinds, widgetDefinition } from './model/kinds.ts';
import { WriteLog } from './model/write-log.ts';
import { createNetwork, type Network, type Server } from './network.ts';
import { createProcess, type Process, startServer } from './server-process.ts';
import { EtcdStore } from './stores/etcd-store.ts';
import { FileStore } from './stores/file-store.ts';
import { IndexedDbStore } from './stores/indexed-db-store.ts';
import type { Store, StoreFactory } from './stores/store.ts';
import { ApiClient } from './workload/api-client.ts';
import { Client } from './workload/client.ts';
import { Informer } from './workload/informer.ts';
import { byName, bySide, everything } from './workload/listing.ts';
import type { RunContext } from './workload/run-context.ts';
import { Watcher } from './workload/watching.ts';

export interface RunOptions {
  readonly seed: number;
  /** How many operations all clients together start. */
  readonly operations: number;
  /** Chosen by the seed when absent. */
  readonly createStore?: StoreFactory;
}

/** The result of a run. */
export interface RunResult {
  readonly transcript: readonly string[];
  readonly coverage: Coverage;
  readonly failure: Error | undefined;
}

export const defaultOperations = 90;

const clients = 16;
/** How long a client pauses at most between two operations, in milliseconds. */
const pauseMs = 800;
/** How long everything may take once faults have ended. */
const settleMs = 30_000;
/** After this much simulated time a request without a response counts as stuck. */
const stuckMs = 300_000;

/** Runs clients, servers and a store from one seed, with faults at every step, and checks every rule. */
export async function run(options: RunOptions): Promise<RunResult> {
  const environment = createEnvironment(options.seed);
  let failure: Error | undefined;
  try {
    const cluster = new SimulatedCluster(environment, options);
    await cluster.start();
    await cluster.work();
    await cluster.settle();
    await cluster.verify();
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  return { transcript: environment.transcript, coverage: environment.coverage, failure };
}

interface Slot {
  readonly process: Process;
  readonly server: Server;
}

class SimulatedCluster {
  readonly #environment: Environment;
  readonly #operations: number;
  readonly #product: Product;
  readonly #kinds: readonly [SimulatedKind, ...SimulatedKind[]];
  readonly #history: CommitHistory;
  readonly #writes = new WriteLog();
  readonly #store: Store;
  readonly #slots: (Slot | undefined)[];
  readonly #context: RunContext;
  readonly #network: Network;
  readonly #clients: readonly Client[];
  readonly #watchers: readonly Watcher[];
  readonly #informers: readonly Informer[];
  #begun = 0;
  #working = 0;
  #starts = 0;
  #broken: unknown;

  constructor(environment: Environment, { seed, operations, createStore = storeFactoryFor(seed) }: RunOptions) {
    this.#environment = environment;
    this.#operations = operations;
    this.#product = productByName(seed % 5 === 4 ? 'svc' : 'kubernetes');
    const all = simulatedKinds(this.#product);
    const [first, second] = [all[seed % 4], all[(seed + 1 + (seed % 3)) % 4]];
    if (!first || !second) throw new Error('there are four kinds');
    this.#kinds = [first, second];
    this.#history = new CommitHistory(all);
    this.#store = createStore(environment, this.#history);
    this.#slots = Array.from({ length: this.#store.servers }, () => undefined);
    this.#network = createNetwork({ environment, history: this.#history, reach: () => this.#reach() });
    const context: RunContext = {
      environment,
      product: this.#product,
      network: this.#network,
      history: this.#history,
      writes: this.#writes,
      kinds: this.#kinds,
      isShared: this.#store.servers > 1,
      retentionMs: 800 + 400 * (seed % 3),
      observedObjects: new Map(),
    };
    this.#context = context;
    this.#clients = Array.from({ length: clients }, (_, index) => new Client(`client${index}`, context));
    this.#watchers = [
      new Watcher({ name: 'watcher0', context, kind: first, selection: everything, isSlow: false }),
      new Watcher({ name: 'watcher1', context, kind: first, selection: bySide('left'), isSlow: false }),
      new Watcher({ name: 'watcher2', context, kind: second, selection: byName('a'), isSlow: true }),
      new Watcher({ name: 'watcher3', context, kind: second, selection: everything, isSlow: true }),
    ];
    this.#informers = [
      new Informer({ name: 'informer0', context, kind: first, selection: everything }),
      new Informer({ name: 'informer1', context, kind: second, selection: bySide('right') }),
    ];
  }

  /** Starts servers for all kinds, before the first fault. */
  async start(): Promise<void> {
    const { record } = this.#environment;
    record('run', `${this.#product.name}, ${this.#store.constructor.name}, ${this.#kinds.map(({ name }) => name).join(' and ')}`);
    await this.#startMissing();
    await this.#serveWidgets();
    this.#environment.faults.enabled = true;
  }

  /** Runs all operations; servers die and are replaced meanwhile. */
  async work(): Promise<void> {
    const { clock, random, once } = this.#environment;
    for (const client of this.#clients) this.#supervise(this.#act(client));
    for (const watcher of this.#watchers) this.#supervise(watcher.run());
    for (const informer of this.#informers) this.#supervise(informer.run());
    const startedMs = clock.monotonicMs();
    while (this.#working > 0) {
      await this.#startMissing();
      await clock.advance(1 + random.integer(30));
      this.#assertSound();
      if (once(120)) await this.#killOne();
      if (this.#store instanceof IndexedDbStore && once(250)) await this.#replaceOne();
      check(clock.monotonicMs() - startedMs < stuckMs, rules.available, () => `${this.#working} clients are still waiting`);
    }
  }

  /** Runs without faults until every watcher has received every change and every client has read everything. */
  async settle(): Promise<void> {
    const { clock, record, faults } = this.#environment;
    record('run', 'no more faults');
    faults.heal();
    for (const watcher of this.#watchers) watcher.hurry();
    let isReading = true;
    this.#supervise(
      Promise.all(this.#clients.slice(0, 3).map((client) => client.readAll())).then(() => {
        isReading = false;
      }),
    );
    const until = clock.monotonicMs() + settleMs;
    for (let missing = 'not read'; missing !== ''; missing = isReading ? 'reads are not answered' : this.#missing()) {
      check(clock.monotonicMs() < until, isReading ? rules.available : rules.watchComplete, () => missing);
      await this.#startMissing();
      await clock.advance(50);
      this.#assertSound();
    }
    for (const watcher of this.#watchers) watcher.end();
    for (const informer of this.#informers) informer.end();
  }

  async verify(): Promise<void> {
    checkHistory(this.#history, this.#writes);
    for (const watcher of this.#allWatchers()) watcher.verify();
    for (const informer of this.#informers) informer.verify();
    for (const slot of this.#slots) slot?.process.kill();
    await this.#environment.clock.advance(1);
    const process = createProcess(this.#environment);
    const space = await this.#advanceUntil(this.#store.open(process));
    await this.#advanceUntil(checkStore(this.#history, space));
    checkHistory(this.#history, this.#writes);
    this.#assertSound();
  }

  async #act(client: Client): Promise<void> {
    const { clock, random } = this.#environment;
    this.#working++;
    while (this.#begun < this.#operations) {
      this.#begun++;
      await clock.sleep(random.integer(pauseMs));
      await client.act();
    }
    this.#working--;
  }

  #supervise(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#broken ??= error;
    });
  }

  #assertSound(): void {
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#history.violation !== undefined) throw this.#history.violation;
    for (const informer of this.#informers) informer.assertSound();
  }

  #reach(): Server | undefined {
    const alive = this.#slots.filter((slot) => slot !== undefined);
    return alive[this.#environment.random.integer(Math.max(1, alive.length))]?.server;
  }

  async #startMissing(): Promise<void> {
    for (const index of this.#slots.keys()) if (!this.#slots[index]) await this.#startServer(index);
  }

  /** A new server replaces a running one and takes over its store. */
  async #replaceOne(): Promise<void> {
    const index = this.#environment.random.integer(this.#slots.length);
    const old = this.#slots[index];
    this.#environment.record('run', `server ${index} is replaced while it runs`);
    await this.#startServer(index);
    old?.process.kill();
  }

  async #startServer(index: number): Promise<void> {
    const environment = this.#environment;
    const process = createProcess(environment);
    const name = `server${++this.#starts}`;
    environment.coverage.count('server starts');
    try {
      const dying = process.killed.then((): never => {
        throw new Error('killed');
      });
      const starting = this.#store.open(process).then((storage) => startServer({ ...this.#context, name, storage, process }));
      const server = await this.#advanceUntil(Promise.race([starting, dying]));
      const slot = { process, server };
      this.#slots[index] = slot;
      process.isServing = true;
      this.#history.establish();
      void process.killed.then(() => {
        if (this.#slots[index] === slot) this.#slots[index] = undefined;
      });
      environment.record(name, `serves, the newest revision is ${this.#history.newest}`);
    } catch (error) {
      process.kill();
      const isCorrupt = error instanceof Error && 'code' in error && error.code === 'corrupt';
      this.#assertSound();
      check(environment.faults.enabled && !isCorrupt, rules.restart, () =>
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
      environment.record(name, `does not start: ${error instanceof Error ? error.message : error}`);
    }
  }

  async #advanceUntil<Result>(work: Promise<Result>): Promise<Result> {
    let hasSettled = false;
    const settle = (): void => {
      hasSettled = true;
    };
    work.then(settle, settle);
    const { clock } = this.#environment;
    const untilMs = clock.monotonicMs() + stuckMs;
    while (!hasSettled) {
      check(clock.monotonicMs() < untilMs, rules.available, () => 'a store or server does not start');
      await clock.advance(5);
    }
    return work;
  }

  /** Creates the definition of the custom kind and waits until every server serves it. */
  async #serveWidgets(): Promise<void> {
    const widgets = this.#kinds.find(({ isCustom }) => isCustom);
    if (!widgets) return;
    const { collection, object } = widgetDefinition(this.#product);
    const api = new ApiClient('setup', this.#environment, this.#network);
    const headers = { 'content-type': 'application/json' };
    await this.#advanceUntil(api.send({ method: 'POST', target: collection, headers, body: object }));
    for (const slot of this.#slots) {
      for (let isServed = false; !isServed; ) {
        await this.#environment.clock.advance(5);
        const request = {
          method: 'GET',
          target: widgets.collection,
          headers: new Headers({ authorization: 'Bearer admin' }),
          body: undefined,
        };
        const answer = slot && (await this.#advanceUntil(slot.server.handle({ ...request, signal: new AbortController().signal })));
        isServed = answer?.status === 200;
      }
    }
  }

  /** Kills a server after a random number of microtasks. */
  async #killOne(): Promise<void> {
    const { random, record } = this.#environment;
    const slot = this.#slots[random.integer(this.#slots.length)];
    for (let turn = random.integer(200); turn > 0; turn--) await Promise.resolve();
    record(slot?.server.name ?? 'no server', 'FAULT is killed');
    slot?.process.kill();
  }

  #allWatchers(): readonly Watcher[] {
    return [...this.#watchers, ...this.#clients.flatMap(({ watchers }) => watchers)];
  }

  #missing(): string {
    return [...this.#watchers, ...this.#informers].map((watcher) => watcher.missing()).join('');
  }
}

/** The store of a seed: one of three real implementations, each with simulated I/O. */
function storeFactoryFor(seed: number): StoreFactory {
  const stores: readonly StoreFactory[] = [
    (environment, history) => new FileStore(environment, history),
    (environment, history) => new IndexedDbStore(environment, history),
    (environment, history) => new EtcdStore(environment, history),
  ];
  return stores[Math.floor(seed / 4) % 3] ?? ((environment, history) => new FileStore(environment, history));
}
