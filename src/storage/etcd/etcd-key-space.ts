import type { Clock, Log } from '../../env/index.ts';
import { decideWrite, type History } from '../history.ts';
import { closedError, type DecidedChange, HistoryKeySpace, type TimedKeySpace } from '../history-key-space.ts';
import {
  type Commit,
  type CompactedCommit,
  type Entry,
  KeySpaceError,
  type RangeQuery,
  type RangeResult,
  unreadableReason,
  type WatchQuery,
  type Write,
} from '../key-space.ts';
import { type EtcdClient, type EtcdConditionalPut, EtcdError, type EtcdEvent, type EtcdWriteResult } from './etcd-client.ts';
import { EventFeed } from './event-feed.ts';
import { KeyLayout, type KeyLayoutOptions } from './key-layout.ts';
import { LeaseManager } from './lease-manager.ts';
import { fetchCompactedRevision, loadHistory } from './load-history.ts';
import { NewestRevision } from './newest-revision.ts';
import { RecentWritesCache } from './recent-writes-cache.ts';
import { RetryPolicy } from './retry-policy.ts';
import { RevisionWaiter } from './revision-waiter.ts';

/** Converts values between their text here and their bytes in etcd. */
export interface ValueCodec {
  /** @throws KeySpaceError `encryption-failed` */
  encode(key: string, text: string): Uint8Array;
  /** Fetches what decoding the value needs, after which it may succeed; undefined: nothing is missing. Never rejects. */
  prepare?(key: string, bytes: Uint8Array): Promise<unknown> | undefined;
  /** Calls the listener when values may be decodable that were not. */
  onDecodable?(listener: () => void): void;
  /** Never throws: invalid bytes become a text that fails when it is parsed. */
  decode(key: string, bytes: Uint8Array): string;
  /** Names the encoding of stored bytes, where there are several. */
  encodingOf?(key: string, bytes: Uint8Array): string;
  /** The encoding of new values. */
  currentEncoding?(key: string): string;
  /** Called when the key space is closed. */
  close?(): void;
}

export interface EtcdKeySpaceOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly layout: KeyLayoutOptions;
  readonly values: ValueCodec;
  /** Time to live of a key after each write; undefined: it does not expire. */
  readonly ttlSeconds: (key: string) => number | undefined;
  /** How long writes, and opening the key space, are retried while etcd is unavailable. */
  readonly writeTimeoutMs: number;
  /** How long reads are retried while etcd is unavailable. */
  readonly readTimeoutMs: number;
  /** How long the commit of a request id can be found; revisions must not be retained much longer. */
  readonly requestTtlSeconds: number;
}

/**
 * Opens a key space that is stored in an etcd cluster, which other servers may share. All retained revisions are cached in memory, as in
 * the real server's watch cache, and one watch updates the cache. A read fetches only the newest revision from etcd and waits until the
 * cache has reached it. Cf. k8s.io/apiserver/pkg/storage/cacher.
 * @throws KeySpaceError `unavailable`
 */
export async function openEtcdKeySpace(options: EtcdKeySpaceOptions): Promise<TimedKeySpace> {
  const space = new EtcdKeySpace(options);
  try {
    await space.load();
    await space.revision();
    return space;
  } catch (error) {
    await space.close();
    throw error;
  }
}

/** The cheapest range: its response has the current revision, or the error that the requested one is compacted. */
const cheapestRange = { key: Uint8Array.of(0), limit: 1 };

/** The outcome of a write. `isRepeated`: it was sent more than once, because a response was lost. */
interface CommitResult extends EtcdWriteResult {
  readonly isRepeated: boolean;
}

class EtcdKeySpace extends HistoryKeySpace {
  readonly #client: EtcdClient;
  readonly #options: EtcdKeySpaceOptions;
  readonly #layout: KeyLayout;
  readonly #leases: LeaseManager;
  readonly #feed: EventFeed;
  readonly #newest: NewestRevision;
  readonly #revisionWaiter: RevisionWaiter;
  readonly #writeRetry: RetryPolicy;
  readonly #readRetry: RetryPolicy;
  readonly #encodings = new WeakMap<Entry, string>();
  readonly #recentWrites = new RecentWritesCache();
  #closed = false;
  /** One reload at a time. */
  #reloads: Promise<void> = Promise.resolve();
  /** Whether a value of the history could not be decoded. */
  #hasUndecoded = false;
  /** Resolves when the events received so far are applied; undefined: they are. */
  #preparing: Promise<void> | undefined;

  constructor(options: EtcdKeySpaceOptions) {
    super();
    const { client, clock, log } = options;
    this.#options = options;
    this.#client = client;
    this.#layout = new KeyLayout(options.layout);
    this.#leases = new LeaseManager(client, clock);
    this.#feed = new EventFeed({
      client,
      clock,
      log,
      deliver: (events) => this.#receiveEvents(events),
      onCompacted: (compacted) => {
        this.#reloads = this.#reloads.then(() =>
          this.#reload('etcd was compacted beyond what was seen: everything is read anew', { seen: this.history.revision, compacted }),
        );
      },
    });
    this.#writeRetry = new RetryPolicy(clock, options.writeTimeoutMs);
    this.#readRetry = new RetryPolicy(clock, options.readTimeoutMs);
    this.#newest = new NewestRevision(async () => (await client.range(cheapestRange)).revision);
    this.#revisionWaiter = new RevisionWaiter(clock, options.readTimeoutMs, () => this.#feed.restart());
    options.values.onDecodable?.(() => {
      this.#reloads = this.#reloads.then(() =>
        this.#hasUndecoded ? this.#reload('values that could not be decoded are read anew', {}) : undefined,
      );
    });
  }

  /** @throws KeySpaceError */
  async load(): Promise<void> {
    const history = await this.#writeRetry.run(() => this.#loadHistory());
    if (this.#closed) return;
    this.replaceHistory(history, new KeySpaceError('unavailable', 'changes were compacted before they were seen'));
    this.#revisionWaiter.advance(history.revision);
    this.#feed.start(history.revision);
  }

  override async revision(): Promise<number> {
    await this.#waitUntilFresh();
    return super.revision();
  }

  override async get(key: string, at?: number): Promise<Entry | undefined> {
    await this.#waitUntilReadable(at);
    return super.get(key, at);
  }

  override async range(query: RangeQuery): Promise<RangeResult> {
    await this.#waitUntilReadable(query.at);
    return super.range(query);
  }

  override async findCommit(requestId: string): Promise<Commit | CompactedCommit | undefined> {
    await this.#waitUntilFresh();
    return super.findCommit(requestId);
  }

  /** Works while etcd is unavailable, from the cached revisions. */
  override watch(query: WatchQuery): Promise<() => void> {
    return super.watch(query);
  }

  needsRewrite(entry: Entry): boolean {
    return this.#encodings.get(entry) !== this.#options.values.currentEncoding?.(entry.key);
  }

  async commit(write: Write): Promise<Commit> {
    this.assertOpen();
    const { key, expected, value } = write;
    const done = this.history.findDuplicateCommit(write);
    if (done) return done;
    // etcd reports success for the delete of a missing key.
    if (value === undefined && expected === 'absent') return decideWrite(await this.get(key), write, 0);
    const bytes = value === undefined ? undefined : this.#options.values.encode(key, value);
    const removeText = bytes && value !== undefined ? this.#recentWrites.add(key, bytes, value) : () => {};
    try {
      return await this.#commitAndWait(write, bytes);
    } finally {
      removeText();
    }
  }

  async #commitAndWait(write: Write, bytes: Uint8Array | undefined): Promise<Commit> {
    const startRevision = this.history.revision;
    let requestRevision = this.#localRequestRevision(write);
    for (;;) {
      const { succeeded, revision, isRepeated } = await this.#commitWithRetries(write, bytes, { requestRevision, startRevision });
      await this.#revisionWaiter.wait(revision);
      if (succeeded) return this.history.changeAt(revision, write.key) ?? throwUnobservedRevision(revision);
      const done = this.history.findDuplicateCommit(write) ?? (isRepeated ? this.#findEarlierCommit(write, startRevision) : undefined);
      if (done) return done;
      // Throws when the key has changed. The revision of the rejection may be compacted by now.
      const readRevision = Math.max(revision, this.history.compactedRevision);
      decideWrite(this.history.get(write.key, readRevision), write, readRevision);
      // The key has changed back since, or etcd knows the request id, but its commit is not in the local history.
      const hasChangedBack = readRevision > revision && write.requestId === undefined;
      if (!hasChangedBack) requestRevision = await this.#etcdRequestRevision(write, startRevision);
    }
  }

  /** The revision of the last write with the same request id in the local history; 0: none. */
  #localRequestRevision({ requestId }: Write): number {
    return (requestId === undefined ? undefined : this.history.committedBy(requestId)?.revision) ?? 0;
  }

  /** The same, read from etcd. @throws KeySpaceError `unavailable` when it was written since `startRevision`: it may be this write */
  async #etcdRequestRevision({ key, requestId }: Write, startRevision: number): Promise<number> {
    if (requestId === undefined) throw new Error(`etcd refused a write to ${JSON.stringify(key)} that its revision allows`);
    const { entries } = await this.#writeRetry.run(() => this.#client.range({ key: this.#layout.requestKey(requestId) }));
    const revision = entries[0]?.modRevision ?? 0;
    return revision > startRevision ? throwUnobservedRevision(revision) : revision;
  }

  async compact(revision: number): Promise<void> {
    await this.#waitUntilFresh();
    this.assertOpen();
    if (revision <= this.history.compactedRevision) return;
    if (revision <= this.history.revision) {
      // Another server may have compacted this revision, or a later one, already.
      await this.#writeRetry.run(() => this.#client.compact(revision).catch((error: unknown) => this.#adoptCompaction(error)));
    }
    this.history.compact(revision);
  }

  override async close(): Promise<void> {
    this.#closed = true;
    this.#feed.stop();
    await super.close();
    this.#revisionWaiter.fail(closedError());
    this.#client.close();
    this.#options.values.close?.();
  }

  /** Resolves when the cache has every write committed before the call. Cf. waitUntilFreshAndBlock in storage/cacher/watch_cache.go. */
  async #waitUntilFresh(): Promise<void> {
    this.assertOpen();
    await this.#revisionWaiter.wait(await this.#readRetry.run(() => this.#newest.read()));
    this.assertOpen();
  }

  /** An old revision is read from the cache, unless another server has compacted it meanwhile. */
  async #waitUntilReadable(at: number | undefined): Promise<void> {
    this.assertOpen();
    if (at === undefined || at > this.history.revision) return this.#waitUntilFresh();
    if (at < this.history.compactedRevision || at === this.history.revision) return;
    await this.#readRetry.run(() =>
      this.#client.range({ ...cheapestRange, revision: at }).catch((error: unknown) => this.#adoptCompaction(error)),
    );
  }

  /** Takes over a compaction by another server. Rethrows every other error. */
  async #adoptCompaction(error: unknown): Promise<void> {
    if (!(error instanceof EtcdError) || error.code !== 'compacted') throw error;
    const compacted = await fetchCompactedRevision(this.#client);
    if (compacted !== undefined) this.history.compact(Math.min(compacted, this.history.revision));
  }

  /**
   * The outcome of an interrupted call is unknown. A repeated write has no second effect: it expects the revision of its key and, since
   * a created key may be deleted meanwhile, the last write of its request id. A creation without a request id is searched for in the
   * history before it is sent again.
   */
  async #commitWithRetries(
    write: Write,
    bytes: Uint8Array | undefined,
    { requestRevision, startRevision }: { readonly requestRevision: number; readonly startRevision: number },
  ): Promise<CommitResult> {
    const isAnonymousCreation = write.expected === 'absent' && write.requestId === undefined;
    let sent = 0;
    const result = await this.#writeRetry.run(async () => {
      if (sent > 0 && isAnonymousCreation) {
        const done = await this.#findEarlierCommitWhenFresh(write, startRevision);
        if (done) return { succeeded: true, revision: done.revision };
      }
      sent++;
      return this.#send(write, bytes, requestRevision);
    });
    return { ...result, isRepeated: sent > 1 };
  }

  /**
   * The commit of an earlier attempt of this write since `startRevision`; undefined when another write came first. Requests with an id are
   * found in the history by that id, so an equal deletion belongs to another request.
   */
  #findEarlierCommit({ key, expected, value, requestId }: Write, startRevision: number): Commit | undefined {
    if (requestId !== undefined) return undefined;
    const isOurs = (change: Commit): boolean =>
      change.key === key && (change.previous?.revision ?? 'absent') === expected && change.entry?.value === value;
    return this.history.changesAfter(startRevision)?.find(isOurs);
  }

  /** The same, after the cache has reached the current revision of etcd. @throws EtcdError */
  async #findEarlierCommitWhenFresh(write: Write, startRevision: number): Promise<Commit | undefined> {
    const { revision } = await this.#client.range(cheapestRange);
    await this.#revisionWaiter.wait(revision);
    return this.#findEarlierCommit(write, startRevision);
  }

  async #send({ key, expected, requestId }: Write, bytes: Uint8Array | undefined, requestRevision: number): Promise<EtcdWriteResult> {
    const stored = this.#layout.etcdKeyOf(key);
    const ttl = this.#options.ttlSeconds(key);
    const lease = bytes && ttl !== undefined ? await this.#leases.leaseFor(ttl) : undefined;
    return this.#client.commit({
      key: stored,
      expected: expected === 'absent' ? 0 : expected,
      put: bytes && { key: stored, value: bytes, lease },
      additionalPuts: requestId === undefined ? [] : [await this.#requestPut(requestId, requestRevision)],
    });
  }

  async #requestPut(requestId: string, expected: number): Promise<EtcdConditionalPut> {
    const lease = await this.#leases.leaseFor(this.#options.requestTtlSeconds);
    return { key: this.#layout.requestKey(requestId), value: Uint8Array.of(), lease, expected };
  }

  /** Applies the events in order, at once or after their values are prepared. */
  #receiveEvents(events: readonly EtcdEvent[]): void {
    const prepared = this.#prepare(events);
    if (!prepared && !this.#preparing) {
      this.#applyEvents(events);
      return;
    }
    const { history } = this;
    const applied = Promise.all([this.#preparing, prepared]).then(() => {
      if (this.#preparing === applied) this.#preparing = undefined;
      // A history that was loaded meanwhile has these changes, or the feed delivers them again.
      if (this.history === history && !this.#closed) this.#applyEvents(events);
    });
    this.#preparing = applied;
  }

  /** Undefined: all values can be decoded at once. */
  #prepare(stored: readonly { readonly key: Uint8Array; readonly value: Uint8Array | undefined }[]): Promise<unknown> | undefined {
    const { values } = this.#options;
    if (!values.prepare) return undefined;
    const pending = stored.flatMap(({ key, value }) => {
      const read = value && this.#layout.parse(key);
      return (read && 'key' in read && values.prepare?.(read.key, value)) || [];
    });
    return pending.length > 0 ? Promise.all(pending) : undefined;
  }

  #applyEvents(events: readonly EtcdEvent[]): void {
    const nowMs = this.#options.clock.nowMs();
    const requests = new Map<number, string>();
    const own: { readonly key: string; readonly event: EtcdEvent }[] = [];
    for (const event of events) {
      const read = this.#layout.parse(event.key);
      if (!read) continue;
      if ('key' in read) own.push({ key: read.key, event });
      else if (event.value) requests.set(event.revision, read.requestId);
    }
    const latest = new Map<string, Entry | undefined>();
    const changes: DecidedChange[] = own.map(({ key, event }) => {
      const previous = latest.has(key) ? latest.get(key) : this.history.current(key);
      const entry = event.value && this.#decodeEntry(key, event.value, event.createRevision, event.revision);
      latest.set(key, entry);
      return { change: { revision: event.revision, key, entry, previous }, requestId: requests.get(event.revision) };
    });
    if (changes.length > 0) this.apply(changes, nowMs);
    this.history.advance(events.at(-1)?.revision ?? 0, nowMs);
    this.#revisionWaiter.advance(this.history.revision);
  }

  #decodeEntry(key: string, bytes: Uint8Array, createRevision: number, revision: number): Entry {
    const value = this.#recentWrites.get(key, bytes) ?? this.#options.values.decode(key, bytes);
    const entry = { key, value, createRevision, revision };
    if (unreadableReason(value) !== undefined) this.#hasUndecoded = true;
    const encoding = this.#options.values.encodingOf?.(key, bytes);
    if (encoding !== undefined) this.#encodings.set(entry, encoding);
    return entry;
  }

  #loadHistory(): Promise<History> {
    this.#hasUndecoded = false;
    return loadHistory(this.#client, {
      ranges: this.#layout.ranges(),
      prepare: (stored) => this.#prepare(stored),
      entryOf: ({ key: stored, value, createRevision, modRevision }) => {
        const read = this.#layout.parse(stored);
        return read && 'key' in read ? this.#decodeEntry(read.key, value, createRevision, modRevision) : undefined;
      },
    });
  }

  /** Reloads the cache; watches end. */
  async #reload(reason: string, details: Readonly<Record<string, unknown>>): Promise<void> {
    const { clock, log } = this.#options;
    log.warn(reason, details);
    while (!this.#closed) {
      try {
        return await this.load();
      } catch (error) {
        log.warn('etcd cannot be read', { error });
        await clock.sleep(1_000);
      }
    }
  }
}

function throwUnobservedRevision(revision: number): never {
  throw new KeySpaceError('unavailable', `revision ${revision} is written, but was compacted before it was seen`);
}
