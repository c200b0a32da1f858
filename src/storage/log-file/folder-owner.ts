import { type Clock, errorMessage, type Log, type Random } from '../../env/index.ts';
import { KeySpaceError } from '../key-space.ts';
import { encodeFrame, readFrames } from './frames.ts';
import { type InPlaceFile, isMissingFile, isOutOfSpace, type LogFolder, type ProcessIdentity } from './log-folder.ts';

/** Interval at which an owner renews its record. */
const heartbeatMs = 2000;

/** An owner whose process cannot be observed counts as dead when it has not renewed its record for this long. */
const leaseMs = 10_000;

/** Checks per lease duration: enough that one long pause of this process does not look like a dead owner. */
const leaseChecks = 40;

/** A lower bound of the acknowledged part of the log. */
export interface LogPosition {
  readonly segment: number;
  readonly bytes: number;
}

/**
 * The content of a file `owner-<epoch>`:
 *
 *     a81c0c4e 000000f6 {"epoch":7,"id":"5e0c…","pid":4711,"scope":"3f0e… pid:[4026531836]","started":"81224","host":"db-1","state":"held","beat":12,…}
 *
 * padded with spaces to one disk sector, so that overwriting it in place is atomic.
 */
interface OwnerRecord extends ProcessIdentity {
  readonly epoch: number;
  readonly id: string;
  readonly state: 'held' | 'released';
  readonly beat: number;
  /** An earlier owner may still write to its files, so they must be replaced before use. */
  readonly isUnsettled: boolean;
  readonly acknowledged: LogPosition | undefined;
}

const recordBytes = 512;

export interface FolderOwnerOptions {
  readonly folder: LogFolder;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Frees disk space for a small file; false when there is nothing to free. */
  readonly freeSpace: () => Promise<boolean>;
}

/**
 * Exclusive write ownership of a folder, across processes, containers and machines.
 *
 * The process with the highest epoch in its `owner-<epoch>` file owns the folder. A new owner creates the file of the next epoch and then
 * removes the older ones. An owner checks after each append, before it acknowledges it, that its file still exists. So every
 * acknowledged record was in the log before the file was removed, and the new owner reads the log after that.
 * cf. docs/decisions/0004-owner-of-a-data-folder.md
 */
export class FolderOwner {
  readonly #options: FolderOwnerOptions;
  #record: OwnerRecord;
  readonly #file: InPlaceFile;
  #cancelHeartbeat: () => void = () => {};
  #renewing: Promise<void> | undefined;
  #marking: Promise<void> | undefined;
  #lost: KeySpaceError | undefined;
  #listener: ((error: KeySpaceError) => void) | undefined;

  private constructor(options: FolderOwnerOptions, record: OwnerRecord, file: InPlaceFile) {
    this.#options = options;
    this.#record = record;
    this.#file = file;
    this.#scheduleHeartbeat();
  }

  /** @throws KeySpaceError `unavailable` when another process owns the folder */
  static async claim(options: FolderOwnerOptions): Promise<FolderOwner> {
    for (;;) {
      const record = await tryClaim(options);
      if (!record) continue;
      return new FolderOwner(options, record, await options.folder.openInPlace(nameOf(record.epoch)));
    }
  }

  /** The acknowledged position that the last owner recorded. */
  get acknowledged(): LogPosition | undefined {
    return this.#record.acknowledged;
  }

  get isUnsettled(): boolean {
    return this.#record.isUnsettled;
  }

  /** @throws KeySpaceError `unavailable` when a loss of the folder was noticed already */
  assertNotLost(): void {
    if (this.#lost) throw this.#lost;
  }

  /** Checks the owner file. @throws KeySpaceError `unavailable` when the folder has another owner */
  async assertOwned(): Promise<void> {
    this.assertNotLost();
    const { folder } = this.#options;
    if ((await folder.size(nameOf(this.#record.epoch))) !== undefined) return;
    throw this.#lose(`another process has taken over ${folder.path}: this one writes nothing to it any more`);
  }

  /** Records the acknowledged position, without waiting for the disk. */
  mark(acknowledged: LogPosition): void {
    this.#record = { ...this.#record, acknowledged };
    this.#marking ??= this.#writeMarks();
  }

  /** Records that the log consists only of files that no earlier owner can have open. */
  async settle(): Promise<void> {
    if (!this.#record.isUnsettled) return;
    this.#record = { ...this.#record, isUnsettled: false };
    await this.#write();
    await this.#file.sync();
  }

  /** Called at most once, when another process has taken over the folder. */
  onLost(listener: (error: KeySpaceError) => void): void {
    this.#listener = listener;
    if (this.#lost) listener(this.#lost);
  }

  /** Records the release, so that the next process can take over without waiting for the lease. */
  async release(): Promise<void> {
    this.#listener = undefined;
    this.#cancelHeartbeat();
    await this.#renewing;
    await this.#marking;
    this.#cancelHeartbeat();
    if (!this.#lost) {
      this.#record = { ...this.#record, state: 'released' };
      await this.#write();
      await this.#file.sync();
    }
    this.#lost ??= new KeySpaceError('closed', 'the log is closed');
    await this.#file.close();
  }

  #scheduleHeartbeat(): void {
    this.#cancelHeartbeat = this.#options.clock.schedule(heartbeatMs, () => {
      this.#renewing = this.#renew().finally(() => {
        this.#renewing = undefined;
        if (!this.#lost) this.#scheduleHeartbeat();
      });
    });
  }

  async #renew(): Promise<void> {
    try {
      await this.assertOwned();
      this.#record = { ...this.#record, beat: this.#record.beat + 1 };
      await this.#write();
      await this.#file.sync();
    } catch (error) {
      if (!this.#lost) this.#options.log.warn('the owner record of the data folder cannot be renewed', { why: errorMessage(error) });
    }
  }

  /** Writes the newest position; positions recorded while a write is in flight are coalesced. */
  async #writeMarks(): Promise<void> {
    try {
      for (let written: OwnerRecord | undefined; written !== this.#record; ) {
        written = this.#record;
        await this.#write();
      }
    } catch (error) {
      this.#options.log.warn('the owner record of the data folder cannot be written', { why: errorMessage(error) });
    } finally {
      this.#marking = undefined;
    }
  }

  async #write(): Promise<void> {
    if (!this.#lost) await this.#file.write(encodeOwner(this.#record));
  }

  #lose(message: string): KeySpaceError {
    if (!this.#lost) {
      this.#lost = new KeySpaceError('unavailable', message);
      this.#cancelHeartbeat();
      this.#listener?.(this.#lost);
    }
    return this.#lost;
  }
}

/** One attempt; undefined when another process was faster, so that the owners must be read again. */
async function tryClaim(options: FolderOwnerOptions): Promise<OwnerRecord | undefined> {
  const { folder, random } = options;
  const found = await readOwners(folder);
  const judged = await Promise.all(found.map((owner) => checkLiveness(folder, owner)));
  const unknown = found.filter((_, index) => judged[index] === 'unknown');
  if (unknown.length > 0 && !(await waitForLeaseExpiry(options, unknown))) return undefined;
  const epoch = Math.max(0, ...found.map((owner) => owner.epoch)) + 1;
  const previous = found.find((owner) => owner.epoch === epoch - 1)?.record;
  const record: OwnerRecord = {
    ...(await folder.processes.self()),
    epoch,
    id: random.uuid(),
    state: 'held',
    beat: 0,
    isUnsettled: unknown.length > 0 || found.some((owner) => owner.record?.isUnsettled === true),
    acknowledged: previous?.acknowledged ?? found.find((owner) => owner.record?.acknowledged)?.record?.acknowledged,
  };
  if (!(await createWithSpace(options, nameOf(epoch), encodeOwner(record)))) return undefined;
  const names = await folder.list();
  const others = names.flatMap((name) => epochOf(name) ?? []);
  if (others.some((other) => other > epoch)) {
    await folder.remove(nameOf(epoch));
    return undefined;
  }
  for (const other of others) if (other < epoch) await folder.remove(nameOf(other));
  for (const name of names) if (isDraft(name)) await folder.remove(name);
  return record;
}

async function createWithSpace({ folder, freeSpace }: FolderOwnerOptions, name: string, bytes: Uint8Array): Promise<boolean> {
  for (;;) {
    try {
      return await folder.create(name, bytes);
    } catch (error) {
      if (!isOutOfSpace(error) || !(await freeSpace())) throw error;
    }
  }
}

interface OwnerFile {
  readonly epoch: number;
  readonly bytes: Uint8Array;
  /** Undefined when it is damaged. */
  readonly record: OwnerRecord | undefined;
}

/** Newest first. */
async function readOwners(folder: LogFolder): Promise<readonly OwnerFile[]> {
  const found: OwnerFile[] = [];
  for (const name of await folder.list()) {
    const epoch = epochOf(name);
    if (epoch === undefined) continue;
    const bytes = await folder.read(name).catch((error: unknown) => {
      // Another process has just taken over from this owner and removed its file.
      if (isMissingFile(error)) return undefined;
      throw error;
    });
    if (bytes) found.push({ epoch, bytes, record: decodeOwner(bytes, epoch) });
  }
  return found.sort((a, b) => b.epoch - a.epoch);
}

/** @throws KeySpaceError `unavailable` when the owner is alive */
async function checkLiveness(folder: LogFolder, { record }: OwnerFile): Promise<'dead' | 'unknown'> {
  if (record?.state === 'released') return 'dead';
  const state = record ? await folder.processes.stateOf(record) : 'unknown';
  if (state === 'alive') throw folderInUseError(folder, record);
  return state;
}

/**
 * Observes the owners for one lease duration. True when none has renewed its record; false when one was released or replaced.
 * @throws KeySpaceError `unavailable` when one was renewed
 */
async function waitForLeaseExpiry({ folder, clock, log }: FolderOwnerOptions, owners: readonly OwnerFile[]): Promise<boolean> {
  const { record } = owners[0] ?? {};
  log.warn('the data folder may be in use by another machine or container: waiting for a sign of life', {
    folder: folder.path,
    host: record?.host,
    pid: record?.pid,
    waitMs: leaseMs,
  });
  for (let check = 0; check < leaseChecks; check++) {
    await clock.sleep(leaseMs / leaseChecks);
    const now = await readOwners(folder);
    for (const owner of owners) {
      const later = now.find(({ epoch }) => epoch === owner.epoch);
      if (!later) return false;
      if (later.record?.state === 'released') return false;
      if (!bytesEqual(later.bytes, owner.bytes)) throw folderInUseError(folder, later.record);
    }
    if (now.length !== owners.length && now[0]?.epoch !== owners[0]?.epoch) return false;
  }
  return true;
}

function folderInUseError(folder: LogFolder, record: OwnerRecord | undefined): KeySpaceError {
  const user = record === undefined ? 'another process' : `process ${record.pid} on ${record.host}`;
  return new KeySpaceError('unavailable', `${user} is using ${folder.path}: a data folder has one server at a time`);
}

function encodeOwner(record: OwnerRecord): Uint8Array {
  const bytes = new Uint8Array(recordBytes).fill(32);
  bytes.set(encodeFrame(JSON.stringify({ ...record, host: record.host.slice(0, 63) })));
  return bytes;
}

/** Undefined for a record that was damaged or belongs to another epoch. */
function decodeOwner(bytes: Uint8Array, epoch: number): OwnerRecord | undefined {
  const [text] = readFrames(bytes).texts;
  // The checksum matches, so the text is an OwnerRecord.
  const record = text === undefined ? undefined : (JSON.parse(text) as OwnerRecord);
  return record?.epoch === epoch ? record : undefined;
}

const nameOf = (epoch: number): string => `owner-${epoch}`;

function epochOf(name: string): number | undefined {
  const match = /^owner-(\d{1,15})$/.exec(name);
  return match ? Number(match[1]) : undefined;
}

/** A file left by a process that was killed in `create`. If the process still runs, its `create` fails and it finds another owner. */
const isDraft = (name: string): boolean => /^(owner|log)-\d+\.[\w-]+$/.test(name);

function bytesEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
