import { authenticationDefaults, authorizationDefaults, clusterDefaults, createCluster } from '../../src/cluster/index.ts';
import { type Clock, createMemoryLog } from '../../src/env/index.ts';
import type { ApiHandler, Product } from '../../src/meta/index.ts';
import type { TimedKeySpace } from '../../src/storage/index.ts';
import type { Environment } from './environment.ts';
import { lost, type Server } from './network.ts';
import { runtimeConfigOf } from './runtime-config.ts';

const admin = { username: 'admin', uid: 'admin', groups: ['system:masters'], extra: {} };

export interface ServerOptions {
  readonly name: string;
  readonly environment: Environment;
  readonly product: Product;
  readonly storage: TimedKeySpace;
  readonly isShared: boolean;
  readonly retentionMs: number;
  readonly process: Process;
}

/** Starts a server as a process that can be killed at any point. Rejects when the storage fails first. */
export async function startServer({ name, environment, product, storage, isShared, retentionMs, process }: ServerOptions): Promise<Server> {
  const log = createMemoryLog();
  const cluster = await createCluster({
    ...clusterDefaults,
    env: { clock: process.clock, random: environment.random, log },
    storage,
    sharedStorage: isShared,
    product,
    authentication: { ...authenticationDefaults, tokens: new Map([['admin', admin]]) },
    authorization: authorizationDefaults,
    createSigningKey: () => Promise.reject(new Error('no tokens are signed here')),
    retentionMs,
    runtimeConfig: runtimeConfigOf(product),
  });
  const handle: ApiHandler = cluster.handle;
  const died = process.killed.then((): never => {
    throw lost('the server died');
  });
  // The promise may have no handler.
  died.catch(() => {});
  const errors = (): string =>
    log.lines
      .filter(({ level }) => level === 'error')
      .map(({ event, details }) => `${event} ${details['error'] instanceof Error ? details['error'].stack : JSON.stringify(details)}`)
      .join('\n');
  return { name, handle, died, shownRevision: 0, errors };
}

/** A process of the simulated machine: no timer that it has scheduled fires after its death. */
export interface Process {
  readonly clock: Clock;
  readonly killed: Promise<void>;
  readonly isDead: boolean;
  /** Whether it receives requests. */
  isServing: boolean;
  kill(): void;
}

export function createProcess({ clock }: Environment): Process {
  let resolve = (): void => {};
  const killed = new Promise<void>((settle) => {
    resolve = settle;
  });
  const process = {
    isDead: false,
    isServing: false,
    killed,
    kill(): void {
      process.isDead = true;
      resolve();
    },
    clock: {
      nowMs: () => clock.nowMs(),
      monotonicMs: () => clock.monotonicMs(),
      schedule: (ms: number, run: () => void) =>
        clock.schedule(ms, () => {
          if (!process.isDead) run();
        }),
      sleep: async (ms: number, signal?: AbortSignal) => {
        await clock.sleep(ms, signal);
        if (process.isDead) await new Promise(() => {});
      },
      hostWork: <T>(work: Promise<T>) => clock.hostWork(work),
      nextTurn: async () => {
        await clock.nextTurn();
        if (process.isDead) await new Promise(() => {});
      },
    },
  };
  return process;
}
