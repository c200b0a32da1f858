import type { User } from '../authn/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom, type ManualClock } from '../env/index.ts';
import { type ApiHandler, type ApiResponse, createFeatureGates, productByName, type RequestTrace, withHeaders } from '../meta/index.ts';
import { copyKeySpace, createMemoryKeySpace, type KeySpaceCopy, type TimedKeySpace } from '../storage/index.ts';
import { authenticationDefaults, type Cluster, type ClusterOptions, clusterDefaults, createCluster, type StaticTokens } from './index.ts';

export type Body = Record<string, unknown>;

/** How the clock advances while a test waits for a response. */
export interface Pace {
  /** Default: 100. */
  readonly stepMs?: number;
  /** Number of steps. Default: 200. */
  readonly steps?: number;
}

/** A cluster for a test, in memory, with the users `admin` and `bob`. */
export interface TestCluster extends Omit<Cluster, 'onTrace'> {
  readonly clock: ManualClock;
  readonly storage: TimedKeySpace;
  /** Traces of all requests so far. */
  readonly traces: readonly RequestTrace[];
  readonly log: ReturnType<typeof createMemoryLog>;
  /** The API with the credentials of admin. */
  readonly adminApi: ApiHandler;
  /** Sends as admin with JSON, unless headers override it. */
  send(method: string, target: string, body?: object | Uint8Array, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>;
  /** Creates an object as admin; rejects if the server does. */
  create(target: string, object: object): Promise<void>;
  /** Advances the clock until the response is as expected. */
  until(target: string, isDone: (body: Body) => boolean, pace?: Pace): Promise<Body>;
}

const user = (username: string, groups: readonly string[]): User => ({ username, uid: `u-${username}`, groups, extra: {} });

/** The users of test clusters by their tokens. */
export const testTokens: StaticTokens = new Map([
  ['admin', user('admin', ['system:masters'])],
  ['bob', user('bob', [])],
]);

/** Options that do not change the objects that each start creates. */
const runtimeOptions: ReadonlySet<string> = new Set<keyof ClusterOptions>([
  'controllers',
  'corsAndHsts',
  'debugDocument',
  'goawayChance',
  'hostPages',
  'inFlightLimits',
  'network',
  'nodes',
  'profiling',
  'scheduler',
  'streamProtocols',
  'timeouts',
  'timingHeaders',
  'watchCache',
]);

/**
 * Starts a cluster. Without other options than these, it starts with a copy of the objects that each start creates, since creating them
 * takes more time than most tests.
 */
export async function startTestCluster(options: Partial<ClusterOptions> = {}, gates = ''): Promise<TestCluster> {
  const hasStartObjects = gates === '' && Object.keys(options).every((name) => runtimeOptions.has(name));
  if (!hasStartObjects) return startNewCluster(options, gates);
  startObjects ??= copyStartObjects();
  return startNewCluster(options, gates, await startObjects);
}

/** The objects of a cluster after its start. Created once in each worker of the test runner. */
let startObjects: Promise<KeySpaceCopy> | undefined;

async function copyStartObjects(): Promise<KeySpaceCopy> {
  const started = await startNewCluster({}, '');
  const copy = await copyKeySpace(started.storage);
  await started.close();
  return copy;
}

/** Starts a cluster with an empty storage, or with the objects of `copy`. */
async function startNewCluster(options: Partial<ClusterOptions>, gates: string, copy?: KeySpaceCopy): Promise<TestCluster> {
  const clock = createManualClock();
  const log = createMemoryLog();
  const storage = options.storage ?? createMemoryKeySpace(clock, copy);
  const { onTrace, ...cluster } = await createCluster({
    ...clusterDefaults,
    // Another seed than that of the copy, so that the UIDs of new objects differ from those of the copied ones.
    env: { clock, random: createSeededRandom(copy ? 2 : 1), log },
    storage,
    product: productByName('kubernetes'),
    authentication: {
      ...authenticationDefaults,
      tokens: testTokens,
    },
    createSigningKey: () => Promise.reject(new Error('no tokens are signed here')),
    featureGates: gates === '' ? clusterDefaults.featureGates : createFeatureGates(gates),
    ...options,
  });
  const traces: RequestTrace[] = [];
  onTrace((trace) => traces.push(trace));
  const send: TestCluster['send'] = (method, target, body, headers = {}) =>
    cluster.handle({
      method,
      target,
      headers: new Headers({ authorization: 'Bearer admin', 'content-type': 'application/json', ...headers }),
      body: body && (body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body))),
      signal: new AbortController().signal,
    });
  return {
    clock,
    storage,
    ...cluster,
    traces,
    log,
    adminApi: withHeaders(cluster.handle, [['authorization', 'Bearer admin']]),
    send,
    create: async (target, object) => {
      const response = await send('POST', target, object);
      if (response.status !== 201) throw new Error(`POST ${target}: ${response.status} ${String(response.body)}`);
    },
    until: async (target, isDone, { stepMs = 100, steps = 200 } = {}) => {
      for (let step = 0; step < steps; step++) {
        const body = bodyOf(await send('GET', target));
        if (isDone(body)) return body;
        await clock.advance(stepMs);
        await nextTurn();
      }
      throw new Error(`${target} did not become as expected: ${String((await send('GET', target)).body)} ${JSON.stringify(log.lines)}`);
    },
  };
}

/** A turn of the event loop, in which other threads may complete their work. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Advances the clock in steps, between which the event loop turns. */
export async function passTime(clock: ManualClock, seconds: number): Promise<void> {
  await nextTurn();
  for (let step = 0; step < seconds * 4; step++) {
    await clock.advance(250);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  }
}

/** The response body parsed as JSON; empty when it is not an object. */
export function bodyOf({ body }: ApiResponse): Body {
  const text = String(body ?? '');
  return text.startsWith('{') ? (JSON.parse(text) as Body) : {};
}
