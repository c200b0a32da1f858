import type { Clock } from '../../env/index.ts';
import { type ApiHandler, type ApiResponse, createHeaders, isJsonObject, type JsonObject } from '../../meta/index.ts';
import { parseJsonOrText, readLines, readText } from '../transport/read-body.ts';

export interface ListAndWatchOptions {
  readonly api: ApiHandler;
  readonly clock: Clock;
  /** The collection: `/api/v1/namespaces/default/pods`. */
  readonly path: string;
  /** Selectors and other parameters of both the list and the watch request. */
  readonly query?: Readonly<Record<string, string>>;
  /** Media types of the list and of the watch. Default: application/json. */
  readonly accept?: { readonly list: string; readonly watch: string };
  /** Override the defaults, such as `accept: application/json`. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Page size of the list; a single request when absent. */
  readonly pageSize?: number;
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: JsonObject;
}

/** Calls are in order, never concurrent, and never after the signal aborted. */
export interface ListAndWatchHandlers {
  /**
   * All objects, or all rows of a Table; replaces everything delivered before. `list` is the response, the last page of a paginated list.
   */
  onListed(items: readonly JsonObject[], resourceVersion: string, list: JsonObject): void;
  /** The objects of a page that is not the last one. */
  onPage?(items: readonly JsonObject[], page: JsonObject): void;
  onEvent(event: WatchEvent): void;
  /** `cause` is the response or the error before a backoff. */
  onStateChange?(state: 'listing' | 'watching' | 'waiting', cause?: unknown): void;
}

/** A response that is not the requested list or watch. */
export class ListError extends Error {
  readonly status: number;
  /** The Status object, when the body is one. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(isJsonObject(body) && typeof body['message'] === 'string' ? body['message'] : `status ${status}`);
    this.name = 'ListError';
    this.status = status;
    this.body = body;
  }
}

const firstDelayMs = 50;
const lastDelayMs = 5_000;

/**
 * Delivers all objects of a collection and then every change; resolves when `signal` aborts.
 * A watch that ended and one that broke are handled alike, since browsers end idle streams and workers are killed: the next watch starts at
 * the last delivered resourceVersion and drops older events. Lists again after 410 Gone (part 6 rule 7). Cf. client-go tools/cache
 * Reflector.
 */
export async function listAndWatch(options: ListAndWatchOptions, handlers: ListAndWatchHandlers, signal: AbortSignal): Promise<void> {
  let version: string | undefined;
  let delayMs = firstDelayMs;
  while (!signal.aborted) {
    try {
      version ??= await list(options, handlers, signal);
      const before: string = version;
      version = await watch(options, handlers, signal, version);
      if (version !== before) delayMs = firstDelayMs;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof WatchInterrupted) {
        if (error.version !== version) delayMs = firstDelayMs;
        version = error.version;
      }
      handlers.onStateChange?.('waiting', error instanceof WatchInterrupted ? error.cause : error);
    }
    if (signal.aborted) return;
    await options.clock.sleep(delayMs, signal).catch(() => undefined);
    delayMs = Math.min(delayMs * 2, lastDelayMs);
  }
}

/** A failed watch with the version to resume from; undefined requires a new list. */
class WatchInterrupted extends Error {
  readonly version: string | undefined;

  constructor(version: string | undefined, cause: unknown) {
    super('watch broken', { cause });
    this.version = version;
  }
}

async function list(options: ListAndWatchOptions, handlers: ListAndWatchHandlers, signal: AbortSignal): Promise<string> {
  handlers.onStateChange?.('listing');
  const found: JsonObject[] = [];
  let next = '';
  for (;;) {
    const paging = options.pageSize === undefined ? {} : { limit: String(options.pageSize), ...(next === '' ? {} : { continue: next }) };
    const answer = await sendGet(options, { ...options.query, ...paging }, options.accept?.list, signal);
    const page = parseJsonOrText(await readText(answer.body));
    if (answer.status !== 200 || !isJsonObject(page)) throw new ListError(answer.status, page);
    const objects = objectsOf(page);
    for (const object of objects) found.push(object);
    next = textOf(page['metadata'], 'continue');
    const version = textOf(page['metadata'], 'resourceVersion');
    if (signal.aborted) return version;
    if (next === '') {
      handlers.onListed(found, version, page);
      return version;
    }
    handlers.onPage?.(objects, page);
    // In one thread with the server, pages would follow each other by promises only.
    await options.clock.nextTurn();
  }
}

/** The objects of a list, or the rows of a table. */
function objectsOf({ items, rows }: JsonObject): readonly JsonObject[] {
  const objects = items ?? rows;
  return Array.isArray(objects) ? objects.filter(isJsonObject) : [];
}

/** Length of an event, in UTF-16 code units, that takes noticeable time to parse. */
const largeEvent = 64 * 1024;

let last: { readonly text: string; readonly event: unknown } = { text: '', event: '' };

/** Clients in one thread with the server that watch the same objects get the same text one after the other: they share its object. */
function parseEvent(text: string): unknown {
  if (text !== last.text) last = { text, event: parseJsonOrText(text) };
  return last.event;
}

/** Resolves with the last observed version when the stream ends. */
async function watch(options: ListAndWatchOptions, handlers: ListAndWatchHandlers, signal: AbortSignal, after: string): Promise<string> {
  let version = after;
  try {
    const query = { ...options.query, watch: 'true', allowWatchBookmarks: 'true', resourceVersion: after };
    const answer = await sendGet(options, query, options.accept?.watch, signal);
    if (answer.status !== 200) throw new ListError(answer.status, parseJsonOrText(await readText(answer.body)));
    handlers.onStateChange?.('watching');
    for await (const line of readLines(answer.body)) {
      if (signal.aborted) return version;
      version = deliverEvent(parseEvent(line), version, handlers);
      // Several clients in one thread watch the same objects.
      if (line.length > largeEvent) await options.clock.nextTurn();
    }
    return version;
  } catch (error) {
    throw new WatchInterrupted(isExpired(error) ? undefined : version, error);
  }
}

/** Delivers an event unless it is older than `version`. Returns the event's version. */
function deliverEvent(event: unknown, version: string, handlers: ListAndWatchHandlers): string {
  if (!isJsonObject(event) || !isJsonObject(event['object'])) return version;
  const { type, object } = event;
  if (type === 'ERROR') throw new ListError(Number(object['code'] ?? 500), object);
  const at = textOf(object['metadata'], 'resourceVersion');
  if (!isNewer(at, version)) return version;
  if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') handlers.onEvent({ type, object });
  return at;
}

/** Compares numeric versions by value (part 6: they only grow). Versions of other servers are opaque and only compared for equality. */
function isNewer(version: string, than: string): boolean {
  const digits = /^\d+$/;
  if (!digits.test(version) || !digits.test(than)) return version !== than;
  return version.length === than.length ? version > than : version.length > than.length;
}

function isExpired(error: unknown): boolean {
  return error instanceof ListError && error.status === 410;
}

function sendGet(
  options: ListAndWatchOptions,
  query: Readonly<Record<string, string>>,
  accept: string | undefined,
  signal: AbortSignal,
): Promise<ApiResponse> {
  const search = new URLSearchParams(query).toString();
  const headers = createHeaders([['accept', accept ?? 'application/json'], ...(options.headers ?? [])]);
  return options.api({
    method: 'GET',
    target: search === '' ? options.path : `${options.path}?${search}`,
    headers,
    body: undefined,
    signal,
  });
}

function textOf(object: unknown, field: string): string {
  const value = isJsonObject(object) ? object[field] : undefined;
  return typeof value === 'string' ? value : '';
}
