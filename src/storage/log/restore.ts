import { errorMessage } from '../../env/index.ts';
import { History } from '../history.ts';
import { type Entry, KeySpaceError } from '../key-space.ts';
import type { CompactedRequest } from '../request-index.ts';
import { decodeChunk, decodeHeader, decodeRecord, type LoggedWrite, type WritesRecord } from './log-format.ts';
import type { LoadedLog } from './log-store.ts';

/** The history restored from a log: all of it, or the part before the damage. */
export interface RestoredLog {
  readonly history: History;
  readonly damage: KeySpaceError | undefined;
}

/** @throws KeySpaceError `newer-format`: data of a newer version does not count as damage */
export function restoreLog(loaded: LoadedLog): RestoredLog {
  const history = new History();
  try {
    if (loaded.chunks.length > 0) restoreSnapshot(history, loaded.chunks, loaded.damage);
    for (const text of loaded.records) restoreRecord(history, text);
    if (loaded.damage !== undefined) throw new KeySpaceError('corrupt', loaded.damage);
  } catch (cause) {
    if (isNewer(cause)) throw cause;
    return { history, damage: corruptionError(history, cause) };
  }
  return { history, damage: undefined };
}

const isNewer = (error: unknown): boolean => error instanceof KeySpaceError && error.code === 'newer-format';

function restoreSnapshot(history: History, chunks: readonly string[], damage: string | undefined): void {
  const header = decodeHeader(chunks[0] ?? '');
  const entries: Entry[] = [];
  const records: WritesRecord[] = [];
  let failure: unknown;
  try {
    for (const text of chunks.slice(1)) {
      const chunk = decodeChunk(text);
      if ('records' in chunk) records.push(...chunk.records);
      else for (const [key, value, createRevision, revision] of chunk.entries) entries.push({ key, value, createRevision, revision });
    }
  } catch (error) {
    if (isNewer(error)) throw error;
    failure = error;
  }
  const requests = header.requests?.map(
    ([requestId, key, revision, timeMs]): CompactedRequest => ({ requestId, key, revision, timeMs, isCompacted: true }),
  );
  history.restore(header.compacted, entries, requests);
  if (entries.length !== header.entries) {
    const what = `the snapshot has ${entries.length} of its ${header.entries} entries`;
    throw new KeySpaceError('corrupt', damage === undefined ? what : `${damage}; ${what}`, { cause: failure });
  }
  for (const record of records) applyRecord(history, record);
  if (failure) throw failure;
  if (history.revision !== header.revision)
    throw new KeySpaceError('corrupt', damage ?? `the snapshot ends before its revision ${header.revision}`);
}

function restoreRecord(history: History, text: string): void {
  const record = decodeRecord(text);
  if ('writes' in record) applyRecord(history, record);
  else history.compact(record.compacted, record.requestsSinceMs);
}

function applyRecord(history: History, record: WritesRecord): void {
  const expected = history.revision + 1;
  if (record.first !== expected) throw new KeySpaceError('corrupt', `revision ${expected} is missing, ${record.first} follows`);
  for (const write of record.writes) applyWrite(history, write, record.timeMs);
}

function applyWrite(history: History, write: LoggedWrite, timeMs: number): void {
  const [key, value, requestId] = write;
  const previous = history.current(key);
  const revision = history.revision + 1;
  const entry = value === null ? undefined : { key, value, createRevision: previous?.createRevision ?? revision, revision };
  history.apply({ revision, key, entry, previous }, timeMs, requestId);
}

function corruptionError(history: History, cause: unknown): KeySpaceError {
  const why = errorMessage(cause);
  const { revision } = history;
  const keys = history.range({ prefix: '', limit: 0 }).count;
  return new KeySpaceError('corrupt', `the log is damaged: ${why} (intact: revisions up to ${revision}, ${keys} keys)`, { cause });
}
