import {
  type AuditRing,
  authenticationDefaults,
  clusterDefaults,
  createAuditRing,
  readAuditPolicyFile,
  readTokenFile,
  startControllers,
  createCluster as wireCluster,
} from '../../cluster/index.ts';
import { type Clock, createPace, type Env } from '../../env/index.ts';
import { type ApiHandler, type ApiResponse, type ProductName, productByName } from '../../meta/index.ts';
import type { TimedKeySpace } from '../../storage/index.ts';
import { createSigningKey } from '../signing-key.ts';

/** Settings of an embedded cluster, for tests, tools and pages. */
export interface ClusterSettings {
  /** Default `svc`. */
  readonly names?: ProductName;
  /** Content of a token file; default: `admin-token` is admin. */
  readonly tokens?: string;
  /** Content of an audit policy; default: no auditing. */
  readonly auditPolicy?: string;
  /** Whether controllers run (default service accounts, namespace deletion, role aggregation, …); default: false. */
  readonly controllers?: boolean;
}

/** Limits of the audit events in memory. */
const auditLimits = { events: 1000, bodies: 16 * 1024 * 1024 };

export interface Cluster {
  /** Like the platform's fetch, for any URL: the path below its origin is the API path. */
  readonly fetch: typeof fetch;
  /** The same without the platform's Request and Response, which cost more than most responses. */
  readonly handle: ApiHandler;
  /** The latest audit events, and a subscription to new ones. */
  readonly audit: Pick<AuditRing, 'events' | 'onEvent'>;
  close(): Promise<void>;
}

/** Starts a cluster on its own storage. @throws TokenFileError, AuditPolicyError */
export async function createLibraryCluster(
  env: Env,
  storage: TimedKeySpace,
  { names = 'svc', tokens = 'admin-token,admin,u-admin,"system:masters"', auditPolicy, controllers = false }: ClusterSettings,
): Promise<Cluster> {
  const product = productByName(names);
  const audit = createAuditRing(auditLimits);
  const policy = auditPolicy === undefined ? undefined : readAuditPolicyFile(auditPolicy, product, env.log);
  const cluster = await wireCluster({
    ...clusterDefaults,
    env,
    storage,
    product,
    auditing: policy && { policy, sink: audit },
    authentication: { ...authenticationDefaults, tokens: readTokenFile(tokens, 'tokens', product) },
    createSigningKey,
    controllers: controllers ? startControllers : 'none',
  });
  return {
    fetch: async (input, init) => toResponse(await cluster.handle(await toApiRequest(new Request(input, init))), env.clock),
    handle: cluster.handle,
    audit,
    close: () => cluster.close(),
  };
}

async function toApiRequest(request: Request): Promise<Parameters<ApiHandler>[0]> {
  const url = new URL(request.url);
  return {
    method: request.method,
    target: url.pathname + url.search,
    headers: request.headers,
    body: request.body === null ? undefined : new Uint8Array(await request.arrayBuffer()),
    signal: request.signal,
  };
}

/** Statuses without a body: the Response constructor throws with one. */
const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

function toResponse({ status, headers, body }: ApiResponse, clock: Clock): Response {
  const shown = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
  if (body === undefined || bodiless.has(status)) return new Response(null, { status, headers: shown });
  if (typeof body === 'string' || body instanceof Uint8Array) return new Response(body as BodyInit, { status, headers: shown });
  return new Response(toStream(body, clock), { status, headers: shown });
}

function toStream(body: AsyncIterable<string | Uint8Array>, clock: Clock): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const pace = createPace(clock);
  return new ReadableStream({
    async pull(controller) {
      await pace();
      const next = await iterator.next();
      if (next.done) controller.close();
      else controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
