import { listAndWatch, readLines, readText } from '../../../client/index.ts';
import { type ApiResource, metadataOf, resourcePath } from '../../../kubectl/index.ts';
import { isJsonObject, type JsonObject } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import type { Observable } from '../../model-watcher.ts';
import { errorText } from '../api.ts';
import type { ExplorePlace } from '../place.ts';

/** An object at one revision. */
export interface ObjectVersion {
  readonly revision: string;
  readonly change: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: JsonObject;
  /** The time of the watch event; undefined for versions from the server's history. */
  readonly observedMs: number | undefined;
}

/** Timeout of the watch that reads the history, which arrives immediately. */
const historyTimeoutSeconds = 1;

/** A watched object with its available versions. */
export class ObjectInformer implements Observable {
  /** The latest version, also after a delete. */
  current: JsonObject | undefined;
  deleted = false;
  /** Whether the initial list is complete. */
  synced = false;
  failure = '';
  /** The oldest revision in the server's history. */
  oldestRevision = '';
  #versions: readonly ObjectVersion[] = [];
  readonly #model: ConsoleModel;
  readonly #path: string;
  readonly #selector: string;
  readonly #listeners = new Set<() => void>();
  readonly #life = new AbortController();

  constructor(model: ConsoleModel, type: ApiResource, { namespace, name }: Pick<ExplorePlace, 'namespace' | 'name'>) {
    this.#model = model;
    this.#path = resourcePath(type, namespace);
    this.#selector = `metadata.name=${name}`;
    void listAndWatch(
      { api: model.internalApi, clock: model.env.clock, path: this.#path, query: { fieldSelector: this.#selector } },
      {
        onListed: ([object], revision) => {
          if (object !== undefined) this.#onEvent('ADDED', withTypeMeta(object, type));
          else if (this.current !== undefined) this.#onMissing(revision);
          this.synced = true;
          this.failure = '';
          this.#notify();
        },
        onEvent: ({ type: change, object }) => {
          this.#onEvent(change, object);
          this.#notify();
        },
        onStateChange: (state, cause) => {
          if (state !== 'waiting' || !(cause instanceof Error && 'status' in cause)) return;
          this.failure = errorText(cause);
          this.synced = true;
          this.#notify();
        },
      },
      this.#life.signal,
    );
  }

  /** Oldest first. */
  get versions(): readonly ObjectVersion[] {
    return this.#versions;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#life.abort();
    this.#listeners.clear();
  }

  /**
   * Reads the server's history by a watch from the first revision, or from the oldest one that the 410 response names. The state at
   * that revision is read by a list with `resourceVersionMatch=Exact`.
   */
  async readHistory(): Promise<void> {
    const from = await this.#readEvents('1');
    if (from === '') return;
    this.oldestRevision = from;
    const edge = await this.#readAtRevision(from);
    if (edge !== undefined) this.#addVersion({ revision: revisionOf(edge), change: 'ADDED', object: edge, observedMs: undefined });
    await this.#readEvents(from);
    this.#notify();
  }

  /** Records every change after `revision`. Returns the oldest available revision when it was compacted, else empty. */
  async #readEvents(revision: string): Promise<string> {
    const query = new URLSearchParams({
      fieldSelector: this.#selector,
      watch: 'true',
      resourceVersion: revision,
      timeoutSeconds: String(historyTimeoutSeconds),
    });
    const answer = await this.#sendGet(query);
    if (answer.status !== 200) return parseTooOldRevision(await readText(answer.body));
    for await (const line of readLines(answer.body)) {
      const event: unknown = JSON.parse(line);
      if (!isJsonObject(event) || !isJsonObject(event['object'])) continue;
      const { type: change, object } = event;
      if (change === 'ERROR') return parseTooOldRevision(JSON.stringify(object));
      if (change === 'ADDED' || change === 'MODIFIED' || change === 'DELETED')
        this.#addVersion({ revision: revisionOf(object), change, object, observedMs: undefined });
    }
    this.oldestRevision = revision;
    this.#notify();
    return '';
  }

  async #readAtRevision(revision: string): Promise<JsonObject | undefined> {
    const query = new URLSearchParams({ fieldSelector: this.#selector, resourceVersion: revision, resourceVersionMatch: 'Exact' });
    const answer = await this.#sendGet(query);
    if (answer.status !== 200) return undefined;
    const list: unknown = JSON.parse(await readText(answer.body));
    const items = isJsonObject(list) ? list['items'] : undefined;
    const [object] = Array.isArray(items) ? items : [];
    return isJsonObject(object) && isJsonObject(list)
      ? { apiVersion: list['apiVersion'], kind: String(list['kind']).replace(/List$/, ''), ...object }
      : undefined;
  }

  #sendGet(query: URLSearchParams): ReturnType<ConsoleModel['internalApi']> {
    return this.#model.internalApi({
      method: 'GET',
      target: `${this.#path}?${query}`,
      headers: new Headers({ accept: 'application/json' }),
      body: undefined,
      signal: this.#life.signal,
    });
  }

  #onEvent(change: ObjectVersion['change'], object: JsonObject): void {
    this.deleted = change === 'DELETED';
    this.current = object;
    this.#addVersion({ revision: revisionOf(object), change, object, observedMs: this.#model.env.clock.nowMs() });
  }

  #onMissing(revision: string): void {
    this.deleted = true;
    const object = this.current ?? {};
    this.#addVersion({ revision, change: 'DELETED', object, observedMs: this.#model.env.clock.nowMs() });
  }

  #addVersion(version: ObjectVersion): void {
    if (this.#versions.some(({ revision }) => revision === version.revision)) return;
    this.#versions = [...this.#versions, version].sort((a, b) => Number(a.revision) - Number(b.revision)).slice(-500);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

export function revisionOf(object: JsonObject): string {
  return String(metadataOf(object)['resourceVersion'] ?? '');
}

/** Adds apiVersion and kind, which list items do not have. */
function withTypeMeta(object: JsonObject, { group, version, kind }: ApiResource): JsonObject {
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...object };
}

/** The revision in "too old resource version: 1 (1042)". */
function parseTooOldRevision(text: string): string {
  return /too old resource version: \d+ \((\d+)\)/.exec(text)?.[1] ?? '';
}
