import { listAndWatch } from '../../client/index.ts';
import { type ApiResource, discoverResources, resourcePath } from '../../kubectl/index.ts';
import { isJsonObject, type RequestTrace } from '../../meta/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import type { Observable } from '../model-watcher.ts';
import { createClient, errorText, isForbidden, metadataListAccept } from './api.ts';
import { SchemaSource } from './editor/schema-source.ts';
import type { ExplorePlace } from './place.ts';

/** The number of objects of a type, or that listing is forbidden. */
export type Count = number | 'refused';

const settleMs = 200;
/** Interval of counting, since writes of other clients are not observed. */
const recountMs = 20_000;

/** The resource types of the server for the current identity, with object counts. */
export class ResourceTypes implements Observable {
  types: readonly ApiResource[] = [];
  /** The error of the last discovery, or empty. */
  failure = '';
  readonly counts: Map<string, Count> = new Map();
  readonly schemas: SchemaSource;
  readonly #model: ConsoleModel;
  readonly #listeners = new Set<() => void>();
  readonly #stale = new Set<string>();
  #credentialsKey: string | undefined;
  #life = new AbortController();
  #settling = false;

  constructor(model: ConsoleModel) {
    this.#model = model;
    this.schemas = new SchemaSource(model);
    model.onChange(() => this.#reset());
    model.connection.onTrace((traces) => this.#recountWritten(traces));
    this.#reset();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The listable types, one version each. */
  get listed(): readonly ApiResource[] {
    return this.types.filter(({ preferred, verbs }) => preferred && verbs.includes('list'));
  }

  find({ group, version, resource }: Pick<ExplorePlace, 'group' | 'version' | 'resource'>): ApiResource | undefined {
    return this.types.find((type) => type.group === group && type.version === version && type.name === resource);
  }

  /** The type of an object, by its apiVersion and kind. */
  ofKind(apiVersion: string, kind: string): ApiResource | undefined {
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    return this.types.find((type) => type.group === group && type.version === version && type.kind === kind);
  }

  countOf(type: ApiResource): Count | undefined {
    return this.counts.get(keyOf(type));
  }

  /** Reloads everything after a change of the identity. */
  #reset(): void {
    const credentialsKey = JSON.stringify(this.#model.context.credentials);
    if (credentialsKey === this.#credentialsKey) return;
    this.#credentialsKey = credentialsKey;
    this.#life.abort();
    this.#life = new AbortController();
    this.types = [];
    this.counts.clear();
    void this.#load();
    this.#watchDefinitions();
    void this.#recountPeriodically(this.#life.signal);
  }

  async #load(): Promise<void> {
    const { signal } = this.#life;
    try {
      this.types = await discoverResources(createClient(this.#model, { signal }));
      this.failure = '';
    } catch (error) {
      if (!signal.aborted) this.failure = errorText(error);
    }
    if (signal.aborted) return;
    this.#changed();
    this.#recount(this.listed.map(keyOf));
  }

  /** Reloads when custom resource definitions change. */
  #watchDefinitions(): void {
    const { signal } = this.#life;
    const stop = new AbortController();
    const group = this.#model.product.rename('apiextensions.k8s.io');
    let listed = false;
    void listAndWatch(
      { api: this.#model.internalApi, clock: this.#model.env.clock, path: `/apis/${group}/v1/customresourcedefinitions` },
      {
        onListed: () => {
          if (listed) void this.#load();
          listed = true;
        },
        onEvent: () => void this.#load(),
        onStateChange: (state, cause) => {
          if (state === 'waiting' && isForbidden(cause)) stop.abort();
        },
      },
      AbortSignal.any([signal, stop.signal]),
    );
  }

  /** Recounts the written types, also for writes of other tabs. */
  #recountWritten(traces: readonly RequestTrace[]): void {
    const written = traces.filter(({ method, status }) => method !== 'GET' && status < 300).map(({ target }) => parseTargetType(target));
    this.#recount(written.filter((key) => key !== ''));
  }

  #recount(keys: readonly string[]): void {
    for (const key of keys) this.#stale.add(key);
    if (this.#stale.size === 0 || this.#settling) return;
    this.#settling = true;
    void this.#model.env.clock.sleep(this.counts.size === 0 ? 0 : settleMs).then(async () => {
      this.#settling = false;
      const { signal } = this.#life;
      const some = this.listed.filter((type) => this.#stale.has(keyOf(type)));
      this.#stale.clear();
      await Promise.all(some.map((type) => this.#count(type, signal)));
      if (!signal.aborted) this.#changed();
    });
  }

  async #count(type: ApiResource, signal: AbortSignal): Promise<void> {
    const accept = metadataListAccept(this.#model);
    try {
      const { items, metadata } = await createClient(this.#model, { signal }).read('GET', resourcePath(type, ''), {
        accept,
        query: { limit: '1' },
      });
      const rest = isJsonObject(metadata) ? Number(metadata['remainingItemCount'] ?? 0) : 0;
      if (!signal.aborted) this.counts.set(keyOf(type), (Array.isArray(items) ? items.length : 0) + rest);
    } catch (error) {
      if (!signal.aborted && isForbidden(error)) this.counts.set(keyOf(type), 'refused');
    }
  }

  async #recountPeriodically(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#model.env.clock.sleep(recountMs, signal).catch(() => undefined);
      const remote = this.#model.status.transport === 'remote';
      if (!signal.aborted && remote && document.visibilityState === 'visible') this.#recount(this.listed.map(keyOf));
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The instance of a console, created on first use. */
export function typesOf(model: ConsoleModel): ResourceTypes {
  model.types ??= new ResourceTypes(model);
  return model.types;
}

function keyOf({ group, name }: Pick<ApiResource, 'group' | 'name'>): string {
  return `${group}/${name}`;
}

/** `apps/deployments` of a request's target. */
function parseTargetType(target: string): string {
  const found = /^\/(?:api|apis\/([^/?]+))\/[^/?]+\/(?:namespaces\/[^/?]+\/)?([^/?]+)/.exec(target);
  return found === null ? '' : `${found[1] ?? ''}/${found[2] ?? ''}`;
}
