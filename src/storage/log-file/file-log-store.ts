import { type Clock, errorMessage, type Log, type Random } from '../../env/index.ts';
import { KeySpaceError } from '../key-space.ts';
import type { AppendSpace, LoadedLog, LogStore, SnapshotWriter } from '../log/log-store.ts';
import { FolderOwner, type LogPosition } from './folder-owner.ts';
import { encodeFrame, type Frames, readFrames } from './frames.ts';
import { isOutOfSpace, type LogFile, type LogFolder } from './log-folder.ts';
import { Reserve } from './reserve.ts';
import { decodeSegmentHeader, encodeSegmentHeader, type SegmentHeader } from './segment-header.ts';

export interface FileLogStoreOptions {
  readonly folder: LogFolder;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** `always`: fsync before a write is acknowledged. `never`: page cache only, so a power failure may lose the last seconds. */
  readonly sync: 'always' | 'never';
  /** Minimum disk space reserved for deletes, compactions and snapshots; it grows with the snapshot. */
  readonly reserveBytes?: number;
  /** Called once when another process has taken over the folder: later reads may be stale. */
  readonly onTakenOver?: (error: KeySpaceError) => void;
}

const defaultReserveBytes = 4 * 1024 * 1024;

/** The part of the reserve that snapshots leave to deletes: this, or a quarter of a small reserve. */
const deleteReserveBytes = 256 * 1024;

/**
 * Opens the log in a folder that one process owns. `snapshot-3` replaces everything before `log-3`; `log-3`, `log-4`, … follow.
 * A snapshot starts with the next segment, is written to `snapshot-4.new`, and becomes valid when it is renamed:
 *
 *     log-0                                    initial state
 *     log-0 log-1 snapshot-1.new               a snapshot is being written; after a crash log-0 and log-1 count
 *     snapshot-1 log-1 (log-0)                 renamed; older files are removed
 *
 * The folder also has `owner-<epoch>` (see FolderOwner) and `reserve` (see Reserve).
 * @throws KeySpaceError `unavailable` when another process owns the folder
 */
export async function openFileLogStore(options: FileLogStoreOptions): Promise<LogStore> {
  const { folder } = options;
  const reserve = new Reserve(folder, options.reserveBytes ?? defaultReserveBytes);
  try {
    const owner = await FolderOwner.claim({ ...options, freeSpace: () => reserve.shrink(ownerFileBytes, 0) });
    return new FileLogStore(options, owner, reserve);
  } catch (cause) {
    await reserve.close().catch(() => {});
    throw storeError(cause, `cannot take ownership of ${folder.path}`);
  }
}

/** One block of most file systems. */
const ownerFileBytes = 4096;

/** The segment that records are appended to. */
interface Segment {
  readonly number: number;
  readonly file: LogFile;
  /** Bytes of whole, acknowledged records. */
  size: number;
  /** Whether bytes beyond `size` must be truncated before the next append. */
  isDirty: boolean;
}

class FileLogStore implements LogStore {
  readonly #options: FileLogStoreOptions;
  readonly #folder: LogFolder;
  readonly #owner: FolderOwner;
  readonly #reserve: Reserve;
  /** Undefined before `load`, after `close` or a loss, and until a snapshot has replaced an unsettled log. */
  #segment: Segment | undefined;
  #lastNumber = 0;
  #lostListener: ((error: KeySpaceError) => void) | undefined;

  constructor(options: FileLogStoreOptions, owner: FolderOwner, reserve: Reserve) {
    this.#options = options;
    this.#folder = options.folder;
    this.#owner = owner;
    this.#reserve = reserve;
    owner.onLost((error) => {
      // The segment belongs to another process now: not even a failed append may be truncated.
      this.#segment = undefined;
      this.#lostListener?.(error);
      options.onTakenOver?.(error);
    });
  }

  async load(): Promise<LoadedLog> {
    try {
      const { snapshot, segments, lastNumber } = await this.#listFiles();
      this.#lastNumber = lastNumber;
      const chunks = snapshot === undefined ? undefined : await this.#readFrames(`snapshot-${snapshot}`);
      const logs = dropUnusedSegments(await Promise.all(segments.map((number) => this.#readSegment(number))));
      const loaded = assembleLoadedLog({ snapshot, chunks, logs, acknowledged: this.#owner.acknowledged });
      // A damaged log is not changed, so that it can be examined.
      if (loaded.damage !== undefined) return loaded;
      this.#reserve.grow(this.#reserveFor(chunks?.intactBytes ?? 0));
      if (this.#owner.isUnsettled) return { ...loaded, needsSnapshot: true };
      await this.#removeUnfinished();
      this.#segment = await this.#continueAfter(logs.at(-1));
      this.#lastNumber = this.#segment.number;
      return loaded;
    } catch (cause) {
      throw storeError(cause, 'cannot read the log');
    }
  }

  async append(record: string, space: AppendSpace = 'free'): Promise<void> {
    const frame = encodeFrame(record);
    try {
      this.#owner.assertNotLost();
      if (space === 'free' && !(await this.#reserve.refill()))
        throw new KeySpaceError('out-of-space', 'cannot append to the log: there is only the space that is held back for deletes');
      await this.#withSpace(frame.length, space === 'reserve' ? 0 : Number.POSITIVE_INFINITY, () => this.#appendFrame(frame));
    } catch (cause) {
      throw storeError(cause, 'cannot append to the log');
    }
  }

  async beginSnapshot(): Promise<SnapshotWriter> {
    const old = this.#segment;
    try {
      if (old) {
        await this.#truncateDirtyTail(old);
        // Only the last segment may end torn.
        await old.file.sync();
      }
      const segment = await this.#beginSegment(this.#lastNumber + 1, old?.size);
      this.#lastNumber = segment.number;
      this.#segment = segment;
      await old?.file.close();
      // Until the snapshot replaces a damaged log, the acknowledged position reveals the missing records.
      if (old) this.#markAcknowledged(segment);
      return await this.#createSnapshotWriter(segment);
    } catch (cause) {
      throw storeError(cause, 'cannot begin a snapshot');
    }
  }

  onLost(listener: (error: KeySpaceError) => void): void {
    this.#lostListener = listener;
  }

  async close(): Promise<void> {
    const segment = this.#segment;
    this.#segment = undefined;
    try {
      await segment?.file.close();
      await this.#reserve.close();
    } catch (cause) {
      throw storeError(cause, 'cannot close the log');
    } finally {
      await this.#owner.release();
    }
  }

  async #appendFrame(frame: Uint8Array): Promise<void> {
    const segment = this.#segment;
    if (!segment) throw new KeySpaceError('closed', 'the log is not open');
    try {
      await this.#truncateDirtyTail(segment);
      segment.isDirty = true;
      await segment.file.append(frame);
      if (this.#options.sync === 'always') await segment.file.sync();
      await this.#owner.assertOwned();
    } catch (error) {
      // The write fails, so its bytes must not stay: they are truncated now if possible, or before the next append.
      if (this.#segment) await this.#truncateDirtyTail(segment).catch(() => {});
      throw error;
    }
    segment.size += frame.length;
    segment.isDirty = false;
    this.#markAcknowledged(segment);
  }

  #markAcknowledged({ number, size }: Segment): void {
    // Without fsync, a power failure may remove the end of the file; that does not count as damage.
    if (this.#options.sync === 'always') this.#owner.mark({ segment: number, bytes: size });
  }

  /** Retries `write` with space of the reserve for `bytes` while the disk is full. A failed `write` must leave nothing behind. */
  async #withSpace<Result>(bytes: number, floorBytes: number, write: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isOutOfSpace(error) || floorBytes === Number.POSITIVE_INFINITY || !(await this.#reserve.shrink(bytes, floorBytes)))
          throw error;
      }
    }
  }

  async #createSnapshotWriter(segment: Segment): Promise<SnapshotWriter> {
    const name = `snapshot-${segment.number}.new`;
    // An earlier attempt may have left an unfinished file.
    await this.#folder.remove(name);
    const file = await this.#withSpace(ownerFileBytes, 0, () => this.#folder.open(name));
    const floorBytes = Math.min(deleteReserveBytes, this.#reserveFor(0) / 4);
    let size = 0;
    const add = async (chunk: string): Promise<void> => {
      const frame = encodeFrame(chunk);
      await this.#withSpace(frame.length, floorBytes, async () => {
        try {
          await file.append(frame);
        } catch (error) {
          await file.truncate(size).catch((cause: unknown) => {
            // A part of the chunk may remain, so there is no second attempt.
            throw new KeySpaceError('unavailable', 'the unfinished snapshot cannot be cut', { cause });
          });
          throw error;
        }
      });
      size += frame.length;
    };
    const report = (cause: unknown): never => {
      throw storeError(cause, 'cannot write the snapshot');
    };
    return {
      add: (chunk) => add(chunk).catch(report),
      finish: () => this.#finishSnapshot(file, segment, size).catch(report),
      abandon: async () => {
        await file.close().catch(() => {});
        // Files that cannot be removed now are removed with the next snapshot.
        await this.#folder.remove(name).catch(() => {});
      },
    };
  }

  async #finishSnapshot(file: LogFile, segment: Segment, size: number): Promise<void> {
    const { number } = segment;
    await file.sync();
    await this.#owner.assertOwned();
    await file.close();
    await this.#folder.rename(`snapshot-${number}.new`, `snapshot-${number}`);
    // The snapshot is valid now. Files that cannot be removed now are removed with the next one.
    await this.#removeBefore(number).catch(() => {});
    if (this.#segment === segment) this.#markAcknowledged(segment);
    await this.#owner.settle();
    this.#reserve.grow(this.#reserveFor(size));
  }

  /** Removes the unfinished snapshots of killed processes, which take up disk space. */
  async #removeUnfinished(): Promise<void> {
    for (const name of await this.#folder.list()) if (parseName(name)?.kind === 'new') await this.#folder.remove(name);
  }

  async #removeBefore(number: number): Promise<void> {
    await this.#owner.assertOwned();
    for (const name of await this.#folder.list()) {
      const file = parseName(name);
      if (file && file.number < number) await this.#folder.remove(name);
    }
  }

  async #listFiles(): Promise<LogFiles> {
    const names = (await this.#folder.list()).map(parseName).filter((file) => file !== undefined);
    const numbers = (kind: string): number[] =>
      names
        .filter((file) => file.kind === kind)
        .map((file) => file.number)
        .sort((a, b) => a - b);
    const snapshot = numbers('snapshot').at(-1);
    const segments = numbers('log').filter((number) => number >= (snapshot ?? 0));
    return { snapshot, segments, lastNumber: Math.max(-1, snapshot ?? -1, segments.at(-1) ?? -1) };
  }

  async #readFrames(name: string): Promise<Frames> {
    return readFrames(await this.#folder.read(name));
  }

  async #readSegment(number: number): Promise<LoadedSegment> {
    const frames = await this.#readFrames(`log-${number}`);
    const header = decodeSegmentHeader(frames.texts[0]);
    return { ...frames, number, header, records: header ? frames.texts.slice(1) : frames.texts };
  }

  /** The next snapshot takes about as much space as the last one. */
  #reserveFor(snapshotBytes: number): number {
    return Math.max(this.#options.reserveBytes ?? defaultReserveBytes, snapshotBytes);
  }

  /** Opens the last segment for appending; after a segment without header (format 1), creates a new one. */
  async #continueAfter(last: LoadedSegment | undefined): Promise<Segment> {
    if (last?.header) return this.#openSegment(last);
    try {
      const old = last && (await this.#openSegment(last));
      await old?.file.close();
      const segment = await this.#beginSegment((last?.number ?? -1) + 1, old?.size);
      this.#markAcknowledged(segment);
      return segment;
    } catch (error) {
      if (!last || !isOutOfSpace(error)) throw error;
      // Reads and deletes must work on a full disk.
      return this.#openSegment(last);
    }
  }

  async #beginSegment(number: number, previousBytes: number | undefined): Promise<Segment> {
    const name = `log-${number}`;
    const header: SegmentHeader = previousBytes === undefined ? { segment: number } : { segment: number, previousBytes };
    const frame = encodeFrame(encodeSegmentHeader(header));
    const create = (): Promise<boolean> => this.#withSpace(ownerFileBytes, 0, () => this.#folder.create(name, frame));
    if (!(await create())) {
      // Left by a failed attempt, or by an earlier owner that had not noticed its loss: nothing in it was acknowledged.
      await this.#owner.assertOwned();
      await this.#folder.remove(name);
      if (!(await create())) throw new KeySpaceError('unavailable', `another process is writing ${name}`);
    }
    const file = await this.#folder.open(name);
    await this.#owner.assertOwned();
    return { number, file, size: frame.length, isDirty: false };
  }

  async #openSegment({ number, intactBytes, end }: LoadedSegment): Promise<Segment> {
    const file = await this.#folder.open(`log-${number}`);
    const segment: Segment = { number, file, size: intactBytes, isDirty: end === 'torn' };
    await this.#truncateDirtyTail(segment);
    // Records of a killed process may be in the page cache only; reads will return them, so they must be durable.
    await file.sync();
    return segment;
  }

  async #truncateDirtyTail(segment: Segment): Promise<void> {
    if (!segment.isDirty) return;
    await segment.file.truncate(segment.size);
    await segment.file.sync();
    segment.isDirty = false;
  }
}

interface LogFiles {
  readonly snapshot: number | undefined;
  readonly segments: readonly number[];
  /** -1 without snapshots and segments. */
  readonly lastNumber: number;
}

interface LoadedSegment extends Frames {
  readonly number: number;
  readonly header: SegmentHeader | undefined;
  readonly records: readonly string[];
}

/** Drops segments made for snapshots that were never started; appends continued in the segment before. */
function dropUnusedSegments(logs: readonly LoadedSegment[]): readonly LoadedSegment[] {
  const [log, previous] = [logs.at(-1), logs.at(-2)];
  if (!log || !previous || log.records.length > 0 || log.end !== 'whole') return logs;
  const countedBytes = log.header?.previousBytes ?? 0;
  const isContinued = previous.intactBytes > countedBytes || (previous.intactBytes === countedBytes && previous.end !== 'whole');
  return isContinued || !log.header ? dropUnusedSegments(logs.slice(0, -1)) : logs;
}

interface LoadedFiles {
  readonly snapshot: number | undefined;
  readonly chunks: Frames | undefined;
  readonly logs: readonly LoadedSegment[];
  readonly acknowledged: LogPosition | undefined;
}

/** The content of all files up to the first missing or damaged one. */
function assembleLoadedLog({ snapshot, chunks, logs, acknowledged }: LoadedFiles): LoadedLog {
  const texts = chunks?.texts ?? [];
  if (chunks && chunks.end !== 'whole') {
    const damage = `snapshot-${snapshot} is damaged at byte ${chunks.intactBytes}: ${chunks.problem ?? 'it ends within a record'}`;
    return { chunks: texts, records: [], damage, recordsAfterDamage: logs.flatMap((log) => log.records) };
  }
  const found = findDamage(snapshot, logs, acknowledged);
  if (!found) return { chunks: texts, records: logs.flatMap((log) => log.records), damage: undefined };
  const intact = logs.slice(0, found.intactLogs);
  const after = [...(intact.at(-1)?.textsAfter ?? []), ...logs.slice(found.intactLogs).flatMap((log) => log.records)];
  return { chunks: texts, records: intact.flatMap((log) => log.records), damage: found.damage, recordsAfterDamage: after };
}

interface LogDamage {
  readonly damage: string;
  /** Number of segments with usable records: all before the damage, and the damaged one. */
  readonly intactLogs: number;
}

function findDamage(
  snapshot: number | undefined,
  logs: readonly LoadedSegment[],
  acknowledged: LogPosition | undefined,
): LogDamage | undefined {
  const first = snapshot ?? 0;
  // Only segment 0 needs no snapshot before it.
  if (snapshot === undefined && logs[0] && logs[0].number > 0) return { damage: `snapshot-${logs[0].number} is missing`, intactLogs: 0 };
  for (const [index, log] of logs.entries()) {
    const number = first + index;
    if (log.number !== number) return { damage: `log-${number} is missing`, intactLogs: index };
    if (log.header && log.header.segment !== number)
      return { damage: `log-${number} has the content of log-${log.header.segment}`, intactLogs: index };
    const damage = describeSegmentDamage(log, logs[index + 1]?.header?.previousBytes, index === logs.length - 1);
    if (damage !== undefined) return { damage: `log-${number} is damaged at byte ${log.intactBytes}: ${damage}`, intactLogs: index + 1 };
  }
  const last = logs.at(-1);
  const next = last ? last.number + 1 : first;
  if (snapshot !== undefined && !last) return { damage: `log-${snapshot} is missing`, intactLogs: 0 };
  if (acknowledged === undefined || acknowledged.segment < next - 1) return undefined;
  if (acknowledged.segment >= next) return { damage: `log-${acknowledged.segment} is missing`, intactLogs: logs.length };
  if (!last || last.intactBytes >= acknowledged.bytes) return undefined;
  const lost = `the file ends there, but ${acknowledged.bytes} bytes of it were acknowledged`;
  return { damage: `log-${last.number} is damaged at byte ${last.intactBytes}: ${lost}`, intactLogs: logs.length };
}

function describeSegmentDamage(log: LoadedSegment, countedBytes: number | undefined, isLast: boolean): string | undefined {
  if (log.end === 'damaged') return log.problem;
  if (log.end === 'torn' && !isLast) return 'it ends within a record, although another segment follows';
  if (countedBytes !== undefined && log.intactBytes < countedBytes)
    return `the file ends there, but it had ${countedBytes} bytes when the next segment began`;
  return undefined;
}

function parseName(name: string): { readonly kind: 'log' | 'snapshot' | 'new'; readonly number: number } | undefined {
  const match = /^(log|snapshot)-(\d{1,15})(\.new)?$/.exec(name);
  if (!match) return undefined;
  const kind = match[3] ? 'new' : match[1] === 'log' ? 'log' : 'snapshot';
  return { kind, number: Number(match[2]) };
}

function storeError(cause: unknown, what: string): KeySpaceError {
  if (cause instanceof KeySpaceError) return cause;
  const code = isOutOfSpace(cause) ? 'out-of-space' : 'unavailable';
  return new KeySpaceError(code, `${what}: ${errorMessage(cause)}`, { cause });
}
