import { type ApiClient, hasStatus, runWorkers, WorkQueue } from '../../client/index.ts';
import type { Clock, Log } from '../../env/index.ts';
import { type JsonObject, type Product, recordAt, sameJson } from '../../meta/index.ts';
import { type DefinitionInformer, keyPrefix, type ObjectStore, watchObjects } from '../../registry/index.ts';
import { type apiextensionsv1, type apiregistrationv1, apiregistrationv1APIServices } from '../../schema/api/index.ts';
import type { Catalog, Decoded } from '../../schema/index.ts';
import type { Metrics } from '../../server/index.ts';
import { createApiServices } from '../bootstrap/startup-objects.ts';

export interface ApiServiceRegistrationOptions {
  readonly client: ApiClient;
  readonly metrics: Pick<Metrics, 'addQueue'>;
  readonly store: ObjectStore;
  readonly definitions: DefinitionInformer;
  /** The served built-in resources. */
  readonly catalog: Catalog;
  readonly product: Product;
  readonly clock: Clock;
  readonly log: Log;
}

/** Values of the label that marks a registered APIService: written once at the start, or restored after each change. */
type Sync = 'onstart' | 'true';

interface Desired {
  readonly spec: JsonObject;
  readonly sync: Sync;
}

/** Of groups of custom resources. Cf. pkg/controlplane/controller/crdregistration handleVersionUpdate. */
const customPriorities = { groupPriorityMinimum: 1000, versionPriority: 100 };

/**
 * Starts the controller that registers the group versions of this server as APIService objects: built-in ones at its start, those of
 * definitions whenever they change. The returned function stops it. Cf. kube-aggregator autoregister and controlplane crdregistration.
 */
export async function startApiServiceRegistration(options: ApiServiceRegistrationOptions): Promise<() => void> {
  const { store, definitions, catalog, product, metrics, clock, log } = options;
  const resource = catalog.resource(product.rename('apiregistration.k8s.io/v1'), 'apiservices');
  if (!resource) return () => undefined;
  const ending = new AbortController();
  const { signal } = ending;
  const queue = new WorkQueue<string>({ clock, signal });
  metrics.addQueue('autoregister', queue);
  const registration = new ApiServiceRegistration(options, (name) => queue.add(name));
  const prefix = keyPrefix(resource);
  const stopWatching = await watchObjects(
    store,
    resource,
    (key, object) => registration.observe(key.slice(prefix.length), object as apiregistrationv1.APIService | undefined),
    log,
  );
  registration.start();
  const stopFollowing = definitions.onChange(() => registration.followDefinitions());
  runWorkers({ queue, workers: 1, reconcile: (name) => registration.reconcile(name), name: 'autoregister', log, signal });
  return () => {
    ending.abort();
    stopFollowing();
    stopWatching();
  };
}

class ApiServiceRegistration {
  readonly #options: ApiServiceRegistrationOptions;
  readonly #enqueue: (name: string) => void;
  readonly #label: string;
  readonly #builtIn: ReadonlyMap<string, Desired>;
  readonly #current = new Map<string, apiregistrationv1.APIService>();
  readonly #reconciled = new Set<string>();
  #atStart: ReadonlySet<string> = new Set();
  #custom: ReadonlyMap<string, Desired> = new Map();

  constructor(options: ApiServiceRegistrationOptions, enqueue: (name: string) => void) {
    const { catalog, product } = options;
    this.#options = options;
    this.#enqueue = enqueue;
    this.#label = product.rename('kube-aggregator.kubernetes.io/automanaged');
    const builtIn = createApiServices(catalog, product, '');
    this.#builtIn = new Map(builtIn.map(({ name, object }) => [name, { spec: recordAt(object, 'spec'), sync: 'onstart' }]));
  }

  observe(name: string, object: apiregistrationv1.APIService | undefined): void {
    if (object) this.#current.set(name, object);
    else this.#current.delete(name);
    this.#enqueue(name);
  }

  /** After the existing objects were observed. */
  start(): void {
    this.#atStart = new Set(this.#current.keys());
    for (const name of this.#builtIn.keys()) this.#enqueue(name);
    this.followDefinitions();
  }

  followDefinitions(): void {
    const { definitions } = this.#options.definitions.snapshot();
    const before = this.#custom;
    this.#custom = new Map([...definitions.values()].flatMap(servedVersions));
    for (const name of new Set([...before.keys(), ...this.#custom.keys()])) {
      if (before.has(name) !== this.#custom.has(name)) this.#enqueue(name);
    }
  }

  /** Cf. upstream checkAPIService, which has the table of these cases. */
  async reconcile(name: string): Promise<void> {
    const desired = this.#custom.get(name) ?? this.#builtIn.get(name);
    const isFirst = !this.#reconciled.has(name);
    await this.#sync(name, desired, isFirst);
    this.#reconciled.add(name);
  }

  async #sync(name: string, desired: Desired | undefined, isFirst: boolean): Promise<void> {
    const current = this.#current.get(name);
    if (desired?.sync === 'onstart' && !isFirst) return;
    if (!current) return desired && this.#create(name, desired);
    const sync = current.metadata.labels?.[this.#label];
    if (sync !== 'onstart' && sync !== 'true') return;
    if (sync === 'onstart' && !(isFirst && this.#atStart.has(name))) return;
    const services = this.#options.client.resource(apiregistrationv1APIServices);
    if (!desired) {
      const { uid = '' } = current.metadata;
      return ignoreOtherWrites(services.delete({ name }, { preconditions: { uid } }));
    }
    if (sameJson(current.spec, desired.spec)) return;
    await ignoreOtherWrites(services.update({ ...current, spec: desired.spec as unknown as apiregistrationv1.APIServiceSpec }));
  }

  async #create(name: string, { spec, sync }: Desired): Promise<void> {
    const metadata = { name, labels: { [this.#label]: sync } };
    await ignoreOtherWrites(this.#options.client.resource(apiregistrationv1APIServices).create({ metadata, spec }));
  }
}

/** The versions of one definition, by the names of their APIServices. */
function servedVersions({ spec }: Decoded<apiextensionsv1.CustomResourceDefinition>): readonly (readonly [name: string, Desired])[] {
  const { group = '', versions } = spec ?? {};
  return (versions ?? [])
    .filter(({ served }) => served)
    .map(({ name = '' }) => [`${name}.${group}`, { spec: { group, version: name, ...customPriorities }, sync: 'true' }] as const);
}

/** An object that another server wrote in the meantime is observed, and reconciled then. */
async function ignoreOtherWrites(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!hasStatus(error, 404, 409)) throw error;
  }
}
