import type { History } from '../history.ts';
import type { Change, Entry } from '../key-space.ts';
import { encode, type LoggedEntry, type LoggedWrite, type WritesRecord } from './log-format.ts';

/** Chunks are small enough that writing one does not block a request (about 5 ms), and few enough to load at once. */
const chunkMaxEntries = 1000;
const chunkMaxCharacters = 512 * 1024;

/** The revisions of a snapshot: from `compacted` to `revision`. */
export interface SnapshotSpan {
  readonly compacted: number;
  readonly revision: number;
}

/**
 * The chunks of a snapshot of `history`. Between two chunks, the history may be written to, but not compacted: the entries are read in
 * pages at the compacted revision.
 */
export function* snapshotChunks(history: History, span: SnapshotSpan): Generator<string, void, void> {
  const { compacted, revision } = span;
  const entries = history.range({ prefix: '', limit: 0, at: compacted }).count;
  const requests = history.compactedRequests().map(({ requestId, key, revision: at, timeMs }) => [requestId, key, at, timeMs] as const);
  yield encode({ compacted, revision, entries, ...(requests.length > 0 ? { requests } : {}) });
  for (const group of splitIntoGroups(readLoggedEntries(history, compacted), (entry) => entry[0].length + entry[1].length))
    yield encode({ entries: group });
  for (const records of splitIntoGroups(readLoggedRecords(history, span), countRecordCharacters)) yield encode({ records });
}

function* readLoggedEntries(history: History, at: number): Generator<LoggedEntry, void, void> {
  let start = '';
  for (let isCut = true; isCut; ) {
    const page: { readonly entries: readonly Entry[]; readonly isCut: boolean } = history.page({
      prefix: '',
      start,
      limit: chunkMaxEntries,
      at,
    });
    for (const { key, value, createRevision, revision } of page.entries) yield [key, value, createRevision, revision];
    start = `${page.entries.at(-1)?.key ?? ''}\0`;
    isCut = page.isCut;
  }
}

/** The changes after the compacted revision: writes with the same time share a record, up to the limits of a chunk. */
function* readLoggedRecords(history: History, span: SnapshotSpan): Generator<WritesRecord, void, void> {
  const changes = (history.changesAfter(span.compacted) ?? []).slice(0, span.revision - span.compacted);
  const marks = [...history.timeline.marks()];
  let done = 0;
  for (const { revision, timeMs } of marks) {
    const made = changes.slice(done, Math.max(done, revision - span.compacted));
    for (const writes of splitIntoGroups(made, (change) => change.entry?.value.length ?? 0)) {
      yield {
        first: span.compacted + done + 1,
        timeMs,
        writes: writes.map((change) => toLoggedWrite(change, history.requestIdAt(change.revision))),
      };
      done += writes.length;
    }
  }
}

export function toLoggedWrite(change: Change, requestId: string | undefined): LoggedWrite {
  const value = change.entry?.value ?? null;
  return requestId === undefined ? [change.key, value] : [change.key, value, requestId];
}

function countRecordCharacters(record: WritesRecord): number {
  return record.writes.reduce((sum, [key, value]) => sum + key.length + (value?.length ?? 0), 0);
}

/** Splits items into groups of at most the size of a chunk, in order. */
function* splitIntoGroups<Item>(items: Iterable<Item>, weigh: (item: Item) => number): Generator<Item[], void, void> {
  let group: Item[] = [];
  let weight = 0;
  for (const item of items) {
    group.push(item);
    weight += weigh(item);
    if (group.length < chunkMaxEntries && weight < chunkMaxCharacters) continue;
    yield group;
    group = [];
    weight = 0;
  }
  if (group.length > 0) yield group;
}
