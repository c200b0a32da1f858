import type { Clock } from '../../env/index.ts';
import type { ApiResource } from '../../schema/api/index.ts';
import { type ApiClient, type KubeObject, type ListOptions, pageSize } from '../api/index.ts';
import { AbortGroup } from '../transport/abort-group.ts';
import { ListWatchInformer, type SharedInformer } from './shared-informer.ts';

/** Creates informers that are shared by all users of the same collection and selectors. Cf. client-go SharedInformerFactory. */
export class InformerFactory {
  readonly #client: ApiClient;
  readonly #clock: Clock;
  readonly #running: AbortGroup;
  /** By path and selectors. The type of an informer's objects follows from its path. */
  readonly #informers = new Map<string, SharedInformer<KubeObject>>();

  /** Informers run until the signal aborts. */
  constructor(client: ApiClient, clock: Clock, signal: AbortSignal) {
    this.#client = client;
    this.#clock = clock;
    this.#running = new AbortGroup(signal);
  }

  informer<T extends KubeObject>(
    resource: ApiResource<T>,
    { namespace, fieldSelector, labelSelector }: ListOptions = {},
  ): SharedInformer<T> {
    const client = this.#client.resource(resource);
    const path = client.collectionPath(namespace);
    const query = { ...(fieldSelector === undefined ? {} : { fieldSelector }), ...(labelSelector === undefined ? {} : { labelSelector }) };
    const key = `${path}?${new URLSearchParams(query)}`;
    const known = this.#informers.get(key);
    if (known) return known as unknown as SharedInformer<T>;
    const { signal } = this.#running.add();
    const type = { kind: client.kind, apiVersion: client.apiVersion };
    const informer = new ListWatchInformer<T>({ api: this.#client.options.api, clock: this.#clock, path, query, pageSize }, type, signal);
    this.#informers.set(key, informer as unknown as SharedInformer<KubeObject>);
    return informer;
  }
}
