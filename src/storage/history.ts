import {
  type Change,
  type CompactedCommit,
  type Entry,
  KeySpaceError,
  type RangeQuery,
  type RangeResult,
  type Write,
} from './key-space.ts';
import { lowerBound, OrderedKeys } from './ordered-keys.ts';
import { type CompactedRequest, RequestIndex } from './request-index.ts';
import { Timeline } from './timeline.ts';

/** A key that was deleted at `revision`. */
interface Tombstone {
  readonly key: string;
  readonly value: undefined;
  readonly revision: number;
}

type Version = Entry | Tombstone;

/** The retained versions of one key, oldest first: at most one at or before the compacted revision, and all later ones. */
class KeyHistory {
  readonly key: string;
  readonly versions: Version[];

  constructor(version: Version) {
    this.key = version.key;
    this.versions = [version];
  }

  get live(): boolean {
    return this.versions.at(-1)?.value !== undefined;
  }

  at(revision: number): Entry | undefined {
    const last = this.versions.at(-1);
    // Fast path: nearly all reads want the newest version.
    if (last && last.revision <= revision) return entryOf(last);
    const after = lowerBound(this.versions.length, (index) => (this.versions[index]?.revision ?? 0) <= revision);
    return entryOf(this.versions[after - 1]);
  }
}

/** The size of a history, as a measure of its memory and of its next snapshot. */
export interface HistorySize {
  readonly keys: number;
  readonly changes: number;
  readonly characters: number;
  /** The part of `characters` that belongs to entries which exist at the newest revision. */
  readonly liveCharacters: number;
}

export interface PageQuery {
  readonly prefix: string;
  readonly start: string;
  readonly limit: number;
  readonly at: number;
}

/**
 * All keys with their versions since the compacted revision, in memory: the data structure behind the engines (cf. etcd's mvcc index).
 * It is synchronous and independent of durability and watchers. Changes are sorted by revision. On a shared store, revisions may be
 * missing (keys of others) or occur several times (one transaction on several keys).
 *
 *     put a (2), put b (3), put a (4), delete b (5)    a: [2, 4]  b: [3, 5†]   changes 2 3 4 5   readable from 1
 *     compact(4)                                       a: [4]     b: [3, 5†]   changes 5         readable from 4
 *     compact(5)                                       a: [4]                  changes           readable from 5
 */
export class History {
  #revision = 1;
  #compacted = 1;
  #characters = 0;
  #liveCharacters = 0;
  readonly #byKey = new Map<string, KeyHistory>();
  readonly #ordered = new OrderedKeys<KeyHistory>();
  readonly #requests = new RequestIndex();
  readonly #timeline = new Timeline();
  /** Changes after the compacted revision, in order. */
  #changes: Change[] = [];

  get revision(): number {
    return this.#revision;
  }

  get compactedRevision(): number {
    return this.#compacted;
  }

  get size(): HistorySize {
    return {
      keys: this.#byKey.size,
      changes: this.#changes.length,
      characters: this.#characters,
      liveCharacters: this.#liveCharacters,
    };
  }

  get timeline(): Timeline {
    return this.#timeline;
  }

  current(key: string): Entry | undefined {
    return entryOf(this.#byKey.get(key)?.versions.at(-1));
  }

  get(key: string, at: number = this.#revision): Entry | undefined {
    this.#assertReadable(at);
    return this.#byKey.get(key)?.at(at);
  }

  range(query: RangeQuery): RangeResult {
    const { prefix, from, limit = Number.POSITIVE_INFINITY, at = this.#revision } = query;
    const start = from === undefined || from < prefix ? prefix : from;
    const { entries, isCut } = this.page({ prefix, start, limit, at });
    return { entries, revision: at, count: isCut ? this.#countAt(start, afterPrefix(prefix), at) : entries.length };
  }

  /** The first entries from `start` on, without counting the rest. */
  page(query: PageQuery): { readonly entries: readonly Entry[]; readonly isCut: boolean } {
    const { prefix, start, limit, at } = query;
    this.#assertReadable(at);
    const entries: Entry[] = [];
    let isCut = false;
    this.#ordered.scan(start, (item) => {
      if (!item.key.startsWith(prefix)) return false;
      const entry = item.at(at);
      if (!entry) return true;
      isCut = entries.length >= limit;
      if (!isCut) entries.push(entry);
      return !isCut;
    });
    return { entries, isCut };
  }

  /** Applies a change that `decide` returned. */
  apply(change: Change, timeMs: number, requestId: string | undefined): void {
    this.#revision = change.revision;
    this.#addVersion(change.entry ?? { key: change.key, value: undefined, revision: change.revision });
    this.#changes.push(change);
    this.#timeline.mark(change.revision, timeMs);
    if (requestId !== undefined) this.#requests.add(requestId, change, timeMs);
  }

  /** Advances the revision without a change to this key space. */
  advance(revision: number, timeMs: number): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    this.#timeline.mark(revision, timeMs);
  }

  /** The changes with a revision greater than `after`; undefined when some of them are compacted. */
  changesAfter(after: number): readonly Change[] | undefined {
    // Revision 1 is the empty key space: no change precedes it.
    if (after < this.#compacted && this.#compacted > 1) return undefined;
    return this.#changes.slice(this.#firstAfter(after));
  }

  /** The change to `key` at `revision`; undefined when that revision has no change to it or is compacted. */
  changeAt(revision: number, key: string): Change | undefined {
    for (let index = this.#firstAfter(revision - 1); this.#changes[index]?.revision === revision; index++) {
      if (this.#changes[index]?.key === key) return this.#changes[index];
    }
    return undefined;
  }

  committedBy(requestId: string): Change | CompactedCommit | undefined {
    return this.#requests.find(requestId);
  }

  /**
   * The commit of an earlier attempt of this write, found by its request id: a client may retry while its first attempt is in flight.
   * @throws KeySpaceError `unavailable` when it is compacted
   */
  findDuplicateCommit({ key, requestId }: Write): Change | undefined {
    const done = requestId === undefined ? undefined : this.committedBy(requestId);
    if (done?.key !== key) return undefined;
    if ('isCompacted' in done)
      throw new KeySpaceError('unavailable', `revision ${done.revision} is written, but was compacted before it was seen`);
    return done;
  }

  requestIdAt(revision: number): string | undefined {
    return this.#requests.idAt(revision);
  }

  /** Compacted revisions whose request ids are still recorded. */
  compactedRequests(): readonly CompactedRequest[] {
    return this.#requests.compacted(this.#compacted);
  }

  /**
   * Drops the versions and changes that only reads and watches before `revision` need. Requests since `requestsSinceMs` stay recorded
   * as committed.
   */
  compact(revision: number, requestsSinceMs: number = Number.POSITIVE_INFINITY): void {
    if (revision > this.#revision) throw new KeySpaceError('future-revision', `revision ${revision} is not written yet`);
    if (revision <= this.#compacted) return;
    const dropped = this.#changes.slice(0, this.#firstAfter(revision));
    this.#changes = this.#changes.slice(dropped.length);
    this.#compacted = revision;
    this.#requests.compact(revision, requestsSinceMs);
    for (const change of dropped) {
      const item = this.#byKey.get(change.key);
      if (item) this.#trim(item);
    }
    this.#timeline.compact(revision);
  }

  /** Initializes the history with the entries at `revision`, sorted by key, and the recorded compacted requests. */
  restore(revision: number, entries: readonly Entry[], requests: readonly CompactedRequest[] = []): void {
    const items = entries.map((entry) => new KeyHistory(entry));
    this.#ordered.load(items);
    for (const item of items) this.#byKey.set(item.key, item);
    for (const entry of entries) this.#characters += charactersOf(entry);
    this.#liveCharacters = this.#characters;
    for (const request of requests) this.#requests.restore(request);
    this.#revision = revision;
    this.#compacted = revision;
  }

  /** Index of the first change after `revision`. */
  #firstAfter(revision: number): number {
    // Fast path: without gaps in the revisions, the index follows from the revision.
    const likely = Math.max(0, revision - this.#compacted);
    if (likely > 0 && this.#changes[likely - 1]?.revision === revision && this.#changes[likely]?.revision !== revision) return likely;
    return lowerBound(this.#changes.length, (index) => (this.#changes[index]?.revision ?? 0) <= revision);
  }

  #assertReadable(at: number): void {
    if (at > this.#revision)
      throw new KeySpaceError('future-revision', `revision ${at} is not written yet, the newest is ${this.#revision}`);
    if (at < this.#compacted) throw new KeySpaceError('compacted', `revision ${at} is compacted, the oldest is ${this.#compacted}`);
  }

  /** Counts the live keys now and reverts the changes since `at`. */
  #countAt(start: string, end: string | undefined, at: number): number {
    let count = this.#ordered.countLive(start, end);
    for (let index = this.#firstAfter(at); index < this.#changes.length; index++) {
      const change = this.#changes[index];
      if (!change || change.key < start || (end !== undefined && change.key >= end)) continue;
      if (!change.previous) count--;
      if (!change.entry) count++;
    }
    return count;
  }

  #addVersion(version: Version): void {
    this.#characters += charactersOf(version);
    const item = this.#byKey.get(version.key);
    this.#liveCharacters += liveCharactersOf(version) - liveCharactersOf(item?.versions.at(-1));
    if (!item) {
      const added = new KeyHistory(version);
      this.#byKey.set(version.key, added);
      this.#ordered.insert(added);
      return;
    }
    const wasLive = item.live;
    item.versions.push(version);
    if (item.live !== wasLive) this.#ordered.updateLive(item);
  }

  #trim(item: KeyHistory): void {
    const { versions } = item;
    const newer = lowerBound(versions.length, (index) => (versions[index]?.revision ?? 0) <= this.#compacted);
    // Retains the version at the compacted revision, unless it is a tombstone.
    const firstRetained = versions[newer - 1]?.value === undefined ? newer : newer - 1;
    for (const version of versions.slice(0, Math.max(0, firstRetained))) this.#characters -= charactersOf(version);
    if (firstRetained === versions.length) {
      this.#ordered.remove(item);
      this.#byKey.delete(item.key);
    } else if (firstRetained > 0) versions.splice(0, firstRetained);
  }
}

/**
 * The change that `write` makes to `current` at `revision`.
 * @throws KeySpaceError `revision-changed` when `current` is not at the expected revision
 */
export function decideWrite(current: Entry | undefined, write: Write, revision: number): Change {
  const { key, expected, value } = write;
  if (expected !== (current?.revision ?? 'absent')) {
    const found = current ? `at revision ${current.revision}` : 'absent';
    throw new KeySpaceError('revision-changed', `${JSON.stringify(key)} is ${found}, not ${describeExpected(expected)}`, {
      actual: current,
    });
  }
  if (value === undefined && !current) throw new KeySpaceError('revision-changed', `${JSON.stringify(key)} is absent: nothing to delete`);
  const entry = value === undefined ? undefined : { key, value, createRevision: current?.createRevision ?? revision, revision };
  return { revision, key, entry, previous: current };
}

function describeExpected(expected: Write['expected']): string {
  return expected === 'absent' ? expected : `at revision ${expected}`;
}

function entryOf(version: Version | undefined): Entry | undefined {
  return version?.value === undefined ? undefined : version;
}

function charactersOf(version: Version): number {
  return version.key.length + (version.value?.length ?? 0);
}

function liveCharactersOf(version: Version | undefined): number {
  return version?.value === undefined ? 0 : charactersOf(version);
}

/** The first string in order of UTF-16 code units after all strings with `prefix`; undefined when no such string exists. */
function afterPrefix(prefix: string): string | undefined {
  for (let end = prefix.length; end > 0; end--) {
    const unit = prefix.charCodeAt(end - 1);
    if (unit < 0xffff) return prefix.slice(0, end - 1) + String.fromCharCode(unit + 1);
  }
  return undefined;
}
