import { KeySpaceError } from '../key-space.ts';
import type { LoadedLog, LogStore, SnapshotWriter } from '../log/log-store.ts';
import { encodeFrame, type Frames, readFrames } from './frames.ts';
import type { LogFile, LogFolder } from './log-folder.ts';

export interface FileLogStoreOptions {
  readonly folder: LogFolder;
  /** `always`: the disk is asked before a write is acknowledged. `never`: the operating system is, so a power cut may cost the last seconds. */
  readonly sync: 'always' | 'never';
}

/**
 * The log in a folder, which it keeps locked: `snapshot-3` stands for everything before `log-3`; `log-3`, `log-4`, … follow.
 * A snapshot begins by opening the next segment, is written to `snapshot-4.new`, and counts when it is renamed:
 *
 *     log-0                                    the beginning
 *     log-0 log-1 snapshot-1.new               a snapshot is being written; a kill here leaves log-0 and log-1
 *     snapshot-1 log-1 (log-0)                 renamed; what is older goes
 */
export async function openFileLogStore(options: FileLogStoreOptions): Promise<LogStore> {
  try {
    await options.folder.lock();
  } catch (cause) {
    throw storeError(cause, 'cannot lock the folder');
  }
  return new FileLogStore(options);
}

/** The segment that is written to. */
interface Segment {
  readonly file: LogFile;
  /** Bytes that are whole and acknowledged. */
  size: number;
  /** Whether something may stand behind `size` that must go before the next append. */
  isDirty: boolean;
}

class FileLogStore implements LogStore {
  readonly #folder: LogFolder;
  readonly #sync: FileLogStoreOptions['sync'];
  /** None before `load`, after `close`, and while a damaged log waits for the snapshot that replaces it. */
  #segment: Segment | undefined;
  #lastNumber = 0;

  constructor(options: FileLogStoreOptions) {
    this.#folder = options.folder;
    this.#sync = options.sync;
  }

  async load(): Promise<LoadedLog> {
    try {
      const { snapshot, segments } = await this.#files();
      const chunks = snapshot === undefined ? undefined : await this.#frames(`snapshot-${snapshot}`);
      const logs = await Promise.all(segments.map((number) => this.#frames(`log-${number}`)));
      this.#lastNumber = Math.max(snapshot ?? 0, segments.at(-1) ?? 0);
      const last = Math.max(0, logs.findLastIndex(isUsed));
      const loaded = loadedFrom({ snapshot, segments, chunks, logs: logs.slice(0, last + 1) });
      // What is damaged is left as it is for whoever wants to look.
      if (loaded.damage === undefined) this.#segment = await this.#openSegment(segments[last] ?? 0, logs[last]);
      return loaded;
    } catch (cause) {
      throw storeError(cause, 'cannot read the log');
    }
  }

  async append(record: string): Promise<void> {
    const segment = this.#segment;
    if (!segment) throw new KeySpaceError('closed', 'the log is not open');
    const frame = encodeFrame(record);
    try {
      await this.#clean(segment);
      segment.isDirty = true;
      await segment.file.append(frame);
      if (this.#sync === 'always') await segment.file.sync();
      segment.size += frame.length;
      segment.isDirty = false;
    } catch (cause) {
      // A writer is told that nothing was written: at best that is true at once, at the latest before the next append.
      await this.#clean(segment).catch(() => {});
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
      const number = this.#lastNumber + 1;
      this.#segment = await this.#openSegment(number, undefined);
      this.#lastNumber = number;
      await old?.file.close();
      return await this.#snapshotWriter(number);
    } catch (cause) {
      throw storeError(cause, 'cannot begin a snapshot');
    }
  }

  onLost(): void {
    // A folder that is locked cannot be taken away.
  }

  async close(): Promise<void> {
    const segment = this.#segment;
    this.#segment = undefined;
    try {
      await segment?.file.close();
    } catch (cause) {
      throw storeError(cause, 'cannot close the log');
    } finally {
      await this.#folder.unlock();
    }
  }

  async #snapshotWriter(number: number): Promise<SnapshotWriter> {
    const name = `snapshot-${number}.new`;
    // An earlier attempt may have left a part.
    if ((await this.#folder.list()).includes(name)) await this.#folder.remove(name);
    const file = await this.#folder.open(name);
    const tell = (cause: unknown): never => {
      throw storeError(cause, 'cannot write the snapshot');
    };
    return {
      add: (chunk) => file.append(encodeFrame(chunk)).catch(tell),
      finish: () => this.#finishSnapshot(file, number).catch(tell),
      abandon: () => file.close().catch(() => {}),
    };
  }

  async #finishSnapshot(file: LogFile, number: number): Promise<void> {
    await file.sync();
    await file.close();
    await this.#folder.rename(`snapshot-${number}.new`, `snapshot-${number}`);
    // From here on it counts. What cannot be removed now is removed next time.
    await this.#removeBefore(number).catch(() => {});
  }

  async #removeBefore(number: number): Promise<void> {
    for (const name of await this.#folder.list()) {
      const file = parseName(name);
      if (file && file.number < number) await this.#folder.remove(name);
    }
  }

  async #files(): Promise<{ readonly snapshot: number | undefined; readonly segments: readonly number[] }> {
    const names = (await this.#folder.list()).map(parseName).filter((file) => file !== undefined);
    const numbers = (kind: string): number[] =>
      names
        .filter((file) => file.kind === kind)
        .map((file) => file.number)
        .sort((a, b) => a - b);
    const snapshot = numbers('snapshot').at(-1);
    return { snapshot, segments: numbers('log').filter((number) => number >= (snapshot ?? 0)) };
  }

  async #frames(name: string): Promise<Frames> {
    return readFrames(await this.#folder.read(name));
  }

  async #openSegment(number: number, frames: Frames | undefined): Promise<Segment> {
    const file = await this.#folder.open(`log-${number}`);
    const segment: Segment = { file, size: frames?.intactBytes ?? 0, isDirty: frames?.end === 'torn' };
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

/** A segment may have been made for a snapshot that never began; the one before it was written on. */
function isUsed(frames: Frames): boolean {
  return frames.texts.length > 0 || frames.end !== 'whole';
}

interface ReadFiles {
  readonly snapshot: number | undefined;
  readonly segments: readonly number[];
  readonly chunks: Frames | undefined;
  readonly logs: readonly Frames[];
}

/** What stands before the first file that is missing or was hurt. */
function loadedFrom({ snapshot, segments, chunks, logs }: ReadFiles): LoadedLog {
  const texts = chunks?.texts ?? [];
  if (chunks && chunks.end !== 'whole')
    return { chunks: texts, records: [], damage: `snapshot-${snapshot} is damaged at byte ${chunks.intactBytes}` };
  const records: (readonly string[])[] = [];
  let damage = snapshot !== undefined && logs.length === 0 ? `log-${snapshot} is missing` : undefined;
  for (const [index, log] of logs.entries()) {
    const number = (snapshot ?? 0) + index;
    if (segments[index] !== number) damage = `log-${number} is missing`;
    if (damage !== undefined) break;
    records.push(log.texts);
    const isLast = index === logs.length - 1;
    if (log.end === 'damaged' || (log.end === 'torn' && !isLast)) damage = `log-${number} is damaged at byte ${log.intactBytes}`;
  }
  return { chunks: texts, records: records.flat(), damage };
}

function parseName(name: string): { readonly kind: 'log' | 'snapshot' | 'new'; readonly number: number } | undefined {
  const match = /^(log|snapshot)-(\d{1,15})(\.new)?$/.exec(name);
  if (!match) return undefined;
  const kind = match[3] ? 'new' : match[1] === 'log' ? 'log' : 'snapshot';
  return { kind, number: Number(match[2]) };
}

function storeError(cause: unknown, what: string): KeySpaceError {
  if (cause instanceof KeySpaceError) return cause;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return new KeySpaceError(isFull ? 'out-of-space' : 'unavailable', `${what}: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  });
}
