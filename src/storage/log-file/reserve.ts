import { isOutOfSpace, type LogFile, type LogFolder } from './log-folder.ts';

export const reserveName = 'reserve';

/** Space is released in steps of this size, so that other users of the disk cannot take the rest. */
const stepBytes = 64 * 1024;

/**
 * A file that only occupies disk space. It is shortened when a delete, a compaction or a snapshot finds the disk full, and refilled when
 * there is space again. While it is short, the disk counts as full for all other writes.
 */
export class Reserve {
  readonly #folder: LogFolder;
  #file: LogFile | undefined;
  #size = 0;
  #targetBytes: number;
  #filling: Promise<void> | undefined;
  #isShort = false;

  constructor(folder: LogFolder, targetBytes: number) {
    this.#folder = folder;
    this.#targetBytes = targetBytes;
  }

  /** Whether the disk was too full to fill it, or it was shortened since. */
  get isShort(): boolean {
    return this.#isShort;
  }

  /** Starts to fill it up to `targetBytes`, in the background. */
  grow(targetBytes: number = this.#targetBytes): void {
    this.#targetBytes = targetBytes;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
  }

  /** Resolves to whether the reserve is full again. */
  async refill(): Promise<boolean> {
    // An attempt in flight may have found the disk full before space was freed.
    if (this.#isShort) await this.#filling;
    if (this.#isShort) {
      this.grow();
      await this.#filling;
    }
    return !this.#isShort;
  }

  /** Releases at least `bytes`, down to a size of `floorBytes`; false when too little is left. */
  async shrink(bytes: number, floorBytes: number): Promise<boolean> {
    await this.#filling;
    const file = await this.#open();
    const size = Math.max(floorBytes, this.#size - Math.max(stepBytes, 2 * bytes));
    if (this.#size - size < bytes) return false;
    this.#isShort = true;
    await file.truncate(size);
    this.#size = size;
    // Some file systems free space only with the next transaction.
    await file.sync();
    return true;
  }

  async close(): Promise<void> {
    await this.#filling;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #fill(): Promise<void> {
    try {
      const file = await this.#open();
      if (this.#size > this.#targetBytes) {
        await file.truncate(this.#targetBytes);
        this.#size = this.#targetBytes;
      }
      while (this.#size < this.#targetBytes) {
        const bytes = filler.subarray(0, this.#targetBytes - this.#size);
        await file.append(bytes);
        this.#size += bytes.length;
      }
      this.#isShort = false;
    } catch (error) {
      // While it is short, the next write that needs free space retries.
      this.#isShort = isOutOfSpace(error);
      this.#size = (await this.#folder.size(reserveName).catch(() => undefined)) ?? 0;
    }
  }

  async #open(): Promise<LogFile> {
    if (!this.#file) {
      this.#file = await this.#folder.open(reserveName);
      this.#size = (await this.#folder.size(reserveName)) ?? 0;
    }
    return this.#file;
  }
}

/** Incompressible bytes: a reserve of zeros would take no space on a compressing file system. */
const filler: Uint8Array = createFiller(4 * stepBytes);

function createFiller(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = 0x2545f491;
  for (let index = 0; index < size; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = state;
  }
  return bytes;
}
