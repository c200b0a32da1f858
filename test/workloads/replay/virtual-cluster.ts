import { setMaxListeners } from 'node:events';
import { readLines, readText } from '../../../src/client/index.ts';
import {
  allControllers,
  authenticationDefaults,
  type ClusterOptions,
  clusterDefaults,
  createCluster,
  startControllers,
  startNodes,
  startScheduler,
} from '../../../src/cluster/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../../src/env/index.ts';
import { createCertificateAuthority } from '../../../src/hosts/certificate-authority.ts';
import { VirtualTime } from '../../../src/hosts/library/virtual-time.ts';
import { createSigningKey } from '../../../src/hosts/signing-key.ts';
import { type ApiResponse, type Json, type Product, type ProductName, productByName } from '../../../src/meta/index.ts';
import { copyKeySpace, createMemoryKeySpace, type KeySpaceCopy } from '../../../src/storage/index.ts';
import type { SentRequest } from './scenario.ts';

/** A response with its body as JSON, or as text when it is none. */
export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Json;
}

/** A cluster in memory with all controllers, the scheduler, simulated nodes and a virtual clock: the same requests give the same objects. */
export interface VirtualCluster {
  readonly product: Product;
  nowMs(): number;
  /** Advances the time: all timers that are due fire. */
  advance(ms: number): Promise<void>;
  call(request: SentRequest): Promise<Answer>;
  /** Sends a GET request and throws for an error response. */
  get(path: string): Promise<Json>;
  /** Calls `onLine` for each line of a watch, until the cluster is closed. */
  watch(path: string, onLine: (line: string) => void): Promise<void>;
  close(): Promise<void>;
}

/** What clusters of one process share: creating it takes longer than a scenario. */
type Shared = Pick<ClusterOptions, 'product' | 'createSigningKey'> & {
  /** The objects of a new cluster without controllers and nodes. */
  readonly newCluster: Promise<KeySpaceCopy>;
};

const startMs = Date.UTC(2026, 0, 1);
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Returns a function that starts clusters of a product. */
export function clusterStarter(names: ProductName): () => Promise<VirtualCluster> {
  const product = productByName(names);
  const signingKey = createSigningKey();
  const newCluster = createNewCluster({ product, createSigningKey: () => signingKey });
  return () => start({ product, createSigningKey: () => signingKey, newCluster });
}

async function createNewCluster(shared: Omit<Shared, 'newCluster'>): Promise<KeySpaceCopy> {
  const clock = createManualClock(startMs);
  const storage = createMemoryKeySpace(clock);
  const env = { clock, random: createSeededRandom(2), log: createMemoryLog() };
  const cluster = await createCluster({ ...clusterDefaults, ...shared, env, storage });
  const copy = await copyKeySpace(storage);
  await cluster.close();
  return copy;
}

async function start({ newCluster, ...shared }: Shared): Promise<VirtualCluster> {
  const clock = createManualClock(startMs);
  const time = new VirtualTime(clock, { monotonicMs: clock.monotonicMs, nextTurn });
  const admin = { username: 'admin', uid: 'u-admin', groups: ['system:masters'], extra: {} };
  const cluster = await createCluster({
    ...clusterDefaults,
    ...shared,
    env: { clock: time.clock, random: createSeededRandom(1), log: createMemoryLog() },
    storage: createMemoryKeySpace(clock, await newCluster),
    authentication: {
      ...authenticationDefaults,
      tokens: new Map([['admin-token', admin]]),
      ownAuthorities: { clients: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n', frontProxy: undefined },
    },
    controllers: (options) => startControllers(options, { available: allControllers, enabled: ['*'] }),
    scheduler: (options) => startScheduler({ ...options, host: 'localhost' }),
    nodes: (options) => startNodes(options),
    rootAuthority: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
    certificateAuthority: createCertificateAuthority(undefined, clock.nowMs),
  });
  time.observe(cluster);
  const watches = new AbortController();
  // Each watch listens to it.
  setMaxListeners(0, watches.signal);
  const send = ({ method = 'GET', path, query, headers, json }: SentRequest, signal = new AbortController().signal): Promise<ApiResponse> =>
    cluster.handle({
      method,
      target: query ? `${path}?${new URLSearchParams(query)}` : path,
      headers: new Headers({ ...usualHeaders, ...headers }),
      body: json === undefined ? undefined : new TextEncoder().encode(JSON.stringify(json)),
      signal,
    });
  const call = async (request: SentRequest): Promise<Answer> => toAnswer(await send(request));
  return {
    product: shared.product,
    nowMs: clock.nowMs,
    advance: (ms) => time.advance(ms),
    call,
    get: async (path) => {
      const { status, body } = await call({ path });
      if (status >= 300) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    watch: async (path, onLine) => {
      const { body } = await send({ path, query: { watch: '1' } }, watches.signal);
      void followLines(body, onLine).catch((error: unknown) => {
        if (!watches.signal.aborted) throw error;
      });
    },
    close: () => {
      watches.abort();
      return cluster.close();
    },
  };
}

const usualHeaders = {
  authorization: 'Bearer admin-token',
  accept: 'application/json',
  'content-type': 'application/json',
  'user-agent': 'life/1',
};

async function toAnswer({ status, headers, body }: ApiResponse): Promise<Answer> {
  const header = (wanted: string): string | undefined => {
    const values = headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
    return values.length === 0 ? undefined : values.join(', ');
  };
  return { status, header, body: parseJson(await readText(body)) };
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function followLines(body: ApiResponse['body'], onLine: (line: string) => void): Promise<void> {
  for await (const line of readLines(body)) onLine(line);
}
