import { type IDBPDatabase, type IDBPTransaction, wrap } from 'idb';
import { KeySpaceError } from '../key-space.ts';
import { checksum } from '../log/checksum.ts';
import { assertSupportedFormat } from '../log/format-migrations.ts';
import type { AppendSpace, LoadedLog, LogStore, SnapshotWriter } from '../log/log-store.ts';

export interface IdbLogStoreOptions {
  /** For instance `globalThis`. Without locks, a takeover is noticed only at the next write. */
  readonly platform: {
    readonly indexedDB: IDBFactory;
    readonly IDBKeyRange: typeof IDBKeyRange;
    readonly navigator?: { readonly locks?: Pick<LockManager, 'request'> };
  };
  readonly name: string;
  /** Transaction durability: `strict` flushes to the disk before a write is acknowledged; `relaxed` is the browsers' default. */
  readonly durability: 'relaxed' | 'strict';
  /** Called once when another owner has opened the database: data read here may be stale. */
  readonly onTakenOver?: () => void;
  /** Called once when the open database was deleted, or closed by the browser: its data is lost. */
  readonly onDeleted?: () => void;
  /** Without a reserve, a full database refuses all writes, even deletes. */
  readonly reserve?: SpaceReserve;
}

/** A reserved part of the browser's quota, so that a full database can still shrink. */
export interface SpaceReserve {
  /** Takes the space if it is not taken yet. Rejects with a QuotaExceededError when the quota is exhausted. */
  take(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Three object stores:
 *
 *     state     'state' → { format, owner, generation, begun, covered }
 *     chunks    [generation, index] → { sum, text }      the snapshot; other generations are unused
 *     records   sequence → { sum, text }                 the tail: records after `covered`
 *
 * Opening the database takes ownership, and every write verifies the owner in its transaction: two workers may overlap for a moment (an
 * update, a second page), and the older one must not overwrite data of the newer one. The owner also holds a Web Lock, which the next
 * owner steals: so the older one notices the takeover at once, and serves no stale reads. If the database is too full to store the new
 * owner, the older one may write until it has noticed; the new one waits for a second lock, which is never stolen.
 */
const stateKey = 'state';
const databaseVersion = 1;
const stateFormat = 1;

interface State {
  readonly format: number;
  readonly owner: number;
  /** Generation of the valid snapshot. */
  readonly generation: number;
  /** Generation of the last snapshot that was started. */
  readonly begun: number;
  /** Sequence of the last record that the snapshot covers. */
  readonly covered: number;
}

const newState: State = { format: stateFormat, owner: 0, generation: 0, begun: 0, covered: 0 };

interface StoredText {
  readonly sum: number;
  readonly text: string;
}

/** Opens the log in an IndexedDB database, which is created when it does not exist. */
export async function openIdbLogStore(options: IdbLogStoreOptions): Promise<LogStore> {
  const { indexedDB: databases } = options.platform;
  const request = databases.open(options.name, databaseVersion);
  request.onupgradeneeded = () => {
    for (const name of ['state', 'chunks', 'records']) request.result.createObjectStore(name);
  };
  try {
    const db = await wrap(request);
    if (!db) throw new KeySpaceError('unavailable', 'the platform gave no database');
    return new IdbLogStore(options, db);
  } catch (cause) {
    throw storeError(cause, `cannot open the database ${options.name}`);
  }
}

type StoreNames = ('state' | 'chunks' | 'records')[];
const allStores: StoreNames = ['state', 'chunks', 'records'];
type WriteTransaction = IDBPTransaction<unknown, StoreNames, 'readwrite'>;

/** Attempts of a write with the released reserve. */
const reserveAttempts = 20;

class IdbLogStore implements LogStore {
  readonly #options: IdbLogStoreOptions;
  readonly #db: IDBPDatabase;
  #state = newState;
  #sequence = 0;
  /** False when the database was too full to store the owner: it can be read, and is claimed before the first write. */
  #isOwner = false;
  #lost: KeySpaceError | undefined;
  readonly #locksReleased: Promise<void>;
  /** Releases the locks; nothing is written after that. */
  #releaseLocks: () => void = () => {};
  #listener: ((error: KeySpaceError) => void) | undefined;
  /** Whether the reserve was used. Writes that need space are refused until it is whole again. */
  #isReserveUsed = false;

  constructor(options: IdbLogStoreOptions, db: IDBPDatabase) {
    this.#options = options;
    this.#db = db;
    this.#locksReleased = new Promise((resolve) => {
      this.#releaseLocks = resolve;
    });
    db.onversionchange = () => {
      // Another context wants to delete or upgrade the database; an open connection would block it.
      db.close();
      this.#loseDatabase(`the database ${options.name} is being deleted or upgraded`);
    };
    db.onclose = () => this.#loseDatabase(`the browser closed the database ${options.name}`);
  }

  async load(): Promise<LoadedLog> {
    try {
      const owned = await this.#loadAsOwner();
      this.#takeOwnershipLock();
      const isAlone = this.#waitForEarlierWriters();
      const loaded: LoadedLog = owned ?? (await isAlone.then(() => this.#loadFull()));
      void this.#takeReserve();
      return loaded;
    } catch (cause) {
      throw cause instanceof KeySpaceError ? cause : storeError(cause, 'cannot read the database');
    }
  }

  async append(record: string, space: AppendSpace = 'free'): Promise<void> {
    if (space === 'free' && this.#isReserveUsed && !(await this.#takeReserve()))
      throw new KeySpaceError('out-of-space', 'the database is full: its reserve is in use');
    const sequence = this.#sequence + 1;
    const write = (): Promise<void> =>
      this.#writeAsOwner(['state', 'records'], async (tx) => {
        await tx.objectStore('records').put(withChecksum(record), sequence);
      });
    await (space === 'free' ? write() : this.#withReserve(write));
    this.#sequence = sequence;
  }

  /** Retries `write` with the space of the reserve, which may become available only some time after its release. */
  async #withReserve(write: () => Promise<void>): Promise<void> {
    const { reserve } = this.#options;
    for (let attempt = 0; ; attempt++) {
      try {
        return await write();
      } catch (error) {
        const isFull = error instanceof KeySpaceError && error.code === 'out-of-space';
        if (!reserve || attempt === reserveAttempts || !isFull) throw error;
        this.#isReserveUsed = true;
        await reserve.release();
      }
    }
  }

  /** Resolves to whether writes may take space. A failure other than a full quota counts as no reserve. */
  async #takeReserve(): Promise<boolean> {
    try {
      await this.#options.reserve?.take();
      this.#isReserveUsed = false;
    } catch (error) {
      this.#isReserveUsed = isOutOfSpace(error);
    }
    return !this.#isReserveUsed;
  }

  async beginSnapshot(): Promise<SnapshotWriter> {
    // Each attempt has its own generation: an older worker may still be writing chunks of an earlier one.
    const begunState = (): State => ({ ...this.#state, begun: this.#state.begun + 1 });
    await this.#withReserve(() =>
      this.#writeAsOwner(['state'], async (tx) => {
        // Read here, because the write claims the database first if this store does not own it yet.
        await tx.objectStore('state').put(begunState(), stateKey);
      }),
    );
    this.#state = begunState();
    const generation = this.#state.begun;
    const covered = this.#sequence;
    let index = 0;
    return {
      // The transaction has only the object store of chunks, so appends run concurrently.
      add: async (chunk) => {
        const key = [generation, index++];
        await this.#withReserve(() =>
          this.#writeUnlessLost(['chunks'], async (tx) => {
            await tx.objectStore('chunks').put(withChecksum(chunk), key);
          }),
        );
      },
      finish: async () => {
        await this.#withReserve(() => this.#switchTo({ ...this.#state, generation, covered }));
        if (this.#isReserveUsed) await this.#takeReserve();
      },
      // Deleting takes no space. Chunks that stay after a failure are removed by the next snapshot.
      abandon: () =>
        this.#writeUnlessLost(['chunks'], (tx) => tx.objectStore('chunks').delete(this.#between([generation], [generation + 1]))).catch(
          () => undefined,
        ),
    };
  }

  onLost(listener: (error: KeySpaceError) => void): void {
    this.#listener = listener;
    if (this.#lost) listener(this.#lost);
  }

  async close(): Promise<void> {
    this.#listener = undefined;
    this.#lost ??= new KeySpaceError('closed', 'the database is closed');
    this.#releaseLocks();
    this.#db.close();
  }

  /** Takes the ownership lock, until the store is closed or lost, or its worker terminates. */
  #takeOwnershipLock(): void {
    let isHeld = false;
    const hold = (): Promise<void> => {
      isHeld = true;
      return this.#locksReleased;
    };
    this.#options.platform.navigator?.locks?.request(`log ${this.#options.name}`, { steal: true }, hold).catch(() => {
      // A platform without usable locks: the next write verifies the owner.
      if (isHeld) this.#loseOwnership();
    });
  }

  /** Resolves when no earlier owner writes any more; the next owner waits for this one. */
  #waitForEarlierWriters(): Promise<void> {
    const { locks } = this.#options.platform.navigator ?? {};
    if (!locks) return Promise.resolve();
    return new Promise((resolve) => {
      const hold = (): Promise<void> => {
        resolve();
        return this.#locksReleased;
      };
      locks.request(`writer of log ${this.#options.name}`, {}, hold).catch(() => resolve());
    });
  }

  /** Undefined when the database is too full to store the owner. */
  async #loadAsOwner(): Promise<LoadedLog | undefined> {
    try {
      const loaded = await this.#write(allStores, async (tx) => {
        const log = await this.#read(tx);
        await tx.objectStore('state').put(this.#claimedState(), stateKey);
        return log;
      });
      this.#state = this.#claimedState();
      this.#isOwner = true;
      return loaded;
    } catch (cause) {
      if (!isOutOfSpace(cause)) throw cause;
      return undefined;
    }
  }

  /** Reads a full database without claiming it. */
  async #loadFull(): Promise<LoadedLog> {
    const tx = this.#db.transaction(allStores, 'readonly');
    const [loaded] = await Promise.all([this.#read(tx), tx.done]);
    return loaded;
  }

  /** Claims a database that was too full when it was read. Fails if another owner has written since. */
  async #claimOwnership(): Promise<void> {
    await this.#writeUnlessLost(['state', 'records'], async (tx) => {
      const [state, later] = await Promise.all([
        tx.objectStore('state').get(stateKey),
        tx.objectStore('records').count(this.#from(this.#sequence + 1)),
      ]);
      if ((readState(state)?.owner ?? 0) !== this.#state.owner || later > 0) throw this.#loseOwnership();
      await tx.objectStore('state').put(this.#claimedState(), stateKey);
    });
    this.#state = this.#claimedState();
    this.#isOwner = true;
  }

  #claimedState(): State {
    return { ...this.#state, owner: this.#state.owner + 1 };
  }

  async #read(tx: IDBPTransaction<unknown, StoreNames, 'readonly' | 'readwrite'>): Promise<LoadedLog> {
    this.#state = readState(await tx.objectStore('state').get(stateKey)) ?? newState;
    const { generation, covered } = this.#state;
    const [chunks, records, keys] = await Promise.all([
      tx.objectStore('chunks').getAll(this.#between([generation], [generation + 1])),
      tx.objectStore('records').getAll(this.#from(covered + 1)),
      tx.objectStore('records').getAllKeys(this.#from(covered + 1)),
    ]);
    const last = keys.at(-1);
    this.#sequence = typeof last === 'number' ? last : covered;
    return toLoadedLog(chunks, records, this.#sequence - covered);
  }

  /** Activates a new snapshot and deletes the old one and the covered records, in one transaction. */
  async #switchTo(state: State): Promise<void> {
    await this.#writeAsOwner(['state', 'chunks', 'records'], async (tx) => {
      await Promise.all([
        tx.objectStore('state').put(state, stateKey),
        tx.objectStore('chunks').delete(this.#before([state.generation])),
        tx.objectStore('chunks').delete(this.#from([state.generation + 1])),
        tx.objectStore('records').delete(this.#upTo(state.covered)),
      ]);
    });
    this.#state = state;
  }

  async #writeAsOwner(stores: StoreNames, work: (tx: WriteTransaction) => Promise<void>): Promise<void> {
    if (!this.#isOwner) await this.#claimOwnership();
    await this.#writeUnlessLost(stores, async (tx) => {
      // Read in the same transaction, before the writes: another owner aborts the transaction.
      const [state] = await Promise.all([tx.objectStore('state').get(stateKey), work(tx)]);
      if (readState(state)?.owner !== this.#state.owner) throw this.#loseOwnership();
    });
  }

  async #writeUnlessLost(stores: StoreNames, work: (tx: WriteTransaction) => Promise<void>): Promise<void> {
    if (this.#lost) throw this.#lost;
    try {
      await this.#write(stores, work);
    } catch (cause) {
      throw this.#lost ?? storeError(cause, 'cannot write to the database');
    }
  }

  /** Resolves when the transaction is complete; everything is undone when `work` or the transaction fails. */
  async #write<Result>(stores: StoreNames, work: (tx: WriteTransaction) => Promise<Result>): Promise<Result> {
    const tx = this.#db.transaction(stores, 'readwrite', { durability: this.#options.durability });
    const done = tx.done.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    let result: Result;
    try {
      result = await work(tx);
    } catch (error) {
      abort(tx);
      await done;
      // An aborted request has no reason; its transaction has one.
      throw tx.error ?? error;
    }
    const aborted = await done;
    if (aborted) throw tx.error ?? aborted.error;
    return result;
  }

  #loseOwnership(): KeySpaceError {
    if (!this.#lost) this.#options.onTakenOver?.();
    return this.#lose(`another process has opened the database ${this.#options.name}`);
  }

  #loseDatabase(why: string): void {
    if (!this.#lost) this.#options.onDeleted?.();
    this.#lose(why);
  }

  #lose(why: string): KeySpaceError {
    if (!this.#lost) {
      this.#lost = new KeySpaceError('unavailable', why);
      this.#releaseLocks();
      this.#listener?.(this.#lost);
    }
    return this.#lost;
  }

  #from(key: IDBValidKey): IDBKeyRange {
    return this.#options.platform.IDBKeyRange.lowerBound(key);
  }

  #before(key: IDBValidKey): IDBKeyRange {
    return this.#options.platform.IDBKeyRange.upperBound(key, true);
  }

  #upTo(key: IDBValidKey): IDBKeyRange {
    return this.#options.platform.IDBKeyRange.upperBound(key);
  }

  #between(from: IDBValidKey, before: IDBValidKey): IDBKeyRange {
    return this.#options.platform.IDBKeyRange.bound(from, before, false, true);
  }
}

function withChecksum(text: string): StoredText {
  return { sum: checksum(text), text };
}

/** The texts before the first damaged one. */
function toLoadedLog(chunks: readonly unknown[], records: readonly unknown[], recordsWritten: number): LoadedLog {
  const goodChunks = takeIntactTexts(chunks);
  if (goodChunks.length < chunks.length)
    return { chunks: goodChunks, records: [], damage: `chunk ${goodChunks.length} of the snapshot is damaged` };
  const goodRecords = takeIntactTexts(records);
  const damage =
    goodRecords.length < recordsWritten ? `record ${goodRecords.length + 1} of ${recordsWritten} is damaged or missing` : undefined;
  return { chunks: goodChunks, records: goodRecords, damage };
}

function takeIntactTexts(values: readonly unknown[]): string[] {
  const texts: string[] = [];
  for (const value of values) {
    if (!isStoredText(value) || checksum(value.text) !== value.sum) break;
    texts.push(value.text);
  }
  return texts;
}

function isStoredText(value: unknown): value is StoredText {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string' && 'sum' in value;
}

function readState(value: unknown): State | undefined {
  if (value === undefined) return undefined;
  if (isState(value)) {
    assertSupportedFormat(value.format, stateFormat);
    return value;
  }
  throw new KeySpaceError('corrupt', 'the state of the database has no known shape');
}

function isState(value: unknown): value is State {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return ['format', 'owner', 'generation', 'begun', 'covered'].every((name) => typeof fields.get(name) === 'number');
}

function abort(tx: WriteTransaction): void {
  try {
    tx.abort();
  } catch {
    // The transaction has aborted already.
  }
}

function isOutOfSpace(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'QuotaExceededError';
}

/** The database was created by a newer version, with other object stores. */
const isVersionError = (cause: unknown): boolean => cause instanceof Error && cause.name === 'VersionError';

function storeError(cause: unknown, what: string): KeySpaceError {
  const why = cause instanceof Error ? cause.message || cause.name : String(cause);
  const code = isOutOfSpace(cause) ? 'out-of-space' : isVersionError(cause) ? 'newer-format' : 'unavailable';
  return new KeySpaceError(code, `${what}: ${why}`, { cause });
}
