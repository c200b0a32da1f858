import { type Product, productNamed } from '../../src/meta/index.ts';
import { checkHistory, checkStore } from './checker/check-history.ts';
import { check, rules } from './checker/violation.ts';
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
import { type Coverage, createWorld, type World } from './world.ts';

export interface RunOptions {
  readonly seed: number;
  /** How many operations all clients together begin. */
  readonly operations: number;
  /** By the seed when absent. */
  readonly createStore?: StoreFactory;
}

/** What a run did. */
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
/** After that much simulated time a client still waits for an answer that does not come. */
const stuckMs = 300_000;

/** Runs clients, servers and a store from one seed, with faults at every step, and checks every rule. */
export async function run(options: RunOptions): Promise<RunResult> {
  const world = createWorld(options.seed);
  let failure: Error | undefined;
  try {
    const cluster = new SimulatedCluster(world, options);
    await cluster.start();
    await cluster.work();
    await cluster.settle();
    await cluster.verify();
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  return { transcript: world.transcript, coverage: world.coverage, failure };
}

interface Slot {
  readonly process: Process;
  readonly server: Server;
}

class SimulatedCluster {
  readonly #world: World;
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

  constructor(world: World, { seed, operations, createStore = storeOf(seed) }: RunOptions) {
    this.#world = world;
    this.#operations = operations;
    this.#product = productNamed(seed % 5 === 4 ? 'svc' : 'kubernetes');
    const all = simulatedKinds(this.#product);
    const [first, second] = [all[seed % 4], all[(seed + 1 + (seed % 3)) % 4]];
    if (!first || !second) throw new Error('there are four kinds');
    this.#kinds = [first, second];
    this.#history = new CommitHistory(all);
    this.#store = createStore(world, this.#history);
    this.#slots = Array.from({ length: this.#store.servers }, () => undefined);
    this.#network = createNetwork({ world, history: this.#history, reach: () => this.#reach() });
    const context: RunContext = {
      world,
      product: this.#product,
      network: this.#network,
      history: this.#history,
      writes: this.#writes,
      kinds: this.#kinds,
      isShared: this.#store.servers > 1,
      retentionMs: 800 + 400 * (seed % 3),
      seen: new Map(),
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

  /** Servers that serve all kinds, before the first fault. */
  async start(): Promise<void> {
    const { record } = this.#world;
    record('world', `${this.#product.name}, ${this.#store.constructor.name}, ${this.#kinds.map(({ name }) => name).join(' and ')}`);
    await this.#startMissing();
    await this.#serveWidgets();
    this.#world.faults.enabled = true;
  }

  /** Until all operations are done; servers die and are replaced meanwhile. */
  async work(): Promise<void> {
    const { clock, random, once } = this.#world;
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
      check(clock.monotonicMs() - startedMs < stuckMs, rules.available, () => `${this.#working} clients still wait`);
    }
  }

  /** Without faults, until every watcher has every change and every client has read everything. */
  async settle(): Promise<void> {
    const { clock, record, faults } = this.#world;
    record('world', 'no more faults');
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
    await this.#world.clock.advance(1);
    const process = createProcess(this.#world);
    const space = await this.#advanceUntil(this.#store.open(process));
    await this.#advanceUntil(checkStore(this.#history, space));
    checkHistory(this.#history, this.#writes);
    this.#assertSound();
  }

  async #act(client: Client): Promise<void> {
    const { clock, random } = this.#world;
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
    return alive[this.#world.random.integer(Math.max(1, alive.length))]?.server;
  }

  async #startMissing(): Promise<void> {
    for (const index of this.#slots.keys()) if (!this.#slots[index]) await this.#startServer(index);
  }

  /** A new server takes the place of one that still runs, and the store from it. */
  async #replaceOne(): Promise<void> {
    const index = this.#world.random.integer(this.#slots.length);
    const old = this.#slots[index];
    this.#world.record('world', `server ${index} is replaced while it runs`);
    await this.#startServer(index);
    old?.process.kill();
  }

  async #startServer(index: number): Promise<void> {
    const world = this.#world;
    const process = createProcess(world);
    const name = `server${++this.#starts}`;
    world.coverage.count('server starts');
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
      world.record(name, `serves, the newest revision is ${this.#history.newest}`);
    } catch (error) {
      process.kill();
      const isCorrupt = error instanceof Error && 'code' in error && error.code === 'corrupt';
      this.#assertSound();
      check(world.faults.enabled && !isCorrupt, rules.restart, () =>
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
      world.record(name, `does not start: ${error instanceof Error ? error.message : error}`);
    }
  }

  async #advanceUntil<Result>(work: Promise<Result>): Promise<Result> {
    let hasSettled = false;
    const settle = (): void => {
      hasSettled = true;
    };
    work.then(settle, settle);
    const { clock } = this.#world;
    const untilMs = clock.monotonicMs() + stuckMs;
    while (!hasSettled) {
      check(clock.monotonicMs() < untilMs, rules.available, () => 'a store or server does not start');
      await clock.advance(5);
    }
    return work;
  }

  /** Every server serves the custom kind. */
  async #serveWidgets(): Promise<void> {
    const widgets = this.#kinds.find(({ isCustom }) => isCustom);
    if (!widgets) return;
    const { collection, object } = widgetDefinition(this.#product);
    const api = new ApiClient('setup', this.#world, this.#network);
    const headers = { 'content-type': 'application/json' };
    await this.#advanceUntil(api.send({ method: 'POST', target: collection, headers, body: object }));
    for (const slot of this.#slots) {
      for (let isServed = false; !isServed; ) {
        await this.#world.clock.advance(5);
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

  /** At any of the turns that the next moments take. */
  async #killOne(): Promise<void> {
    const { random, record } = this.#world;
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

/** The real store code of three kinds, each behind simulated input and output. */
function storeOf(seed: number): StoreFactory {
  const stores: readonly StoreFactory[] = [
    (world, history) => new FileStore(world, history),
    (world, history) => new IndexedDbStore(world, history),
    (world, history) => new EtcdStore(world, history),
  ];
  return stores[Math.floor(seed / 4) % 3] ?? ((world, history) => new FileStore(world, history));
}
