import { type Clock, createPace, type Pace } from '../env/index.ts';
import { badRequest, internalError, type Product, resourceExpired, tooLargeResourceVersion } from '../meta/index.ts';
import type { Resource } from '../schema/index.ts';
import { type Entry, type KeySpace, KeySpaceError, type RangeQuery, type RangeResult, unreadableReason } from '../storage/index.ts';
import { type ContinueToken, decodeContinue, encodeContinue } from './continue-token.ts';
import { CorruptObjectError, CorruptObjects } from './corrupt-object.ts';
import { collectionPrefix, objectKey } from './object-keys.ts';
import { type ObjectStore, subjectOf, toStatusError } from './object-store.ts';
import { parseResourceVersion } from './resource-version.ts';
import type { StoredObject } from './stored-object.ts';

/** How long a read waits until the store reaches a resourceVersion (upstream blockTimeout). */
const versionWaitMs = 3_000;
const versionPollMs = 100;
/** Limit of entries read at once when a selector drops most objects (upstream maxLimit). */
const selectorPage = 10_000;

/** The parameters of part 4.4; the caller checks their combination. */
export interface ListQuery {
  readonly resource: Resource;
  /** Empty: all namespaces. */
  readonly namespace: string;
  /** The name of the only object that can match, where name and namespace are known. */
  readonly name: string | undefined;
  /** Label and field selector; undefined selects everything. */
  readonly selects: ((stored: StoredObject) => boolean) | undefined;
  /** 0 or less: no limit. */
  readonly limit: number;
  readonly continue: string;
  /** As in the request; empty when absent. */
  readonly resourceVersion: string;
  readonly match: '' | 'Exact' | 'NotOlderThan';
}

export interface ListResult {
  readonly items: readonly StoredObject[];
  /** 0: the list is not read from the store. */
  readonly revision: number;
  /** Empty when the list is complete. */
  readonly continue: string;
  /** Undefined when the list is complete or has a selector. */
  readonly remaining: number | undefined;
}

/** Dependencies and settings of a read. */
export interface ReadContext {
  readonly clock: Clock;
  readonly product: Product;
  /** Whether reads are served from the watch cache where possible; with `--watch-cache=false` they are served from the store. */
  readonly watchCache: boolean;
}

/** Lists objects at one revision (parts 4.4, 4.8). @throws StatusError 400, 410, 504 */
export async function listObjects(store: ObjectStore, query: ListQuery, reading: ReadContext): Promise<ListResult> {
  const { product, watchCache } = reading;
  const { match } = query;
  const token = query.continue === '' ? undefined : decodeContinue(query.continue, product);
  if (token && query.resourceVersion !== '' && query.resourceVersion !== '0')
    throw badRequest('specifying resource version is not allowed when using continue');
  const version = parseResourceVersion(query.resourceVersion, 400);
  // The watch cache serves version 0 and does not paginate.
  const limit = watchCache && version === 0 && match !== 'Exact' ? 0 : query.limit;
  const exact = token ? token.revision : exactRevision({ ...query, limit }, version);
  const notBefore = exact ?? version ?? 0;
  // The watch cache has no exact versions of single objects. Cf. upstream ShouldDelegateExactRV.
  const isWaiting = watchCache && !(query.name !== undefined && isExact(query));
  if (notBefore > 0) await waitUntilFresh(store.keySpace, notBefore, { ...reading, watchCache: isWaiting });
  // With a resourceVersion the cache serves its observed state; without one the store serves the newest.
  const isCached = watchCache && exact === undefined && version !== undefined;
  try {
    const at = exact !== undefined && exact > 0 ? exact : isCached ? await store.keySpace.observedRevision() : undefined;
    return await listChunk(store, { ...query, limit }, token, at, reading);
  } catch (error) {
    if (error instanceof KeySpaceError && error.code === 'compacted') throw await expiredError(store.keySpace, token, product);
    throw toStatusError(error);
  }
}

/** The revision that a list without a continue token must have; undefined when a newer one is allowed. */
function exactRevision({ match, limit, name }: ListQuery, version: number | undefined): number | undefined {
  if (version === undefined || version <= 0) return undefined;
  return isExact({ match, limit }) && (match === 'Exact' || name === undefined) ? version : undefined;
}

/** Whether the request is for a version exactly. A limit, which implies it, has no effect on the version of a single object. */
const isExact = ({ match, limit }: Pick<ListQuery, 'match' | 'limit'>): boolean => match === 'Exact' || (match === '' && limit > 0);

/** Waits until a revision is reached; without the watch cache a missing revision fails at once. @throws StatusError 504 */
export async function waitUntilFresh(
  keySpace: KeySpace,
  version: number,
  { clock, watchCache }: Pick<ReadContext, 'clock' | 'watchCache'>,
): Promise<void> {
  const deadline = clock.monotonicMs() + versionWaitMs;
  if (watchCache && (await keySpace.observedRevision()) >= version) return;
  for (;;) {
    const current = await keySpace.revision();
    if (current >= version) return;
    if (!watchCache) throw tooLargeResourceVersion(version, current);
    if (clock.monotonicMs() >= deadline) throw tooLargeResourceVersion(version, current, 1);
    await clock.sleep(versionPollMs);
  }
}

async function listChunk(
  store: ObjectStore,
  query: ListQuery,
  token: ContinueToken | undefined,
  at: number | undefined,
  { product, clock }: ReadContext,
): Promise<ListResult> {
  const { name, selects, limit } = query;
  if (name !== undefined) return listByName(store, { ...query, name }, at);
  const prefix = collectionPrefix(query.resource, query.namespace);
  const items: StoredObject[] = [];
  let from = token ? `${prefix}${token.start.replace(/^\//, '')}` : undefined;
  let revision = at;
  const corrupt = new CorruptObjects();
  const selection = new Selection(store, query, { items, corrupt, pace: createPace(clock) });
  for (;;) {
    const read: RangeResult = await store.keySpace.range(rangeQuery(prefix, from, pageLimit(query), revision));
    revision = read.revision;
    const scanned = await selection.add(read.entries);
    const rest = read.count - scanned;
    if (rest === 0 || corrupt.isFull) corrupt.throwIfAny(subjectOf(query.resource));
    if (rest === 0) return { items, revision, continue: '', remaining: undefined };
    from = `${read.entries[scanned - 1]?.key ?? prefix}\0`;
    if (limit > 0 && items.length === limit) {
      corrupt.throwIfAny(subjectOf(query.resource));
      const next = encodeContinue({ revision, start: from.slice(prefix.length - 1) }, product);
      return { items, revision, continue: next, remaining: selects ? undefined : rest };
    }
  }
}

function rangeQuery(prefix: string, from: string | undefined, limit: number | undefined, at: number | undefined): RangeQuery {
  return {
    prefix,
    ...(from === undefined ? {} : { from }),
    ...(limit === undefined ? {} : { limit }),
    ...(at === undefined ? {} : { at }),
  };
}

/** The number of entries to read at once; undefined: all. A selector drops objects, so that more are read. */
function pageLimit({ selects, limit }: ListQuery): number | undefined {
  if (limit <= 0) return undefined;
  return selects ? Math.max(limit, Math.min(selectorPage, limit * 2)) : limit;
}

interface SelectionState {
  /** The selected objects. */
  readonly items: StoredObject[];
  readonly corrupt: CorruptObjects;
  readonly pace: Pace;
}

/** Selects objects of a list, up to its limit. */
class Selection {
  readonly #store: ObjectStore;
  readonly #query: ListQuery;
  readonly #state: SelectionState;

  constructor(store: ObjectStore, query: ListQuery, state: SelectionState) {
    this.#store = store;
    this.#query = query;
    this.#state = state;
  }

  /** Adds entries until the limit is reached; returns the number of those that were read. */
  async add(entries: readonly Entry[]): Promise<number> {
    const { items, pace } = this.#state;
    const { limit } = this.#query;
    let scanned = 0;
    for (const entry of entries) {
      if (limit > 0 && items.length === limit) break;
      scanned++;
      const paused = pace();
      if (paused) await paused;
      this.#addObject(this.#store.storedObjectOf(entry));
    }
    return scanned;
  }

  #addObject(stored: StoredObject): void {
    const { items, corrupt } = this.#state;
    const { selects } = this.#query;
    requireDecrypted(stored);
    if (this.#store.reportsCorruptKeys && !isReadable(stored, corrupt)) return;
    if (!selects || selects(stored)) items.push(stored);
  }
}

/** @throws StatusError 500 with the key, as upstream's lists from etcd */
function requireDecrypted({ entry }: StoredObject): true {
  const reason = unreadableReason(entry.value);
  if (reason !== undefined) throw internalError(`unable to transform key ${JSON.stringify(entry.key)}: ${reason}`);
  return true;
}

/** Decodes an object ahead of time; decoding errors are collected in `corrupt`. */
function isReadable(stored: StoredObject, corrupt: CorruptObjects): boolean {
  try {
    return stored.object !== undefined;
  } catch (error) {
    if (!(error instanceof CorruptObjectError)) throw error;
    corrupt.add(error);
    return false;
  }
}

/** Lists at most one object: its key is the first of those with the key as prefix. */
async function listByName(
  store: ObjectStore,
  { resource, namespace, name, selects }: ListQuery & { readonly name: string },
  at: number | undefined,
): Promise<ListResult> {
  const key = objectKey(resource, namespace, name);
  const corrupt = new CorruptObjects();
  const { entries, revision } = await store.keySpace.range(rangeQuery(key, undefined, 1, at));
  const items = entries
    .filter((entry) => entry.key === key)
    .map((entry) => store.storedObjectOf(entry))
    .filter(
      (stored) => requireDecrypted(stored) && (!store.reportsCorruptKeys || isReadable(stored, corrupt)) && (!selects || selects(stored)),
    );
  corrupt.throwIfAny(subjectOf(resource));
  return { items, revision, continue: '', remaining: undefined };
}

async function expiredError(keySpace: KeySpace, token: ContinueToken | undefined, product: Product): Promise<Error> {
  if (!token) return resourceExpired('The resourceVersion for the provided list is too old.');
  // A client that accepts an inconsistent list can continue at the newest revision.
  const inconsistent = encodeContinue({ revision: await keySpace.revision(), start: token.start }, product);
  return resourceExpired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue ' +
      'parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided ' +
      'token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was ' +
      'returned and now may show up in the list.',
    inconsistent,
  );
}
