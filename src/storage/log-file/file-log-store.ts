import type { Clock, Log, Random } from '../../env/index.ts';
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
  /** `always`: the disk is asked before a write is acknowledged. `never`: the operating system is, so a power cut may cost the last seconds. */
  readonly sync: 'always' | 'never';
  /** The least space that is held back for deletes, compactions and snapshots; it grows with the snapshot. */
  readonly reserveBytes?: number;
  /** Called once when another process has taken the folder over: reads answered from here on may be stale. */
  readonly takenOver?: (error: KeySpaceError) => void;
}

const defaultReserveBytes = 4 * 1024 * 1024;

/** What a snapshot leaves of the reserve to deletes: so much, and of a small reserve a quarter. */
const reserveForDeletes = 256 * 1024;

/**
 * The log in a folder that one process owns: `snapshot-3` stands for everything before `log-3`; `log-3`, `log-4`, … follow.
 * A snapshot begins by making the next segment, is written to `snapshot-4.new`, and counts when it is renamed:
 *
 *     log-0                                    the beginning
 *     log-0 log-1 snapshot-1.new               a snapshot is being written; a kill here leaves log-0 and log-1
 *     snapshot-1 log-1 (log-0)                 renamed; what is older is removed
 *
 * Beside them stand `owner-<epoch>` (see FolderOwner) and `reserve` (see Reserve).
 * @throws KeySpaceError `unavailable` when another process owns the folder
 */
export async function openFileLogStore(options: FileLogStoreOptions): Promise<LogStore> {
  const { folder } = options;
  const reserve = new Reserve(folder, options.reserveBytes ?? defaultReserveBytes);
  try {
    const owner = await FolderOwner.claim({ ...options, freeSpace: () => reserve.cut(ownerFileBytes, 0) });
    return new FileLogStore(options, owner, reserve);
  } catch (cause) {
    await reserve.close().catch(() => {});
    throw storeError(cause, `cannot take ownership of ${folder.path}`);
  }
}

/** A block of most file systems. */
const ownerFileBytes = 4096;

/** The segment that is written to. */
interface Segment {
  readonly number: number;
  readonly file: LogFile;
  /** Bytes that are whole and acknowledged. */
  size: number;
  /** Whether something may stand behind `size` that must go before the next append. */
  isDirty: boolean;
}

class FileLogStore implements LogStore {
  readonly #options: FileLogStoreOptions;
  readonly #folder: LogFolder;
  readonly #owner: FolderOwner;
  readonly #reserve: Reserve;
  /** None before `load`, after `close` or a loss, and while a log waits for the snapshot that replaces it. */
  #segment: Segment | undefined;
  #lastNumber = 0;
  #lostListener: ((error: KeySpaceError) => void) | undefined;

  constructor(options: FileLogStoreOptions, owner: FolderOwner, reserve: Reserve) {
    this.#options = options;
    this.#folder = options.folder;
    this.#owner = owner;
    this.#reserve = reserve;
    owner.onLost((error) => {
      // The segment is another process's now: not even the rest of a failed append may be cut off.
      this.#segment = undefined;
      this.#lostListener?.(error);
      options.takenOver?.(error);
    });
  }

  async load(): Promise<LoadedLog> {
    try {
      const { snapshot, segments, lastNumber } = await this.#files();
      this.#lastNumber = lastNumber;
      const chunks = snapshot === undefined ? undefined : await this.#frames(`snapshot-${snapshot}`);
      const logs = withoutUnused(await Promise.all(segments.map((number) => this.#readSegment(number))));
      const loaded = loadedFrom({ snapshot, chunks, logs, acknowledged: this.#owner.acknowledged });
      // A damaged log is left as it is for examination.
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
        await this.#clean(old);
        // Only the last segment may end torn.
        await old.file.sync();
      }
      const segment = await this.#beginSegment(this.#lastNumber + 1, old?.size);
      this.#lastNumber = segment.number;
      this.#segment = segment;
      await old?.file.close();
      // Until the snapshot replaces a damaged log, the mark shows what is missing.
      if (old) this.#mark(segment);
      return await this.#snapshotWriter(segment);
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
      await this.#clean(segment);
      segment.isDirty = true;
      await segment.file.append(frame);
      if (this.#options.sync === 'always') await segment.file.sync();
      await this.#owner.assertOwned();
    } catch (error) {
      // A writer is told that nothing was written: at best that is true at once, at the latest before the next append.
      if (this.#segment) await this.#clean(segment).catch(() => {});
      throw error;
    }
    segment.size += frame.length;
    segment.isDirty = false;
    this.#mark(segment);
  }

  #mark({ number, size }: Segment): void {
    // Without syncing, a power cut may take the end of the file, which is no damage then.
    if (this.#options.sync === 'always') this.#owner.mark({ segment: number, bytes: size });
  }

  /** Does `write`, and gives it space of the reserve for `bytes` while the disk is full. A write that failed left nothing behind. */
  async #withSpace<Result>(bytes: number, floorBytes: number, write: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isOutOfSpace(error) || floorBytes === Number.POSITIVE_INFINITY || !(await this.#reserve.cut(bytes, floorBytes))) throw error;
      }
    }
  }

  async #snapshotWriter(segment: Segment): Promise<SnapshotWriter> {
    const name = `snapshot-${segment.number}.new`;
    // An earlier attempt may have left a part.
    await this.#folder.remove(name);
    const file = await this.#withSpace(ownerFileBytes, 0, () => this.#folder.open(name));
    const floorBytes = Math.min(reserveForDeletes, this.#reserveFor(0) / 4);
    let size = 0;
    const add = async (chunk: string): Promise<void> => {
      const frame = encodeFrame(chunk);
      await this.#withSpace(frame.length, floorBytes, async () => {
        try {
          await file.append(frame);
        } catch (error) {
          await file.truncate(size).catch((cause: unknown) => {
            // A part of the chunk may be left: there is no second attempt, whatever the reason.
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
        // What cannot be removed now is removed with the next snapshot.
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
    // From here on it counts. What cannot be removed now is removed next time.
    await this.#removeBefore(number).catch(() => {});
    if (this.#segment === segment) this.#mark(segment);
    await this.#owner.settle();
    this.#reserve.grow(this.#reserveFor(size));
  }

  /** A killed process leaves the snapshot it was writing, which takes the space of a full disk. */
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

  async #files(): Promise<FoundFiles> {
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

  async #frames(name: string): Promise<Frames> {
    return readFrames(await this.#folder.read(name));
  }

  async #readSegment(number: number): Promise<ReadSegment> {
    const frames = await this.#frames(`log-${number}`);
    const header = decodeSegmentHeader(frames.texts[0]);
    return { ...frames, number, header, records: header ? frames.texts.slice(1) : frames.texts };
  }

  /** The next snapshot takes about as much as the last one. */
  #reserveFor(snapshotBytes: number): number {
    return Math.max(this.#options.reserveBytes ?? defaultReserveBytes, snapshotBytes);
  }

  /** Appends to the last segment; a new one follows on one that a version without headers may have written. */
  async #continueAfter(last: ReadSegment | undefined): Promise<Segment> {
    if (last?.header) return this.#openSegment(last);
    try {
      const old = last && (await this.#openSegment(last));
      await old?.file.close();
      const segment = await this.#beginSegment((last?.number ?? -1) + 1, old?.size);
      this.#mark(segment);
      return segment;
    } catch (error) {
      if (!last || !isOutOfSpace(error)) throw error;
      // Reading, and deleting, must go on.
      return this.#openSegment(last);
    }
  }

  async #beginSegment(number: number, previousBytes: number | undefined): Promise<Segment> {
    const name = `log-${number}`;
    const header: SegmentHeader = previousBytes === undefined ? { segment: number } : { segment: number, previousBytes };
    const frame = encodeFrame(encodeSegmentHeader(header));
    const create = (): Promise<boolean> => this.#withSpace(ownerFileBytes, 0, () => this.#folder.create(name, frame));
    if (!(await create())) {
      // An attempt that failed left it, or an earlier owner that did not know yet that it was none: nothing in it was acknowledged.
      await this.#owner.assertOwned();
      await this.#folder.remove(name);
      if (!(await create())) throw new KeySpaceError('unavailable', `another process is writing ${name}`);
    }
    const file = await this.#folder.open(name);
    await this.#owner.assertOwned();
    return { number, file, size: frame.length, isDirty: false };
  }

  async #openSegment({ number, intactBytes, end }: ReadSegment): Promise<Segment> {
    const file = await this.#folder.open(`log-${number}`);
    const segment: Segment = { number, file, size: intactBytes, isDirty: end === 'torn' };
    await this.#clean(segment);
    // What a killed process wrote may be in the system's memory only; it will be shown to readers, so it must stay.
    await file.sync();
    return segment;
  }

  async #clean(segment: Segment): Promise<void> {
    if (!segment.isDirty) return;
    await segment.file.truncate(segment.size);
    await segment.file.sync();
    segment.isDirty = false;
  }
}

interface FoundFiles {
  readonly snapshot: number | undefined;
  readonly segments: readonly number[];
  /** -1: there is neither a snapshot nor a segment. */
  readonly lastNumber: number;
}

interface ReadSegment extends Frames {
  readonly number: number;
  readonly header: SegmentHeader | undefined;
  readonly records: readonly string[];
}

/** A segment may have been made for a snapshot that never began; the one before it was written on. */
function withoutUnused(logs: readonly ReadSegment[]): readonly ReadSegment[] {
  const [log, previous] = [logs.at(-1), logs.at(-2)];
  if (!log || !previous || log.records.length > 0 || log.end !== 'whole') return logs;
  const countedBytes = log.header?.previousBytes ?? 0;
  const isContinued = previous.intactBytes > countedBytes || (previous.intactBytes === countedBytes && previous.end !== 'whole');
  return isContinued || !log.header ? withoutUnused(logs.slice(0, -1)) : logs;
}

interface ReadFiles {
  readonly snapshot: number | undefined;
  readonly chunks: Frames | undefined;
  readonly logs: readonly ReadSegment[];
  readonly acknowledged: LogPosition | undefined;
}

/** The content of all files before the first one that is missing or damaged. */
function loadedFrom({ snapshot, chunks, logs, acknowledged }: ReadFiles): LoadedLog {
  const texts = chunks?.texts ?? [];
  if (chunks && chunks.end !== 'whole') {
    const damage = `snapshot-${snapshot} is damaged at byte ${chunks.intactBytes}: ${chunks.problem ?? 'it ends within a record'}`;
    return { chunks: texts, records: [], damage, recordsAfterDamage: logs.flatMap((log) => log.records) };
  }
  const found = damageIn(snapshot, logs, acknowledged);
  if (!found) return { chunks: texts, records: logs.flatMap((log) => log.records), damage: undefined };
  const intact = logs.slice(0, found.intactLogs);
  const after = [...(intact.at(-1)?.textsAfter ?? []), ...logs.slice(found.intactLogs).flatMap((log) => log.records)];
  return { chunks: texts, records: intact.flatMap((log) => log.records), damage: found.damage, recordsAfterDamage: after };
}

interface FoundDamage {
  readonly damage: string;
  /** How many segments have records that count: all before the damage, and the one that has it. */
  readonly intactLogs: number;
}

function damageIn(
  snapshot: number | undefined,
  logs: readonly ReadSegment[],
  acknowledged: LogPosition | undefined,
): FoundDamage | undefined {
  const first = snapshot ?? 0;
  // Only the beginning of a log has no snapshot.
  if (snapshot === undefined && logs[0] && logs[0].number > 0) return { damage: `snapshot-${logs[0].number} is missing`, intactLogs: 0 };
  for (const [index, log] of logs.entries()) {
    const number = first + index;
    if (log.number !== number) return { damage: `log-${number} is missing`, intactLogs: index };
    if (log.header && log.header.segment !== number)
      return { damage: `log-${number} has the content of log-${log.header.segment}`, intactLogs: index };
    const damage = damageOf(log, logs[index + 1]?.header?.previousBytes, index === logs.length - 1);
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

function damageOf(log: ReadSegment, countedBytes: number | undefined, isLast: boolean): string | undefined {
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
  return new KeySpaceError(code, `${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}
