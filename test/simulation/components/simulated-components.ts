import { startElected } from '../../../src/client/index.ts';
import {
  allControllers,
  type ClusterOptions,
  numberedNodes,
  startControllers,
  startNodes,
  startScheduler,
} from '../../../src/cluster/index.ts';
import type { Log } from '../../../src/env/index.ts';
import type { Environment } from '../environment.ts';
import { type CachedResource, ComponentProcess, type FaultRates } from './component-process.ts';

type Starters = { readonly [Name in 'controllers' | 'scheduler' | 'nodes']: Exclude<ClusterOptions[Name], 'none'> };
/** What a cluster passes to its components. */
export type ComponentOptions = { readonly [Name in keyof Starters]: Parameters<Starters[Name]>[0] };

/** Number of nodes. */
export const nodeCount = 3;

/** The controllers of the simulated objects. */
const controllers = [
  'daemonset-controller',
  'deployment-controller',
  'disruption-controller',
  'garbage-collector-controller',
  'job-controller',
  'node-lifecycle-controller',
  'pod-garbage-collector-controller',
  'replicaset-controller',
  'resourcequota-controller',
  'statefulset-controller',
  'taint-eviction-controller',
  'ttl-after-finished-controller',
] as const;

/** How the components are distributed over processes. */
export type Topology = 'one process' | 'a process each' | 'two schedulers' | 'controllers apart' | 'elected';

export interface SimulatedComponentsOptions {
  readonly environment: Environment;
  readonly options: ComponentOptions;
  readonly topology: Topology;
  readonly rates: FaultRates;
  readonly log: Log;
}

interface Slot {
  readonly name: string;
  readonly start: (process: ComponentProcess) => void;
  process: ComponentProcess | undefined;
}

/** All components of a cluster in their processes. A killed process starts again after a while. */
export class SimulatedComponents {
  /** Nodes that cannot reach the server. */
  readonly isolated: Set<string> = new Set();
  readonly #environment: Environment;
  readonly #options: ComponentOptions;
  readonly #rates: FaultRates;
  readonly #log: Log;
  readonly #slots: readonly Slot[];
  #starts = 0;
  #hasEnded = false;

  constructor({ environment, options, topology, rates, log }: SimulatedComponentsOptions) {
    this.#environment = environment;
    this.#options = options;
    this.#rates = rates;
    this.#log = log;
    const slots = this.#slotsOf(topology);
    this.#slots = Object.entries(slots).map(([name, start]) => ({ name, start, process: undefined }));
  }

  start(): void {
    for (const slot of this.#slots) this.#start(slot);
  }

  /** The oldest revision of a resource that a cache shows. */
  cacheRevision(resource: CachedResource): number {
    return Math.min(...this.#slots.map(({ process }) => process?.cacheRevision(resource) ?? Number.POSITIVE_INFINITY));
  }

  /** Kills one process, or all. */
  kill(all: boolean): void {
    const { random, record, coverage } = this.#environment;
    const chosen = all ? this.#slots : this.#slots.slice(random.integer(this.#slots.length)).slice(0, 1);
    for (const { process } of chosen) {
      if (!process) continue;
      record(process.name, 'FAULT is killed');
      coverage.count(all ? 'all components killed' : 'components killed');
      process.kill();
    }
  }

  end(): void {
    this.#hasEnded = true;
    for (const { process } of this.#slots) process?.kill();
  }

  #start(slot: Slot): void {
    const { record, clock, random } = this.#environment;
    if (this.#hasEnded) return;
    const process = new ComponentProcess(`${slot.name}-${++this.#starts}`, this.#environment, {
      rates: this.#rates,
      isolated: this.isolated,
      earlier: slot.process,
    });
    slot.process = process;
    record(process.name, 'starts');
    slot.start(process);
    void process.process.killed.then(() => {
      clock.schedule(random.integer(this.#environment.once(5) ? 60_000 : 3_000), () => this.#start(slot));
    });
  }

  #slotsOf(topology: Topology): Record<string, Slot['start']> {
    const [manage, schedule, runNodes] = [this.#controllers(controllers), this.#scheduler, this.#nodes];
    switch (topology) {
      case 'one process':
        return {
          all: (process) => {
            manage(process);
            schedule(process);
            runNodes(process);
          },
        };
      case 'a process each':
        return { controllers: manage, scheduler: schedule, nodes: runNodes };
      case 'two schedulers':
        return { controllers: manage, scheduler: schedule, other: schedule, nodes: runNodes };
      case 'controllers apart':
        return { ...this.#controllersApart(), scheduler: schedule, nodes: runNodes };
      case 'elected':
        return { first: this.#elected, second: this.#elected };
    }
  }

  /** Three processes with some of the controllers each. */
  #controllersApart(): Record<string, Slot['start']> {
    const { random } = this.#environment;
    const groups: string[][] = [[], [], []];
    for (const name of controllers) groups[random.integer(groups.length)]?.push(name);
    return Object.fromEntries(groups.map((names, index) => [`controllers${index}`, this.#controllers(names)]));
  }

  #controllers(names: readonly string[]): Slot['start'] {
    return (process) => startControllers(this.#controllerOptions(process), { available: allControllers, enabled: names });
  }

  readonly #scheduler = (process: ComponentProcess): void => {
    startScheduler(this.#schedulerOptions(process));
  };

  readonly #nodes = (process: ComponentProcess): void => {
    startNodes(this.#nodeOptions(process), numberedNodes(nodeCount));
  };

  readonly #elected = (process: ComponentProcess): void => {
    const elected = (lease: string) => ({ lease, identity: process.name });
    const selection = { available: allControllers, enabled: controllers };
    const startAll = (options: ComponentOptions['controllers']) => startControllers(options, selection);
    startElected(startAll, this.#controllerOptions(process), elected('kube-controller-manager'));
    startElected(startScheduler, this.#schedulerOptions(process), elected('kube-scheduler'));
    const startAllNodes = (options: ComponentOptions['nodes']) => startNodes(options, numberedNodes(nodeCount));
    startElected(startAllNodes, this.#nodeOptions(process), elected('simulated-nodes'));
  };

  #controllerOptions(process: ComponentProcess): ComponentOptions['controllers'] {
    const { accountApi, ...options } = this.#options.controllers;
    return { ...options, api: process.connect(options.api), clock: process.process.clock, log: this.#log };
  }

  #schedulerOptions(process: ComponentProcess): ComponentOptions['scheduler'] {
    const { scheduler } = this.#options;
    return { ...scheduler, api: process.connect(scheduler.api), clock: process.process.clock, log: this.#log };
  }

  #nodeOptions(process: ComponentProcess): ComponentOptions['nodes'] {
    const { nodes } = this.#options;
    const apiOf = (node: string): ReturnType<typeof nodes.apiOf> => process.connect(nodes.apiOf(node), node);
    return { ...nodes, api: process.connect(nodes.api), apiOf, clock: process.process.clock, log: this.#log };
  }
}
