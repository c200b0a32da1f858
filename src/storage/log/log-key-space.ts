import { type Clock, errorMessage, type Log } from '../../env/index.ts';
import { decideWrite, type History } from '../history.ts';
import { closedError, type DecidedChange, HistoryKeySpace, type TimedKeySpace } from '../history-key-space.ts';
import { type Change, type Commit, KeySpaceError, type Write } from '../key-space.ts';
import { type CompactionRecord, encode } from './log-format.ts';
import type { AppendSpace, LoadedLog, LogStore, SnapshotWriter } from './log-store.ts';
import { restoreLog } from './restore.ts';
import { type SnapshotSpan, snapshotChunks, toLoggedWrite } from './snapshot.ts';
import { defaultTailLimit, SnapshotPolicy, type TailLimit } from './snapshot-policy.ts';

export interface LogKeySpaceOptions {
  readonly store: LogStore;
  readonly clock: Clock;
  readonly log: Log;
  /** How to handle a damaged log: refuse to open it, or continue with the state before the damage and lose the rest. */
  readonly onDamage: 'refuse' | 'retain-intact';
  /** Length of the log before a snapshot replaces it; the default was measured. */
  readonly tailLimit?: TailLimit;
}

/**
 * Opens the key space in `store`. It is held in memory, and every write is in the store before it is acknowledged.
 * The key space owns the store and closes it.
 * @throws KeySpaceError `corrupt` (the message describes the intact part) | `newer-format` (nothing is changed) | `unavailable`
 */
export async function openLogKeySpace(options: LogKeySpaceOptions): Promise<TimedKeySpace> {
  const { store, log } = options;
  try {
    const loaded = await store.load();
    const { history, damage } = restoreLog(loaded);
    if (damage && options.onDamage === 'refuse') throw damage;
    const space = new LogKeySpace(options, history, loaded);
    if (damage) log.error('storage log damaged', { revision: history.revision, cause: damage.message });
    if (damage || loaded.needsSnapshot) await space.replaceLog();
    return space;
  } catch (error) {
    // The reason why the store cannot be opened matters more than an error on close.
    await store.close().catch(() => {});
    throw error;
  }
}

interface Completion<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface PendingWrite extends Completion<Commit> {
  readonly write: Write;
}

interface PendingCompaction extends Completion<void> {
  readonly compact: number;
}

type Pending = PendingWrite | PendingCompaction;

/** How long after its commit a client may retry a request whose response was lost. */
const requestRetryWindowMs = 60_000;

/** Limits of one record, so that many writes are split into transactions of bounded size. */
const groupMaxWrites = 1000;
const groupMaxCharacters = 4 * 1024 * 1024;

/** The writes of one record, each decided on the result of the previous ones, but not yet durable. */
class WriteGroup {
  readonly decided: (DecidedChange & { readonly pending: PendingWrite })[] = [];
  /** Writes rejected because of another write of this group; reported only when that write is durable. */
  readonly rejected: { readonly pending: PendingWrite; readonly error: unknown }[] = [];
  readonly #history: History;
  readonly #latest = new Map<string, Change>();

  constructor(history: History, writes: readonly PendingWrite[]) {
    this.#history = history;
    for (const pending of writes) this.#add(pending);
  }

  /** Deletes need space for their record only, and free more than that. */
  get isDeletesOnly(): boolean {
    return this.decided.every(({ pending }) => isDelete(pending));
  }

  #add(pending: PendingWrite): void {
    const { write } = pending;
    const latest = this.#latest.get(write.key);
    try {
      const done = this.#history.findDuplicateCommit(write);
      if (done) {
        pending.resolve(done);
        return;
      }
      const current = latest ? latest.entry : this.#history.current(write.key);
      const change = decideWrite(current, write, this.#history.revision + this.decided.length + 1);
      this.#latest.set(write.key, change);
      this.decided.push({ change, requestId: write.requestId, pending });
    } catch (error) {
      if (latest) this.rejected.push({ pending, error });
      else pending.reject(error);
    }
  }

  reject(error: unknown): void {
    for (const pending of this.#unsettled()) pending.reject(error);
  }

  /** Rejects the writes that need space and returns the deletes, which must be decided again. */
  rejectAllButDeletes(error: unknown): readonly PendingWrite[] {
    const unsettled = this.#unsettled();
    for (const pending of unsettled) if (!isDelete(pending)) pending.reject(error);
    return unsettled.filter(isDelete);
  }

  settle(): void {
    for (const { pending, change } of this.decided) pending.resolve(change);
    for (const { pending, error } of this.rejected) pending.reject(error);
  }

  #unsettled(): readonly PendingWrite[] {
    return [...this.decided, ...this.rejected].map(({ pending }) => pending);
  }
}

const isDelete = ({ write }: PendingWrite): boolean => write.value === undefined;

const isOutOfSpace = (error: unknown): boolean => error instanceof KeySpaceError && error.code === 'out-of-space';

class LogKeySpace extends HistoryKeySpace {
  readonly #store: LogStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #snapshotPolicy: SnapshotPolicy;
  #queue: Pending[] = [];
  #writing: Promise<void> | undefined;
  #snapshot: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: LogKeySpaceOptions, history: History, loaded: LoadedLog) {
    super(history);
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#snapshotPolicy = new SnapshotPolicy(loaded, options.tailLimit ?? defaultTailLimit);
    this.#store.onLost((error) => this.failWatches(error));
  }

  async commit(write: Write): Promise<Commit> {
    this.assertOpen();
    return new Promise((resolve, reject) => this.#enqueue({ write, resolve, reject }));
  }

  async compact(revision: number): Promise<void> {
    this.assertOpen();
    return new Promise((resolve, reject) => this.#enqueue({ compact: revision, resolve, reject }));
  }

  /** Waits for the writes that were accepted before. */
  override close(): Promise<void> {
    this.rejectCalls();
    this.#closing ??= this.#finishAndClose();
    return this.#closing;
  }

  /** Replaces the content of the store with a snapshot of the history, and waits for it. */
  async replaceLog(): Promise<void> {
    const writer = await this.#store.beginSnapshot();
    this.#snapshotPolicy.startSnapshot();
    await this.#writeSnapshot(writer, this.#currentSpan());
  }

  async #finishAndClose(): Promise<void> {
    while (this.#writing || this.#snapshot) {
      await this.#writing;
      await this.#snapshot;
    }
    this.failWatches(closedError());
    await this.#store.close();
  }

  #enqueue(pending: Pending): void {
    this.#queue.push(pending);
    this.#writing ??= this.#processQueue();
  }

  /** Writes one group at a time: writes that arrive meanwhile share the next group. */
  async #processQueue(): Promise<void> {
    // Writes of the same event-loop turn share a record.
    await Promise.resolve();
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      if ('write' in next) await this.#writeGroup(this.#takeGroup());
      else {
        this.#queue.shift();
        await this.#compactWhenFree(next);
      }
      await this.#compactWhenFull();
      await this.#snapshotWhenDue();
    }
    this.#writing = undefined;
  }

  #takeGroup(): WriteGroup {
    const writes: PendingWrite[] = [];
    let characters = 0;
    for (const pending of this.#queue) {
      if (!('write' in pending) || writes.length >= groupMaxWrites || characters >= groupMaxCharacters) break;
      characters += pending.write.value?.length ?? 0;
      writes.push(pending);
    }
    this.#queue = this.#queue.slice(writes.length);
    return new WriteGroup(this.history, writes);
  }

  async #writeGroup(group: WriteGroup): Promise<void> {
    try {
      await this.#appendGroup(group);
    } catch (error) {
      if (!isOutOfSpace(error) || group.isDeletesOnly) return group.reject(error);
      // A full store rejects writes that need space, and accepts deletes.
      await this.#writeGroup(new WriteGroup(this.history, group.rejectAllButDeletes(error)));
    }
  }

  async #appendGroup(group: WriteGroup): Promise<void> {
    const first = group.decided[0];
    if (!first) return;
    const timeMs = this.#clock.nowMs();
    const writes = group.decided.map(({ change, requestId }) => toLoggedWrite(change, requestId));
    await this.#append(encode({ first: first.change.revision, timeMs, writes }), group.isDeletesOnly ? 'reserve' : 'free');
    this.apply(group.decided, timeMs);
    group.settle();
  }

  /** A running snapshot reads at the compacted revision, so the compaction waits for it; writes do not. */
  async #compactWhenFree(pending: PendingCompaction): Promise<void> {
    const { compact, resolve, reject } = pending;
    if (this.#snapshot) {
      void this.#snapshot.then(() => this.#enqueue(pending));
      return;
    }
    try {
      if (compact > this.history.compactedRevision && compact <= this.history.revision)
        await this.#appendCompaction({ compacted: compact });
      this.history.compact(compact);
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  /**
   * Compacts a full store early, because old revisions occupy it. Requests that may still be retried stay recorded:
   * otherwise they would be executed twice.
   */
  async #compactWhenFull(): Promise<void> {
    const { revision, size } = this.history;
    if (this.#snapshot || this.#closing || !this.#snapshotPolicy.isCompactionDue(size)) return;
    this.#log.warn('storage is full: old revisions are compacted early', { revision });
    try {
      const requestsSinceMs = this.#clock.nowMs() - requestRetryWindowMs;
      await this.#appendCompaction({ compacted: revision, requestsSinceMs });
      this.history.compact(revision, requestsSinceMs);
    } catch (error) {
      this.#log.warn('compaction of the full storage failed', { why: errorMessage(error) });
    }
  }

  async #appendCompaction(record: CompactionRecord): Promise<void> {
    await this.#append(encode(record), 'reserve');
    this.#snapshotPolicy.recordCompaction();
  }

  async #append(record: string, space: AppendSpace): Promise<void> {
    try {
      await this.#appendBesideSnapshot(record, space);
    } catch (cause) {
      this.#recordIfOutOfSpace(cause);
      throw cause instanceof KeySpaceError ? cause : new KeySpaceError('unavailable', 'the store failed', { cause });
    }
    this.#snapshotPolicy.recordAppend(record);
    if (space === 'free') this.#snapshotPolicy.recordFreeSpace();
  }

  async #appendBesideSnapshot(record: string, space: AppendSpace): Promise<void> {
    try {
      await this.#store.append(record, space);
    } catch (error) {
      if (!isOutOfSpace(error) || space === 'free' || !this.#snapshot) throw error;
      // The running snapshot has taken the reserve. It frees space when it succeeds or is abandoned.
      await this.#snapshot;
      await this.#store.append(record, space);
    }
  }

  async #snapshotWhenDue(): Promise<void> {
    if (this.#snapshot || this.#closing || !this.#snapshotPolicy.isSnapshotDue(this.history.size, this.#clock.nowMs())) return;
    try {
      const writer = await this.#store.beginSnapshot();
      const span = this.#currentSpan();
      this.#snapshotPolicy.startSnapshot();
      this.#snapshot = this.#writeSnapshot(writer, span)
        .catch((error) => this.#handleSnapshotFailure(error))
        .finally(() => {
          this.#snapshot = undefined;
        });
    } catch (error) {
      this.#recordIfOutOfSpace(error);
      this.#handleSnapshotFailure(error);
    }
  }

  async #writeSnapshot(writer: SnapshotWriter, span: SnapshotSpan): Promise<void> {
    let characters = 0;
    try {
      for (const chunk of snapshotChunks(this.history, span)) {
        await writer.add(chunk);
        characters += chunk.length;
        // Closing does not wait for the snapshot; the next start can write it.
        if (this.#closing) return await writer.abandon();
      }
      await writer.finish();
    } catch (error) {
      // At once, because a write may find space while the snapshot is abandoned.
      this.#recordIfOutOfSpace(error);
      await writer.abandon();
      throw error;
    }
    this.#snapshotPolicy.finishSnapshot(characters);
  }

  #recordIfOutOfSpace(error: unknown): void {
    if (isOutOfSpace(error)) this.#snapshotPolicy.recordOutOfSpace();
  }

  #handleSnapshotFailure(error: unknown): void {
    this.#snapshotPolicy.recordFailure(this.#clock.nowMs());
    this.#log.warn('storage snapshot failed', { why: errorMessage(error) });
  }

  #currentSpan(): SnapshotSpan {
    return { compacted: this.history.compactedRevision, revision: this.history.revision };
  }
}
