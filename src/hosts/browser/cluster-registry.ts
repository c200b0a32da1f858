import { clustersPath, freshClusterId, mainClusterId } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import {
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  hostErrorResponse,
  type Product,
  type ProductName,
  productByName,
  type RequestTrace,
} from '../../meta/index.ts';
import { type KeySpaceCopy, parseKeySpaceCopy } from '../../storage/index.ts';
import { LazyCluster } from './lazy-cluster.ts';
import { evaluateChecksAsAdmin, parseCheckRequest } from './lesson-checks.ts';
import type { RunningCluster } from './running-cluster.ts';

/** Storage of the additional clusters of a page. */
export interface ClusterStores {
  /** The names of each stored cluster's API. */
  namesById(): Promise<ReadonlyMap<string, ProductName>>;
  open(id: string, names: ProductName): Promise<RunningCluster>;
  /** Opens a new cluster that is not stored. */
  openFresh(names: ProductName): Promise<RunningCluster>;
  /** Replaces the names and the content with a copy, or empties it. */
  fill(id: string, names: ProductName, copy: KeySpaceCopy | undefined): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface ClusterRegistryOptions {
  readonly main: LazyCluster;
  readonly stores: ClusterStores;
  /** The product of the main cluster. */
  readonly product: Product;
  /** Receives the traces of requests to additional clusters. */
  readonly onTrace: (id: string, trace: RequestTrace) => void;
}

/** Limit of open additional clusters; the least recently used one is closed. */
const openMax = 3;
const copyMaxBytes = 64 * 1024 * 1024;

/** Dispatches requests to the clusters of a page's origin: its own, and additional ones below their path (client/cluster-path.ts). */
export class ClusterRegistry {
  readonly #options: ClusterRegistryOptions;
  readonly #open = new Map<string, LazyCluster>();
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(options: ClusterRegistryOptions) {
    this.#options = options;
  }

  readonly handle: ApiHandler = (request) => {
    if (!request.target.startsWith(clustersPath)) return this.#options.main.handle(request);
    const found = /^\/~clusters(?:\/([a-z0-9][a-z0-9-]{0,62})(?:(\/.*)|\?names=(svc|kubernetes))?)?$/.exec(request.target);
    if (!found) return Promise.resolve(hostErrorResponse(404, `there is no cluster at ${request.target}`));
    const [, id, rest, names] = found;
    if (id === undefined) return this.#list(request);
    return rest === undefined ? this.#manage(request, id, names as ProductName | undefined) : this.#forward(request, id, rest);
  };

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all([this.#options.main.close(), ...open.map((cluster) => cluster.close())]);
  }

  async #list({ method }: ApiRequest): Promise<ApiResponse> {
    if (method !== 'GET') return hostErrorResponse(405, 'the clusters can only be listed');
    const names = await this.#options.stores.namesById();
    return json(200, { clusters: [...names.keys()].sort(), names: Object.fromEntries(names) });
  }

  async #forward(request: ApiRequest, id: string, target: string): Promise<ApiResponse> {
    const cluster = await this.#serialize(() => this.#findCluster(id));
    return cluster === undefined ? hostErrorResponse(404, `there is no cluster ${id}`) : cluster.handle({ ...request, target });
  }

  async #evaluateChecks({ body, signal }: ApiRequest, id: string): Promise<ApiResponse> {
    const checkRequest = body && parseCheckRequest(new TextDecoder().decode(body));
    if (checkRequest === undefined) return hostErrorResponse(400, 'what was sent are no checks');
    const cluster = await this.#serialize(() => this.#findCluster(id));
    if (cluster === undefined) return hostErrorResponse(404, `there is no cluster ${id}`);
    const product = productByName(await this.#namesOf(id));
    return json(200, await evaluateChecksAsAdmin(checkRequest, cluster.handle, product, signal));
  }

  /** Serializes changes to the set of clusters; requests to the clusters are not blocked. */
  async #manage(request: ApiRequest, id: string, names: ProductName | undefined): Promise<ApiResponse> {
    const { method, body } = request;
    if (method === 'POST') return this.#evaluateChecks(request, id);
    if (id === freshClusterId)
      return method === 'GET'
        ? copyAndClose(await this.#options.stores.openFresh(names ?? this.#options.product.name))
        : hostErrorResponse(405, 'a new cluster can only be read');
    if (id === mainClusterId && method !== 'GET') return hostErrorResponse(405, "the page's own cluster can only be read");
    return this.#serialize(async () => {
      switch (method) {
        case 'GET':
          return this.#copy(id);
        case 'PUT':
          return this.#fill(id, names, body);
        case 'DELETE':
          await this.#closeCluster(id);
          await this.#options.stores.remove(id);
          return json(200, { removed: id });
        default:
          return hostErrorResponse(405, `a cluster can be read, put, queried and deleted, not ${method}`);
      }
    });
  }

  /** Copies a cluster. One that is not open is opened only for the copy, and evicts no other. */
  async #copy(id: string): Promise<ApiResponse> {
    const open = id === mainClusterId ? this.#options.main : this.#open.get(id);
    if (open !== undefined) return json(200, await (await open.get()).copy());
    const { stores } = this.#options;
    const names = (await stores.namesById()).get(id);
    if (names === undefined) return hostErrorResponse(404, `there is no cluster ${id}`);
    return copyAndClose(await stores.open(id, names));
  }

  async #fill(id: string, requested: ProductName | undefined, body: Uint8Array | undefined): Promise<ApiResponse> {
    if (body !== undefined && body.length > copyMaxBytes) return hostErrorResponse(413, 'the copy is larger than a cluster may be');
    const copy = body === undefined ? undefined : parseCopy(body);
    if (copy === 'no copy') return hostErrorResponse(400, 'what was sent is no copy of a cluster');
    await this.#closeCluster(id);
    const { stores } = this.#options;
    const names = requested ?? (await this.#namesOf(id));
    await stores.fill(id, names, copy);
    try {
      await this.#addCluster(id, names).get();
    } catch (error) {
      // A cluster that cannot be opened is removed.
      this.#open.delete(id);
      await stores.remove(id);
      return hostErrorResponse(400, `the copy holds no cluster: ${errorMessage(error)}`);
    }
    return json(201, { created: id });
  }

  async #findCluster(id: string): Promise<LazyCluster | undefined> {
    if (id === mainClusterId) return this.#options.main;
    const open = this.#open.get(id);
    if (open) {
      // Moved to the end: the first entry is the least recently used one.
      this.#open.delete(id);
      this.#open.set(id, open);
      return open;
    }
    const names = (await this.#options.stores.namesById()).get(id);
    return names === undefined ? undefined : this.#addCluster(id, names);
  }

  /** The names of a stored cluster, else those of the main one. */
  async #namesOf(id: string): Promise<ProductName> {
    const { stores, product } = this.#options;
    return (await stores.namesById()).get(id) ?? product.name;
  }

  #addCluster(id: string, names: ProductName): LazyCluster {
    const { stores, onTrace } = this.#options;
    const cluster = new LazyCluster(async () => {
      const running = await stores.open(id, names);
      running.onTrace((trace) => onTrace(id, trace));
      return running;
    });
    this.#open.set(id, cluster);
    const [oldest] = this.#open.keys();
    if (this.#open.size > openMax && oldest !== undefined) void this.#closeCluster(oldest);
    return cluster;
  }

  async #closeCluster(id: string): Promise<void> {
    const cluster = this.#open.get(id);
    this.#open.delete(id);
    await cluster?.close();
  }

  #serialize<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#lastChange.then(work);
    this.#lastChange = result.catch(() => undefined);
    return result;
  }
}

async function copyAndClose(cluster: RunningCluster): Promise<ApiResponse> {
  try {
    return json(200, await cluster.copy());
  } finally {
    await cluster.close();
  }
}

function parseCopy(body: Uint8Array): KeySpaceCopy | 'no copy' {
  try {
    return parseKeySpaceCopy(JSON.parse(new TextDecoder().decode(body))) ?? 'no copy';
  } catch {
    // Invalid JSON.
    return 'no copy';
  }
}

function json(status: number, value: unknown): ApiResponse {
  return { status, headers: [['content-type', 'application/json']], body: JSON.stringify(value) };
}
