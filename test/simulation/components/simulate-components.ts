import { ApiClient } from '../../../src/client/index.ts';
import {
  authenticationDefaults,
  authorizationDefaults,
  buildAuthorizerSettings,
  type Cluster,
  type ClusterOptions,
  clusterDefaults,
  createCluster,
} from '../../../src/cluster/index.ts';
import { createMemoryLog } from '../../../src/env/index.ts';
import { getOrAdd, type Product, type ProductName, productByName, withHeaders } from '../../../src/meta/index.ts';
import { copyKeySpace, createMemoryKeySpace, type KeySpaceCopy } from '../../../src/storage/index.ts';
import { check, rules } from '../checker/violation.ts';
import { createEnvironment, type Environment } from '../environment.ts';
import { runtimeConfigOf } from '../runtime-config.ts';
import type { RunOptions, RunResult } from '../simulate.ts';
import type { FaultRates } from './component-process.ts';
import { unmetGoal } from './convergence.ts';
import { ObservedState } from './observed-state.ts';
import { observeRules } from './rules/index.ts';
import { type ComponentOptions, nodeCount, SimulatedComponents, type Topology } from './simulated-components.ts';
import { User } from './user.ts';

export const defaultComponentOperations = 25;

const topologies: readonly [Topology, ...Topology[]] = ['one process', 'a process each', 'two schedulers', 'controllers apart', 'elected'];

/** How long the user pauses at most between two operations. */
const pauseMs = 4_000;
/** How long a node or all components may be absent. */
const outageMs = 90_000;
/** How long everything may take to reach its desired state once faults have ended. */
const settleMs = 1_800_000;

/** Everything is as desired in so many checks. */
const calmRounds = 4;

/** Runs controllers, scheduler, nodes and a user from one seed, with faults at every request, and checks every rule at every change. */
export async function runComponents({ seed, operations }: RunOptions): Promise<RunResult & { readonly changes: readonly string[] }> {
  const environment = createEnvironment(seed);
  const state = new ObservedState(environment.clock);
  let failure: Error | undefined;
  let run: ComponentsRun | undefined;
  try {
    run = await ComponentsRun.start(seed, environment, state);
    await run.work(operations);
    await run.settle();
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  } finally {
    await run?.end();
  }
  return { transcript: environment.transcript, coverage: environment.coverage, failure, changes: state.trace };
}

class ComponentsRun {
  readonly #environment: Environment;
  readonly #state: ObservedState;
  readonly #components: SimulatedComponents;
  readonly #user: User;
  readonly #cluster: Cluster;
  readonly #disrupts: boolean;

  static async start(seed: number, environment: Environment, state: ObservedState): Promise<ComponentsRun> {
    const product = productByName(seed % 5 === 4 ? 'svc' : 'kubernetes');
    const { clock, random, pick, record } = environment;
    const log = createMemoryLog();
    const storage = createMemoryKeySpace(clock, await initialCopy(product));
    await state.follow(storage);
    const { cluster, options } = await startServer(product, { clock, random, log }, storage);
    const client = new ApiClient({
      api: withHeaders(cluster.handle, [['authorization', 'Bearer admin']]),
      product,
      signal: new AbortController().signal,
    });
    const disrupts = seed % 3 !== 0;
    const topology = pick(topologies);
    const rates: FaultRates = { kill: pick([300, 1_000, 1_000_000]), error: pick([15, 60, 1_000_000]), delay: pick([2, 5, 20]) };
    record('run', `${product.name}, ${topology}, ${JSON.stringify(rates)}${disrupts ? ', disruptions' : ''}`);
    environment.coverage.count(`topology: ${topology}`);
    const components = new SimulatedComponents({ environment, options, topology, rates, log });
    observeRules({ state, product, disrupts, cacheRevision: (resource) => components.cacheRevision(resource) });
    const run = new ComponentsRun(environment, state, components, new User({ environment, client, state, disrupts }), cluster, disrupts);
    await run.#begin();
    return run;
  }

  private constructor(
    environment: Environment,
    state: ObservedState,
    components: SimulatedComponents,
    user: User,
    cluster: Cluster,
    disrupts: boolean,
  ) {
    this.#environment = environment;
    this.#state = state;
    this.#components = components;
    this.#user = user;
    this.#cluster = cluster;
    this.#disrupts = disrupts;
  }

  async #begin(): Promise<void> {
    this.#components.start();
    for (let round = 0; this.#state.list('Node').length < nodeCount; round++) {
      check(round < 100, rules.converged, () => 'the nodes are not registered');
      await this.#advance(500);
    }
    this.#environment.faults.enabled = true;
    await this.#user.prepare();
  }

  /** Runs the operations of the user; processes and nodes fail meanwhile. */
  async work(operations: number): Promise<void> {
    const { random, once, clock, record, coverage } = this.#environment;
    for (let operation = 0; operation < operations; operation++) {
      await this.#user.act();
      await this.#advance(random.integer(pauseMs));
      if (once(20)) this.#components.kill(once(3));
      if (this.#disrupts && once(40)) {
        const node = `node-${1 + random.integer(nodeCount)}`;
        record('run', `FAULT ${node} is isolated`);
        coverage.count('nodes isolated');
        this.#components.isolated.add(node);
        clock.schedule(random.integer(outageMs), () => this.#components.isolated.delete(node));
      }
    }
  }

  /** Runs without faults until everything has reached its desired state. */
  async settle(): Promise<void> {
    const { record, faults, clock } = this.#environment;
    record('run', 'no more faults');
    faults.heal();
    this.#components.isolated.clear();
    await this.#user.relent();
    const untilMs = clock.monotonicMs() + settleMs;
    // A node may still be found to have been absent.
    for (let calm = 0; calm < calmRounds; calm++) {
      await this.#advance(5_000);
      const unmet = unmetGoal(this.#state);
      if (unmet === undefined) continue;
      check(clock.monotonicMs() < untilMs, unmet.rule, () => unmet.detail);
      calm = -1;
    }
  }

  async end(): Promise<void> {
    this.#components.end();
    await this.#cluster.close();
  }

  async #advance(ms: number): Promise<void> {
    const { clock } = this.#environment;
    const untilMs = clock.monotonicMs() + ms;
    await drain();
    for (let dueMs = clock.nextDueMs(); dueMs !== undefined && dueMs <= untilMs; dueMs = clock.nextDueMs()) {
      await clock.advance(Math.max(0, dueMs - clock.monotonicMs()));
      await drain();
      if (this.#state.violation !== undefined) throw this.#state.violation;
    }
    await clock.advance(untilMs - clock.monotonicMs());
  }
}

/** All promises of this moment settle first: nothing in a run waits for the platform. */
const drain = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const admin = { username: 'admin', uid: 'admin', groups: ['system:masters'], extra: {} };

/** The objects of a new cluster, whose creation takes longer than most runs. */
const initialCopies = new Map<ProductName, Promise<KeySpaceCopy>>();

const initialCopy = (product: Product): Promise<KeySpaceCopy> => getOrAdd(initialCopies, product.name, () => createInitialCopy(product));

async function createInitialCopy(product: Product): Promise<KeySpaceCopy> {
  const { clock, random } = createEnvironment(0);
  const storage = createMemoryKeySpace(clock);
  const cluster = await createCluster({ ...settingsOf(product), env: { clock, random, log: createMemoryLog() }, storage, product });
  const copy = await copyKeySpace(storage);
  await cluster.close();
  return copy;
}

const settingsOf = (product: Product): Omit<ClusterOptions, 'env' | 'storage' | 'product'> => ({
  ...clusterDefaults,
  authentication: { ...authenticationDefaults, tokens: new Map([['admin', admin]]) },
  authorization: { ...authorizationDefaults, authorizers: buildAuthorizerSettings(['AlwaysAllow']) },
  admission: { ...clusterDefaults.admission, disabled: ['ServiceAccount'] },
  createSigningKey: () => Promise.reject(new Error('no tokens are signed here')),
  retentionMs: 5_000,
  runtimeConfig: runtimeConfigOf(product),
});

/** A server, and the options that it passes to components, which run in processes of their own. */
async function startServer(
  product: Product,
  env: ClusterOptions['env'],
  storage: ClusterOptions['storage'],
): Promise<{ cluster: Cluster; options: ComponentOptions }> {
  const options: { -readonly [Name in keyof ComponentOptions]?: ComponentOptions[Name] } = {};
  const nothing = (): void => {};
  const cluster = await createCluster({
    ...settingsOf(product),
    env,
    storage,
    product,
    controllers: (given) => {
      options.controllers = given;
      return nothing;
    },
    scheduler: (given) => {
      options.scheduler = given;
      return nothing;
    },
    nodes: (given) => {
      options.nodes = given;
      return nothing;
    },
  });
  const { controllers, scheduler, nodes } = options;
  if (!controllers || !scheduler || !nodes) throw new Error('the cluster starts no components');
  return { cluster, options: { controllers, scheduler, nodes } };
}
