import { KeySpaceError } from '../key-space.ts';
import { formatMigrations, migrateToNewest, newestFormat } from './format-migrations.ts';

/**
 * The texts of the log. Records, one per group of writes or per compaction:
 *
 *     {"format":1,"first":7,"timeMs":1767225600000,"writes":[["/a","text"],["/b",null],["/c","text","request-1"]]}
 *     {"format":1,"compacted":5}
 *     {"format":1,"compacted":5,"requestsSinceMs":1767225600000}
 *
 * Chunks of a snapshot: a header, the entries at the compacted revision sorted by key, the changes since:
 *
 *     {"format":1,"compacted":5,"revision":9,"entries":2,"requests":[["request-0","/a",4,1767225600000]]}
 *     {"format":1,"entries":[["/a","text",2,4],["/b","text",3,3]]}
 *     {"format":1,"records":[{"first":6,"timeMs":1767225600000,"writes":[…]}]}
 */
const logFormat = newestFormat(formatMigrations);

/** Key, new value (null: deleted), and the request id, if the write had one. */
export type LoggedWrite = readonly [key: string, value: string | null, requestId?: string];

/** Key, value, createRevision, revision. */
export type LoggedEntry = readonly [key: string, value: string, createRevision: number, revision: number];

/** Writes with the revisions `first`, `first` + 1, …, all committed at `timeMs`. */
export interface WritesRecord {
  readonly first: number;
  readonly timeMs: number;
  readonly writes: readonly LoggedWrite[];
}

/** Id, key, revision and time of a compacted request. */
export type LoggedRequest = readonly [requestId: string, key: string, revision: number, timeMs: number];

export interface CompactionRecord {
  readonly compacted: number;
  /** Requests since then stay recorded; none when absent. Older versions ignore it and drop them. */
  readonly requestsSinceMs?: number;
}

export interface SnapshotHeader {
  readonly compacted: number;
  readonly revision: number;
  readonly entries: number;
  /** Recorded compacted requests, sorted by revision; none when absent. Older versions ignore them. */
  readonly requests?: readonly LoggedRequest[];
}

/** Any text of the log. */
export type LogText = WritesRecord | CompactionRecord | SnapshotHeader | EntriesChunk | RecordsChunk;

export interface EntriesChunk {
  readonly entries: readonly LoggedEntry[];
}

export interface RecordsChunk {
  readonly records: readonly WritesRecord[];
}

export function encode(content: LogText): string {
  return JSON.stringify({ format: logFormat, ...content });
}

export function decodeRecord(text: string): WritesRecord | CompactionRecord {
  const parsed = parse(text);
  if (isCompaction(parsed)) return parsed;
  if (isWrites(parsed)) return parsed;
  throw unknownShapeError(text);
}

export function decodeHeader(text: string): SnapshotHeader {
  const parsed = parse(text);
  if (isCompaction(parsed) && 'revision' in parsed && 'entries' in parsed) {
    const { compacted, revision, entries } = parsed;
    const requests = 'requests' in parsed ? parsed.requests : [];
    const isWhole = typeof revision === 'number' && typeof entries === 'number' && isRequests(requests);
    if (isWhole) return { compacted, revision, entries, requests };
  }
  throw unknownShapeError(text);
}

export function decodeChunk(text: string): EntriesChunk | RecordsChunk {
  const parsed = parse(text);
  if ('entries' in parsed && Array.isArray(parsed.entries) && parsed.entries.every(isEntry)) return { entries: parsed.entries };
  if ('records' in parsed && Array.isArray(parsed.records) && parsed.records.every(isWrites)) return { records: parsed.records };
  throw unknownShapeError(text);
}

function parse(text: string): object {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new KeySpaceError('corrupt', `not a text of the log: ${text.slice(0, 40)}`, { cause });
  }
  if (typeof parsed !== 'object' || parsed === null || !('format' in parsed)) throw unknownShapeError(text);
  return migrateToNewest(parsed, parsed.format, formatMigrations);
}

function isCompaction(parsed: object): parsed is CompactionRecord {
  if (!('compacted' in parsed) || typeof parsed.compacted !== 'number') return false;
  return !('requestsSinceMs' in parsed) || typeof parsed.requestsSinceMs === 'number';
}

function isWrites(parsed: unknown): parsed is WritesRecord {
  if (typeof parsed !== 'object' || parsed === null || !('first' in parsed && 'timeMs' in parsed && 'writes' in parsed)) return false;
  const { first, timeMs, writes } = parsed;
  return typeof first === 'number' && typeof timeMs === 'number' && Array.isArray(writes) && writes.every(isWrite);
}

function isWrite(write: unknown): write is LoggedWrite {
  if (!Array.isArray(write)) return false;
  const [key, value, requestId] = write;
  const isValue = value === null || typeof value === 'string';
  return typeof key === 'string' && isValue && (requestId === undefined || typeof requestId === 'string');
}

function isRequests(requests: unknown): requests is readonly LoggedRequest[] {
  return Array.isArray(requests) && requests.every(isRequest);
}

function isRequest(request: unknown): request is LoggedRequest {
  if (!Array.isArray(request)) return false;
  const [requestId, key, revision, timeMs] = request;
  return typeof requestId === 'string' && typeof key === 'string' && typeof revision === 'number' && typeof timeMs === 'number';
}

function isEntry(entry: unknown): entry is LoggedEntry {
  if (!Array.isArray(entry)) return false;
  const [key, value, createRevision, revision] = entry;
  return typeof key === 'string' && typeof value === 'string' && typeof createRevision === 'number' && typeof revision === 'number';
}

function unknownShapeError(text: string): KeySpaceError {
  return new KeySpaceError('corrupt', `a text of the log has no known shape: ${text.slice(0, 40)}`);
}
