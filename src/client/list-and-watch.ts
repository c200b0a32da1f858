import type { Clock } from '../env/index.ts';
import { type ApiHandler, type ApiResponse, isJsonObject, type JsonObject } from '../meta/index.ts';
import { readLines, readText } from './read-body.ts';

export interface ListAndWatchOptions {
  readonly api: ApiHandler;
  readonly clock: Clock;
  /** The collection: `/api/v1/namespaces/default/pods`. */
  readonly path: string;
  /** Selectors and the like, sent with the list and with the watch. */
  readonly query?: Readonly<Record<string, string>>;
  /** In place of those it sends by itself: `accept` asks for JSON. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Objects a page of the list; the whole list at once when absent. */
  readonly pageSize?: number;
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: JsonObject;
}

/** Called in order, never at the same time, never again once the signal is aborted. */
export interface ListAndWatchSink {
  /** All objects there are, or all rows of a Table: replaces what was told before. `list` is the list itself, of several pages the last. */
  listed(items: readonly JsonObject[], resourceVersion: string, list: JsonObject): void;
  changed(event: WatchEvent): void;
  /** `cause` is the answer or the error after which it waits. */
  state?(state: 'listing' | 'watching' | 'waiting', cause?: unknown): void;
}

/** An answer that is not the list or watch that was asked for. */
export class ListError extends Error {
  readonly status: number;
  /** The Status object, as far as the body was one. */
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
 * Tells all objects of a collection and every later change, until `signal` aborts; then it resolves.
 * A watch that ends and one that breaks are the same to it (browsers end idle streams, workers are killed): it goes on from the
 * last version it has told, drops what is not newer, and lists again when that version is no longer kept (part 6 rule 7).
 */
export async function listAndWatch(options: ListAndWatchOptions, sink: ListAndWatchSink, signal: AbortSignal): Promise<void> {
  let version: string | undefined;
  let delayMs = firstDelayMs;
  while (!signal.aborted) {
    try {
      version ??= await list(options, sink, signal);
      const before: string = version;
      version = await watch(options, sink, signal, version);
      if (version !== before) delayMs = firstDelayMs;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof WatchBroken) {
        if (error.version !== version) delayMs = firstDelayMs;
        version = error.version;
      }
      sink.state?.('waiting', error instanceof WatchBroken ? error.cause : error);
    }
    if (signal.aborted) return;
    await options.clock.sleep(delayMs, signal).catch(() => undefined);
    delayMs = Math.min(delayMs * 2, lastDelayMs);
  }
}

/** A watch that cannot go on, and from where the next one may: undefined means from a new list. */
class WatchBroken extends Error {
  readonly version: string | undefined;

  constructor(version: string | undefined, cause: unknown) {
    super('watch broken', { cause });
    this.version = version;
  }
}

async function list(options: ListAndWatchOptions, sink: ListAndWatchSink, signal: AbortSignal): Promise<string> {
  sink.state?.('listing');
  const found: JsonObject[] = [];
  let next = '';
  for (;;) {
    const paging = options.pageSize === undefined ? {} : { limit: String(options.pageSize), ...(next === '' ? {} : { continue: next }) };
    const answer = await get(options, { ...options.query, ...paging }, signal);
    const page = parsed(await readText(answer.body));
    if (answer.status !== 200 || !isJsonObject(page)) throw new ListError(answer.status, page);
    const { items, rows, metadata } = page;
    const some = items ?? rows;
    if (Array.isArray(some)) for (const one of some) if (isJsonObject(one)) found.push(one);
    next = textOf(metadata, 'continue');
    if (next !== '') continue;
    const version = textOf(metadata, 'resourceVersion');
    if (!signal.aborted) sink.listed(found, version, page);
    return version;
  }
}

/** Resolves with the last version seen when the watch ends by itself. */
async function watch(options: ListAndWatchOptions, sink: ListAndWatchSink, signal: AbortSignal, after: string): Promise<string> {
  let version = after;
  try {
    const query = { ...options.query, watch: 'true', allowWatchBookmarks: 'true', resourceVersion: after };
    const answer = await get(options, query, signal);
    if (answer.status !== 200) throw new ListError(answer.status, parsed(await readText(answer.body)));
    sink.state?.('watching');
    for await (const line of readLines(answer.body)) {
      if (signal.aborted) return version;
      version = deliver(parsed(line), version, sink);
    }
    return version;
  } catch (error) {
    throw new WatchBroken(isExpired(error) ? undefined : version, error);
  }
}

/** Hands one event on unless it is known already; returns the version it brings us to. */
function deliver(event: unknown, version: string, sink: ListAndWatchSink): string {
  if (!isJsonObject(event) || !isJsonObject(event['object'])) return version;
  const { type, object } = event;
  if (type === 'ERROR') throw new ListError(Number(object['code'] ?? 500), object);
  const at = textOf(object['metadata'], 'resourceVersion');
  if (!isNewer(at, version)) return version;
  if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') sink.changed({ type, object });
  return at;
}

/** Versions that are numbers are compared as such (part 6: they only grow); a foreign server's own kind is taken as it comes. */
function isNewer(version: string, than: string): boolean {
  const digits = /^\d+$/;
  if (!digits.test(version) || !digits.test(than)) return version !== than;
  return version.length === than.length ? version > than : version.length > than.length;
}

function isExpired(error: unknown): boolean {
  return error instanceof ListError && error.status === 410;
}

function get(options: ListAndWatchOptions, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ApiResponse> {
  const search = new URLSearchParams(query).toString();
  const headers = new Headers({ accept: 'application/json' });
  for (const [name, value] of options.headers ?? []) headers.set(name, value);
  return options.api({
    method: 'GET',
    target: search === '' ? options.path : `${options.path}?${search}`,
    headers,
    body: undefined,
    signal,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whatever it is, it is not an object; the callers say so.
    return text;
  }
}

function textOf(object: unknown, field: string): string {
  const value = isJsonObject(object) ? object[field] : undefined;
  return typeof value === 'string' ? value : '';
}
