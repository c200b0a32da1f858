import { type IDBPDatabase, type IDBPTransaction, wrap } from 'idb';
import { KeySpaceError } from '../key-space.ts';
import { checksum } from '../log/checksum.ts';
import { assertFormatKnown } from '../log/format-steps.ts';
import type { AppendSpace, LoadedLog, LogStore, SnapshotWriter } from '../log/log-store.ts';

export interface IdbLogStoreOptions {
  /** The platform's own, for instance `globalThis`; without locks a taken database is noticed at the next write. */
  readonly platform: {
    readonly indexedDB: IDBFactory;
    readonly IDBKeyRange: typeof IDBKeyRange;
    readonly navigator?: { readonly locks?: Pick<LockManager, 'request'> };
  };
  readonly name: string;
  /** `strict` asks the disk before a write is acknowledged; `relaxed` the operating system, as browsers do by default. */
  readonly durability: 'relaxed' | 'strict';
  /** Told once when another one has opened the database: what this one has read of it may be of the past. */
  readonly takenOver?: () => void;
  /** Called once when the database was deleted while it was open, or closed by the browser: what was stored in it is lost. */
  readonly deleted?: () => void;
  /** Without one, a full database takes nothing at all, not even deletes. */
  readonly reserve?: SpaceReserve;
}

/** Space of the browser's quota that is held back, so that a full database can still shrink. */
export interface SpaceReserve {
  /** Takes the space if it is not taken. Rejects with a QuotaExceededError where there is no room for it. */
  take(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Three object stores:
 *
 *     state     'state' → { format, owner, generation, begun, covered }
 *     chunks    [generation, index] → { sum, text }      the snapshot; other generations are leftovers
 *     records   sequence → { sum, text }                 the tail: those after `covered`
 *
 * Whoever opens the database becomes its owner, and every write asks in its own transaction whether that still holds: two
 * workers may overlap for a moment (an update, a second page), and the older one must not write over the newer one. The owner
 * also holds a lock, which the next one takes from it: so the older one hears of it at once, and answers nothing of the past. Where the
 * database is too full to be owned, the older one may write until it has heard: a second lock, which nobody takes from it, tells when.
 */
const stateKey = 'state';
const databaseVersion = 1;
const stateFormat = 1;

interface State {
  readonly format: number;
  readonly owner: number;
  /** Of the snapshot that counts. */
  readonly generation: number;
  /** Of the last snapshot that was begun. */
  readonly begun: number;
  /** The last record that the snapshot stands for. */
  readonly covered: number;
}

const newState: State = { format: stateFormat, owner: 0, generation: 0, begun: 0, covered: 0 };

interface Text {
  readonly sum: number;
  readonly text: string;
}

/** The log in an IndexedDB database, which is made when it is not there. */
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

type Stores = ('state' | 'chunks' | 'records')[];
const allStores: Stores = ['state', 'chunks', 'records'];
type Writing = IDBPTransaction<unknown, Stores, 'readwrite'>;

/** How often a write is tried with the released reserve. */
const reserveAttempts = 20;

class IdbLogStore implements LogStore {
  readonly #options: IdbLogStoreOptions;
  readonly #db: IDBPDatabase;
  #state = newState;
  #sequence = 0;
  /** Not yet, when the database was too full to write even that: then it is read, and owned before the first write. */
  #owned = false;
  #lost: KeySpaceError | undefined;
  readonly #left: Promise<void>;
  /** Lets go of the locks: from here on nothing is written. */
  #leave: () => void = () => {};
  #listener: ((error: KeySpaceError) => void) | undefined;
  /** Whether the reserve was used, and has to be whole again before anything else may grow. */
  #isReserveUsed = false;

  constructor(options: IdbLogStoreOptions, db: IDBPDatabase) {
    this.#options = options;
    this.#db = db;
    this.#left = new Promise((resolve) => {
      this.#leave = resolve;
    });
    db.onversionchange = () => {
      // Somebody wants to delete or upgrade it; holding on would only block them.
      db.close();
      this.#loseDatabase(`the database ${options.name} is being deleted or upgraded`);
    };
    db.onclose = () => this.#loseDatabase(`the browser closed the database ${options.name}`);
  }

  async load(): Promise<LoadedLog> {
    try {
      const owned = await this.#loadAsOwner();
      this.#takeLock();
      const isAlone = this.#waitToWrite();
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
        await tx.objectStore('records').put(sealed(record), sequence);
      });
    await (space === 'free' ? write() : this.#withReserve(write));
    this.#sequence = sequence;
  }

  /** Does `write`; again with the space of the reserve where there is no other, which may be there only some time after its release. */
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

  /** Whether nothing stands in the way of growing: a browser that keeps no reserve has none to wait for. */
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
    // Each attempt has a generation of its own: a worker left behind may still be writing chunks of an earlier one.
    const begun = { ...this.#state, begun: this.#state.begun + 1 };
    await this.#withReserve(() =>
      this.#writeAsOwner(['state'], async (tx) => {
        await tx.objectStore('state').put(begun, stateKey);
      }),
    );
    this.#state = begun;
    const generation = begun.begun;
    const covered = this.#sequence;
    let index = 0;
    return {
      // Only the chunks are locked while one is written: appends go on beside it.
      add: async (chunk) => {
        const key = [generation, index++];
        await this.#withReserve(() =>
          this.#guarded(['chunks'], async (tx) => {
            await tx.objectStore('chunks').put(sealed(chunk), key);
          }),
        );
      },
      finish: async () => {
        await this.#withReserve(() => this.#switchTo({ ...this.#state, generation, covered }));
        if (this.#isReserveUsed) await this.#takeReserve();
      },
      // Deleting takes no room. What fails is cleared away by the next snapshot.
      abandon: () =>
        this.#guarded(['chunks'], (tx) => tx.objectStore('chunks').delete(this.#between([generation], [generation + 1]))).catch(
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
    this.#leave();
    this.#db.close();
  }

  /** Held until the store is closed or lost, or its worker is gone. */
  #takeLock(): void {
    let isHeld = false;
    const hold = (): Promise<void> => {
      isHeld = true;
      return this.#left;
    };
    this.#options.platform.navigator?.locks?.request(`log ${this.#options.name}`, { steal: true }, hold).catch(() => {
      // A platform that refuses locks altogether leaves the question to the next write.
      if (isHeld) this.#loseToOther();
    });
  }

  /** Resolves when no earlier one writes any more, and lets the next one wait for this one. */
  #waitToWrite(): Promise<void> {
    const { locks } = this.#options.platform.navigator ?? {};
    if (!locks) return Promise.resolve();
    return new Promise((resolve) => {
      const hold = (): Promise<void> => {
        resolve();
        return this.#left;
      };
      locks.request(`writer of log ${this.#options.name}`, {}, hold).catch(() => resolve());
    });
  }

  /** Undefined when the database is too full for it. */
  async #loadAsOwner(): Promise<LoadedLog | undefined> {
    try {
      const loaded = await this.#write(allStores, async (tx) => {
        const kept = await this.#read(tx);
        await tx.objectStore('state').put(this.#ownState(), stateKey);
        return kept;
      });
      this.#state = this.#ownState();
      this.#owned = true;
      return loaded;
    } catch (cause) {
      if (!isOutOfSpace(cause)) throw cause;
      return undefined;
    }
  }

  /** A full database is still read. */
  async #loadFull(): Promise<LoadedLog> {
    const tx = this.#db.transaction(allStores, 'readonly');
    const [loaded] = await Promise.all([this.#read(tx), tx.done]);
    return loaded;
  }

  /** What could not be done when the database was read; nobody may have written since. */
  async #ownLater(): Promise<void> {
    await this.#guarded(['state', 'records'], async (tx) => {
      const [state, later] = await Promise.all([
        tx.objectStore('state').get(stateKey),
        tx.objectStore('records').count(this.#from(this.#sequence + 1)),
      ]);
      if ((readState(state)?.owner ?? 0) !== this.#state.owner || later > 0) throw this.#loseToOther();
      await tx.objectStore('state').put(this.#ownState(), stateKey);
    });
    this.#state = this.#ownState();
    this.#owned = true;
  }

  #ownState(): State {
    return { ...this.#state, owner: this.#state.owner + 1 };
  }

  async #read(tx: IDBPTransaction<unknown, Stores, 'readonly' | 'readwrite'>): Promise<LoadedLog> {
    this.#state = readState(await tx.objectStore('state').get(stateKey)) ?? newState;
    const { generation, covered } = this.#state;
    const [chunks, records, keys] = await Promise.all([
      tx.objectStore('chunks').getAll(this.#between([generation], [generation + 1])),
      tx.objectStore('records').getAll(this.#from(covered + 1)),
      tx.objectStore('records').getAllKeys(this.#from(covered + 1)),
    ]);
    const last = keys.at(-1);
    this.#sequence = typeof last === 'number' ? last : covered;
    return intact(chunks, records, this.#sequence - covered);
  }

  /** In one transaction the new snapshot counts and the old one, with the records it stands for, is gone. */
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

  async #writeAsOwner(stores: Stores, work: (tx: Writing) => Promise<void>): Promise<void> {
    if (!this.#owned) await this.#ownLater();
    await this.#guarded(stores, async (tx) => {
      // Asked first and in the same breath: a wrong answer undoes what `work` did.
      const [state] = await Promise.all([tx.objectStore('state').get(stateKey), work(tx)]);
      if (readState(state)?.owner !== this.#state.owner) throw this.#loseToOther();
    });
  }

  async #guarded(stores: Stores, work: (tx: Writing) => Promise<void>): Promise<void> {
    if (this.#lost) throw this.#lost;
    try {
      await this.#write(stores, work);
    } catch (cause) {
      throw this.#lost ?? storeError(cause, 'cannot write to the database');
    }
  }

  /** Resolves when the transaction is complete; everything is undone when `work` or the transaction fails. */
  async #write<Result>(stores: Stores, work: (tx: Writing) => Promise<Result>): Promise<Result> {
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
      // A request that was aborted does not say why; its transaction does.
      throw tx.error ?? error;
    }
    const aborted = await done;
    if (aborted) throw tx.error ?? aborted.error;
    return result;
  }

  #loseToOther(): KeySpaceError {
    if (!this.#lost) this.#options.takenOver?.();
    return this.#lose(`another process has opened the database ${this.#options.name}`);
  }

  #loseDatabase(why: string): void {
    if (!this.#lost) this.#options.deleted?.();
    this.#lose(why);
  }

  #lose(why: string): KeySpaceError {
    if (!this.#lost) {
      this.#lost = new KeySpaceError('unavailable', why);
      this.#leave();
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

function sealed(text: string): Text {
  return { sum: checksum(text), text };
}

/** What stands before the first text that is not as it was written. */
function intact(chunks: readonly unknown[], records: readonly unknown[], recordsWritten: number): LoadedLog {
  const goodChunks = wholeTexts(chunks);
  if (goodChunks.length < chunks.length)
    return { chunks: goodChunks, records: [], damage: `chunk ${goodChunks.length} of the snapshot is damaged` };
  const goodRecords = wholeTexts(records);
  const damage =
    goodRecords.length < recordsWritten ? `record ${goodRecords.length + 1} of ${recordsWritten} is damaged or missing` : undefined;
  return { chunks: goodChunks, records: goodRecords, damage };
}

function wholeTexts(values: readonly unknown[]): string[] {
  const texts: string[] = [];
  for (const value of values) {
    if (!isText(value) || checksum(value.text) !== value.sum) break;
    texts.push(value.text);
  }
  return texts;
}

function isText(value: unknown): value is Text {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string' && 'sum' in value;
}

function readState(value: unknown): State | undefined {
  if (value === undefined) return undefined;
  if (isState(value)) {
    assertFormatKnown(value.format, stateFormat);
    return value;
  }
  throw new KeySpaceError('corrupt', 'the state of the database has no known shape');
}

function isState(value: unknown): value is State {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return ['format', 'owner', 'generation', 'begun', 'covered'].every((name) => typeof fields.get(name) === 'number');
}

function abort(tx: Writing): void {
  try {
    tx.abort();
  } catch {
    // It has already aborted, which is why we are here.
  }
}

function isOutOfSpace(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'QuotaExceededError';
}

/** A database of a newer program may have other stores. */
const isOfNewer = (cause: unknown): boolean => cause instanceof Error && cause.name === 'VersionError';

function storeError(cause: unknown, what: string): KeySpaceError {
  const why = cause instanceof Error ? cause.message || cause.name : String(cause);
  const code = isOutOfSpace(cause) ? 'out-of-space' : isOfNewer(cause) ? 'newer-format' : 'unavailable';
  return new KeySpaceError(code, `${what}: ${why}`, { cause });
}
