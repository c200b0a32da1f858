import { clusterDefaults, readTokenFile, createCluster as wireCluster } from '../../cluster/index.ts';
import { type ApiHandler, type ProductName, productNamed } from '../../meta/index.ts';
import { createMemoryKeySpace, openIdbLogStore, openLogKeySpace, type TimedKeySpace } from '../../storage/index.ts';
import { createBrowserEnv } from '../browser/index.ts';
import { answerFetch, OpenStreams } from '../service-worker/index.ts';

/** Tabplane in a page: a cluster as an object, without a Service Worker. The same call as in Node. */
export interface ClusterSettings {
  /** Default `svc`. */
  readonly names?: ProductName;
  /** A token file's text; default: `admin-token` is admin. */
  readonly tokens?: string;
  /** The database that keeps the cluster; in memory when absent. One page at a time may have it open. */
  readonly database?: string;
}

export interface Cluster {
  /** As the platform's fetch, for any URL: the path below its origin is the API's. */
  readonly fetch: typeof fetch;
  /** The same without the platform's Request and Response, which cost more than most answers. */
  readonly handle: ApiHandler;
  close(): Promise<void>;
}

/** A reader inside the page can be as far behind as it likes. */
const limits = { unreadMaxBytes: Number.MAX_SAFE_INTEGER, watchMaxBytes: Number.MAX_SAFE_INTEGER };

export async function createCluster({
  names = 'svc',
  tokens = 'admin-token,admin,u-admin,"system:masters"',
  database,
}: ClusterSettings = {}): Promise<Cluster> {
  const env = createBrowserEnv();
  const storage = database === undefined ? createMemoryKeySpace(env.clock) : await openDatabase(database);
  const cluster = await wireCluster({ ...clusterDefaults, env, storage, product: productNamed(names), tokens: readTokenFile(tokens) });
  const streams = new OpenStreams(limits);
  return {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      const answer = await answerFetch(request, pathname + search, cluster.handle, streams);
      request.signal.throwIfAborted();
      return answer;
    },
    handle: cluster.handle,
    close: async () => {
      streams.endAll();
      await cluster.close();
    },
  };
}

async function openDatabase(name: string): Promise<TimedKeySpace> {
  const { clock, log } = createBrowserEnv();
  const store = await openIdbLogStore({ platform: globalThis, name, durability: 'relaxed' });
  return openLogKeySpace({ store, clock, log, damaged: 'refuse' });
}
