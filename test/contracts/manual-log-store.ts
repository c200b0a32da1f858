import { type AppendSpace, KeySpaceError, type LoadedLog, type LogStore, type SnapshotWriter } from '../../src/storage/index.ts';

/** A store in memory whose steps can be paused, failed and inspected. */
export class ManualLogStore implements LogStore {
  records: string[] = [];
  chunks: string[] = [];
  appends = 0;
  begunSnapshots = 0;
  snapshots = 0;
  /** Thrown by the next appends while set. */
  failure: unknown;
  isClosed = false;
  /** In characters; `reserve` of them are not available to records that need free space. */
  capacity = Number.POSITIVE_INFINITY;
  reserve = 0;
  /** When false, snapshots fail for lack of space, as in a browser that has not freed the space of deleted data yet. */
  isSnapshotSpaceFreed = true;
  /** Characters of the unfinished snapshot. */
  #unfinished = 0;
  #gate: Promise<void> | undefined;
  #snapshotGate: Promise<void> | undefined;
  #listener: ((error: KeySpaceError) => void) | undefined;

  /** Appends wait until the returned function is called. */
  hold(): () => void {
    const { gate, open } = createGate();
    this.#gate = gate;
    return open;
  }

  /** The same for chunks of snapshots. */
  holdSnapshots(): () => void {
    const { gate, open } = createGate();
    this.#snapshotGate = gate;
    return open;
  }

  lose(error: KeySpaceError): void {
    this.failure = error;
    this.#listener?.(error);
  }

  async load(): Promise<LoadedLog> {
    return { chunks: [...this.chunks], records: [...this.records], damage: undefined };
  }

  async append(record: string, space: AppendSpace = 'free'): Promise<void> {
    this.appends++;
    await this.#gate;
    if (this.failure) throw this.failure;
    this.#takeSpace(record.length, space);
    this.records.push(record);
  }

  async beginSnapshot(): Promise<SnapshotWriter> {
    this.begunSnapshots++;
    const covered = this.records.length;
    const chunks: string[] = [];
    return {
      add: async (chunk) => {
        await this.#snapshotGate;
        if (!this.isSnapshotSpaceFreed) throw new KeySpaceError('out-of-space', 'the store is full');
        this.#takeSpace(chunk.length, 'reserve');
        this.#unfinished += chunk.length;
        chunks.push(chunk);
      },
      finish: async () => {
        this.snapshots++;
        this.#unfinished = 0;
        this.chunks = chunks;
        this.records = this.records.slice(covered);
      },
      abandon: async () => {
        this.#unfinished = 0;
      },
    };
  }

  #takeSpace(characters: number, space: AppendSpace): void {
    const used = [...this.chunks, ...this.records].reduce((sum, text) => sum + text.length, this.#unfinished);
    const capacity = this.capacity - (space === 'free' ? this.reserve : 0);
    if (used + characters > capacity) throw new KeySpaceError('out-of-space', 'the store is full');
  }

  onLost(listener: (error: KeySpaceError) => void): void {
    this.#listener = listener;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

function createGate(): { readonly gate: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { gate, open };
}
