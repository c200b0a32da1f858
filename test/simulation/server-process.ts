import {
  authenticationDefaults,
  authorizationDefaults,
  type Cluster,
  clusterDefaults,
  createCluster,
  createProgram,
} from '../../src/cluster/index.ts';
import { createMemoryLog } from '../../src/env/index.ts';
import { type ApiHandler, productNamed } from '../../src/meta/index.ts';
import type { TimedKeySpace } from '../../src/storage/index.ts';
import { lost, type Reachable } from './network.ts';
import { createGate, type World } from './world.ts';

/** Long enough that a lost answer is asked for again in time, short enough that histories are compacted. */
const retentionMs = 3_000;

/** A server as a process: it answers until it is killed, at whatever point it has come to. */
export class ServerProcess implements Reachable {
  readonly handle: ApiHandler;
  readonly gone: Promise<void>;
  readonly died: Promise<never>;
  readonly #die: () => void;

  private constructor(cluster: Cluster, gone: Promise<void>, die: () => void) {
    this.handle = cluster.handle;
    this.gone = gone;
    this.died = gone.then(() => {
      throw lost('the server died');
    });
    // Nobody need be waiting.
    this.died.catch(() => {});
    this.#die = die;
  }

  /** Rejects when the storage fails it before it can answer. */
  static async start(world: World, storage: TimedKeySpace, killed: Promise<void>): Promise<ServerProcess> {
    const { clock, random } = world;
    const cluster = await createCluster({
      ...clusterDefaults,
      env: { clock, random, log: createMemoryLog() },
      storage,
      product,
      program,
      authentication: { ...authenticationDefaults, tokens: new Map([['admin', admin]]) },
      authorization: authorizationDefaults,
      createSigningKey: () => Promise.reject(new Error('no tokens are signed here')),
      retentionMs,
      runtimeConfig,
    });
    const { promise, open } = createGate<void>();
    void killed.then(() => open());
    return new ServerProcess(cluster, promise, () => open());
  }

  kill(): void {
    this.#die();
  }
}

const product = productNamed('kubernetes');
// What is not asked for need not be made at every start.
const runtimeConfig = new Map(
  ['rbac.authorization', 'flowcontrol.apiserver', 'apiregistration'].map((group) => [`${group}.k8s.io/v1`, 'false']),
);
/** Every server of every run is a process of it. */
const program = createProgram(product, { runtimeConfig, featureGates: clusterDefaults.featureGates });

const admin = { username: 'admin', uid: 'admin', groups: ['system:masters'], extra: {} };
