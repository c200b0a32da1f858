import type { Log } from '../../env/index.ts';
import { type ApiObject, isJsonObject, type JsonObject, type Product, sameJson } from '../../meta/index.ts';
import { keyPrefix, type ObjectStore, watchObjects } from '../../registry/index.ts';
import type { apiregistrationv1 } from '../../schema/api/index.ts';
import type { Catalog } from '../../schema/index.ts';
import type { AggregatedApis, AggregatedVersion } from '../../server/index.ts';
import { isLocalService } from '../definitions/api-services.ts';

export type APIService = apiregistrationv1.APIService;

/** The documents of an aggregated API server. */
export type ServiceDocuments = Pick<AggregatedVersion, 'discovery' | 'openApiUrls' | 'openApiV2'>;

/** Sends a request to the API server of an APIService. */
export type SendToService = (
  service: APIService,
  ...request: Parameters<AggregatedVersion['send']>
) => ReturnType<AggregatedVersion['send']>;

export interface AggregatedServicesOptions {
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  readonly product: Product;
  readonly log: Log;
}

/** The APIService objects that refer to other API servers, and the documents of these servers. */
export class AggregatedServices {
  readonly #options: AggregatedServicesOptions;
  readonly #services = new Map<string, APIService>();
  readonly #priorities = new Map<string, { readonly group: string; readonly priority: number }>();
  readonly #documents = new Map<string, ServiceDocuments>();
  readonly #listeners = new Set<(name: string) => void>();
  #apis: AggregatedApis | undefined;

  private constructor(options: AggregatedServicesOptions) {
    this.#options = options;
  }

  /** Reads and watches the objects. */
  static async open(options: AggregatedServicesOptions): Promise<AggregatedServices> {
    const services = new AggregatedServices(options);
    const { store, catalog, product, log } = options;
    const resource = catalog.resource(product.rename('apiregistration.k8s.io/v1'), 'apiservices');
    if (!resource) return services;
    const prefix = keyPrefix(resource).length;
    await watchObjects(store, resource, (key, object) => services.#update(key.slice(prefix), object), log);
    return services;
  }

  get names(): readonly string[] {
    return [...this.#services.keys()];
  }

  get(name: string): APIService | undefined {
    return this.#services.get(name);
  }

  /** Calls the listener with the name of each changed APIService. */
  onChange(listener: (name: string) => void): void {
    this.#listeners.add(listener);
  }

  setDocuments(name: string, documents: ServiceDocuments): void {
    if (sameJson(this.#documents.get(name), documents)) return;
    this.#documents.set(name, documents);
    this.#apis = undefined;
  }

  /** The same object until something changes. */
  apis(send: SendToService): AggregatedApis {
    this.#apis ??= {
      versions: [...this.#services.values()].map((service) => this.#versionOf(service, send)),
      groupPriority: (group) => this.#groupPriority(group),
    };
    return this.#apis;
  }

  #update(name: string, object: ApiObject | undefined): void {
    const service = object as unknown as APIService | undefined;
    const { group = '', groupPriorityMinimum = 0 } = service?.spec ?? {};
    if (service) this.#priorities.set(name, { group, priority: groupPriorityMinimum });
    else this.#priorities.delete(name);
    const isRemote = service?.spec?.service && !isLocalService(service, this.#options.product);
    if (isRemote) this.#services.set(name, service);
    else if (!this.#services.delete(name)) return;
    else this.#documents.delete(name);
    this.#apis = undefined;
    for (const listener of this.#listeners) listener(name);
  }

  #groupPriority(group: string): number {
    if (group === this.#options.product.rename('apiregistration.k8s.io/').slice(0, -1)) return Number.POSITIVE_INFINITY;
    return Math.max(0, ...[...this.#priorities.values()].filter((one) => one.group === group).map(({ priority }) => priority));
  }

  #versionOf(service: APIService, send: SendToService): AggregatedVersion {
    const { group = '', version = '', versionPriority = 0 } = service.spec ?? {};
    const isAvailable = isConditionTrue(service);
    const { discovery, openApiUrls, openApiV2 } = this.#documents.get(service.metadata.name ?? '') ?? {
      discovery: { version },
      openApiUrls: {},
      openApiV2: undefined,
    };
    return {
      group,
      version,
      priority: versionPriority,
      isAvailable,
      discovery: { ...discovery, freshness: isAvailable ? 'Current' : 'Stale' },
      openApiUrls,
      openApiV2,
      send: (request, signal) => send(service, request, signal),
    };
  }
}

function isConditionTrue({ status }: APIService): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Available' && status === 'True') ?? false;
}

/** An APIResourceList as APIVersionDiscovery, for servers without aggregated discovery. Cf. client-go discovery GroupVersionResources. */
export function discoveryOfResourceList(list: JsonObject, group: string, version: string): JsonObject {
  const all = (Array.isArray(list['resources']) ? list['resources'] : []).filter(isJsonObject);
  const kindOf = (one: JsonObject): JsonObject => ({
    group: one['group'] ?? group,
    version: one['version'] ?? version,
    kind: one['kind'] ?? '',
  });
  const given = (one: JsonObject, ...names: readonly string[]): JsonObject =>
    Object.fromEntries(names.flatMap((name) => (one[name] === undefined ? [] : [[name, one[name]]])));
  const resources = all
    .filter(({ name }) => !String(name).includes('/'))
    .map((one) => {
      const subresources = all
        .filter(({ name }) => String(name).startsWith(`${String(one['name'])}/`))
        .map((sub) => ({ subresource: String(sub['name']).split('/')[1] ?? '', responseKind: kindOf(sub), verbs: sub['verbs'] ?? [] }));
      return {
        resource: one['name'] ?? '',
        responseKind: kindOf(one),
        scope: one['namespaced'] === true ? 'Namespaced' : 'Cluster',
        singularResource: one['singularName'] ?? '',
        verbs: one['verbs'] ?? [],
        ...given(one, 'shortNames', 'categories'),
        ...(subresources.length > 0 ? { subresources } : {}),
      };
    });
  return { version, resources };
}
