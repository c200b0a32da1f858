import { type Cluster as CoreCluster, clusterDefaults, readTokenFile, createCluster as wireCluster } from '../../cluster/index.ts';
import { type ApiHandler, type ApiResponse, type ProductName, productNamed } from '../../meta/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { createNodeEnv, createStderrLog } from './node-env.ts';

/** Tabplane in Node: a cluster as an object, for tests and tools. */
export interface ClusterSettings {
  /** Default `svc`. */
  readonly names?: ProductName;
  /** A token file's text; default: `admin-token` is admin. */
  readonly tokens?: string;
}

export interface Cluster {
  /** As the platform's fetch, for any URL: the path below its origin is the API's. */
  readonly fetch: typeof fetch;
  /** The same without the platform's Request and Response, which cost more than most answers. */
  readonly handle: ApiHandler;
  close(): Promise<void>;
}

/** A cluster of its own, in memory, ready to be asked. */
export async function createCluster({
  names = 'svc',
  tokens = 'admin-token,admin,u-admin,"system:masters"',
}: ClusterSettings = {}): Promise<Cluster> {
  const env = createNodeEnv(createStderrLog('warn'));
  const storage = createMemoryKeySpace(env.clock);
  const cluster: CoreCluster = await wireCluster({
    ...clusterDefaults,
    env,
    storage,
    product: productNamed(names),
    tokens: readTokenFile(tokens),
  });
  return {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      const bytes = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
      const answer = await cluster.handle({
        method: request.method,
        target: url.pathname + url.search,
        headers: request.headers,
        body: bytes,
        signal: request.signal,
      });
      return responseOf(answer);
    },
    handle: cluster.handle,
    close: () => cluster.close(),
  };
}

const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

function responseOf({ status, headers, body }: ApiResponse): Response {
  const shown = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
  if (body === undefined || bodiless.has(status)) return new Response(null, { status, headers: shown });
  if (typeof body === 'string' || body instanceof Uint8Array) return new Response(body as BodyInit, { status, headers: shown });
  return new Response(streamOf(body), { status, headers: shown });
}

function streamOf(body: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next();
      if (next.done) controller.close();
      else controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
