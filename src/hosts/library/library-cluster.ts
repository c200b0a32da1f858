import { ApiClient } from '../../client/api/index.ts';
import {
  type AuditEvent,
  authenticationDefaults,
  baseControllers,
  type ClusterOptions,
  clusterDefaults,
  createAuditRing,
  readAuditPolicyFile,
  readTokenFile,
  startControllers,
  createCluster as wireCluster,
} from '../../cluster/index.ts';
import type { ContainerImage } from '../../containers/index.ts';
import { type Clock, createPace, type Env } from '../../env/index.ts';
import { type ApiHandler, type ApiResponse, type Product, type ProductName, productByName, withHeaders } from '../../meta/index.ts';
import type { TimedKeySpace } from '../../storage/index.ts';
import { canSign, createCertificateAuthority, createServingCertificate, createSigner, serviceNames } from '../certificate-authority.ts';
import { type ApiServerHandler, createHandlerTransport } from '../service-handlers.ts';
import { createSigningKey } from '../signing-key.ts';
import type { UnknownImages } from '../unknown-images.ts';
import { createHandlerCaller, createHandlerOutbound, type WebhookHandler } from '../webhook-handlers.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Settings of an embedded cluster, for tests, tools and pages. */
export interface ClusterSettings {
  /**
   * The API groups, labels and namespaces of the cluster: `kubernetes` has the real names, which manifests and clients of Kubernetes need,
   * and `svc` the neutral ones of the specification. Default: `svc`.
   */
  readonly names?: ProductName;
  /**
   * The bearer tokens, in the format of `--token-auth-file`: one line `token,user,uid,"group,group"` for each, without a header.
   * Default: `admin-token`, of the user `admin` in the group `system:masters`, which may do everything.
   */
  readonly tokens?: string;
  /** An audit policy in YAML or JSON, as for `--audit-policy-file`. Default: no events are recorded. */
  readonly auditPolicy?: string;
  /**
   * Whether the controllers run: default service accounts and their tokens, the ConfigMap with the CA of the cluster, deletion of namespaces,
   * aggregated roles. Without them a pod can be created only where its service account exists. With `nodes`, these are all controllers and
   * the scheduler. Default: false.
   */
  readonly controllers?: boolean;
  /**
   * The number of simulated nodes `node-1`, `node-2` and so on, which run pods; those of Node objects with the annotation
   * `kwok.x-k8s.io/node: fake` are simulated, too. Containers of emulated
   * images run, with logs, exec and a network; others are simulated by their images and commands. Default: no node runs pods.
   */
  readonly nodes?: number;
  /**
   * Containers of images that are neither emulated nor known: they run without a program (`run`), cannot be pulled when the image has no
   * registry and is no official image of Docker Hub (`fail-short-names`), or cannot be pulled at all (`fail`). Default: `run`.
   */
  readonly unknownImages?: UnknownImages;
  /**
   * A KubeSchedulerConfiguration in YAML or JSON, as for `--scheduler-config`: profiles, plugins and their arguments. Default: that of
   * kube-scheduler.
   */
  readonly schedulerConfig?: string;
  /** `virtual`: the time advances in `advance` and `runUntilIdle` only, so that tests need not wait. Default: `real`. */
  readonly clock?: 'real' | 'virtual';
}

/** Limits of the audit events in memory. */
const auditLimits = { events: 1000, bodies: 16 * 1024 * 1024 };

/** A running cluster. */
export interface Cluster {
  /**
   * The platform's `fetch`, answered by this cluster: the path below the origin of the URL is the API path, and the origin itself has no
   * meaning. Requests need an `authorization` header, else their user is `system:anonymous`. The body of a watch is a stream. Errors of the
   * API are responses with a Status. Rejects with a TypeError for an invalid URL or header, and with the reason of an aborted signal.
   */
  readonly fetch: typeof fetch;
  /** The same without the platform's Request and Response, which cost more than most responses. */
  readonly handle: ApiHandler;
  /**
   * Creates a typed client with the rights of a bearer token. Its methods throw ApiError for an error response, also for an unknown token
   * (401). `signal` aborts all of its requests; default: none is aborted.
   */
  client(token: string, signal?: AbortSignal): ApiClient;
  /**
   * Images of containers whose programs are functions, by their repository: `cluster.images.set('example.com/app', { programs: … })`. Containers
   * that are created later use them. They need `nodes`.
   */
  readonly images: Map<string, ContainerImage>;
  /**
   * Webhooks for admission and conversion by their URLs, without a network: `cluster.webhooks.set('https://hooks.example/check', handler)`.
   * That of a Service has the URL `https://NAME.NAMESPACE.svc/PATH`. The handler gets a review with a `request` and returns one with a
   * `response`.
   */
  readonly webhooks: Map<string, WebhookHandler>;
  /**
   * Aggregated API servers that are functions, by the origin of the Service in their APIService objects:
   * `cluster.apiServers.set('https://NAME.NAMESPACE.svc', (request) => Response.json({ … }))`.
   */
  readonly apiServers: Map<string, ApiServerHandler>;
  /** The audit events that `auditPolicy` selects. */
  readonly audit: ClusterAudit;
  /**
   * Advances the time of a cluster with a virtual clock: all timers that are due fire, in order. Rejects for one with the real clock.
   */
  advance(ms: number): Promise<void>;
  /**
   * Advances the time until there were no changes for 15 seconds besides heartbeats and events: rollouts are complete, and failing
   * containers wait for their restart. Resolves with the elapsed milliseconds. Rejects for a cluster with the real clock.
   */
  runUntilIdle(): Promise<number>;
  /** Ends all watches and stops the controllers. Later requests get status 500. The objects of a cluster in memory are lost. */
  close(): Promise<void>;
}

/** The audit events of a cluster. */
export interface ClusterAudit {
  /** The latest events, oldest first: at most 1000, and at most 16 Mi characters of recorded bodies. */
  readonly events: readonly AuditEvent[];
  /** Subscribes to new events; returns the function to unsubscribe. */
  onEvent(listener: (event: AuditEvent) => void): () => void;
}

/** Starts a cluster on its own storage. @throws TokenFileError, AuditPolicyError, SchedulerConfigError */
export async function createLibraryCluster(
  platform: Env,
  openStorage: (clock: Clock) => TimedKeySpace | Promise<TimedKeySpace>,
  { names = 'svc', tokens = 'admin-token,admin,u-admin,"system:masters"', auditPolicy, ...settings }: ClusterSettings,
): Promise<Cluster> {
  const time = settings.clock === 'virtual' ? (await import('./whole-cluster.ts')).createVirtualTime(platform.clock) : undefined;
  const env = { ...platform, clock: time?.clock ?? platform.clock };
  const product = productByName(names);
  const images = new Map<string, ContainerImage>();
  const webhooks = new Map<string, WebhookHandler>();
  const apiServers = new Map<string, ApiServerHandler>();
  const audit = createAuditRing(auditLimits);
  const policy = auditPolicy === undefined ? undefined : readAuditPolicyFile(auditPolicy, product, env.log);
  const cluster = await wireCluster({
    ...clusterDefaults,
    env,
    storage: await openStorage(env.clock),
    product,
    auditing: policy && { policy, sink: audit },
    authentication: { ...authenticationDefaults, tokens: readTokenFile(tokens, 'tokens', product) },
    admission: { ...clusterDefaults.admission, outbound: createHandlerOutbound(createHandlerCaller(webhooks), env.clock) },
    aggregation: { ...clusterDefaults.aggregation, transport: createHandlerTransport(apiServers) },
    createSigningKey,
    ...(await partsOf(settings, images, product)),
    ...(settings.controllers === true && canSign() ? await certificatesOf(settings, env.clock, product) : {}),
  });
  time?.observe(cluster);
  const virtualTime = async (): Promise<VirtualTime> => {
    if (!time) throw new Error("only a cluster with clock: 'virtual' can move its time");
    return time;
  };
  return {
    fetch: async (input, init) => fetchFrom(cluster.handle, new Request(input, init), env.clock),
    handle: cluster.handle,
    client: (token, signal = new AbortController().signal) =>
      new ApiClient({ api: withHeaders(cluster.handle, [['authorization', `Bearer ${token}`]]), product, signal }),
    images,
    webhooks,
    apiServers,
    audit,
    advance: async (ms) => (await virtualTime()).advance(ms),
    runUntilIdle: async () => (await virtualTime()).runUntilIdle(),
    close: () => cluster.close(),
  };
}

/** The controllers and nodes. */
async function partsOf(
  { controllers = false, nodes, schedulerConfig, unknownImages = 'run' }: ClusterSettings,
  images: ReadonlyMap<string, ContainerImage>,
  product: Product,
): Promise<Pick<ClusterOptions, 'controllers' | 'scheduler' | 'nodes' | 'network' | 'streamProtocols'>> {
  if (nodes === undefined) return { controllers: controllers ? startControllers : 'none', scheduler: 'none', nodes: 'none' };
  const { furtherControllers, nodeOptions, schedulerStarter } = await import('./whole-cluster.ts');
  const scheduler = await schedulerStarter(schedulerConfig, product);
  const available = { ...baseControllers, ...furtherControllers };
  return {
    controllers: controllers ? (options) => startControllers(options, { available, enabled: ['*'] }) : 'none',
    scheduler: controllers ? scheduler : 'none',
    ...(await nodeOptions(nodes, product, { unknownImages, images })),
  };
}

/** The CA of the cluster, whose certificate is published, and which signs requests and, with nodes, the certificate for their pods. */
async function certificatesOf(
  { nodes }: ClusterSettings,
  clock: Clock,
  product: Product,
): Promise<Pick<ClusterOptions, 'rootAuthority' | 'certificateAuthority' | 'servingCertificate'>> {
  const nowMs = (): number => clock.nowMs();
  const signer = await createSigner(nowMs());
  return {
    rootAuthority: signer.certificate,
    certificateAuthority: createCertificateAuthority(signer, nowMs),
    servingCertificate:
      nodes === undefined
        ? undefined
        : await createServingCertificate(serviceNames(product, clusterDefaults.serviceRanges), signer, nowMs()),
  };
}

async function fetchFrom(handle: ApiHandler, request: Request, clock: Clock): Promise<Response> {
  request.signal.throwIfAborted();
  const response = await handle(await toApiRequest(request));
  request.signal.throwIfAborted();
  return toResponse(response, clock);
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
