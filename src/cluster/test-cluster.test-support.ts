import type { User } from '../authn/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom, type ManualClock } from '../env/index.ts';
import { type ApiHandler, type ApiResponse, createFeatureGates, productByName, type RequestTrace, withHeaders } from '../meta/index.ts';
import { createMemoryKeySpace, type TimedKeySpace } from '../storage/index.ts';
import { authenticationDefaults, type Cluster, type ClusterOptions, clusterDefaults, createCluster, type StaticTokens } from './index.ts';

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
}

const user = (username: string, groups: readonly string[]): User => ({ username, uid: `u-${username}`, groups, extra: {} });

/** The users of test clusters by their tokens. */
export const testTokens: StaticTokens = new Map([
  ['admin', user('admin', ['system:masters'])],
  ['bob', user('bob', [])],
]);

export async function startTestCluster(options: Partial<ClusterOptions> = {}, gates = ''): Promise<TestCluster> {
  const clock = createManualClock();
  const log = createMemoryLog();
  const storage = options.storage ?? createMemoryKeySpace(clock);
  const { onTrace, ...cluster } = await createCluster({
    ...clusterDefaults,
    env: { clock, random: createSeededRandom(1), log },
    storage,
    product: productByName('kubernetes'),
    authentication: {
      ...authenticationDefaults,
      tokens: testTokens,
    },
    createSigningKey: () => Promise.reject(new Error('no tokens are signed here')),
    featureGates: createFeatureGates(gates),
    ...options,
  });
  const traces: RequestTrace[] = [];
  onTrace((trace) => traces.push(trace));
  return {
    clock,
    storage,
    ...cluster,
    traces,
    log,
    adminApi: withHeaders(cluster.handle, [['authorization', 'Bearer admin']]),
    send: (method, target, body, headers = {}) =>
      cluster.handle({
        method,
        target,
        headers: new Headers({ authorization: 'Bearer admin', 'content-type': 'application/json', ...headers }),
        body: body && (body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body))),
        signal: new AbortController().signal,
      }),
  };
}

/** The response body parsed as JSON; empty when it is not an object. */
export function bodyOf({ body }: ApiResponse): Record<string, unknown> {
  const text = String(body ?? '');
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
}
