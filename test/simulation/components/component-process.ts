import { TransportError } from '../../../src/client/index.ts';
import { type ApiHandler, type ApiRequest, type ApiResponse, getOrAdd, type ResponseBody } from '../../../src/meta/index.ts';
import type { Environment } from '../environment.ts';
import { createProcess, type Process } from '../server-process.ts';

/** How often requests of components fail: one in so many. */
export interface FaultRates {
  /** The process of the component ends before or after the request. */
  readonly kill: number;
  readonly error: number;
  readonly delay: number;
}

const shortDelayMs = 20;
const longDelayMs = 3_000;
/** From the reads of a cache until the last request that follows from them. */
const decisionMs = 400;
/** A request without a response fails after this time at most. */
const hangMs = 25_000;

const never = <Result>(): Promise<Result> => new Promise(() => {});

/** The resources of whose caches rules know the revision. */
const cachedResources = ['pods', 'replicasets'] as const;
export type CachedResource = (typeof cachedResources)[number];
/** The newest revisions that the caches of one connection have had. */
type CacheRevisions = Map<CachedResource, { readonly atMs: number; readonly revision: number }[]>;

export interface SimulatedProcess {
  readonly rates: FaultRates;
  /** Nodes that cannot reach the server. */
  readonly isolated: ReadonlySet<string>;
  /** The process of the same components before. */
  readonly earlier: ComponentProcess | undefined;
}

/**
 * A process with components: its requests are delayed, fail before or after their effect, and are the points at which the process is
 * killed. After its death no timer fires and no response arrives.
 */
export class ComponentProcess {
  readonly name: string;
  readonly process: Process;
  readonly #environment: Environment;
  readonly #rates: FaultRates;
  /** Nodes that cannot reach the server. */
  readonly #isolated: ReadonlySet<string>;
  /** The caches of each connection but those of nodes, whose caches have a part of the pods. */
  readonly #caches: CacheRevisions[] = [];
  #diedMs = Number.POSITIVE_INFINITY;
  /** The process before it, whose decisions count until this one has caches. */
  readonly #earlier: ComponentProcess | undefined;

  constructor(name: string, environment: Environment, { rates, isolated, earlier }: SimulatedProcess) {
    this.name = name;
    this.#earlier = earlier;
    this.process = createProcess(environment);
    this.#environment = environment;
    this.#rates = rates;
    this.#isolated = isolated;
  }

  /** The API as this process reaches it. `node` is the node that sends the requests. */
  connect(api: ApiHandler, node?: string): ApiHandler {
    const caches: CacheRevisions = new Map();
    if (node === undefined) this.#caches.push(caches);
    return async (request) => {
      const isRead = request.method === 'GET';
      await this.#step();
      // No rule reads events, which are a third of the writes.
      if (!isRead && request.target.includes('/events')) return { status: 201, headers: [], body: request.body };
      if (node !== undefined && this.#isolated.has(node)) {
        await this.process.clock.sleep(1_000);
        throw lost('no route to host');
      }
      const fault = this.#chooseFault(isRead);
      if (fault === 'lost request') throw lost(fault);
      if (fault === 'request timed out') return this.#fail(fault);
      if (fault === 'conflict' || fault === 'internal error') return statusResponse(fault);
      const response = await api(request);
      await this.#step();
      if (fault === 'lost response') throw lost(fault);
      if (fault === 'response timed out') return this.#fail(fault);
      if (typeof response.body === 'string') this.#observeRevision(caches, request, response.body);
      return { ...response, body: this.#carried(caches, request, response.body) };
    };
  }

  kill(): void {
    this.#diedMs = Math.min(this.#diedMs, this.#environment.clock.monotonicMs());
    this.process.kill();
  }

  /** The oldest revision of a resource that a cache had a while ago: requests may follow from what it was then. */
  cacheRevision(resource: CachedResource): number {
    const untilMs = Math.min(this.#environment.clock.monotonicMs(), this.#diedMs) - decisionMs;
    const histories = this.#caches.map((caches) => caches.get(resource) ?? []);
    const known = histories.flatMap((revisions) => revisions.findLast(({ atMs }) => atMs <= untilMs)?.revision ?? []);
    if (known.length > 0) return Math.min(...known);
    return this.#earlier?.cacheRevision(resource) ?? Math.min(...histories.flatMap(([first]) => first?.revision ?? []));
  }

  #observeRevision(caches: CacheRevisions, request: ApiRequest, text: string): void {
    const resource = cachedResourceOf(request);
    const revision = resource && lastRevision(text);
    if (!resource || revision === undefined) return;
    getOrAdd(caches, resource, () => []).push({ atMs: this.#environment.clock.monotonicMs(), revision });
  }

  /** A point between two requests: the process may end here, and time may pass. */
  async #step(): Promise<void> {
    const { faults, once, random, record, coverage } = this.#environment;
    if (this.process.isDead) return never();
    if (faults.enabled && once(this.#rates.kill)) {
      record(this.name, 'FAULT is killed');
      coverage.count('components killed');
      this.kill();
      return never();
    }
    if (once(this.#rates.delay)) await this.process.clock.sleep(1 + random.integer(shortDelayMs));
    if (this.process.isDead) return never();
  }

  #chooseFault(isRead: boolean): Fault | undefined {
    const { faults, once, pick, record, coverage } = this.#environment;
    if (!faults.enabled || !once(this.#rates.error)) return undefined;
    const fault = pick(isRead ? readFaults : writeFaults);
    coverage.count(`fault: ${fault}`);
    record(this.name, `FAULT ${fault}`);
    return fault;
  }

  async #fail(fault: Fault): Promise<never> {
    await this.process.clock.sleep(this.#environment.random.integer(hangMs));
    throw lost(fault);
  }

  #carried(caches: CacheRevisions, request: ApiRequest, body: ResponseBody): ResponseBody {
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
    return this.#stream(caches, request, body);
  }

  async *#stream(
    caches: CacheRevisions,
    request: ApiRequest,
    body: AsyncIterable<string | Uint8Array>,
  ): AsyncGenerator<string | Uint8Array> {
    const { faults, once, random, coverage } = this.#environment;
    const chunks = body[Symbol.asyncIterator]();
    const ended = this.process.killed.then(() => ({ done: true, value: undefined }) as const);
    try {
      for (;;) {
        const next = await Promise.race([chunks.next(), ended]);
        if (this.process.isDead) {
          void chunks.return?.();
          return await never();
        }
        if (next.done || request.signal.aborted) return;
        if (once(this.#rates.delay)) await this.process.clock.sleep(1 + random.integer(once(20) ? longDelayMs : shortDelayMs));
        if (faults.enabled && once(this.#rates.error * 4)) {
          coverage.count('watches broken');
          throw lost('the watch broke');
        }
        yield next.value;
        this.#observeRevision(caches, request, String(next.value));
      }
    } finally {
      void chunks.return?.();
    }
  }
}

const readFaults = ['lost request', 'lost response', 'request timed out', 'internal error'] as const;
const writeFaults = [
  'conflict',
  'lost request',
  'lost response',
  'lost response',
  'request timed out',
  'response timed out',
  'internal error',
] as const;
type Fault = (typeof readFaults)[number] | (typeof writeFaults)[number];

/** The resource of a list or watch of all its objects. Caches of metadata alone have watches of their own, and no rule's decisions. */
function cachedResourceOf({ method, target, headers }: ApiRequest): CachedResource | undefined {
  const isOfObjects = method === 'GET' && !headers.get('accept')?.includes('as=PartialObjectMetadata');
  return isOfObjects ? cachedResources.find((resource) => target.replace(/\?.*/, '').endsWith(`/${resource}`)) : undefined;
}

function lastRevision(text: string): number | undefined {
  const revisions = [...text.matchAll(/"resourceVersion":"(\d+)"/g)].map(([, revision]) => Number(revision));
  return revisions.length === 0 ? undefined : Math.max(...revisions);
}

const lost = (what: string): TransportError => new TransportError('network', what);

function statusResponse(fault: 'conflict' | 'internal error'): ApiResponse {
  const [code, reason] = fault === 'conflict' ? [409, 'Conflict'] : [500, 'InternalError'];
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: `injected: ${fault}`, reason, code };
  return { status: code, headers: [['content-type', 'application/json']], body: JSON.stringify(status) };
}
