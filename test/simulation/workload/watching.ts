import { readLines, TransportError } from '../../../src/client/index.ts';
import { isJsonObject, type JsonObject } from '../../../src/meta/index.ts';
import { checkItems, messageOf } from '../checker/check-responses.ts';
import { check, rules } from '../checker/violation.ts';
import { WatchRecord } from '../checker/watch-record.ts';
import type { SimulatedKind } from '../model/kinds.ts';
import { metadataOf, versionOf } from '../model/object-view.ts';
import type { Delivered } from '../network.ts';
import { ApiClient } from './api-client.ts';
import type { Selection } from './listing.ts';
import type { RunContext } from './run-context.ts';

/** How a watcher gets the initial state. */
type Start = 'list' | 'initial events' | 'initial events of any version' | 'watch at 0';

export interface WatcherOptions {
  readonly name: string;
  readonly context: RunContext;
  readonly kind: SimulatedKind;
  readonly selection: Selection;
  /** Pauses for long between two watches, so that its version is compacted meanwhile. */
  readonly isSlow: boolean;
}

/** A client that watches a selection over successive watches, and restarts with a new list when its version has expired. */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #api: ApiClient;
  readonly records: WatchRecord[] = [];
  #hasEnded = false;
  #isHurried = false;

  constructor(options: WatcherOptions) {
    const { name, context } = options;
    this.#options = options;
    this.#api = new ApiClient(name, context.environment, context.network);
  }

  async run(): Promise<void> {
    const { context, isSlow } = this.#options;
    const { clock, random, once } = context.environment;
    while (!this.#hasEnded) {
      const last = this.records.at(-1);
      if (last === undefined || last.isExpired) await this.#start();
      else await this.#watch(last, { resourceVersion: String(last.reached), allowWatchBookmarks: 'true' });
      const pauseMs = isSlow && !this.#isHurried && once(2) ? context.retentionMs * 2 : 40;
      await clock.sleep(5 + random.integer(pauseMs));
    }
  }

  /** One watch from an earlier version: it receives every later event, or the error that the version has expired. */
  async watchFrom(version: number): Promise<void> {
    const record = this.#record();
    record.begin(version);
    this.records.push(record);
    this.#options.context.environment.coverage.count('watches from a past version');
    await this.#watch(record, { resourceVersion: String(version) });
  }

  /** Watches without long pauses from now on. */
  hurry(): void {
    this.#isHurried = true;
  }

  end(): void {
    this.#hasEnded = true;
  }

  /** Describes the missing changes; empty when all changes so far have arrived. */
  missing(): string {
    const { context, name } = this.#options;
    const last = this.records.at(-1);
    if (!last || last.isExpired) return `${name} has no state`;
    return last.missing(context.history.newest);
  }

  verify(): void {
    for (const record of this.records) record.verify();
  }

  async #start(): Promise<void> {
    const { pick, coverage } = this.#options.context.environment;
    const start = pick<Start>(['list', 'list', 'initial events', 'initial events of any version', 'watch at 0']);
    if (this.records.length > 0) coverage.count('relists after 410');
    if (start === 'list') return this.#list();
    const record = this.#record();
    const query = {
      list: {},
      'initial events': { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' },
      'initial events of any version': {
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: 'true',
        resourceVersion: '0',
      },
      'watch at 0': { resourceVersion: '0', allowWatchBookmarks: 'true' },
    }[start];
    await this.#watch(record, query);
    if (record.isBegun) {
      this.records.push(record);
      coverage.count(start);
    }
  }

  #record(): WatchRecord {
    const { name, context, kind, selection } = this.#options;
    return new WatchRecord({ name, history: context.history, kind, selects: selection.selects });
  }

  async #list(): Promise<void> {
    const { context, kind, selection } = this.#options;
    const { history } = context;
    const establishedBefore = history.established;
    const delivered = await this.#api.get(this.#target({}));
    if (!delivered || delivered.response.status >= 500) return;
    const { response, body, newest } = delivered;
    check(response.status === 200 && isJsonObject(body), rules.explained, () => `${response.status} ${messageOf(body)} to a list`);
    const revision = Number(metadataOf(body).resourceVersion);
    check(
      revision >= establishedBefore && revision <= newest,
      rules.linearizable,
      () => `a list at ${revision} between ${establishedBefore} and ${newest}`,
    );
    const items = Array.isArray(body['items']) ? body['items'].filter(isJsonObject) : [];
    checkItems(kind, items, history.collectionAt(kind, revision).filter(selection.selects), revision);
    const record = this.#record();
    record.begin(revision);
    this.records.push(record);
  }

  async #watch(record: WatchRecord, query: Readonly<Record<string, string>>): Promise<void> {
    const { environment, product } = this.#options.context;
    const timeoutSeconds = String(1 + environment.random.integer(4));
    const from = record.isBegun ? record.reached : undefined;
    const delivered = await this.#api.get(this.#target({ watch: 'true', timeoutSeconds, ...query }));
    if (!delivered || delivered.response.status >= 500) return;
    if (delivered.response.status === 410) {
      check(product.switches.expiredWatchIsHttp410, rules.expired, () => 'a watch was answered 410 instead of 200 and an ERROR event');
      return this.#expire(record, delivered);
    }
    check(delivered.response.status === 200, rules.explained, () => `${delivered.response.status} ${messageOf(delivered.body)} to a watch`);
    let isExpired = false;
    try {
      for await (const line of readLines(delivered.response.body)) {
        const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: JsonObject };
        environment.record(
          this.#options.name,
          `${type} ${metadataOf(object).name ?? object['code'] ?? ''} ${metadataOf(object).resourceVersion ?? ''}`,
        );
        if (type === 'ERROR') {
          isExpired = this.#isExpiredEvent(object);
          if (isExpired) this.#expire(record, delivered);
          break;
        }
        this.#event(record, type, object);
        delivered.server.shownRevision = Math.max(delivered.server.shownRevision, versionOf(object));
      }
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      // It is unknown whether the watch would have ended with 410.
      return environment.record(this.#options.name, error.message);
    }
    if (from !== undefined && !isExpired) this.#checkRetained(from, delivered);
  }

  #event(record: WatchRecord, type: string, object: JsonObject): void {
    const { product, environment } = this.#options.context;
    if (type !== 'BOOKMARK') {
      environment.coverage.count(`watch ${type}`);
      record.event(type, object);
      return;
    }
    const isInitialEnd = metadataOf(object).annotations?.[product.names.initialEventsEndAnnotation] === 'true';
    environment.coverage.count(isInitialEnd ? 'bookmarks after initial events' : 'bookmarks');
    record.bookmark(versionOf(object), isInitialEnd);
  }

  #isExpiredEvent(object: JsonObject): boolean {
    const { product } = this.#options.context;
    const isExpired = object['code'] === 410;
    check(isExpired, rules.explained, () => `a watch ends with ${JSON.stringify(object)}`);
    check(!product.switches.expiredWatchIsHttp410, rules.expired, () => 'a watch ends with an ERROR event instead of 410');
    return isExpired;
  }

  #expire(record: WatchRecord, { body }: Delivered): void {
    const { history, environment } = this.#options.context;
    const { atMost } = history.compaction;
    check(
      record.isBegun && record.reached < atMost,
      rules.expired,
      () => `410 ${messageOf(body)} to a watch after ${record.isBegun ? record.reached : 'nothing'}, compacted is ${atMost}`,
    );
    record.isExpired = true;
    environment.coverage.count('watches expired');
  }

  /** A watch may only continue from a revision that was not compacted. */
  #checkRetained(from: number, { arrival }: Delivered): void {
    const { isShared } = this.#options.context;
    check(
      isShared || from >= arrival.compacted,
      rules.expired,
      () => `a watch after ${from} continued, compacted was ${arrival.compacted}`,
    );
  }

  #target(query: Readonly<Record<string, string>>): string {
    const { kind, selection } = this.#options;
    return `${kind.collection}?${new URLSearchParams({ ...selection.query, ...query })}`;
  }
}
