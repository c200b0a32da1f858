import { type ApiClient, hasStatus, runWorkers, WorkQueue } from '../../client/index.ts';
import { type Clock, errorMessage, type Log } from '../../env/index.ts';
import { type HeaderLines, type HttpResponse, headerOf } from '../../http/index.ts';
import {
  type ApiObject,
  formatTime,
  isJsonObject,
  type JsonObject,
  joinHostPort,
  objectsAt,
  type Product,
  parseJson,
  recordAt,
  textAt,
} from '../../meta/index.ts';
import { keyPrefix, type ObjectStore, watchObjects } from '../../registry/index.ts';
import { type apiregistrationv1, apiregistrationv1APIServices, type corev1, type discoveryv1 } from '../../schema/api/index.ts';
import type { Catalog, Decoded } from '../../schema/index.ts';
import { type AggregatedVersion, type Metrics, ServiceUnresolved, userHeaders } from '../../server/index.ts';
import { type AggregatedServices, type APIService, discoveryOfResourceList, type SendToService } from './aggregated-services.ts';

export interface AvailabilityOptions {
  readonly services: AggregatedServices;
  readonly send: SendToService;
  readonly client: ApiClient;
  readonly metrics: Pick<Metrics, 'addQueue'>;
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  readonly product: Product;
  readonly clock: Clock;
  readonly log: Log;
}

/** Time between two checks of a server. */
const resyncMs = 30_000;
const checkTimeoutMs = 5_000;

type Service = Decoded<corev1.Service>;
type EndpointSlice = Decoded<discoveryv1.EndpointSlice>;
type Outcome = Pick<apiregistrationv1.APIServiceCondition, 'status' | 'reason' | 'message'>;

const passed: Outcome = { status: 'True', reason: 'Passed', message: 'all checks passed' };

/**
 * Starts the controller that maintains the condition `Available` of APIServices of other servers, and reads their discovery and OpenAPI
 * documents. The returned function stops it. Cf. kube-aggregator remote_available_controller.go.
 */
export async function startAvailabilityController(options: AvailabilityOptions): Promise<() => void> {
  const { services, store, catalog, product, metrics, clock, log } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const queue = new WorkQueue<string>({ clock, signal });
  metrics.addQueue('RemoteAvailabilityController', queue);
  const reader = new ServiceReader(options, signal);
  const stops: (() => void)[] = [];
  /** The current objects of a resource by `namespace/name`. */
  const openCache = async (groupVersion: string, name: string): Promise<ReadonlyMap<string, ApiObject>> => {
    const cache = new Map<string, ApiObject>();
    const resource = catalog.resource(product.rename(groupVersion), name);
    if (!resource) return cache;
    const observe = (key: string, object: ApiObject | undefined): void => {
      const shown = key.slice(keyPrefix(resource).length);
      if (object) cache.set(shown, object);
      else cache.delete(shown);
      for (const one of services.names) queue.add(one);
    };
    stops.push(await watchObjects(store, resource, observe, log));
    return cache;
  };
  const endpointSlices = await openCache('discovery.k8s.io/v1', 'endpointslices');
  const cluster = new ServiceState(await openCache('v1', 'services'), endpointSlices, product);
  const reconcile = async (name: string): Promise<void> => {
    const service = services.get(name);
    if (!service) return;
    const outcome = cluster.problemOf(service) ?? (await reader.check(name, service, cluster.originOf(service)));
    await writeCondition(options, service, outcome);
    queue.addAfter(name, resyncMs);
  };
  services.onChange((name) => queue.add(name));
  for (const name of services.names) queue.add(name);
  runWorkers({ queue, workers: 1, reconcile, name: 'APIServiceAvailability', log, signal });
  return () => {
    ending.abort();
    for (const stop of stops) stop();
  };
}

/** Checks an APIService against the objects of the cluster. */
class ServiceState {
  readonly #services: ReadonlyMap<string, Service>;
  readonly #slices: ReadonlyMap<string, EndpointSlice>;
  readonly #serviceLabel: string;

  constructor(services: ReadonlyMap<string, Service>, slices: ReadonlyMap<string, EndpointSlice>, product: Product) {
    this.#services = services;
    this.#slices = slices;
    this.#serviceLabel = product.rename('kubernetes.io/service-name');
  }

  /** The URL of the server without a path; its host is the cluster IP, or the external name. */
  originOf({ spec }: APIService): string {
    const { name = '', namespace = '', port = 443 } = spec?.service ?? {};
    const { type, externalName = '', clusterIP = '' } = this.#services.get(`${namespace}/${name}`)?.spec ?? {};
    return `https://${joinHostPort(type === 'ExternalName' ? externalName : clusterIP, port)}`;
  }

  problemOf({ spec }: APIService): Outcome | undefined {
    const { name = '', namespace = '', port = 443 } = spec?.service ?? {};
    const found = this.#services.get(`${namespace}/${name}`);
    const where = `service/${name} in ${JSON.stringify(namespace)}`;
    if (!found) return failed('ServiceNotFound', `${where} is not present`);
    const { type, ports = [] } = found.spec ?? {};
    if (type !== 'ClusterIP') return undefined;
    const servicePort = ports.find((one) => one.port === port);
    if (!servicePort) return failed('ServicePortError', `${where} is not listening on port ${port}`);
    const slices = [...this.#slices.values()].filter(
      ({ metadata }) => metadata?.namespace === namespace && metadata.labels?.[this.#serviceLabel] === name,
    );
    if (slices.length === 0) return failed('EndpointsNotFound', `cannot find endpointslices for ${where}`);
    const { name: portName = '' } = servicePort;
    if (slices.some((slice) => hasAvailableEndpoint(slice, portName))) return undefined;
    return failed('MissingEndpoints', `endpointslices for ${where} have no addresses with port name ${JSON.stringify(portName)}`);
  }
}

function failed(reason: string, message: string): Outcome {
  return { status: 'False', reason, message };
}

function hasAvailableEndpoint({ endpoints, ports }: EndpointSlice, portName: string): boolean {
  const isReady = endpoints?.some(({ conditions }) => conditions?.ready !== false) ?? false;
  return isReady && (ports?.some(({ name = '', port }) => name === portName && port !== undefined) ?? false);
}

/** Reads the documents of aggregated API servers, as a superuser. */
class ServiceReader {
  readonly #options: AvailabilityOptions;
  readonly #signal: AbortSignal;
  /** Documents of OpenAPI v2 that have an ETag, by the name of the APIService. */
  readonly #specs = new Map<string, { readonly etag: string; readonly document: JsonObject }>();

  constructor(options: AvailabilityOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** Reads the documents of a server, if it responds. */
  async check(name: string, service: APIService, origin: string): Promise<Outcome> {
    const { group = '', version = '' } = service.spec ?? {};
    const path = `/apis/${group}/${version}`;
    const url = `${origin}${path}`;
    try {
      const response = await this.#get(service, path, 'application/json');
      const text = await textOf(response);
      if (response.status < 200 || response.status >= 300)
        return failed('FailedDiscoveryCheck', `failing or missing response from ${url}: bad status from ${url}: ${response.status}`);
      const discovery = (await this.#aggregated(service, group, version)) ?? discoveryOfResourceList(jsonOf(text), group, version);
      const openApiUrls = await this.#openApiUrls(service, group, version);
      this.#options.services.setDocuments(name, { discovery, openApiUrls, openApiV2: await this.#openApiV2(name, service) });
      return passed;
    } catch (error) {
      if (error instanceof ServiceUnresolved) return failed('FailedDiscoveryCheck', error.message);
      return failed('FailedDiscoveryCheck', `failing or missing response from ${url}: Get ${JSON.stringify(url)}: ${errorMessage(error)}`);
    }
  }

  async #aggregated(service: APIService, group: string, version: string): Promise<JsonObject | undefined> {
    const type = this.#options.product.rename('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    const response = await this.#get(service, '/apis', type);
    const text = await textOf(response);
    if (response.status !== 200 || !headerOf(response.headers, 'content-type').includes('as=APIGroupDiscoveryList')) return undefined;
    const found = objectsAt(jsonOf(text), 'items').find((item) => textAt(recordAt(item, 'metadata'), 'name') === group);
    return found && objectsAt(found, 'versions').find((one) => one['version'] === version);
  }

  async #openApiUrls(service: APIService, group: string, version: string): Promise<AggregatedVersion['openApiUrls']> {
    const response = await this.#get(service, '/openapi/v3', 'application/json');
    const text = await textOf(response);
    if (response.status === 404) return undefined;
    if (response.status !== 200) return {};
    const paths = recordAt(jsonOf(text), 'paths');
    const urls = [`apis/${group}`, `apis/${group}/${version}`].map((name) => [name, textAt(recordAt(paths, name), 'serverRelativeURL')]);
    return Object.fromEntries(urls.filter(([, url]) => url !== ''));
  }

  /** Cf. kube-aggregator openapi/aggregator downloader.go. */
  async #openApiV2(name: string, service: APIService): Promise<JsonObject | undefined> {
    const known = this.#specs.get(name);
    const response = await this.#get(service, '/openapi/v2', 'application/json', known ? [['if-none-match', known.etag]] : []);
    const text = await textOf(response);
    if (response.status === 304) return known?.document;
    if (response.status !== 200) return undefined;
    const document = jsonOf(text);
    const etag = headerOf(response.headers, 'etag');
    if (etag === '') this.#specs.delete(name);
    else this.#specs.set(name, { etag, document });
    return document;
  }

  async #get(service: APIService, target: string, accept: string, further: HeaderLines = []): Promise<HttpResponse> {
    const user = { username: 'system:kube-aggregator', uid: '', groups: ['system:masters'], extra: {} };
    const timeout = new AbortController();
    const message = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
    const cancel = this.#options.clock.schedule(checkTimeoutMs, () => timeout.abort(new Error(message)));
    const signal = AbortSignal.any([this.#signal, timeout.signal]);
    try {
      const headers = [['accept', accept] as const, ...further, ...userHeaders(user)];
      return await this.#options.send(service, { method: 'GET', target, headers, body: undefined }, signal);
    } finally {
      cancel();
    }
  }
}

/** Limit of a document. */
const maxDocumentBytes = 16 << 20;

async function textOf({ body }: HttpResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    if (text.length > maxDocumentBytes) throw new Error('the document is too large');
  }
  return text + decoder.decode();
}

function jsonOf(text: string): JsonObject {
  const { value } = parseJson(text);
  return isJsonObject(value) ? value : {};
}

async function writeCondition({ client, clock }: AvailabilityOptions, service: APIService, outcome: Outcome): Promise<void> {
  const conditions = service.status?.conditions ?? [];
  const current = conditions.find(({ type }) => type === 'Available');
  if (current && current.status === outcome.status && current.reason === outcome.reason && current.message === outcome.message) return;
  const lastTransitionTime = (current?.status === outcome.status && current.lastTransitionTime) || formatTime(clock.nowMs());
  const condition = { type: 'Available', ...outcome, lastTransitionTime };
  const others = conditions.filter(({ type }) => type !== 'Available');
  try {
    await client.resource(apiregistrationv1APIServices).updateStatus({ ...service, status: { conditions: [...others, condition] } });
  } catch (error) {
    // It was deleted, or another server was faster: its change is observed.
    if (!hasStatus(error, 404, 409)) throw error;
  }
}
