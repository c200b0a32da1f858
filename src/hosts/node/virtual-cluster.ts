import {
  allControllers,
  authenticationDefaults,
  type Cluster,
  type ClusterOptions,
  clusterDefaults,
  createCluster,
  startControllers,
} from '../../cluster/index.ts';
import type { ContainerImage } from '../../containers/index.ts';
import { createManualClock, type Env } from '../../env/index.ts';
import type { ApiHandler, Product } from '../../meta/index.ts';
import { copyKeySpace, createMemoryKeySpace, type KeySpaceCopy } from '../../storage/index.ts';
import { pageUsers } from '../browser/users.ts';
import { VirtualTime } from '../library/virtual-time.ts';
import { nodeOptions, schedulerStarter } from '../library/whole-cluster.ts';
import { createSigningKey } from '../signing-key.ts';
import { TimeWaits } from './time-waits.ts';

export interface VirtualClusterOptions {
  /** Of this process; the cluster's own clock starts at its time. */
  readonly env: Env;
  readonly product: Product;
  /** Number of simulated nodes; with any, all controllers and the scheduler run. */
  readonly nodes: number;
  /** Images whose programs are functions, by their repository. Default: none. */
  readonly images?: ReadonlyMap<string, ContainerImage>;
  /** Default: an empty cluster. */
  readonly copy?: KeySpaceCopy | undefined;
}

let signingKey: Promise<JsonWebKey> | undefined;

/** The same key for all clusters of this process, which is available before their time advances: its generation takes long. */
function sharedSigningKey(): Promise<JsonWebKey> {
  signingKey ??= createSigningKey();
  return signingKey;
}

/** A cluster in this process, with the users of the page and a virtual clock. */
export class VirtualCluster {
  /** For users of the cluster, with its clock. */
  readonly env: Env;
  readonly handle: ApiHandler;
  readonly #waits: TimeWaits = new TimeWaits();
  readonly #nodes: number;
  readonly #cluster: Cluster;
  readonly #time: VirtualTime;
  readonly #storage: ReturnType<typeof createMemoryKeySpace>;

  private constructor(env: Env, nodes: number, cluster: Cluster, time: VirtualTime, storage: ReturnType<typeof createMemoryKeySpace>) {
    this.env = { ...env, clock: this.#waits.clock(env.clock) };
    this.handle = this.#waits.api((request) => cluster.handle(request));
    this.#nodes = nodes;
    this.#cluster = cluster;
    this.#time = time;
    this.#storage = storage;
  }

  static async open({ env: host, product, nodes, images = new Map(), copy }: VirtualClusterOptions): Promise<VirtualCluster> {
    const time = new VirtualTime(createManualClock(host.clock.nowMs()), host.clock);
    const { clock } = time;
    const env = { ...host, clock };
    const storage = createMemoryKeySpace(clock, copy);
    const components = await componentsOf(nodes, product, images);
    await sharedSigningKey();
    const starting = createCluster({
      ...clusterDefaults,
      env,
      storage,
      product,
      authentication: { ...authenticationDefaults, tokens: pageUsers },
      createSigningKey: sharedSigningKey,
      ...components,
      timingHeaders: 'everybody',
    });
    const cluster = await time.runUntilSettled(starting, () => false);
    time.observe(cluster);
    return new VirtualCluster(env, nodes, cluster, time, storage);
  }

  copy(): Promise<KeySpaceCopy> {
    return copyKeySpace(this.#storage);
  }

  /** Resolves with the result of work, while the time advances. */
  waitFor<Result>(work: Promise<Result>): Promise<Result> {
    return this.#time.runUntilSettled(work, () => this.#waits.count > 0);
  }

  /** Waits until the controllers, the scheduler and the nodes have nothing to do. */
  async settle(): Promise<void> {
    if (this.#nodes > 0) await this.#time.runUntilIdle();
  }

  close(): Promise<void> {
    return this.#cluster.close();
  }
}

async function componentsOf(
  nodes: number,
  product: Product,
  images: ReadonlyMap<string, ContainerImage>,
): Promise<Pick<ClusterOptions, 'controllers' | 'scheduler' | 'nodes' | 'network' | 'streamProtocols'>> {
  if (nodes === 0) return { controllers: startControllers, scheduler: 'none', nodes: 'none' };
  const selection = { available: allControllers, enabled: ['*'] };
  return {
    controllers: (options) => startControllers(options, selection),
    scheduler: await schedulerStarter(undefined, product),
    ...(await nodeOptions(nodes, product, { unknownImages: 'run', images })),
  };
}
