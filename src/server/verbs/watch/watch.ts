import { tableOf, writeCbor, writeCborEvent, writeWatchFrame } from '../../../codec/index.ts';
import { createPace } from '../../../env/index.ts';
import {
  type ApiObject,
  internalError,
  type JsonObject,
  type Product,
  resourceExpired,
  StatusError,
  stringifyJson,
  tooLargeResourceVersion,
  toStatus,
} from '../../../meta/index.ts';
import {
  CorruptObjectError,
  collectionPrefix,
  corruptDeletionError,
  objectKey,
  parseResourceVersion,
  toStatusError,
  waitUntilFresh,
} from '../../../registry/index.ts';
import { formatGroupVersion, type Schema } from '../../../schema/index.ts';
import { type Change, type Entry, KeySpaceError } from '../../../storage/index.ts';
import { type Chunk, EventStream, type EventType, type SelectedChange, selectChange } from '../../../watch/index.ts';
import { cborType, streamTypes } from '../../body/body.ts';
import type { EventTexts } from '../../observability/event-texts.ts';
import { bookmarkOf } from '../../parameters/bookmark.ts';
import { type ListOptions, readListOptions } from '../../parameters/list-options.ts';
import { readSelection } from '../../parameters/selection.ts';
import type { Answer, RequestContext } from '../../request-context.ts';
import { notAcceptable } from '../../response/not-acceptable.ts';
import {
  includeObjectOf,
  inStorageVersion,
  partialObjectMetadata,
  shownObject,
  storageObject,
  uncached,
  versionMeta,
  wholeOf,
} from '../../response/respond.ts';
import { verbNotSupported } from '../../route.ts';
import { canUseWebSocket, watchOverWebSocket } from './watch-over-websocket.ts';

/** From this length on the initial events are encoded as they are read, in UTF-16 code units. */
const largeBeginning = 256 * 1024;

/** How often a watcher that allows bookmarks gets one (upstream bookmarkFrequency). */
const bookmarkMs = 60_000;
/** Time of the last bookmark before the watch ends, to resume from. */
const lastBookmarkMs = 2_000;
/** Longest delay that a watch of a revision in the future gets without the watch cache; the delay is random. */
const maxRetrySeconds = 3;

/** A watch (part 6): initial events, then changes, until the client disconnects or the timeout. */
export async function watch(context: RequestContext): Promise<Answer> {
  const { server, info } = context;
  const options = readListOptions(info.query, server);
  if (!context.resource.verbs.has('watch')) throw verbNotSupported(context.resource, 'watch');
  const watcher = new Watcher(context, options);
  await watcher.start();
  if (context.accept.mediaType === 'application/yaml') {
    // YAML has no watch framing; errors of the watch itself are reported first.
    watcher.stream.end();
    throw notAcceptable(streamTypes(server));
  }
  if (canUseWebSocket(context.request)) return { form: 'response', response: watchOverWebSocket(context, watcher.stream) };
  const headers = [uncached, ['content-type', streamType(context.accept.mediaType, server.product)]] as const;
  return { form: 'response', response: { status: 200, headers, body: watcher.stream, isEventStream: true } };
}

function streamType(mediaType: string, product: Product): string {
  if (mediaType === cborType) return `${cborType}-seq`;
  return mediaType === product.names.protobufMediaType ? `${mediaType};stream=watch` : mediaType;
}

class Watcher {
  readonly stream: EventStream;
  readonly #context: RequestContext;
  readonly #options: ListOptions;
  readonly #encode: EventEncoder;
  readonly #selects: ((entry: Entry) => boolean) | undefined;
  readonly #prefix: string;
  readonly #ends: (() => void)[] = [];
  #revision = 0;
  /** The revision of the definition of a custom resource. */
  #firstRevision = 0;

  constructor(context: RequestContext, options: ListOptions) {
    const { server, resource } = context;
    this.#context = context;
    this.#options = options;
    this.#encode = new EventEncoder(context);
    const { selects, namespace, name } = readSelection(context, options);
    const inner = selects && ((entry: Entry) => selects(server.store.storedObjectOf(entry)));
    if (name === undefined) {
      this.#prefix = collectionPrefix(resource, namespace);
      this.#selects = inner;
    } else {
      // A prefix of one name is also that of longer ones.
      const key = objectKey(resource, namespace, name);
      this.#prefix = key;
      this.#selects = (entry) => entry.key === key && (!inner || inner(entry));
    }
    this.stream = new EventStream(() => {
      for (const end of this.#ends.splice(0)) end();
    });
  }

  async start(): Promise<void> {
    const { resourceVersion, sendInitialEvents, timeoutSeconds = 0 } = this.#options;
    const { store, env, watchCache } = this.#context.server;
    const version = parseResourceVersion(resourceVersion, 500);
    if (timeoutSeconds < 0) return this.#endAtOnce(version);
    const { keySpace } = store;
    const unseen = sendInitialEvents && version !== undefined && version > (await keySpace.observedRevision());
    const current = unseen ? await keySpace.revision() : 0;
    if (!unseen || version <= current) return this.#open();
    if (!watchCache) {
      this.#fail(tooLargeResourceVersion(version, current, 1 + env.random.integer(maxRetrySeconds)));
      return;
    }
    // The response starts before the awaited revision is observed.
    waitUntilFresh(keySpace, version, { clock: env.clock, watchCache })
      .then(() => this.#open())
      .catch((error: unknown) => this.#fail(error));
  }

  async #open(): Promise<void> {
    const { server, request } = this.#context;
    let after: number;
    try {
      after = await this.#sendInitialEvents();
      const stop = await server.store.keySpace.watch({
        prefix: this.#prefix,
        after,
        deliver: (changes, revision) => this.#deliver(changes, revision),
        onError: () => this.stream.end(),
      });
      this.#ends.push(stop);
    } catch (error) {
      await this.#rejectWatch(error);
      return;
    }
    const { signal } = request;
    const end = (): void => this.stream.end();
    signal.addEventListener('abort', end, { once: true });
    // A client may use one signal for many watches.
    this.#ends.push(() => signal.removeEventListener('abort', end));
    if (signal.aborted) end();
    if (this.stream.closed) for (const end of this.#ends.splice(0)) end();
    else {
      this.#limit(after);
      this.#ends.push(server.custom.onServingEnd(this.#context.resource, () => this.stream.end()));
    }
  }

  /** A negative timeout ends the watch before it reads anything. */
  #endAtOnce(version: number | undefined): void {
    if (version === undefined) this.#fail(new StatusError(500, 'InternalError', 'context deadline exceeded'));
    this.stream.end();
  }

  /** Errors after the start of the response are ERROR events. */
  #fail(error: unknown): void {
    const status = error instanceof StatusError ? error : internalError('unexpected error, see the log', error);
    if (status !== error) this.#context.server.env.log.error('watch failed', { error });
    this.stream.write(this.#encode.error(status));
    this.stream.end();
  }

  /** The watch cache of a custom resource starts with its definition. @throws KeySpaceError */
  #requireServed(version: number): void {
    const { resource, server } = this.#context;
    const first = resource.custom && server.watchCache ? server.custom.firstRevision(resource.custom) : 0;
    this.#firstRevision = first;
    if (version < first) throw new KeySpaceError('compacted', `revision ${version} is older than the resource`);
  }

  /** Sends the initial events, if requested; returns the revision after which changes follow. */
  async #sendInitialEvents(): Promise<number> {
    const { sendInitialEvents } = this.#options;
    const version = parseResourceVersion(this.#options.resourceVersion, 500) ?? 0;
    const fromHere = version > 0 && !sendInitialEvents;
    if (fromHere) {
      this.#revision = version;
      this.#requireServed(version);
      return version;
    }
    // `sendInitialEvents=false` without a version: only changes from now on.
    const silent = sendInitialEvents === false;
    const { watchCache, store } = this.#context.server;
    const { keySpace } = store;
    if (silent) {
      this.#revision = await keySpace.revision();
      return this.#revision;
    }
    // When any version will do, the watch cache starts at its observed revision.
    const seen = watchCache && this.#options.resourceVersion !== '' ? { at: await keySpace.observedRevision() } : {};
    const { entries: all, revision } = await keySpace.range({ prefix: this.#prefix, ...seen });
    const entries = await this.#selectedOf(all);
    this.#revision = revision;
    const endsMarked = sendInitialEvents && this.#options.allowBookmarks;
    const length = entries.reduce((sum, { value }) => sum + value.length, 0);
    if (length < largeBeginning || this.#context.accept.convert?.kind === 'PartialObjectMetadataList') {
      for (const entry of entries) this.#send({ type: 'ADDED', entry, revision: entry.revision }, undefined);
      if (endsMarked) this.stream.write(this.#encode.bookmark(revision, true));
    } else this.stream.begin(this.#beginning(entries, endsMarked ? revision : undefined));
    return revision;
  }

  async #selectedOf(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const selects = this.#selects;
    if (!selects) return entries;
    const pace = createPace(this.#context.server.env.clock);
    const selected: Entry[] = [];
    for (const entry of entries) {
      const paused = pace();
      if (paused) await paused;
      if (selects(entry)) selected.push(entry);
    }
    return selected;
  }

  /** Initial events of a large collection, with the bookmark at their end; the first is encoded at once: of tables it has the columns. */
  #beginning(entries: readonly Entry[], bookmarkAt: number | undefined): Iterator<Chunk> {
    const encode = this.#encode;
    const chunks = (function* (): Generator<Chunk> {
      for (const entry of entries) yield encode.event({ type: 'ADDED', entry, revision: entry.revision }, undefined);
      if (bookmarkAt !== undefined) yield encode.bookmark(bookmarkAt, true);
    })();
    const first = chunks.next();
    return this.#untilFailure(first.done ? [] : [first.value], chunks);
  }

  /** An encoding error after the start of the response is the last event. */
  *#untilFailure(encoded: readonly Chunk[], rest: Iterable<Chunk>): Generator<Chunk> {
    try {
      yield* encoded;
      yield* rest;
    } catch (error) {
      this.#fail(error);
    }
  }

  #deliver(changes: readonly Change[], revision: number): void {
    try {
      for (const change of changes) {
        const selected = selectChange(change, this.#selects);
        if (selected) this.#send(selected, change);
      }
    } catch (error) {
      if (!(error instanceof CorruptObjectError)) throw error;
      // A corrupt object cannot be sent as an event: the watch ends here.
      const isDeletion = changes.some(({ previous, entry }) => previous === error.entry && entry === undefined);
      this.stream.write(this.#encode.error(isDeletion ? corruptDeletionError(error) : error));
      this.stream.end();
    }
    this.#revision = Math.max(this.#revision, revision);
  }

  #send(selected: SelectedChange, change: Change | undefined): void {
    // An event holds one object: it cannot be shown as a list, and the real server just ends there.
    if (this.#context.accept.convert?.kind === 'PartialObjectMetadataList') this.stream.end();
    else this.stream.write(this.#encode.event(selected, change));
  }

  #limit(begun: number): void {
    const { env, timeouts } = this.#context.server;
    const { clock, random } = env;
    const seconds = this.#options.timeoutSeconds || timeouts.minWatchSeconds + random.integer(timeouts.minWatchSeconds);
    this.#ends.push(clock.schedule(seconds * 1000, () => this.stream.end()));
    if (!this.#options.allowBookmarks) return;
    const deadline = clock.monotonicMs() + seconds * 1000;
    let cancel = (): void => {};
    const next = (): void => {
      const waitMs = Math.min(bookmarkMs, deadline - lastBookmarkMs - clock.monotonicMs());
      if (waitMs >= 1_000) cancel = clock.schedule(waitMs, mark);
    };
    const mark = (): void => {
      // A revision that the watcher has started with needs no bookmark.
      if (this.#revision > begun) this.stream.write(this.#encode.bookmark(this.#revision, false));
      next();
    };
    next();
    this.#ends.push(() => cancel());
  }

  /** A compacted revision is an ERROR event or the response status 410, by the product's switch (part 6 rule 2). */
  async #rejectWatch(error: unknown): Promise<void> {
    if (!(error instanceof KeySpaceError) || error.code !== 'compacted') throw toStatusError(error);
    const { product, watchCache, store } = this.#context.server;
    const oldest = Math.max(this.#firstRevision, await store.keySpace.compactedRevision());
    const expired = resourceExpired(
      watchCache ? `too old resource version: ${this.#revision} (${oldest})` : 'The resourceVersion for the provided watch is too old.',
    );
    if (product.switches.expiredWatchIsHttp410) throw expired;
    this.stream.write(this.#encode.error(expired));
    this.stream.end();
  }
}

/** Writes events in the watcher's media type and view; a text is made once a change and shared by all watchers with the same view. */
class EventEncoder {
  readonly #context: RequestContext;
  readonly #texts: EventTexts;
  readonly #view: string;
  #headersSent = false;

  constructor(context: RequestContext) {
    const { convert, mediaType } = context.accept;
    this.#context = context;
    this.#texts = context.server.eventTexts;
    this.#view = [
      formatGroupVersion(context.resource),
      mediaType,
      convert ? `${convert.kind}.${convert.group}/${convert.version}` : '',
    ].join(' ');
  }

  event({ type, entry, revision }: SelectedChange, change: Change | undefined): Chunk {
    const table = this.#context.accept.convert?.kind === 'Table';
    // The first table has the column headers, so it is not shared.
    if (!change || table) return this.#encoded(type, this.#object(entry, revision));
    return this.#texts.of(change, `${this.#view} ${type}`, () => this.#encodeEntry(type, entry, revision));
  }

  #encodeEntry(type: EventType, entry: Entry, revision: number): Chunk {
    const { accept, resource, server } = this.#context;
    const plain = accept.mediaType === 'application/json' && !accept.convert && inStorageVersion(resource) && entry.revision === revision;
    return plain
      ? `{"type":"${type}","object":${server.store.storedObjectOf(entry).text}}\n`
      : this.#encoded(type, this.#object(entry, revision));
  }

  #object(entry: Entry, revision: number): ApiObject {
    const stored = this.#context.server.store.storedObjectOf(entry);
    const object = this.#context.accept.convert ? storageObject(this.#context, stored) : shownObject(this.#context, stored);
    return entry.revision === revision ? object : { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
  }

  bookmark(revision: number, initialEventsEnd: boolean): Chunk {
    const annotations = initialEventsEnd ? { [this.#context.server.product.names.initialEventsEndAnnotation]: 'true' } : {};
    return this.#encoded('BOOKMARK', bookmarkOf(this.#context, revision, annotations));
  }

  error(error: StatusError): Chunk {
    const status = toStatus(error) as unknown as JsonObject;
    return this.#frame('ERROR', status, undefined);
  }

  #encoded(type: string, object: ApiObject): Chunk {
    return this.#frame(type, this.#converted(object), this.#context.accept.convert ? undefined : this.#context.kind.schema);
  }

  #frame(type: string, object: JsonObject, shape: Schema | undefined): Chunk {
    const { accept, server } = this.#context;
    if (accept.mediaType === 'application/json') return `${stringifyJson({ type, object })}\n`;
    // A watch in YAML is rejected when it has started, so its events are not sent.
    if (accept.mediaType === 'application/yaml') return '';
    if (accept.mediaType === cborType) return writeCborEvent(type, writeCbor(object, shape));
    return writeWatchFrame({ type, object: server.protobuf.encode(object) });
  }

  #converted(object: ApiObject): JsonObject {
    const { convert } = this.#context.accept;
    if (!convert) return object;
    const apiVersion = `${convert.group}/${convert.version}`;
    if (convert.kind !== 'Table') return partialObjectMetadata(this.#context, object, apiVersion);
    const { server, resource, kind, describeColumn } = this.#context;
    const headers = !this.#headersSent;
    this.#headersSent = true;
    const context = { nowMs: server.env.clock.nowMs(), product: server.product };
    return tableOf({
      resource,
      apiVersion,
      objects: [object],
      metadata: versionMeta(object),
      metadataOf: () => kind.metadataOf(object),
      wholeOf: () => wholeOf(this.#context, object),
      includeObject: includeObjectOf(this.#context),
      headers,
      describeColumn,
      context,
    });
  }
}
